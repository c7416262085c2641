// Intersections on a small grid of whole numbers against separating directions, and by name.

#include "carom/geometry/exact_intersection.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"

#include "support/slow.h"

namespace carom {
namespace {

struct Whole {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;
};

Whole operator-(const Whole& a, const Whole& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Whole cross(const Whole& a, const Whole& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
std::int64_t dot(const Whole& a, const Whole& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

bool separates(const Whole& direction, std::span<const Whole> a, std::span<const Whole> b) {
  std::int64_t least_a = std::numeric_limits<std::int64_t>::max();
  std::int64_t most_a = std::numeric_limits<std::int64_t>::min();
  std::int64_t least_b = least_a;
  std::int64_t most_b = most_a;
  for (const Whole& p : a) {
    least_a = std::min(least_a, dot(direction, p));
    most_a = std::max(most_a, dot(direction, p));
  }
  for (const Whole& p : b) {
    least_b = std::min(least_b, dot(direction, p));
    most_b = std::max(most_b, dot(direction, p));
  }
  return most_a < least_b || most_b < least_a;
}

// The hulls of two sets of points are apart if and only if a direction separates them. Where the
// difference of the hulls is solid, flat, a line or a point, one of these does: a normal of two
// sides (or of a side and a difference of points), a direction in their plane at right angles to a
// side, a side, a difference of points.
bool are_apart(std::span<const Whole> a, std::span<const Whole> b) {
  std::vector<Whole> sides = {a[0] - b[0]};
  for (const std::span<const Whole> points : {a, b}) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) sides.push_back(points[i] - points[j]);
    }
  }
  for (const Whole& s : sides) {
    if (separates(s, a, b)) return true;
    for (const Whole& t : sides) {
      const Whole normal = cross(s, t);
      if (separates(normal, a, b) || separates(cross(normal, s), a, b)) return true;
    }
  }
  return false;
}

template <std::size_t kCount>
std::array<Whole, kCount> random_points(Random& random, Index reach, bool flat) {
  std::array<Whole, kCount> points;
  const auto draw = [&] {
    return static_cast<std::int64_t>(random.below(2 * reach + 1)) - std::int64_t{reach};
  };
  for (Whole& p : points) p = {draw(), draw(), flat ? 0 : draw()};
  return points;
}

template <std::size_t kCount>
std::array<Vec3, kCount> as_places(const std::array<Whole, kCount>& points) {
  std::array<Vec3, kCount> places;
  for (std::size_t k = 0; k < kCount; ++k) {
    places[k] = {static_cast<double>(points[k].x), static_cast<double>(points[k].y),
                 static_cast<double>(points[k].z)};
  }
  return places;
}

template <std::size_t kFirst, std::size_t kSecond, typename Test>
void compare_with_directions(const Test& test) {
  Random random(300 + 10 * kFirst + kSecond);
  const int count = test::problem_count(30'000, 500'000);
  int met = 0;
  for (int trial = 0; trial < count; ++trial) {
    const Index reach = 1 + random.below(3);
    const bool flat = random.below(3) == 0;
    const auto a = random_points<kFirst>(random, reach, flat);
    const auto b = random_points<kSecond>(random, reach, flat);
    const Intersection found = test(as_places(a), as_places(b));
    const bool expected = !are_apart(a, b);
    met += expected ? 1 : 0;
    ASSERT_EQ(static_cast<bool>(found), expected) << "trial " << trial;
  }
  EXPECT_GT(met, count / 500);
}

TEST(ExactIntersection, OfPointsAndSegmentsIsWhatNoDirectionSeparates) {
  compare_with_directions<1, 1>(
      [](const auto& a, const auto& b) { return point_point(a[0], b[0]); });
  compare_with_directions<1, 2>(
      [](const auto& a, const auto& b) { return point_segment(a[0], b); });
  compare_with_directions<2, 2>([](const auto& a, const auto& b) { return segment_segment(a, b); });
}

TEST(ExactIntersection, WithTrianglesIsWhatNoDirectionSeparates) {
  compare_with_directions<1, 3>(
      [](const auto& a, const auto& b) { return point_triangle(a[0], b); });
  compare_with_directions<2, 3>(
      [](const auto& a, const auto& b) { return segment_triangle(a, b); });
}

constexpr Feature corner(Index k) { return {Feature::Kind::corner, k}; }
constexpr Feature side(Index k) { return {Feature::Kind::side, k}; }
constexpr Feature kInside{Feature::Kind::inside, 0};

void expect_meeting(const Intersection& found, Meeting meeting,
                    const std::array<Feature, 2>& features, const Vec3& place) {
  EXPECT_EQ(found.meeting, meeting);
  EXPECT_EQ(found.first, features[0]);
  EXPECT_EQ(found.second, features[1]);
  EXPECT_LE(norm(found.place - place), 1e-15);
}

TEST(ExactIntersection, NamesTheFeaturesWhereASegmentMeetsATriangle) {
  const std::array<Vec3, 3> t = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
  const auto down = [](double x, double y) { return std::array<Vec3, 2>{{{x, y, 1}, {x, y, -1}}}; };
  expect_meeting(segment_triangle(down(1, 1), t), Meeting::cross, {side(0), kInside}, {1, 1, 0});
  expect_meeting(segment_triangle(down(2, 0), t), Meeting::touch, {side(0), side(0)}, {2, 0, 0});
  expect_meeting(segment_triangle(down(2, 2), t), Meeting::touch, {side(0), side(1)}, {2, 2, 0});
  expect_meeting(segment_triangle(down(0, 1), t), Meeting::touch, {side(0), side(2)}, {0, 1, 0});
  for (Index k = 0; k < 3; ++k) {
    expect_meeting(segment_triangle(down(t[k].x, t[k].y), t), Meeting::touch, {side(0), corner(k)},
                   t[k]);
  }
  EXPECT_FALSE(segment_triangle(down(2, 2 + 1e-15), t));
  EXPECT_FALSE(segment_triangle({{{1, 1, 1}, {1, 1, 0x1p-1074}}}, t));
  expect_meeting(segment_triangle({{{1, 1, 1}, {1, 1, 0}}}, t), Meeting::touch,
                 {corner(1), kInside}, {1, 1, 0});
  // Within the triangle's plane: from outside to outside across a corner, and wholly inside.
  expect_meeting(segment_triangle({{{-1, 1, 0}, {1, -1, 0}}}, t), Meeting::touch,
                 {side(0), corner(0)}, {0, 0, 0});
  expect_meeting(segment_triangle({{{1, 1, 0}, {1.5, 1, 0}}}, t), Meeting::touch,
                 {corner(0), kInside}, {1, 1, 0});
}

TEST(ExactIntersection, TellsWhichSegmentsCrossAndWhichTouch) {
  expect_meeting(segment_segment({{{0, 0, 0}, {2, 2, 0}}}, {{{0, 2, 0}, {2, 0, 0}}}),
                 Meeting::cross, {side(0), side(0)}, {1, 1, 0});
  expect_meeting(segment_segment({{{0, 0, 0}, {2, 2, 0}}}, {{{1, 1, 0}, {2, 0, 0}}}),
                 Meeting::touch, {side(0), corner(0)}, {1, 1, 0});
  // On one line: overlapping, and end to end.
  expect_meeting(segment_segment({{{0, 0, 0}, {2, 2, 2}}}, {{{1, 1, 1}, {3, 3, 3}}}),
                 Meeting::touch, {side(0), corner(0)}, {1, 1, 1});
  expect_meeting(segment_segment({{{0, 0, 0}, {1, 1, 1}}}, {{{1, 1, 1}, {3, 3, 3}}}),
                 Meeting::touch, {corner(1), corner(0)}, {1, 1, 1});
  EXPECT_FALSE(segment_segment({{{0, 0, 0}, {2, 2, 0}}}, {{{0, 2, 1e-300}, {2, 0, 1e-300}}}));
}

// A sliver thinner than the rounding of its coordinates, and one whose area is exactly zero.
TEST(ExactIntersection, DecidesSliversAndTrianglesWithoutArea) {
  const double step = 0x1p-52;
  const std::array<Vec3, 3> sliver = {{{1, 1, 0}, {3, 3, 0}, {2, 2 + 2 * step, 0}}};
  EXPECT_TRUE(segment_triangle({{{2, 2, 1}, {2, 2, -1}}}, sliver));
  EXPECT_TRUE(segment_triangle({{{2, 2 + 2 * step, 1}, {2, 2 + 2 * step, -1}}}, sliver));
  EXPECT_FALSE(segment_triangle({{{2, 2 + 4 * step, 1}, {2, 2 + 4 * step, -1}}}, sliver));
  EXPECT_FALSE(segment_triangle({{{2, 2 - step, 1}, {2, 2 - step, -1}}}, sliver));
  const std::array<Vec3, 3> flat = {{{1, 1, 0}, {3, 3, 0}, {2, 2, 0}}};
  expect_meeting(segment_triangle({{{2.5, 2.5, 1}, {2.5, 2.5, -1}}}, flat), Meeting::touch,
                 {side(0), side(0)}, {2.5, 2.5, 0});
  EXPECT_FALSE(segment_triangle({{{2.5, 2.5 + 2 * step, 1}, {2.5, 2.5 + 2 * step, -1}}}, flat));
}

}  // namespace
}  // namespace carom
