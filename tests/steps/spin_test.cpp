// Shapes that spin, under steps: bodies feel them by Coulomb's friction.

#include <cmath>

#include <gtest/gtest.h>

#include "carom/schemes/registry.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::TestScene;

constexpr double kGravity = 9.81;

TestScene rubbing(int dimension, double friction) {
  TestScene world(dimension);
  world.simulation.forces.gravity = dimension == 3 ? Vec3{0, 0, -kGravity} : Vec3{0, -kGravity, 0};
  world.simulation.impact.friction_model = "coulomb";
  world.restitution(0.0, friction);
  world.step(1e-3);
  return world;
}

void spin_last(TestScene& world, const Vec3& spin) {
  world.simulation.world.shapes.back().spin = spin;
}

// A square block in the middle of a platter rubs at its four corners, a distance r from the axis
// each: the torque is mu m g r until both turn alike, after I Omega / (mu m g r).
TEST(SpinUnderSteps, APlatterTakesABlockAlong) {
  constexpr double kFriction = 0.2;
  constexpr double kSpin = 3.0;
  TestScene world = rubbing(3, kFriction);
  world.wall(HalfPlane{{0, 0, 0}, {0, 0, 1}}, {}, "platter");
  spin_last(world, {0, 0, kSpin});
  const Vec3 half = {0.4, 0.4, 0.05};
  world.solid(BoxSolid{half}, {{0, 0, half.z}, {}, {}, {}});
  const double arm = std::hypot(half.x, half.y);
  const double per_mass = (half.x * half.x + half.y * half.y) / 3.0;
  const double rate = kFriction * kGravity * arm / per_mass;
  const auto stepper = make_stepper(world.simulation);
  const double until = 0.5 * kSpin / rate;
  const auto steps = static_cast<int>(until / 1e-3);
  for (int k = 0; k < steps; ++k) ASSERT_TRUE(stepper->step().can_go_on());
  EXPECT_NEAR(stepper->state().angular_velocity[0].z, rate * 1e-3 * steps, 0.01 * kSpin);
  for (int k = 0; k < 3 * steps; ++k) ASSERT_TRUE(stepper->step().can_go_on());
  EXPECT_NEAR(stepper->state().angular_velocity[0].z, kSpin, 1e-9);
  EXPECT_LT(norm(stepper->state().velocity[0]), 1e-9);
}

// A ball on the bottom of a drum is spun up until their surfaces run alike, w = W R / r, and lies
// there: nothing rubs any more. What the drum gave is booked as work.
TEST(SpinUnderSteps, ADrumSpinsABallUpAndAccountsForIt) {
  constexpr double kSpin = 0.5;
  constexpr double kDrum = 2.0;
  constexpr double kBall = 0.25;
  TestScene world = rubbing(2, 0.3);
  world.wall(SphereInside{{0, 0, 0}, kDrum}, {}, "drum");
  spin_last(world, {0, 0, kSpin});
  world.solid(SphereSolid{kBall}, {{0, -(kDrum - kBall), 0}, {}, {}, {}});
  // It starts with the drum's surface: no slip, so it stays where it is from the first step on.
  world.simulation.start.angular_velocity[0] = {0, 0, kSpin * kDrum / kBall};
  const auto stepper = make_stepper(world.simulation);
  for (int k = 0; k < 1000; ++k) ASSERT_TRUE(stepper->step().can_go_on());
  EXPECT_NEAR(stepper->state().position[0].x, 0.0, 1e-9);
  EXPECT_NEAR(stepper->state().angular_velocity[0].z, kSpin * kDrum / kBall, 1e-9);
  // From rest it is taken along, never gains what the drum did not give, and slips no more at last.
  world.simulation.start.angular_velocity[0] = {};
  const auto started = make_stepper(world.simulation);
  // Of the first step half an impulse is in what stands still at the start.
  double balance = started->step().totals.energy();
  for (int k = 0; k < 1000; ++k) {
    const StepReport report = started->step();
    ASSERT_TRUE(report.can_go_on());
    balance += report.external_work - report.dissipated;
    EXPECT_NEAR(report.totals.energy(), balance, 1e-9);
    EXPECT_GE(report.dissipated, -1e-12);
  }
  EXPECT_GT(norm(started->state().angular_velocity[0]), 1.0);
}

}  // namespace
}  // namespace carom
