#include "carom/events/shape_touch.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/geometry/shape.h"

namespace carom {
namespace {

PlacedShape placed(Shape shape, Motion motion = {}) {
  return {std::move(shape), std::move(motion), 0, "wall"};
}

double gap_at(const PlacedShape& shape, Index feature, const BallFlight& ball, double now,
              double t) {
  const Vec3 place = ball.position + t * ball.velocity + (0.5 * t * t) * ball.acceleration;
  return ball_contact(shape.shape, feature, place - offset_at(shape.motion, now + t), ball.radius)
      .gap;
}

// The touch is where the gap is zero, and nowhere before is it negative.
void expect_first_touch(const PlacedShape& shape, Index feature, const BallFlight& ball, double now,
                        double horizon) {
  const ShapeTouch touch = first_touch(shape, feature, ball, {now, horizon});
  const double end = std::min(touch.time, horizon);
  for (int k = 0; k <= 400; ++k) {
    const double t = end * k / 400.0;
    ASSERT_GE(gap_at(shape, feature, ball, now, t), -1e-11) << "missed a touch at " << t;
  }
  if (touch.time <= horizon && touch.certain) {
    ASSERT_NEAR(gap_at(shape, feature, ball, now, touch.time), 0.0, 1e-10);
  }
}

std::vector<PlacedShape> shapes_with(const Motion& motion) {
  return {placed(HalfPlane{{0.0, -2.0, 0.0}, {0.0, 1.0, 0.0}}, motion),
          placed(Segment{{-1.0, -1.5, 0.2}, {1.2, -1.0, -0.3}}, motion),
          placed(SphereInside{{0.1, 0.0, 0.0}, 4.0}, motion),
          placed(SphereOutside{{1.0, -2.0, 0.5}, 0.7}, motion),
          placed(BoxInside{{-3.0, -3.0, -3.0}, {3.0, 3.0, 3.0}}, motion)};
}

class FirstTouch : public testing::TestWithParam<int> {};

TEST_P(FirstTouch, IsTheFirstForRandomFlights) {
  const std::vector<Motion> motions = {
      std::monostate(), ConstantMotion{{0.3, 0.2, -0.1}},
      SinusoidMotion{{0.1, 0.2, 0.05}, 1.5, 0.3},
      TableMotion{{0.0, 0.4, 1.0, 1.5}, {{}, {0.2, 0.1, 0.0}, {-0.1, 0.2, 0.0}, {0.1, 0.0, 0.1}}}};
  const std::vector<PlacedShape> shapes =
      shapes_with(motions[static_cast<std::size_t>(GetParam())]);
  Random random(static_cast<std::uint64_t>(GetParam()) + 3);
  for (const double gravity : {0.0, -10.0}) {
    for (int draw = 0; draw < 300; ++draw) {
      BallFlight ball;
      ball.radius = 0.2;
      ball.acceleration = {0.0, gravity, 0.0};
      ball.position = {random.uniform(-2.0, 2.0), random.uniform(-0.5, 2.0),
                       random.uniform(-2.0, 2.0)};
      ball.velocity = {3.0 * random.normal(), 3.0 * random.normal(), 3.0 * random.normal()};
      for (const PlacedShape& shape : shapes) {
        for (Index feature = 0; feature < feature_count(shape.shape, 3); ++feature) {
          if (gap_at(shape, feature, ball, 0.1, 0.0) <= 0.0) continue;
          SCOPED_TRACE(std::string(shape_type_name(shape.shape)) + " draw " + std::to_string(draw));
          expect_first_touch(shape, feature, ball, 0.1, 2.0);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Motions, FirstTouch, testing::Values(0, 1, 2, 3));

TEST(FirstTouchOfSegment, SeesTheEndsAndTheSide) {
  const PlacedShape wall = placed(Segment{{0.0, 0.0, 0.0}, {4.0, 0.0, 0.0}});
  BallFlight ball{{2.0, 3.0, 0.0}, {0.0, -1.0, 0.0}, {}, 0.5};
  EXPECT_NEAR(first_touch(wall, 0, ball, {0.0, 100.0}).time, 2.5, 1e-14);
  ball = {{-3.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {}, 0.5};
  EXPECT_NEAR(first_touch(wall, 0, ball, {0.0, 100.0}).time, 2.5, 1e-14);
  ball = {{-0.3, 3.0, 0.0}, {0.0, -1.0, 0.0}, {}, 0.5};  // 0.3 beside the end: 0.4 above it
  EXPECT_NEAR(first_touch(wall, 0, ball, {0.0, 100.0}).time, 2.6, 1e-14);
  ball = {{5.0, 3.0, 0.0}, {0.0, -1.0, 0.0}, {}, 0.5};
  EXPECT_EQ(first_touch(wall, 0, ball, {0.0, 100.0}).time, kInfinity);
}

TEST(FirstTouchOfSinusoid, MeetsAPlateThatComesUp) {
  // Plate at A sin(w t), ball at rest A above it without gravity: touched a quarter turn later.
  const double A = 0.25;
  const PlacedShape plate =
      placed(HalfPlane{{}, {0.0, 1.0, 0.0}}, SinusoidMotion{{0.0, A, 0.0}, 2.0, 0.0});
  const BallFlight ball{{0.0, 0.5 + 0.5 * A, 0.0}, {}, {}, 0.5};
  // A sin(4 pi t) = A / 2
  EXPECT_NEAR(first_touch(plate, 0, ball, {0.0, 1.0}).time, 1.0 / 24.0, 1e-9);
}

TEST(GapAcceleration, IsGravityAndTheBendOfTheWall) {
  BallFlight ball{{0.0, -1.5, 0.0}, {2.0, 0.0, 0.0}, {0.0, -10.0, 0.0}, 0.5};
  const Vec3 up = {0.0, 1.0, 0.0};
  EXPECT_DOUBLE_EQ(gap_acceleration(placed(HalfPlane{{}, up}), up, ball, 0.0), -10.0);
  EXPECT_DOUBLE_EQ(gap_acceleration(placed(SphereInside{{}, 2.0}), up, ball, 0.0),
                   -10.0 - 4.0 / 1.5);
  EXPECT_DOUBLE_EQ(gap_acceleration(placed(SphereOutside{{}, 1.5}), up, ball, 0.0), -10.0 + 2.0);
}

}  // namespace
}  // namespace carom
