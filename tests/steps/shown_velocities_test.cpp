// What is recorded and shown of velocities where nothing rubs: 0 at rest, in flight the node's.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::run;
using test::TestScene;

constexpr double kGravity = 9.81;
constexpr double kStep = 0.005;

TestScene on_floor(int dimension, double restitution) {
  TestScene world(dimension);
  const Vec3 up = dimension == 2 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  world.simulation.forces.gravity = -kGravity * up;
  world.wall(HalfPlane{{0, 0, 0}, up}, {}, "floor");
  world.step(kStep);
  world.restitution(restitution);
  return world;
}

double fastest(const State& state) {
  double most = 0.0;
  for (const Vec3& v : state.velocity) most = std::max(most, norm(v));
  for (const Vec3& w : state.angular_velocity) most = std::max(most, norm(w));
  return most;
}

void expect_at_rest(const TestScene& world, std::uint64_t steps) {
  const auto stepper = make_stepper(world.simulation);
  const double start = totals(world.simulation, *stepper).energy();
  double lost = 0.0;
  StepReport report;
  for (std::uint64_t k = 0; k < steps; ++k) {
    report = stepper->step();
    lost += report.dissipated;
  }
  EXPECT_LT(fastest(shown_state(*stepper)), 1e-12);
  EXPECT_LT(report.totals.kinetic, 1e-20);
  // The conserved total is that of the node.
  const Totals node = totals(world.simulation, stepper->state());
  EXPECT_GT(node.kinetic, 0.1 * std::pow(0.5 * kGravity * kStep, 2));
  EXPECT_NEAR(report.totals.energy(), node.energy(), 1e-13 * std::abs(node.energy()));
  EXPECT_NEAR(report.totals.energy() + lost, start, 1e-12 * start);
  EXPECT_EQ(report.totals.kinetic, totals(world.simulation, *stepper).kinetic);
}

TEST(ShownVelocities, AreZeroAtRest) {
  for (const double restitution : {0.0, 0.5}) {
    TestScene balls = on_floor(2, restitution);
    for (int k = 0; k < 5; ++k) balls.ball({0, 0.5 + k, 0}, {0, 0, 0});
    expect_at_rest(balls, 400);
    TestScene boxes = on_floor(3, restitution);
    for (int k = 0; k < 3; ++k) {
      boxes.solid(BoxSolid{{0.5, 0.5, 0.5}}, {{0, 0, 0.5 + k}, {}, {}, {}});
    }
    expect_at_rest(boxes, 400);
  }
}

TEST(ShownVelocities, OfABallThatBouncesAreThoseOfTheNode) {
  TestScene world = on_floor(2, 1.0);
  world.ball({0, 2, 0}, {1, 0, 0});
  const auto stepper = make_stepper(world.simulation);
  for (int k = 0; k < 500; ++k) {
    stepper->step();
    EXPECT_TRUE(stepper->shown_changes().empty()) << k;
  }
}

// Half-way between before and after the impact, as the gravity that it takes up: on a slope without
// friction the velocity is exactly that of the node, g sin(angle) t along it.
TEST(ShownVelocities, OnASlopeGrowAsGravitySays) {
  constexpr double kAngle = 0.3;
  const Vec3 along = {std::cos(kAngle), -std::sin(kAngle), 0};
  TestScene world(2);
  world.simulation.forces.gravity = {0, -kGravity, 0};
  world.wall(HalfPlane{{0, 0, 0}, {std::sin(kAngle), std::cos(kAngle), 0}}, {}, "slope");
  world.step(kStep);
  world.restitution(0.0);
  world.ball({0.5 * std::sin(kAngle), 0.5 * std::cos(kAngle), 0}, {0, 0, 0});
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 200);
  const Vec3 v = shown_state(*stepper).velocity[0];
  const double expected = kGravity * std::sin(kAngle) * 200 * kStep;
  EXPECT_NEAR(dot(v, along), expected, 1e-12 * expected);
  EXPECT_LT(norm(v - dot(v, along) * along), 1e-12);
}

// In no step farther from what moves the body than h g / 2.
TEST(ShownVelocities, AreNearWhatMovesABody) {
  TestScene world = on_floor(2, 0.7);
  world.ball({0, 1, 0}, {0, 0, 0});
  world.ball({0.2, 2.5, 0}, {0, 0, 0}, 0.3, 0.2);
  const auto stepper = make_stepper(world.simulation);
  for (int k = 0; k < 600; ++k) {
    const std::vector<Vec3> before = stepper->state().position;
    stepper->step();
    const State shown = shown_state(*stepper);
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Vec3 moved = (1.0 / kStep) * (shown.position[i] - before[i]);
      EXPECT_LT(norm(shown.velocity[i] - moved), 0.5 * kGravity * kStep + 1e-9) << k;
    }
  }
}

}  // namespace
}  // namespace carom
