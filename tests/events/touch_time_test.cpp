#include "carom/events/touch_time.h"

#include <cmath>

#include <gtest/gtest.h>

#include "carom/core/random.h"

namespace carom {
namespace {

double value(const Quartic& c, double t) {
  return c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * c[4])));
}

Quartic from_roots(double factor, std::array<double, 4> roots) {
  Quartic c = {factor, 0.0, 0.0, 0.0, 0.0};
  std::size_t degree = 0;
  for (const double root : roots) {
    for (std::size_t k = ++degree; k > 0; --k) c[k] = c[k - 1] - root * c[k];
    c[0] *= -root;
  }
  return c;
}

TEST(FirstFall, FindsTheFirstRootAtWhichTheQuarticFalls) {
  // + falls at its first and third root, - at its second and fourth
  EXPECT_NEAR(first_fall(from_roots(1.0, {1.0, 2.0, 3.0, 4.0}), kInfinity), 1.0, 1e-12);
  EXPECT_NEAR(first_fall(from_roots(-1.0, {1.0, 2.0, 3.0, 4.0}), kInfinity), 2.0, 1e-12);
  EXPECT_NEAR(first_fall(from_roots(1.0, {-2.0, -1.0, 3.0, 4.0}), kInfinity), 3.0, 1e-12);
  EXPECT_NEAR(first_fall(from_roots(1.0, {-1.0, 2.0, 3.0, 4.0}), kInfinity), 3.0, 1e-12);
  EXPECT_EQ(first_fall(from_roots(1.0, {-4.0, -3.0, -2.0, -1.0}), kInfinity), kInfinity);
}

TEST(FirstFall, LooksNoFurtherThanTheHorizon) {
  const Quartic c = from_roots(1.0, {1.0, 2.0, 3.0, 4.0});
  EXPECT_EQ(first_fall(c, 0.999), kInfinity);
  EXPECT_NEAR(first_fall(c, 1.001), 1.0, 1e-12);
}

TEST(FirstFall, IsAtOnceWhereItIsBelowZeroAndFalling) {
  EXPECT_EQ(first_fall({-1.0, -1.0, 0.0, 0.0, 0.0}, kInfinity), 0.0);
  EXPECT_EQ(first_fall({-1.0, 1.0, 0.0, 0.0, 0.0}, kInfinity), kInfinity);
}

// The reference walks in small steps.
TEST(FirstFall, MissesNoRootOfRandomQuartics) {
  Random random(7);
  for (int k = 0; k < 2000; ++k) {
    Quartic c;
    for (double& coefficient : c) coefficient = random.normal();
    const double found = first_fall(c, 3.0);
    double expected = kInfinity;
    const double step = 1e-3;
    for (int at = 0; at < 3000; ++at) {
      const double t = step * at;
      const bool falls = value(c, t + step) < value(c, t);
      if (falls && value(c, t + step) <= 0.0) {
        expected = t;
        break;
      }
    }
    if (expected == kInfinity) {
      // Only something flatter than the walk sees may be found.
      if (found < 3.0 - 3.0 * step) {
        EXPECT_LE(value(c, found), 1e-4) << "draw " << k;
      }
    } else {
      ASSERT_LE(found, expected + 2.0 * step) << "draw " << k;
      ASSERT_GE(found, 0.0);
      if (found > 0.0) {
        ASSERT_LE(value(c, found), 1e-5) << "draw " << k;
      }
    }
  }
}

TEST(TimeToTouch, IsThatOfAFallingStone) {
  EXPECT_DOUBLE_EQ(time_to_touch({20.0, 0.0, -10.0}, 0.0), 2.0);
  EXPECT_DOUBLE_EQ(time_to_touch({15.0, 10.0, -10.0}, 0.0), 3.0);
  EXPECT_DOUBLE_EQ(time_to_touch({3.0, -1.5, 0.0}, 0.0), 2.0);
  EXPECT_EQ(time_to_touch({3.0, -1.0, 1.0}, 0.0), kInfinity);  // turns at 2.5
  EXPECT_DOUBLE_EQ(time_to_touch({1.5, -2.0, 1.0}, 0.0), 1.0);
}

TEST(TimeToTouch, JudgesTouchingPairsByTheirApproach) {
  for (const double gap : {-1e-16, 0.0}) {
    EXPECT_EQ(time_to_touch({gap, -1.0, 0.0}, 1e-15), 0.0);
    EXPECT_EQ(time_to_touch({gap, 1.0, 0.0}, 1e-15), kInfinity);
    EXPECT_NEAR(time_to_touch({gap, 1.0, -2.0}, 1e-15), 1.0, 1e-15) << "comes back";
    EXPECT_EQ(time_to_touch({gap, 1e-17, 0.0}, 1e-15), kInfinity);
    EXPECT_EQ(time_to_touch({gap, -1e-17, 0.0}, 1e-15), kInfinity);
    EXPECT_EQ(time_to_touch({gap, -1e-17, -9.8}, 1e-15), 0.0) << "pressed on";
  }
  EXPECT_NEAR(time_to_touch({1e-17, 1.0, -2.0}, 1e-15), 1.0, 1e-15) << "not the root just passed";
}

TEST(TimeToComeNear, OfStraightFlightIsTheClosedForm) {
  // Offset 0.6 of a distance 1: touches 0.8 before the point of closest approach.
  const RelativeFlight flight = {{-5.0, 0.6, 0.0}, {2.0, 0.0, 0.0}, {}};
  EXPECT_NEAR(time_to_come_near(flight, 1.0, kInfinity, 0.0), (5.0 - 0.8) / 2.0, 1e-15);
  EXPECT_EQ(time_to_come_near({{-5.0, 1.1, 0.0}, {2.0, 0.0, 0.0}, {}}, 1.0, kInfinity, 0.0),
            kInfinity);
  EXPECT_EQ(time_to_come_near({{5.0, 0.6, 0.0}, {2.0, 0.0, 0.0}, {}}, 1.0, kInfinity, 0.0),
            kInfinity);
}

TEST(TimeToComeNear, UnderGravityFallsOnASphere) {
  // From 1.25 above the touch, straight down: t = sqrt(2 * 1.25 / 10).
  const RelativeFlight flight = {{0.0, 2.25, 0.0}, {}, {0.0, -10.0, 0.0}};
  EXPECT_NEAR(time_to_come_near(flight, 1.0, kInfinity, 0.0), 0.5, 1e-14);
  // Thrown up from the touch at speed u it is back after 2 u / g, whatever round-off says of now.
  for (const double off : {-1e-16, 0.0, 1e-16}) {
    const RelativeFlight up = {{0.0, 1.0 + off, 0.0}, {0.0, 1e-3, 0.0}, {0.0, -10.0, 0.0}};
    EXPECT_NEAR(time_to_come_near(up, 1.0, kInfinity, 1e-18), 2e-4, 1e-11);
  }
}

TEST(TimeToGoFar, OfStraightFlightIsTheChord) {
  const RelativeFlight flight = {{0.0, 0.6, 0.0}, {2.0, 0.0, 0.0}, {}};
  EXPECT_NEAR(time_to_go_far(flight, 1.0, kInfinity, 0.0), 0.4, 1e-15);
  // Reflected at the wall the next chord is a whole one.
  const RelativeFlight leaving = {{0.8, 0.6, 0.0}, {-2.0, 0.0, 0.0}, {}};
  EXPECT_NEAR(time_to_go_far(leaving, 1.0, kInfinity, 1e-15), 0.8, 1e-15);
}

TEST(TimeToGoFar, UnderGravityIsWhereTheParabolaMeetsTheDrum) {
  // From the middle to the right at v: x = v t, y = -g t^2 / 2, x^2 + y^2 = R^2.
  const double v = 3.0;
  const double g = 10.0;
  const double R = 2.0;
  const double s = 2.0 * (-v * v + std::sqrt(v * v * v * v + g * g * R * R)) / (g * g);  // t^2
  const RelativeFlight flight = {{}, {v, 0.0, 0.0}, {0.0, -g, 0.0}};
  EXPECT_NEAR(time_to_go_far(flight, R, kInfinity, 0.0), std::sqrt(s), 1e-14);
}

}  // namespace
}  // namespace carom
