#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/schemes/registry.h"
#include "carom/steps/synchronous.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::run;
using test::run_and_measure;
using test::RunExtremes;
using test::TestScene;

constexpr double kGravity = 9.81;
const HalfPlane kFloor3{{0, 0, 0}, {0, 0, 1}};
const HalfPlane kFloor2{{0, 0, 0}, {0, 1, 0}};

TestScene flat_drop(double e) {
  TestScene world(3);
  world.simulation.forces.gravity = {0, 0, -kGravity};
  world.wall(kFloor3, {}, "floor");
  world.solid(BoxSolid{{0.5, 0.4, 0.3}}, {{0, 0, 0.8}, {}, {}, {}});
  world.restitution(e);
  world.step(1e-3);
  return world;
}

TEST(Solids, ABoxDroppedFlatComesUpStraightAHundredTimes) {
  const TestScene world = flat_drop(1.0);
  const auto stepper = make_stepper(world.simulation);
  int bounces = 0;
  double speed = 0.0;
  double drift = 0.0;
  const double energy = totals(world.simulation, world.simulation.start).energy();
  while (bounces < 100) {
    const StepReport report = stepper->step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    const double now = stepper->state().velocity[0].z;
    if (speed < 0.0 && now > 0.0) ++bounces;
    speed = now;
    drift = std::max(drift, std::abs(report.totals.energy() / energy - 1.0));
    ASSERT_LT(norm(stepper->state().angular_velocity[0]), 1e-12);
    ASSERT_LT(std::abs(stepper->state().position[0].x), 1e-12);
  }
  EXPECT_LT(drift, 1e-12);
}

TEST(Solids, GaussSeidelTurnsTheSameBox) {
  TestScene world = flat_drop(1.0);
  world.simulation.impact.impact_operator = "gauss_seidel";
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 500);
  EXPECT_GT(norm(stepper->state().angular_velocity[0]), 0.1);
}

TEST(Solids, ABoxThatLandsFlatWithoutRestitutionStaysWhereItIs) {
  TestScene world = flat_drop(0.0);
  world.restitution(0.0, 0.5);
  world.simulation.impact.friction_model = "slip";
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 1000);
  const double height = stepper->state().position[0].z;
  const RunExtremes extremes = run_and_measure(*stepper, world.simulation, 2000);
  EXPECT_LT(extremes.penetration, 1e-9);
  EXPECT_NEAR(stepper->state().position[0].z, height, 1e-9);
  EXPECT_LT(norm(stepper->state().angular_velocity[0]), 1e-9);
}

// In free space every law holds: boxes, capsules, balls and hulls in a swarm.
TestScene swarm(std::uint64_t seed, double e, double friction) {
  TestScene world(3);
  Random random(seed);
  const auto number = [&] { return random.uniform(-1.0, 1.0); };
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 2; ++k) {
        TestScene::SolidStart start;
        start.position = {2.6 * i, 2.6 * j, 2.6 * k};
        start.velocity =
            Vec3{number(), number(), number()} - 0.5 * (start.position - Vec3{2.6, 2.6, 1.3});
        start.orientation = normalized({number(), number(), number(), number()});
        start.angular_velocity = {2 * number(), 2 * number(), 2 * number()};
        switch ((i + j + k) % 4) {
          case 0:
            world.solid(BoxSolid{{0.6, 0.5, 0.4}}, start);
            break;
          case 1:
            world.solid(CapsuleSolid{0.4, 0.5}, start);
            break;
          case 2:
            world.solid(SphereSolid{0.7}, start);
            break;
          default:
            world.solid(HullSolid{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}}, start);
            break;
        }
      }
    }
  }
  world.restitution(e, friction);
  if (friction > 0.0) world.simulation.impact.friction_model = "slip";
  world.step(2e-3);
  return world;
}

TEST(Solids, AnElasticSwarmKeepsEnergyAndMomenta) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const TestScene world = swarm(seed, 1.0, 0.0);
    const auto stepper = make_stepper(world.simulation);
    const Totals before = totals(world.simulation, world.simulation.start);
    const RunExtremes extremes = run_and_measure(*stepper, world.simulation, 1500);
    const Totals after = totals(world.simulation, stepper->state());
    EXPECT_LT(extremes.energy_drift, 1e-11) << "seed " << seed;
    EXPECT_GT(extremes.applications, 0U);
    EXPECT_LT(norm(after.momentum - before.momentum), 1e-11);
    EXPECT_LT(norm(after.angular_momentum - before.angular_momentum), 1e-10);
    EXPECT_LT(extremes.penetration, 0.05) << "seed " << seed;
  }
}

TEST(Solids, FrictionKeepsMomentaAndNeverGivesEnergy) {
  const TestScene world = swarm(4, 0.6, 0.4);
  const auto stepper = make_stepper(world.simulation);
  const Totals before = totals(world.simulation, world.simulation.start);
  double energy = before.energy();
  for (int k = 0; k < 1000; ++k) {
    const StepReport report = stepper->step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    ASSERT_LE(report.totals.energy(), energy * (1.0 + 1e-13)) << "step " << k;
    energy = report.totals.energy();
  }
  const Totals after = totals(world.simulation, stepper->state());
  EXPECT_LT(norm(after.momentum - before.momentum), 1e-11);
  EXPECT_LT(norm(after.angular_momentum - before.angular_momentum), 1e-10);
  EXPECT_LT(energy, 0.9 * before.energy());
}

TEST(Solids, ContinueToTheSameBits) {
  const TestScene world = swarm(5, 0.8, 0.3);
  const auto whole = make_stepper(world.simulation);
  run(*whole, 100);
  const std::string bytes = whole->save();
  run(*whole, 200);
  const auto resumed = make_stepper(world.simulation);
  resumed->load(bytes);
  run(*resumed, 200);
  EXPECT_EQ(state_hash(whole->state()), state_hash(resumed->state()));
}

TEST(Solids, ABallThatSlidesEndsRollingAtFiveSeventhsOfItsSpeed) {
  TestScene world(3);
  world.simulation.forces.gravity = {0, 0, -kGravity};
  world.wall(kFloor3, {}, "table");
  world.solid(SphereSolid{0.05}, {{0, 0, 0.05}, {1.0, 0, 0}, {}, {}});
  world.restitution(0.0, 0.2);
  world.simulation.impact.friction_model = "slip";
  world.step(1e-4);
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 5000);
  EXPECT_NEAR(stepper->state().velocity[0].x, 5.0 / 7.0, 1e-6);
  EXPECT_NEAR(stepper->state().angular_velocity[0].y, 5.0 / 7.0 / 0.05, 1e-4);
}

TEST(Solids, ADiscRollsLikewiseInThePlane) {
  TestScene world(2);
  world.simulation.forces.gravity = {0, -kGravity, 0};
  world.wall(kFloor2, {}, "table");
  world.solid(SphereSolid{0.05}, {{0, 0.05, 0}, {1.0, 0, 0}, {}, {}});
  world.restitution(0.0, 0.2);
  world.simulation.impact.friction_model = "slip";
  world.step(1e-4);
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 5000);
  EXPECT_NEAR(stepper->state().velocity[0].x, 2.0 / 3.0, 1e-6);
  EXPECT_NEAR(stepper->state().angular_velocity[0].z, -2.0 / 3.0 / 0.05, 1e-4);
}

// A box whose push lasts: a = g (sin - mu cos) on a slope.
TEST(Solids, ABoxSlidesDownARampAsTheFormulaSays) {
  const double angle = 0.5;
  const double mu = 0.3;
  TestScene world(2);
  world.simulation.forces.gravity = {0, -kGravity, 0};
  world.wall(HalfPlane{{0, 0, 0}, {std::sin(angle), std::cos(angle), 0}}, {}, "ramp");
  const Vec3 up = {std::sin(angle), std::cos(angle), 0};
  world.solid(BoxSolid{{0.2, 0.1, 0}}, {0.1 * up, {}, rotation_about({0, 0, 1}, -angle), {}});
  world.restitution(0.0, mu);
  world.simulation.impact.friction_model = "slip";
  // One pass finds the normal impulses without friction's torque, which loads the lower edge.
  world.simulation.impact.friction_passes = 20;
  world.step(1e-3);
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 10);  // until it slides
  const Vec3 down = {std::cos(angle), -std::sin(angle), 0};
  const double before = dot(down, stepper->state().velocity[0]);
  run(*stepper, 1000);
  const double expected = kGravity * (std::sin(angle) - mu * std::cos(angle));
  EXPECT_NEAR(dot(down, stepper->state().velocity[0]) - before, expected, 1e-9 * expected);
  EXPECT_LT(std::abs(stepper->state().angular_velocity[0].z), 1e-9);
}

TEST(Solids, TwoBoxesThatMeetFaceToFaceExchangeTheirVelocities) {
  for (const int dimension : {2, 3}) {
    TestScene world(dimension);
    world.solid(BoxSolid{{0.5, 0.5, 0.5}}, {{-2, 0, 0}, {3, 0, 0}, {}, {}});
    world.solid(BoxSolid{{0.5, 0.5, 0.5}}, {{2, 0, 0}, {-1, 0, 0}, {}, {}});
    world.step(1e-2);
    const auto stepper = make_stepper(world.simulation);
    run(*stepper, 200);
    EXPECT_LT(norm(stepper->state().velocity[0] - Vec3{-1, 0, 0}), 1e-13);
    EXPECT_LT(norm(stepper->state().velocity[1] - Vec3{3, 0, 0}), 1e-13);
    EXPECT_LT(norm(stepper->state().angular_velocity[0]), 1e-13);
  }
}

TEST(Solids, OverlappingStartsAreNamed) {
  TestScene world(3);
  world.solid(BoxSolid{{0.5, 0.5, 0.5}}, {{0, 0, 0}, {}, {}, {}});
  world.solid(BoxSolid{{0.5, 0.5, 0.5}}, {{0.9, 0, 0}, {}, {}, {}});
  try {
    check_simulation(world.simulation);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("overlaps body 'solid-1'"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace carom
