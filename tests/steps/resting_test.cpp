#include "carom/steps/resting.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/schemes/registry.h"
#include "carom/steps/rest_settings.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::run;
using test::TestScene;

constexpr double kGravity = 9.81;
constexpr double kDegree = std::numbers::pi / 180.0;
const BoxSolid kCube{{0.5, 0.5, 0.5}};

TestScene world_3d(double step) {
  TestScene world(3);
  world.simulation.impact.friction_model = "coulomb";
  world.simulation.forces.gravity = {0, 0, -kGravity};
  world.step(step);
  return world;
}

TestScene cube_on_ramp(double degrees, double friction, double step) {
  TestScene world = world_3d(step);
  const double angle = degrees * kDegree;
  const Vec3 normal{-std::sin(angle), 0, std::cos(angle)};
  world.wall(HalfPlane{{0, 0, 0}, normal}, {}, "ramp");
  // The ramp rises along x: a turn by -angle about y.
  world.solid(kCube, {0.5 * normal, {}, rotation_about({0, 1, 0}, -angle), {}});
  world.restitution(0.0, friction);
  return world;
}

TEST(Resting, ACubeOnARampDoesNotCreep) {
  for (const double step : {1e-3, 5e-3, 1e-2, 2e-2}) {
    TestScene world = cube_on_ramp(20.0, 0.5, step);
    world.simulation.settings.of<RestSettings>().rest_tolerance = 1e-11;
    const auto stepper = make_stepper(world.simulation);
    const Vec3 begin = stepper->state().position[0];
    constexpr double kTime = 10.0;
    double residual = 0.0;
    for (int k = 0; k < kTime / step; ++k) {
      const StepReport report = stepper->step();
      ASSERT_TRUE(report.can_go_on());
      residual = std::max(residual, report.own[0]);
    }
    EXPECT_LE(residual, 1e-11);
    EXPECT_LT(norm(stepper->state().position[0] - begin), residual * kGravity * step * kTime * 3)
        << step;
    EXPECT_LT(norm(stepper->state().position[0] - begin), 1e-9 * kTime / 100.0) << step;
  }
}

// It slides by g (sin a - mu cos a) t^2 / 2 where the slope is steeper than the friction angle.
TEST(Resting, ACubeOnASteeperRampSlidesByTheFormula) {
  constexpr double kFriction = 0.3;
  for (const double degrees : {10.0, 15.0, 18.0, 22.0, 30.0, 40.0}) {
    constexpr double kStep = 2e-3;
    const TestScene world = cube_on_ramp(degrees, kFriction, kStep);
    const auto stepper = make_stepper(world.simulation);
    const Vec3 begin = stepper->state().position[0];
    run(*stepper, 250);
    const double a = degrees * kDegree;
    const double pull = kGravity * (std::sin(a) - kFriction * std::cos(a));
    const double expected = std::max(0.0, 0.5 * pull * 0.25);
    EXPECT_NEAR(norm(stepper->state().position[0] - begin), expected, 1e-6 + 1e-5 * expected)
        << degrees;
  }
}

TEST(Resting, ASlidingBlockStopsWhereItShould) {
  for (const double step : {1e-3, 1e-2}) {
    TestScene world = world_3d(step);
    world.wall(HalfPlane{{0, 0, 0}, {0, 0, 1}}, {}, "floor");
    world.solid(kCube, {{0, 0, 0.5}, {2.0, 0, 0}, {}, {}});
    world.restitution(0.0, 0.3);
    const auto stepper = make_stepper(world.simulation);
    run(*stepper, static_cast<std::uint64_t>(std::lround(1.5 / step)));
    const double expected = 4.0 / (2.0 * 0.3 * kGravity);
    EXPECT_NEAR(stepper->state().position[0].x, expected, 1e-5 * expected) << step;
    EXPECT_LT(norm(stepper->state().velocity[0]), 1e-9);
    EXPECT_NEAR(stepper->state().position[0].z, 0.5, 1e-9);
  }
}

// A ball that slides at first rolls in the end with 5/7 of its speed.
TEST(Resting, ASlidingBallRolls) {
  TestScene world = world_3d(1e-3);
  world.wall(HalfPlane{{0, 0, 0}, {0, 0, 1}}, {}, "floor");
  world.solid(SphereSolid{0.03}, {{0, 0, 0.03}, {1.0, 0, 0}, {}, {}});
  world.restitution(0.0, 0.2);
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 500);
  EXPECT_NEAR(stepper->state().velocity[0].x, 5.0 / 7.0, 1e-6);
  EXPECT_NEAR(stepper->state().angular_velocity[0].y, 5.0 / 7.0 / 0.03, 1e-4);
}

TEST(Resting, TwoLeaningCardsStand) {
  TestScene world = world_3d(1e-3);
  world.wall(HalfPlane{{0, 0, 0}, {0, 0, 1}}, {}, "floor");
  const double angle = 65.0 * kDegree;
  constexpr double kThick = 0.02;
  // The lower corner of each stands on the floor, the upper ones touch at x = 0.
  const double height = 0.5 * (std::sin(angle) + kThick * std::cos(angle));
  const double away = 0.5 * (std::cos(angle) + kThick * std::sin(angle));
  const BoxSolid card{{0.5, 0.25, 0.5 * kThick}};
  world.solid(card, {{-away, 0, height}, {}, rotation_about({0, 1, 0}, -angle), {}});
  world.solid(card, {{away, 0, height}, {}, rotation_about({0, 1, 0}, angle), {}});
  world.restitution(0.0, 0.6);
  const auto stepper = make_stepper(world.simulation);
  const State begin = stepper->state();
  run(*stepper, 2000);
  for (Index i = 0; i < 2; ++i) {
    EXPECT_LT(norm(stepper->state().position[i] - begin.position[i]), 1e-7) << i;
  }
}

TestScene stack(double restitution) {
  TestScene world = world_3d(5e-3);
  world.wall(HalfPlane{{0, 0, 0}, {0, 0, 1}}, {}, "floor");
  for (int k = 0; k < 10; ++k) {
    world.solid(kCube, {{k % 2 == 0 ? 0.02 : -0.02, 0, 0.501 + 1.001 * k}, {}, {}, {}});
  }
  world.restitution(restitution, 0.5);
  return world;
}

// Energy from the state alone, and what the steps say that was lost.
TEST(Resting, AStackComesToRestAndStays) {
  for (const double restitution : {0.0, 0.3, 0.9}) {
    const TestScene world = stack(restitution);
    const auto stepper = make_stepper(world.simulation);
    const double first = totals(world.simulation, *stepper).energy();
    double lost = 0.0;
    double last = first;
    for (int k = 0; k < 800; ++k) {
      const StepReport report = stepper->step();
      ASSERT_TRUE(report.can_go_on());
      lost += report.dissipated;
      ASSERT_LT(report.totals.energy(), last + 1e-11 * first) << restitution << " at " << k;
      last = report.totals.energy();
    }
    EXPECT_NEAR(last + lost, first, 1e-11 * first);
    const State begin = stepper->state();
    run(*stepper, 4000);  // 20 s
    for (Index i = 0; i < 10; ++i) {
      EXPECT_LT(norm(stepper->state().position[i] - begin.position[i]), 1e-6)
          << restitution << " body " << i;
      // Corners that bounce again and again multiply round-off.
      if (restitution > 0.0) continue;
      EXPECT_LT(std::abs(stepper->state().position[i].y), 1e-6) << restitution;
    }
  }
}

// The rebound of a lone ball is that of its restitution, and elastic balls keep their energy.
TEST(Resting, BallsBounce) {
  for (const double restitution : {0.5, 1.0}) {
    TestScene world = world_3d(1e-3);
    world.wall(HalfPlane{{0, 0, 0}, {0, 0, 1}}, {}, "floor");
    world.solid(SphereSolid{0.1}, {{0, 0, 1.1}, {}, {}, {}});
    world.restitution(restitution, 0.5);
    const auto stepper = make_stepper(world.simulation);
    double highest = 0.0;
    for (int k = 0; k < 1000; ++k) {
      ASSERT_TRUE(stepper->step().can_go_on());
      if (k > 460) highest = std::max(highest, stepper->state().position[0].z);
    }
    EXPECT_NEAR(highest - 0.1, restitution * restitution, 5e-3);
    if (restitution == 1.0) {
      EXPECT_NEAR(totals(world.simulation, *stepper).energy(),
                  totals(world.simulation, world.simulation.start).energy(), 1e-10);
    }
  }
}

// A ball between walls that fit exactly falls freely: nothing presses it.
TEST(Resting, ABallThatFitsFalls) {
  TestScene world = world_3d(1e-2);
  world.wall(HalfPlane{{-0.5, 0, 0}, {1, 0, 0}}, {}, "left");
  world.wall(HalfPlane{{0.5, 0, 0}, {-1, 0, 0}}, {}, "right");
  world.solid(SphereSolid{0.5}, {{0, 0, 0}, {}, {}, {}});
  world.restitution(0.0, 0.5);
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 50);
  EXPECT_NEAR(stepper->state().position[0].z, -0.5 * kGravity * 0.25, 1e-9);
}

// The way of a ball in a drum is curved: the tangent would take it into the wall.
TEST(Resting, ABallThatSlidesRoundADrumStaysInside) {
  TestScene world(2);
  world.simulation.impact.friction_model = "coulomb";
  world.wall(SphereInside{{0, 0, 0}, 1.0}, {}, "drum");
  world.ball({0, -0.9, 0}, {1.0, 0, 0}, 0.1);
  world.restitution(0.0, 0.0);
  world.step(1e-2);
  const auto stepper = make_stepper(world.simulation);
  double deepest = 0.0;
  for (int k = 0; k < 2000; ++k) {
    const StepReport report = stepper->step();
    ASSERT_TRUE(report.can_go_on());
    deepest = std::max(deepest, report.penetration.depth);
  }
  EXPECT_LT(deepest, 1e-5);
  EXPECT_NEAR(norm(stepper->state().velocity[0]), 1.0, 1e-3);
}

TEST(Resting, ACheckpointLosesNothing) {
  const TestScene world = stack(0.3);
  const auto whole = make_stepper(world.simulation);
  run(*whole, 60);
  const std::string bytes = whole->save();
  run(*whole, 60);
  const auto resumed = make_stepper(world.simulation);
  resumed->load(bytes);
  run(*resumed, 60);
  EXPECT_EQ(state_hash(whole->state()), state_hash(resumed->state()));
  EXPECT_THROW(resumed->load(bytes.substr(0, bytes.size() - 8)), InputError);
  EXPECT_THROW(resumed->load("carom-turns-1\n"), InputError);
}

TEST(Resting, WhatItCannotDoIsRefused) {
  TestScene world(2);
  world.simulation.impact.friction_model = "coulomb";
  world.ball({0, 0, 0}, {0, 0, 0});
  world.simulation.symmetry = "exact";
  EXPECT_THROW(check_simulation(world.simulation), InputError);
  world.simulation.symmetry = "none";
  EXPECT_NO_THROW(check_simulation(world.simulation));
  world.simulation.detection.hold = false;
  EXPECT_THROW(check_simulation(world.simulation), InputError);
  world.simulation.detection.hold = true;
  world.simulation.settings.of<RestSettings>().exact = true;
  EXPECT_NO_THROW(check_simulation(world.simulation));
  world.simulation.impact.friction_model = "slip";  // which has no such setting
  EXPECT_THROW(check_simulation(world.simulation), InputError);
  world.simulation.settings.of<RestSettings>().exact = false;
  world.simulation.impact.friction_model = "coulomb";
  world.simulation.time.scheme = "events";
  EXPECT_THROW(check_simulation(world.simulation), InputError);
}

}  // namespace
}  // namespace carom
