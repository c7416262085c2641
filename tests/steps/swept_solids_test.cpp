// Solids that move farther in a step than they are thick meet what lies on their way.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "carom/contact/detail/solid_sweep.h"
#include "carom/core/random.h"
#include "carom/schemes/registry.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::TestScene;

// In one step of 0.01 s at 50 m/s 0.5 m are covered: five times the wall's thickness.
constexpr double kSpeed = 50.0;
constexpr double kStep = 0.01;
constexpr double kThickness = 0.1;

SolidObstacle wall_at(const Vec3& half, int dimension) {
  return {std::make_shared<const Solid>(BoxSolid{half}, dimension), Pose{}, {}};
}

struct Shot {
  bool is_ball = false;
  double restitution = 1.0;
  double friction = 0.0;
};

// What flies towards a wall along x, from `place`.
TestScene shot_at_wall(const Shot& shot, const Vec3& place) {
  TestScene world(3);
  world.wall(wall_at({0.5 * kThickness, 2, 2}, 3), {}, "wall");
  if (shot.is_ball) {
    world.ball(place, {kSpeed, 0, 0}, 0.1);
  } else {
    world.solid(BoxSolid{{0.1, 0.1, 0.1}}, {place, {kSpeed, 0, 0}, {}, {}});
  }
  world.restitution(shot.restitution, shot.friction);
  if (shot.friction > 0.0) world.simulation.impact.friction_model = "coulomb";
  world.step(kStep);
  return world;
}

// Through 40 places that lie differently to the steps, none of which may be on the other side.
void expect_no_passing(const Shot& shot) {
  for (int k = 0; k < 40; ++k) {
    SCOPED_TRACE("place " + std::to_string(k));
    const TestScene world = shot_at_wall(shot, {-1.7 + 0.5 * k / 40.0, 0.3, -0.2});
    const auto stepper = make_stepper(world.simulation);
    const double before = totals(world.simulation, world.simulation.start).kinetic;
    for (int step = 0; step < 12; ++step) {
      const StepReport report = stepper->step();
      ASSERT_TRUE(report.can_go_on()) << report.message;
      ASSERT_LT(stepper->state().position[0].x, -0.5 * kThickness - 0.1 + 1e-9);
    }
    const double after = totals(world.simulation, stepper->state()).kinetic;
    const double expected = shot.restitution * shot.restitution * before;
    EXPECT_NEAR(after, expected, 1e-12 * before);
    EXPECT_NEAR(stepper->state().velocity[0].x, -shot.restitution * kSpeed, 1e-12 * kSpeed);
  }
}

TEST(SweptSolids, ABallDoesNotPassThroughAThinWall) { expect_no_passing({.is_ball = true}); }

TEST(SweptSolids, ABoxDoesNotPassThroughAThinWall) { expect_no_passing({}); }

TEST(SweptSolids, NorDoesOneThatLosesItsEnergy) { expect_no_passing({.restitution = 0.5}); }

TEST(SweptSolids, NorWhereContactsRub) {
  expect_no_passing({.is_ball = true, .restitution = 0.5, .friction = 0.3});
  expect_no_passing({.is_ball = false, .restitution = 0.5, .friction = 0.3});
}

TEST(SweptSolids, WithoutTheSweepSomePass) {
  for (const bool is_ball : {false, true}) {
    int passed = 0;
    for (int k = 0; k < 40; ++k) {
      TestScene world = shot_at_wall({.is_ball = is_ball}, {-1.7 + 0.5 * k / 40.0, 0.3, -0.2});
      world.simulation.detection.sweep = false;
      const auto stepper = make_stepper(world.simulation);
      for (int step = 0; step < 12; ++step) static_cast<void>(stepper->step());
      if (stepper->state().position[0].x > 0.0) ++passed;
    }
    EXPECT_GT(passed, 10);
  }
}

TEST(SweptSolids, TwoBoxesThatFlyAtEachOtherMeet) {
  for (int k = 0; k < 25; ++k) {
    TestScene world(3);
    world.solid(BoxSolid{{0.05, 0.2, 0.2}}, {{-2.0 + k / 50.0, 0, 0}, {kSpeed, 0, 0}, {}, {}});
    world.solid(BoxSolid{{0.05, 0.2, 0.2}}, {{2.0, 0, 0}, {-kSpeed, 0, 0}, {}, {}});
    world.step(kStep);
    const auto stepper = make_stepper(world.simulation);
    for (int step = 0; step < 10; ++step) ASSERT_TRUE(stepper->step().can_go_on());
    EXPECT_LT(stepper->state().position[0].x, stepper->state().position[1].x) << k;
    EXPECT_NEAR(stepper->state().velocity[0].x, -kSpeed, 1e-10);
  }
}

TEST(SweptSolids, WhatFliesPastIsLeftAlone) {
  // 1 mm beside the wall's edge, and away from it.
  for (const Vec3& velocity : {Vec3{kSpeed, 0, 0}, Vec3{kSpeed, 10.0, 0}, Vec3{-kSpeed, 0, 0}}) {
    TestScene world(3);
    world.wall(wall_at({0.5 * kThickness, 2, 2}, 3), {}, "wall");
    world.solid(BoxSolid{{0.1, 0.1, 0.1}}, {{-0.3, 2.101, 0}, velocity, {}, {}});
    world.step(kStep);
    const auto stepper = make_stepper(world.simulation);
    for (int step = 0; step < 5; ++step) EXPECT_EQ(stepper->step().impulses, 0U);
    EXPECT_EQ(stepper->state().velocity[0], velocity);
  }
}

TEST(SweptSolids, InThePlaneNeitherABoxNorASegmentIsCrossed) {
  for (int k = 0; k < 25; ++k) {
    for (const bool is_segment : {false, true}) {
      TestScene world(2);
      if (is_segment) {
        world.wall(Segment{{0, -2, 0}, {0, 2, 0}}, {}, "wall");
      } else {
        world.wall(wall_at({0.5 * kThickness, 2, 0}, 2), {}, "wall");
      }
      world.solid(BoxSolid{{0.1, 0.1, 0}}, {{-1.7 + k / 50.0, 0.3, 0}, {kSpeed, 0, 0}, {}, {}});
      world.step(kStep);
      const auto stepper = make_stepper(world.simulation);
      for (int step = 0; step < 8; ++step) ASSERT_TRUE(stepper->step().can_go_on());
      EXPECT_LT(stepper->state().position[0].x, 0.0) << k;
    }
  }
}

// A stick turns about its middle, past a peg that stands still: only the sweep sees it.
TEST(SweptSolids, AStickThatTurnsHitsAPeg) {
  TestScene world(2);
  world.wall(SphereOutside{{0.8, 0, 0}, 0.01}, {}, "peg");
  // From 0.3 rad below the peg to 0.3 rad above it in one step.
  const double turn = 0.6 / kStep;
  world.solid(BoxSolid{{1.0, 0.02, 0}},
              {{0, 0, 0}, {}, rotation_about({0, 0, 1}, -0.3), {0, 0, turn}});
  world.step(kStep);
  const auto stepper = make_stepper(world.simulation);
  const StepReport report = stepper->step();
  EXPECT_GT(report.impulses, 0U);
  EXPECT_LT(stepper->state().angular_velocity[0].z, turn);
}

TEST(ConservativeAdvancement, FindsTheFirstMeetingToItsReach) {
  const Solid box(BoxSolid{{0.1, 0.2, 0.3}}, 3);
  const Solid other(BoxSolid{{0.05, 1, 1}}, 3);
  Random random(11);
  for (int k = 0; k < 200; ++k) {
    detail::PairWay way;
    way.a = &box;
    way.b = &other;
    way.a_begin.position = {random.uniform(-2, -1), random.uniform(-0.5, 0.5), 0.1};
    way.a_end.position = {random.uniform(1, 2), random.uniform(-0.5, 0.5), -0.1};
    way.b_end.position = way.b_begin.position;
    const std::optional<double> met = detail::next_meeting(way, 0.0, 1e-6);
    ASSERT_TRUE(met) << k;
    // Faces across x meet: the gap in x at that share is at most the reach, and not negative.
    const double x = detail::pair_on_way(way, *met).a.position.x;
    EXPECT_GE(-x - 0.15, -1e-12) << k;
    EXPECT_LE(-x - 0.15, 1e-6) << k;
  }
}

}  // namespace
}  // namespace carom
