// Bodies that turn in worlds that repeat themselves: what collides across the edge of a period is
// what would collide without one, and nothing depends on where the edge lies.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/events/event_stepper.h"
#include "carom/events/settings.h"
#include "carom/schemes/registry.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::TestScene;

constexpr double kPeriod = 10.0;

Vec3 random_place(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

// Two bodies that meet at x = 10, and a third that is hit afterwards at about 12. `folded`: the
// last two stand where their copies of the first period are.
TestScene meeting(bool periodic, const SolidDefinition& second) {
  TestScene world(3);
  world.simulation.time.scheme = "events";
  world.restitution(0.9, 0.2);
  world.simulation.impact.friction_model = "collision";
  const double back = periodic ? kPeriod : 0.0;
  world.solid(BoxSolid{{0.3, 0.2, 0.25}}, {{9.0, 0.1, 0.05}, {2.0, 0, 0}, {}, {1, 2, 3}});
  world.solid(second, {{11.2 - back, 0, 0}, {-1.0, 0.02, 0}, {}, {0.5, -1, 0.2}});
  world.solid(BoxSolid{{0.2, 0.3, 0.2}}, {{13.0 - back, 0.05, 0.1}, {-0.5, 0, 0}, {}, {0, 1, 0}});
  if (periodic) world.simulation.world.periodicity = {{0, 0, 0}, {kPeriod, 0, 0}};
  world.step(0.05);
  return world;
}

class SolidPeriods : public testing::TestWithParam<SolidDefinition> {};

TEST_P(SolidPeriods, WhatMeetsAcrossTheEdgeMeetsAsWithoutOne) {
  const TestScene open = meeting(false, GetParam());
  const TestScene closed = meeting(true, GetParam());
  const auto reference = make_event_stepper(open.simulation);
  const auto stepper = make_event_stepper(closed.simulation);
  reference->note_impulses(true);
  stepper->note_impulses(true);
  std::size_t impulses = 0;
  for (int k = 0; k < 30; ++k) {
    ASSERT_TRUE(reference->step().can_go_on());
    const StepReport report = stepper->step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    EXPECT_LE(report.penetration.depth, 1e-9);
    const std::vector<ContactImpulse> expected = reference->impulses();
    const std::vector<ContactImpulse> found = stepper->impulses();
    ASSERT_EQ(found.size(), expected.size()) << "step " << k;
    for (std::size_t row = 0; row < found.size(); ++row) {
      EXPECT_NEAR(found[row].time, expected[row].time, 1e-11);
      EXPECT_NEAR(found[row].normal, expected[row].normal, 1e-9);
    }
    impulses += found.size();
    for (Index i = 0; i < 3; ++i) {
      const State& there = reference->state();
      const State& here = stepper->state();
      const Vec3 inside = wrapped(closed.simulation.world.periodicity, there.position[i]);
      EXPECT_LT(norm(here.position[i] - inside), 1e-9) << "step " << k << ", body " << i;
      EXPECT_LT(norm(here.velocity[i] - there.velocity[i]), 1e-9);
      EXPECT_LT(norm(here.angular_velocity[i] - there.angular_velocity[i]), 1e-9);
    }
  }
  EXPECT_GE(impulses, 2U) << "they met, and hit the third";
}

INSTANTIATE_TEST_SUITE_P(All, SolidPeriods,
                         testing::Values(SolidDefinition(BoxSolid{{0.2, 0.2, 0.3}}),
                                         SolidDefinition(SphereSolid{0.3})));

// Boxes, spheres that turn and balls that do not, all over a world that repeats along all axes.
TestScene crowd() {
  TestScene world(3);
  world.simulation.time.scheme = "events";
  world.simulation.world.periodicity = {{-1, -1, -1}, {3.0, 3.2, 3.1}};
  Random random(8);
  for (int k = 0; k < 64; ++k) {
    const auto along = [&](int stride) { return static_cast<double>(k / stride % 4); };
    const Vec3 place = {-0.9 + 0.75 * along(1), -0.9 + 0.8 * along(4), -0.9 + 0.75 * along(16)};
    const Vec3 velocity = random_place(random, 2.0);
    const Vec3 spin = random_place(random, 5.0);
    if (k % 3 == 0) {
      world.solid(BoxSolid{{0.15, 0.1, 0.12}}, {place, velocity, {}, spin});
    } else if (k % 3 == 1) {
      world.solid(SphereSolid{0.17}, {place, velocity, {}, spin});
    } else {
      world.ball(place, velocity, 0.12);
    }
  }
  world.step(0.05);
  return world;
}

TEST(SolidPeriodsCrowd, ElasticCollisionsKeepEnergyAndMomentumAndPenetrateNothing) {
  const TestScene world = crowd();
  const Totals before = totals(world.simulation, world.simulation.start);
  const auto stepper = make_event_stepper(world.simulation);
  Index impulses = 0;
  for (int k = 0; k < 30; ++k) {
    const StepReport report = stepper->step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    EXPECT_LT(norm(report.totals.momentum - before.momentum), 1e-11);
    EXPECT_NEAR(report.totals.energy(), before.energy(), 1e-9 * before.energy());
    EXPECT_LE(report.penetration.relative, 1e-9) << "step " << k;
    impulses += report.impulses;
    for (const Vec3& q : stepper->state().position) {
      EXPECT_EQ(q, wrapped(world.simulation.world.periodicity, q));
    }
  }
  EXPECT_GT(impulses, 100U);
}

TEST(SolidPeriodsCrowd, HashQueueReportsAndCheckpointsChangeNoBit) {
  const TestScene world = crowd();
  const auto whole = make_event_stepper(world.simulation);
  TestScene other = world;
  other.simulation.detection.broad_phase = "brute_force";
  other.simulation.settings.of<EventSettings>().queue = "heap";
  other.step(0.025);
  const auto pieces = make_event_stepper(other.simulation);
  std::string saved;
  for (int k = 0; k < 16; ++k) {
    if (k == 7) saved = whole->save();
    ASSERT_TRUE(whole->step().can_go_on());
    ASSERT_TRUE(pieces->step().can_go_on());
    ASSERT_TRUE(pieces->step().can_go_on());
    ASSERT_EQ(whole->state().position, pieces->state().position) << "step " << k;
    ASSERT_EQ(whole->state().angular_velocity, pieces->state().angular_velocity);
  }
  const auto rest = make_event_stepper(world.simulation);
  rest->load(saved);
  for (int k = 7; k < 16; ++k) ASSERT_TRUE(rest->step().can_go_on());
  EXPECT_EQ(rest->save(), whole->save());
}

// Gravity along a period has no potential: what it does is work from outside.
TEST(SolidPeriodsCrowd, FallingForEverIsTheWorkOfGravity) {
  TestScene world = crowd();
  world.simulation.forces.gravity = {0, 0, -9.81};
  const Totals before = totals(world.simulation, world.simulation.start);
  const auto stepper = make_event_stepper(world.simulation);
  double work = 0.0;
  double lost = 0.0;
  for (int k = 0; k < 20; ++k) {
    const StepReport report = stepper->step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    work += report.external_work;
    lost += report.dissipated;
    EXPECT_NEAR(report.totals.energy() + lost, before.energy() + work,
                1e-9 * report.totals.energy());
  }
  double mass = 0.0;
  for (const double m : world.simulation.world.bodies.mass) mass += m;
  const double fallen = 0.5 * 9.81 * 1.0;  // in one second, far more than a period
  EXPECT_NEAR(work, mass * 9.81 * fallen - 9.81 * before.momentum.z, 1e-8 * work);
}

TEST(SolidPeriodsCrowd, PeriodsThatAreTooShortAndStepsAreRefused) {
  TestScene world = crowd();
  world.simulation.world.periodicity.length.x = 1.5;
  EXPECT_THROW(static_cast<void>(make_stepper(world.simulation)), InputError);
  TestScene steps = crowd();
  steps.simulation.time.scheme = "steps";
  EXPECT_THROW(static_cast<void>(make_stepper(steps.simulation)), InputError);
}

}  // namespace
}  // namespace carom
