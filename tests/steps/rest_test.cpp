#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "carom/schemes/registry.h"
#include "carom/steps/synchronous.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::run;
using test::TestScene;

constexpr int kLayers = 8;

TestScene tower(int dimension) {
  TestScene world(dimension);
  const Vec3 up = dimension == 2 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  world.simulation.forces.gravity = -9.81 * up;
  world.wall(HalfPlane{{0, 0, 0}, up}, {}, "floor");
  world.step(5e-3);
  return world;
}

TestScene tower_of_balls() {
  TestScene world = tower(2);
  for (int k = 0; k < kLayers; ++k) world.ball({0, 0.5 + 1.01 * k, 0}, {0, 0, 0});
  world.restitution(0.5);
  return world;
}

TestScene tower_of_boxes() {
  TestScene world = tower(3);
  for (int k = 0; k < kLayers; ++k) {
    world.solid(BoxSolid{{0.5, 0.5, 0.5}}, {{0, 0, 0.5 + 1.01 * k}, {}, {}, {}});
  }
  world.restitution(0.5);
  return world;
}

Index most_rounds_at_rest(const TestScene& world) {
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 600);
  Index most = 0;
  for (int k = 0; k < 200; ++k) most = std::max(most, stepper->step().redetections);
  return most;
}

// Otherwise one layer would join after the other.
TEST(Rest, ATowerIsKnownAsAWholeAtOnce) {
  EXPECT_EQ(most_rounds_at_rest(tower_of_balls()), 0U);
  EXPECT_EQ(most_rounds_at_rest(tower_of_boxes()), 0U);
}

// Two balls that fly side by side, nearer than gravity moves a ball within a step: they are at rest
// with respect to each other, but nothing drives them together.
TEST(Rest, NearNeighboursInFreeFallDoNotActOnEachOther) {
  TestScene world = tower(2);
  world.ball({0, 50, 0}, {0.3, 0, 0});
  world.ball({1.0001, 50, 0}, {0.3, 0, 0});
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 100);
  EXPECT_EQ(stepper->state().velocity[0].x, 0.3);
  EXPECT_EQ(stepper->state().velocity[1].x, 0.3);
}

// With a coarse step gravity moves small balls by many radii; those far apart still do not meet.
TEST(Rest, CoarseStepsDoNotMakeFarPairsTouch) {
  TestScene world = tower(2);
  world.step(0.1);
  world.ball({0, 50, 0}, {0.3, 0, 0}, 0.05, 1.0);
  world.ball({0.2, 50, 0}, {0, 0, 0}, 0.05, 1.0);
  const auto stepper = make_stepper(world.simulation);
  EXPECT_EQ(stepper->step().rows, 0U);
  EXPECT_EQ(stepper->state().velocity[0].x, 0.3);
}

// Coins with 24 corners on each side that land on each other: every one is answered as if alone.
TEST(Rest, AnOperatorThatGainsWithoutEndStopsTheRunWhereItWas) {
  TestScene world = tower(3);
  HullSolid coin;
  for (int k = 0; k < 24; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / 24.0;
    for (const double z : {-0.1, 0.1}) {
      coin.points.push_back({std::cos(angle), std::sin(angle), z});
    }
  }
  for (int k = 0; k < 3; ++k) world.solid(coin, {{0, 0, 0.2 + 0.21 * k}, {}, {}, {}});
  world.simulation.impact.impact_operator = "jacobi";
  const auto stepper = make_stepper(world.simulation);
  StepReport report;
  State before;
  for (int k = 0; k < 1000 && report.can_go_on(); ++k) {
    before = stepper->state();
    report = stepper->step();
  }
  EXPECT_EQ(report.status, ImpactStatus::diverged);
  EXPECT_EQ(report.message, "the operator gains energy without end");
  EXPECT_EQ(stepper->state().velocity[0], before.velocity[0]);
  EXPECT_EQ(stepper->state().step, before.step);
}

}  // namespace
}  // namespace carom
