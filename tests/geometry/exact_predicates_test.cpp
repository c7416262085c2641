// The exact predicates against whole-number arithmetic, in each of their three stages.

#include "carom/geometry/exact_predicates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/core/types.h"

#include "support/slow.h"

namespace carom {
namespace {

__extension__ using Wide = __int128;
using Whole = std::array<std::int64_t, 3>;

Whole operator-(const Whole& a, const Whole& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

int sign(Wide value) { return (value > 0 ? 1 : 0) - (value < 0 ? 1 : 0); }

Wide minor_of(const Whole& u, const Whole& v, std::size_t i, std::size_t j) {
  return Wide{u[i]} * v[j] - Wide{u[j]} * v[i];
}

// Room for coordinates below 2^38.
int whole_side_of_plane(const std::array<Whole, 4>& p) {
  const Whole u = p[1] - p[0];
  const Whole v = p[2] - p[0];
  const Whole w = p[3] - p[0];
  return sign(minor_of(u, v, 1, 2) * w[0] + minor_of(u, v, 2, 0) * w[1] +
              minor_of(u, v, 0, 1) * w[2]);
}

Vec3 scaled(const Whole& p, double unit) {
  return {static_cast<double>(p[0]) * unit, static_cast<double>(p[1]) * unit,
          static_cast<double>(p[2]) * unit};
}

Whole random_whole(Random& random, std::int64_t reach) {
  Whole p{};
  for (std::int64_t& x : p) {
    x = static_cast<std::int64_t>(random.bits() % static_cast<std::uint64_t>(2 * reach + 1)) -
        reach;
  }
  return p;
}

// Four points, the last of them on or one unit beside a point of the plane of the others.
std::array<Whole, 4> nearly_coplanar(Random& random, std::int64_t reach) {
  std::array<Whole, 4> p{};
  for (Whole& x : p) x = random_whole(random, reach);
  const auto along_b = static_cast<std::int64_t>(random.below(5)) - 2;
  const auto along_c = static_cast<std::int64_t>(random.below(5)) - 2;
  const Whole aside = random_whole(random, random.below(2));
  for (std::size_t k = 0; k < 3; ++k) {
    p[3][k] = p[0][k] + along_b * (p[1][k] - p[0][k]) + along_c * (p[2][k] - p[0][k]) + aside[k];
  }
  return p;
}

int side_of(const std::array<Vec3, 4>& p) { return side_of_plane(p[0], p[1], p[2], p[3]); }

int line_side(const std::array<Vec3, 4>& p, AxisPlane plane) {
  return side_of_line(p[0], p[1], p[3], plane);
}

// Units 1, 2^-290 and 2^300 end in the filter or in expansions, the others in whole numbers.
TEST(ExactPredicates, AgreeWithWholeNumbersForPointsOnAndNextToAPlane) {
  Random random(290);
  const int count = test::problem_count(40'000, 400'000);
  int on_plane = 0;
  for (int trial = 0; trial < count; ++trial) {
    const std::int64_t reach = std::int64_t{1} << (2 + random.below(33));
    const std::array<Whole, 4> p = nearly_coplanar(random, reach);
    const int expected = whole_side_of_plane(p);
    on_plane += expected == 0 ? 1 : 0;
    const bool far = trial % 50 == 0;
    for (const double unit : {1.0, 0x1p-290, 0x1p+300, 0x1p-1074, 0x1p+985}) {
      if (!far && (unit < 0x1p-300 || unit > 0x1p+301)) continue;
      std::array<Vec3, 4> q;
      for (std::size_t k = 0; k < 4; ++k) q[k] = scaled(p[k], unit);
      ASSERT_EQ(side_of(q), expected) << "trial " << trial << ", unit " << unit;
      const Whole u = p[1] - p[0];
      const Whole v = p[3] - p[0];
      ASSERT_EQ(line_side(q, AxisPlane::xy), sign(minor_of(u, v, 0, 1)));
      ASSERT_EQ(line_side(q, AxisPlane::yz), sign(minor_of(u, v, 1, 2)));
      ASSERT_EQ(line_side(q, AxisPlane::zx), sign(minor_of(u, v, 2, 0)));
    }
  }
  EXPECT_GT(on_plane, count / 4);
  EXPECT_LT(on_plane, 3 * count / 4);
}

TEST(ExactPredicates, AgreeWithWholeNumbersForPointsOnAndNextToALine) {
  Random random(293);
  for (int trial = 0; trial < 20'000; ++trial) {
    const std::int64_t reach = std::int64_t{1} << (2 + random.below(33));
    std::array<Whole, 3> p = {random_whole(random, reach), random_whole(random, reach), {}};
    const auto along = static_cast<std::int64_t>(random.below(9)) - 4;
    const Whole aside = random_whole(random, random.below(2));
    for (std::size_t k = 0; k < 3; ++k) p[2][k] = p[0][k] + along * (p[1][k] - p[0][k]) + aside[k];
    const int expected = sign(minor_of(p[1] - p[0], p[2] - p[0], 0, 1));
    ASSERT_EQ(side_of_line(scaled(p[0], 1.0), scaled(p[1], 1.0), scaled(p[2], 1.0)), expected);
  }
}

// A number of at most 44 bits, anywhere between 2^-60 and 2^60.
double short_number(Random& random) {
  const auto mantissa = static_cast<double>(random.bits() >> 20U) * 0x1p-44;
  return std::ldexp(mantissa, static_cast<int>(random.below(121)) - 60);
}

// Exactly on y = 3 x and on z = 3 x + 5 y, with coordinates so different in size that every part of
// every difference is needed to see it; and one smallest step beside.
TEST(ExactPredicates, SeePointsOfVeryDifferentSizesOnOneLineAndInOnePlane) {
  Random random(294);
  for (int trial = 0; trial < 5000; ++trial) {
    std::array<Vec3, 4> line;
    std::array<Vec3, 4> flat;
    for (std::size_t k = 0; k < 4; ++k) {
      const double x = short_number(random);
      const double y = x * static_cast<double>(random.below(16));
      line[k] = {x, 3.0 * x, 0.0};
      flat[k] = {x, y, 3.0 * x + 5.0 * y};
    }
    ASSERT_EQ(side_of_line(line[0], line[1], line[2]), 0);
    Vec3 above = line[2];
    above.y = std::nextafter(above.y, kInfinity);
    ASSERT_EQ(side_of_line(line[0], line[1], above), line[0].x < line[1].x ? 1 : -1);
    ASSERT_EQ(side_of(flat), 0);
    flat[3].z = std::nextafter(flat[3].z, kInfinity);
    ASSERT_EQ(side_of(flat), side_of_line(flat[0], flat[1], flat[2]));
  }
}

// Doubles of full length, whose differences are not doubles: the sign of each order of the four
// follows from that of one, and moving one coordinate by the smallest step moves it the right way.
TEST(ExactPredicates, EveryOrderOfFourPointsTellsTheSame) {
  Random random(291);
  int zero = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::array<Vec3, 4> p;
    for (Vec3& x : p) {
      x = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
    }
    const double s = random.uniform();
    const double t = random.uniform();
    p[3] = p[0] + s * (p[1] - p[0]) + t * (p[2] - p[0]);
    const int expected = side_of(p);
    zero += expected == 0 ? 1 : 0;
    std::array<std::size_t, 4> order = {0, 1, 2, 3};
    do {
      int turns = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = i + 1; j < 4; ++j) turns += order[i] > order[j] ? 1 : 0;
      }
      const int found = side_of_plane(p[order[0]], p[order[1]], p[order[2]], p[order[3]]);
      ASSERT_EQ(found, turns % 2 == 0 ? expected : -expected);
    } while (std::next_permutation(order.begin(), order.end()));
    // The determinant grows with the last point's way along the normal.
    const Vec3 normal = cross(p[1] - p[0], p[2] - p[0]);
    std::array<Vec3, 4> above = p;
    above[3].x = std::nextafter(p[3].x, normal.x > 0.0 ? 2.0 : -2.0);
    ASSERT_GE(side_of(above), expected);
  }
  EXPECT_LT(zero, 500);
}

TEST(ExactPredicates, HoldOverTheWholeRangeOfDoubles) {
  const double huge = 0x1.fffffffffffffp+1023;
  const double least = 0x1p-1074;
  // (huge, least) against (huge', least) with huge' one step less: only the last bits decide.
  const double less = std::nextafter(huge, 0.0);
  EXPECT_EQ(side_of_line({0, 0, 0}, {huge, least, 0}, {less, least, 0}), 1);
  EXPECT_EQ(side_of_line({0, 0, 0}, {less, least, 0}, {huge, least, 0}), -1);
  EXPECT_EQ(side_of_line({0, 0, 0}, {huge, least, 0}, {huge, least, 0}), 0);
  EXPECT_EQ(side_of_line({-huge, -huge, 0}, {huge, huge, 0}, {least, least, 0}), 0);
  EXPECT_EQ(side_of_line({-huge, -huge, 0}, {huge, huge, 0}, {least, 2 * least, 0}), 1);
  EXPECT_EQ(side_of_plane({-huge, 0, 0}, {huge, 0, 0}, {0, huge, 0}, {1, 1, least}), 1);
  EXPECT_EQ(side_of_plane({-huge, 0, 0}, {huge, 0, 0}, {0, huge, 0}, {1, 1, -least}), -1);
  EXPECT_EQ(side_of_plane({-huge, 0, 0}, {huge, 0, 0}, {0, huge, 0}, {1, -huge, 0}), 0);
  // Products of three smallest numbers: far below what a double can hold.
  EXPECT_EQ(side_of_plane({0, 0, 0}, {least, 0, 0}, {0, least, 0}, {0, 0, least}), 1);
  EXPECT_EQ(side_of_plane({0, 0, 0}, {least, 0, 0}, {0, least, 0}, {least, least, 0}), 0);
  // Underflow that would turn the sign of the rounded determinant: 3 x 5 against 4 x 4, in units
  // whose products have a few bits only.
  const double unit = 0x1p-538;
  EXPECT_EQ(side_of_line({0, 0, 0}, {3 * unit, 4 * unit, 0}, {4 * unit, 5 * unit, 0}), -1);
  EXPECT_EQ(side_of_line({0, 0, 0}, {5 * unit, 4 * unit, 0}, {4 * unit, 3 * unit, 0}), -1);
  // 14 x 21 - 15 x 20 = -6, but both 14 and 15 units squared round to the same number.
  const double large = 0x1p+500;
  EXPECT_EQ(side_of_plane({0, 0, 0}, {14 * unit, 0, 15 * unit}, {0, unit, 0},
                          {20 * large, 0, 21 * large}),
            -1);
}

TEST(ExactPredicates, TrianglesWithoutAreaAreFoundAndNoOthers) {
  Random random(292);
  for (int trial = 0; trial < 5000; ++trial) {
    const Whole a = random_whole(random, 1 << 20);
    const Whole u = random_whole(random, 1 << 10);
    const auto factor = static_cast<std::int64_t>(random.below(9)) - 4;
    Whole b{};
    Whole c{};
    for (std::size_t k = 0; k < 3; ++k) {
      b[k] = a[k] + u[k];
      c[k] = a[k] + factor * u[k];
    }
    EXPECT_TRUE(are_collinear(scaled(a, 1.0), scaled(b, 1.0), scaled(c, 1.0)));
    const std::size_t axis = random.below(3);
    c[axis] += 1;
    const Whole w = c - a;
    const bool on_line =
        minor_of(u, w, 0, 1) == 0 && minor_of(u, w, 1, 2) == 0 && minor_of(u, w, 2, 0) == 0;
    EXPECT_EQ(are_collinear(scaled(a, 1.0), scaled(b, 1.0), scaled(c, 1.0)), on_line);
  }
  EXPECT_TRUE(are_collinear({1, 2, 3}, {1, 2, 3}, {4, 5, 6}));
  EXPECT_TRUE(is_between({0, 0, 0}, {1, -1, 0}, {1, -1, 0}));
  EXPECT_FALSE(is_between({0, 0, 0}, {1, -1, 0}, {1, -1, 0x1p-1074}));
}

TEST(ExactPredicatesDeathTest, RefuseWhatIsNotFinite) {
  const double nothing = std::nan("");
  EXPECT_DEATH((void)side_of_plane({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, nothing}), "is_finite");
  EXPECT_DEATH((void)side_of_line({0, 0, 0}, {1, 0, 0}, {HUGE_VAL, 1, 0}), "is_finite");
}

}  // namespace
}  // namespace carom
