#include "carom/steps/synchronous.h"

#include <cmath>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/schemes/registry.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::run;
using test::run_and_measure;
using test::RunExtremes;
using test::TestScene;

constexpr double kGravity = 9.81;

TestScene dropped_ball(double height, double e, double h) {
  TestScene world;
  world.simulation.forces.gravity = {0, -kGravity, 0};
  world.wall(HalfPlane{{0, 0, 0}, {0, 1, 0}}, {}, "floor");
  world.ball({0, height + 0.5, 0}, {0, 0, 0});
  world.restitution(e);
  world.step(h);
  return world;
}

TEST(SynchronousStepper, EqualBallsExchangeTheirVelocities) {
  TestScene world;
  world.ball({-2, 0, 0}, {3, 0, 0});
  world.ball({2, 0, 0}, {-1, 0, 0});
  world.step(1e-2);
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 200);
  EXPECT_EQ(stepper->state().velocity[0], (Vec3{-1, 0, 0}));
  EXPECT_EQ(stepper->state().velocity[1], (Vec3{3, 0, 0}));
  EXPECT_EQ(stepper->state().time, 2.0);
}

TEST(SynchronousStepper, WhatIsInTouchWithoutClosingIsCountedAndKeepsItsBits) {
  TestScene world;
  world.ball({-5, 0, 0}, {0.1, 0.2, 0});  // two that travel together
  world.ball({-4, 0, 0}, {0.1, 0.2, 0});
  world.ball({4, 0, 0}, {1, 0, 0});  // and two that meet
  world.ball({5, 0, 0}, {-1, 0, 0});
  world.step(1e-2);
  const auto stepper = make_stepper(world.simulation);
  const StepReport report = stepper->step();
  EXPECT_EQ(report.rows, 2U);
  EXPECT_EQ(report.components, 2U);
  EXPECT_EQ(stepper->state().velocity[0], (Vec3{0.1, 0.2, 0}));
  EXPECT_EQ(stepper->state().velocity[1], (Vec3{0.1, 0.2, 0}));
  EXPECT_EQ(stepper->state().velocity[2], (Vec3{-1, 0, 0}));
  const std::vector<ContactImpulse> impulses = stepper->impulses();
  ASSERT_EQ(impulses.size(), 1U);
  EXPECT_EQ(impulses.front().contact.body_a, 2U);
  EXPECT_EQ(impulses.front().contact.body_b, 3U);
}

TEST(SynchronousStepper, AnElasticBounceKeepsItsEnergyForEver) {
  const TestScene world = dropped_ball(1.0, 1.0, 1e-3);
  const auto stepper = make_stepper(world.simulation);
  const RunExtremes extremes = run_and_measure(*stepper, world.simulation, 100000);
  EXPECT_LT(extremes.energy_drift, 1e-11);
  EXPECT_LT(extremes.penetration, 1e-6);
}

// c_r = 0, v+ = 0: as printed the ball falls by h^2 g / 2 in every step.
TEST(SynchronousStepper, AsPrintedARestingBallSinks) {
  TestScene world = dropped_ball(0.0, 0.0, 1e-3);
  world.simulation.detection.hold = false;
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 1000);
  EXPECT_NEAR(0.5 - stepper->state().position[0].y, 1000 * 0.5e-6 * kGravity, 1e-12);
}

TEST(SynchronousStepper, ARestingBallStaysWhereItIs) {
  for (const double e : {0.0, 0.3, 0.5, 0.9}) {
    const TestScene world = dropped_ball(0.0, e, 1e-3);
    const auto stepper = make_stepper(world.simulation);
    run(*stepper, 10000);
    // Without any speed there is no energy to hold it: it falls freely in the first step.
    EXPECT_NEAR(stepper->state().position[0].y, 0.5, 0.51e-6 * kGravity) << "e " << e;
    EXPECT_LT(std::abs(stepper->state().velocity[0].y), 1.01e-3 * kGravity);
  }
}

TEST(SynchronousStepper, HoldingNeverRaisesTheEnergy) {
  TestScene world;
  world.simulation.forces.gravity = {0, -kGravity, 0};
  world.wall(BoxInside{{-3, 0, 0}, {3, 50, 0}}, {}, "box");
  Random random(5);
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 5; ++column) {
      world.ball({-2.4 + 1.1 * column + random.uniform(0, 0.05), 0.6 + 1.1 * row, 0}, {0, 0, 0});
    }
  }
  world.restitution(0.5);
  world.step(2e-3);
  const auto stepper = make_stepper(world.simulation);
  double energy = totals(world.simulation, stepper->state()).energy();
  const double first = energy;
  double penetration = 0.0;
  for (int k = 0; k < 400; ++k) {
    const StepReport report = stepper->step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    EXPECT_LE(report.totals.energy(), energy + 1e-12 * first) << "step " << k;
    energy = report.totals.energy();
    penetration = std::max(penetration, report.penetration.relative);
  }
  EXPECT_LT(penetration, 1e-3);
}

// Ball slides round the inside of a drum, c_r = 0: as printed it leaves the drum slowly.
TEST(SynchronousStepper, ABallThatSlidesRoundADrumStaysInside) {
  TestScene world;
  world.wall(SphereInside{{0, 0, 0}, 2.0}, {}, "drum");
  world.ball({1.5, 0, 0}, {0, 1, 0});
  world.restitution(0.0);
  world.step(1e-2);
  const auto held = make_stepper(world.simulation);
  run(*held, 2000);
  // In the first step it leaves along the tangent, by (h v)^2 / 2 R.
  EXPECT_NEAR(norm(held->state().position[0]), 1.5, 1.1e-4 / 3.0);
  world.simulation.detection.hold = false;
  const auto printed = make_stepper(world.simulation);
  run(*printed, 2000);
  EXPECT_GT(norm(printed->state().position[0]), 1.53);
}

// Three balls on a line: the middle one flies off and meets the third within the same step.
TEST(SynchronousStepper, PairsThatOnlyTheNewMotionBringsTogetherAreSeen) {
  TestScene world;
  world.ball({0, 0, 0}, {10, 0, 0});
  world.ball({1.0001, 0, 0}, {0, 0, 0});
  world.ball({2.0002, 0, 0}, {0, 0, 0});
  world.step(1e-2);
  const auto stepper = make_stepper(world.simulation);
  const StepReport report = stepper->step();
  EXPECT_EQ(report.redetections, 1U);
  EXPECT_EQ(report.rows, 2U);
  EXPECT_EQ(report.penetration.depth, 0.0);
  EXPECT_EQ(stepper->state().velocity[2], (Vec3{10, 0, 0}));
  stepper->note_penetration(false);
  EXPECT_EQ(stepper->step().penetration.depth, 0.0) << "known anyway";

  world.simulation.detection.redetect = false;
  const auto printed = make_stepper(world.simulation);
  const StepReport sunk = printed->step();
  EXPECT_EQ(sunk.redetections, 0U);
  EXPECT_NEAR(sunk.penetration.depth, 0.1 - 0.0001, 1e-12);

  const auto unasked = make_stepper(world.simulation);
  unasked->note_penetration(false);
  EXPECT_TRUE(std::isnan(unasked->step().penetration.depth));
  EXPECT_EQ(state_hash(unasked->state()), state_hash(printed->state()));
}

// The ball would cross the free space of 0.002 five times in a step: both walls are active, with
// opposite normals, and neither is touched.
TEST(SynchronousStepper, WallsThatAreNotTouchedDoNotLock) {
  TestScene world;
  world.wall(BoxInside{{-0.101, -1, 0}, {0.101, 1, 0}}, {}, "slot");
  world.ball({0, 0, 0}, {1, 0.3, 0}, 0.1);
  world.step(1e-2);
  const auto stepper = make_stepper(world.simulation);
  const RunExtremes extremes = run_and_measure(*stepper, world.simulation, 300);
  EXPECT_LT(extremes.energy_drift, 1e-12);
  EXPECT_LT(extremes.penetration, 0.11) << "the way of one step";
  EXPECT_EQ(std::abs(stepper->state().velocity[0].x), 1.0);
}

TEST(SynchronousStepper, CoarseStepsInADenseGasKeepItsEnergy) {
  TestScene world;
  world.simulation.world.periodicity = {{0, 0, 0}, {8.08, 8.08, 0}};
  Random random(3);
  for (int k = 0; k < 64; ++k) {
    const int row = k / 8;
    world.ball({0.5 + 1.01 * (k % 8), 0.5 + 1.01 * row, 0},
               {random.uniform(-1, 1), random.uniform(-1, 1), 0});
  }
  world.step(2e-2);
  const auto stepper = make_stepper(world.simulation);
  const RunExtremes extremes = run_and_measure(*stepper, world.simulation, 100);
  EXPECT_LT(extremes.energy_drift, 1e-11);
  EXPECT_LT(extremes.penetration, 0.2);
}

TEST(SynchronousStepper, ABulletDoesNotTunnel) {
  TestScene world;
  world.ball({-5, 0, 0}, {1000, 0, 0}, 0.01, 0.001);
  world.ball({0, 0, 0}, {0, 0, 0}, 0.1, 1.0);
  world.step(1e-2);
  const auto stepper = make_stepper(world.simulation);
  EXPECT_EQ(stepper->step().rows, 1U);
  EXPECT_LT(stepper->state().velocity[0].x, 0.0);
  world.simulation.detection.sweep = false;
  const auto printed = make_stepper(world.simulation);
  EXPECT_EQ(printed->step().rows, 0U);
}

TEST(SynchronousStepper, BallsThatPartAreLeftAlone) {
  TestScene world;
  world.ball({0, 0, 0}, {-1, 0, 0});
  world.ball({1, 0, 0}, {1, 0, 0});
  world.step(1e-2);
  const auto stepper = make_stepper(world.simulation);
  EXPECT_EQ(stepper->step().rows, 0U);
}

// In the frame of a heavy paddle a ball comes back with the opposite speed: v' = 2 w - v.
TEST(SynchronousStepper, AMovingWallDoesWork) {
  TestScene world;
  world.wall(HalfPlane{{0, 0, 0}, {1, 0, 0}}, ConstantMotion{{2, 0, 0}}, "paddle");
  world.ball({3, 0, 0}, {-1, 0, 0});
  world.step(1e-3);
  const auto stepper = make_stepper(world.simulation);
  const RunExtremes extremes = run_and_measure(*stepper, world.simulation, 2000);
  EXPECT_NEAR(stepper->state().velocity[0].x, 5.0, 1e-12);
  EXPECT_LT(extremes.energy_drift, 1e-13) << "E changes by the work of the paddle alone";
}

TEST(SynchronousStepper, ABallRidesOnARisingFloor) {
  TestScene world = dropped_ball(0.0, 0.0, 1e-3);
  world.simulation.world.shapes[0].motion = ConstantMotion{{0, 0.7, 0}};
  world.simulation.start.velocity[0] = {0, 0.7, 0};
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 10000);
  EXPECT_NEAR(stepper->state().position[0].y, 0.5 + 7.0, 0.51e-6 * kGravity);
}

TEST(SynchronousStepper, ASqueezeIsToldWithItsBodiesAndLosesNothing) {
  TestScene world;
  world.wall(HalfPlane{{0, 0, 0}, {1, 0, 0}}, {}, "left");
  world.wall(HalfPlane{{1.5, 0, 0}, {-1, 0, 0}}, ConstantMotion{{-1, 0, 0}}, "press");
  world.ball({0.7, 0, 0}, {0, 0, 0});
  world.restitution(0.0);
  world.step(1e-2);
  const auto stepper = make_stepper(world.simulation);
  StepReport report;
  int steps = 0;
  do {
    report = stepper->step();
  } while (report.can_go_on() && ++steps < 1000);
  ASSERT_FALSE(report.can_go_on());
  EXPECT_EQ(report.status, ImpactStatus::infeasible);
  EXPECT_NE(report.message.find("ball-1"), std::string::npos) << report.message;
  EXPECT_NE(report.message.find("press"), std::string::npos) << report.message;
  EXPECT_EQ(stepper->state().step + 1, report.step);
  EXPECT_TRUE(is_finite(stepper->state().position[0]));
}

// Amontons and Coulomb: a ball that slides on a floor slows down by mu g, whatever its restitution.
TEST(SynchronousStepper, SlidingSlowsDownByFrictionTimesGravity) {
  for (const double e : {0.0, 0.5}) {
    for (const char* model : {"slip", "box"}) {
      TestScene world = dropped_ball(0.0, e, 1e-3);
      world.restitution(e, 0.4);
      world.simulation.impact.friction_model = model;
      world.simulation.start.velocity[0] = {4, 0, 0};
      const auto stepper = make_stepper(world.simulation);
      run(*stepper, 500);
      EXPECT_NEAR(stepper->state().velocity[0].x, 4.0 - 0.4 * kGravity * 0.5, 0.01)
          << "e " << e << " " << model;
    }
  }
}

// A chain that uses up its budget keeps no ball elsewhere from its friction.
TEST(SynchronousStepper, ABudgetIsThatOfAComponent) {
  for (const std::uint64_t budget : {0U, 3U}) {
    TestScene world;
    world.wall(HalfPlane{{0, 0, 0}, {0, 1, 0}});
    world.restitution(1.0, 0.5);
    for (int k = 0; k < 8; ++k) world.ball({1.0 * k, 10, 0}, {k == 0 ? 1.0 : 0.0, 0, 0});
    world.ball({50, 0.5, 0}, {4, -1, 0});
    world.step(1e-3);
    world.simulation.impact.friction_model = "slip";
    world.simulation.impact.max_applications = budget;
    world.simulation.detection.redetect = false;
    const auto stepper = make_stepper(world.simulation);
    const StepReport report = stepper->step();
    EXPECT_EQ(report.status, budget > 0 ? ImpactStatus::budget_exhausted : ImpactStatus::resolved);
    EXPECT_NEAR(stepper->state().velocity[7].x, budget > 0 ? 0.0 : 1.0, 1e-12);
    EXPECT_NEAR(stepper->state().velocity[8].y, 1.0, 1e-12);
    EXPECT_LT(stepper->state().velocity[8].x, 3.5) << budget;
  }
}

TEST(SynchronousStepper, GravityAlongAPeriodDoesWork) {
  TestScene world;
  world.simulation.forces.gravity = {2.0, -1.0, 0};
  world.simulation.world.periodicity = {{0, 0, 0}, {5, 0, 0}};
  world.wall(HalfPlane{{0, 0, 0}, {0, 1, 0}}, {}, "floor");
  world.ball({1, 1, 0}, {0, 0, 0});
  world.step(1e-2);
  const auto stepper = make_stepper(world.simulation);
  const RunExtremes extremes = run_and_measure(*stepper, world.simulation, 1000);
  EXPECT_LT(extremes.energy_drift, 1e-12);
  EXPECT_NEAR(stepper->state().velocity[0].x, 20.0, 1e-11);
}

TEST(SynchronousStepper, ASavedStateOfAPeriodicWorldWithSpringsGoesOnToTheSameBits) {
  TestScene world;
  world.simulation.world.periodicity = {{0, 0, 0}, {5, 5, 0}};
  world.ball({1, 1, 0}, {1.3, 0.7, 0});
  world.ball({2.5, 1.2, 0}, {1.1, 0.9, 0});
  world.simulation.forces.springs = {{0, 1, {}, 3.0, 1.4}};
  world.step(1e-2);
  const auto whole = make_stepper(world.simulation);
  run(*whole, 1000);
  for (std::uint64_t at = 50; at < 1000; at += 50) {
    const auto first = make_stepper(world.simulation);
    run(*first, at);
    const auto second = make_stepper(world.simulation);
    second->load(first->save());
    run(*second, 1000 - at);
    EXPECT_EQ(state_hash(second->state()), state_hash(whole->state())) << "saved at " << at;
  }
}

TEST(SynchronousStepper, VelocitiesThatGrowWithoutBoundAreToldNotThrown) {
  TestScene world;
  world.simulation.impact.impact_operator = "jacobi";
  world.simulation.detection.redetect = false;
  for (int k = 0; k < 4; ++k) world.wall(HalfPlane{{0, 0, 0}, {0, 1, 0}});
  for (int k = 0; k < 4; ++k) world.wall(HalfPlane{{0, 3, 0}, {0, -1, 0}});
  world.ball({0, 1.5, 0}, {0, -1, 0});
  world.step(1e-2);
  const auto stepper = make_stepper(world.simulation);
  StepReport report;
  int steps = 0;
  do {
    report = stepper->step();
  } while (report.can_go_on() && ++steps < 5000);
  EXPECT_FALSE(report.can_go_on());
  EXPECT_TRUE(is_finite(stepper->state().velocity[0]));
}

TestScene lively_world() {
  TestScene world;
  world.simulation.forces.gravity = {0.1, -1.0, 0};
  world.wall(SphereInside{{0, 0, 0}, 6.0}, {}, "drum");
  Random random(11);
  for (int row = 0; row < 5; ++row) {
    for (int column = 0; column < 5; ++column) {
      world.ball({-2.2 + 1.1 * column, -2.2 + 1.1 * row, 0},
                 {random.uniform(-1, 1), random.uniform(-1, 1), 0});
    }
  }
  world.step(5e-3);
  return world;
}

TEST(SynchronousStepper, ASavedStateGoesOnToTheSameBits) {
  const TestScene world = lively_world();
  const auto whole = make_stepper(world.simulation);
  run(*whole, 400);
  for (const std::uint64_t at : {0U, 1U, 137U, 399U}) {
    const auto first = make_stepper(world.simulation);
    run(*first, at);
    const std::string bytes = first->save();
    const auto second = make_stepper(world.simulation);
    run(*second, 20);  // whatever it did before
    second->load(bytes);
    run(*second, 400 - at);
    EXPECT_EQ(state_hash(second->state()), state_hash(whole->state())) << "saved at " << at;
    EXPECT_EQ(second->state().position[3], whole->state().position[3]);
  }
}

TEST(SynchronousStepper, ForeignBytesAreRefused) {
  const TestScene world = lively_world();
  const auto stepper = make_stepper(world.simulation);
  const std::string bytes = stepper->save();
  EXPECT_THROW(stepper->load(""), InputError);
  EXPECT_THROW(stepper->load(bytes.substr(1)), InputError);
  EXPECT_THROW(stepper->load(bytes + "x"), InputError);
  std::string nan = bytes;
  for (std::size_t k = nan.size() - 8; k < nan.size(); ++k) nan[k] = '\xff';
  EXPECT_THROW(stepper->load(nan), InputError);
}

TEST(SynchronousStepper, ElasticRunsKeepEnergyWithEveryConservingOperator) {
  for (const char* name : {"gr", "gauss_seidel", "lcp", "qce"}) {
    TestScene world = lively_world();
    world.simulation.impact.impact_operator = name;
    const auto stepper = make_stepper(world.simulation);
    const RunExtremes extremes = run_and_measure(*stepper, world.simulation, 1000);
    EXPECT_LT(extremes.energy_drift, 1e-11) << name;
  }
}

TEST(SynchronousStepper, AGasInAPeriodicBoxKeepsEnergyAndMomentum) {
  for (const int dimension : {2, 3}) {
    TestScene world(dimension);
    world.simulation.world.periodicity = {{-3, -3, -3}, {6, 6, dimension == 3 ? 6.0 : 0.0}};
    Random random(2);
    const int layers = dimension == 3 ? 4 : 1;
    for (int layer = 0; layer < layers; ++layer) {
      for (int k = 0; k < 16; ++k) {
        const double z = dimension == 3 ? -2.2 + 1.45 * layer : 0.0;
        const double w = dimension == 3 ? random.uniform(-1, 1) : 0.0;
        const int row = k / 4;
        world.ball({-2.2 + 1.45 * (k % 4), -2.2 + 1.45 * row, z},
                   {random.uniform(-1, 1), random.uniform(-1, 1), w}, 0.5, 1.0 + k);
      }
    }
    world.step(1e-2);
    const auto stepper = make_stepper(world.simulation);
    const Vec3 momentum = totals(world.simulation, stepper->state()).momentum;
    const RunExtremes extremes = run_and_measure(*stepper, world.simulation, 2000);
    EXPECT_LT(extremes.energy_drift, 1e-12);
    EXPECT_LT(extremes.penetration, 0.02);
    EXPECT_LT(norm(totals(world.simulation, stepper->state()).momentum - momentum), 1e-11);
  }
}

TEST(SynchronousStepper, ImpulsesAddUpToTheChangeOfMomentum) {
  TestScene world = lively_world();
  world.simulation.forces.gravity = {};
  const auto stepper = make_stepper(world.simulation);
  Vec3 before = totals(world.simulation, stepper->state()).momentum;
  for (int k = 0; k < 400; ++k) {
    stepper->step();
    const Vec3 after = totals(world.simulation, stepper->state()).momentum;
    Vec3 from_walls;
    for (const ContactImpulse& impulse : stepper->impulses()) {
      EXPECT_GE(impulse.normal, 0.0);
      if (impulse.contact.body_b == kNone) from_walls += impulse.normal * impulse.contact.normal;
    }
    EXPECT_LT(norm(after - before - from_walls), 1e-12);
    before = after;
  }
}

// A rack with gaps that close within the step, one layer after the other.
TestScene loose_rack() {
  TestScene world;
  for (int row = 0; row < 6; ++row) {
    for (int k = 0; k <= row; ++k) world.ball({0.9 * row, 1.002 * (k - 0.5 * row), 0}, {});
  }
  world.ball({-1.001, 0.02, 0}, {10, 0, 0});
  world.step(2e-2);
  return world;
}

TEST(SynchronousStepper, RoundsOfAnElasticImpactGoOnFromEachOther) {
  const TestScene world = loose_rack();
  const auto stepper = make_stepper(world.simulation);
  const StepReport report = stepper->step();
  EXPECT_EQ(report.redetections, 2U) << "rows that it does not see wait beside the second";
  EXPECT_EQ(report.substeps, 1U);
  EXPECT_GT(report.rows, 12U);
  EXPECT_GT(report.applications, 6U) << "those of all rounds";
  EXPECT_NEAR(report.totals.kinetic, 50.0, 1e-12);
  EXPECT_LT(report.penetration.depth, 1e-9);
  // Impulses are those of all rounds, too.
  std::vector<Vec3> velocity = world.simulation.start.velocity;
  for (const ContactImpulse& impulse : stepper->impulses()) {
    EXPECT_GT(impulse.normal, 0.0);
    velocity[impulse.contact.body_a] += impulse.normal * impulse.contact.normal;
    velocity[impulse.contact.body_b] -= impulse.normal * impulse.contact.normal;
  }
  for (Index i = 0; i < velocity.size(); ++i) {
    EXPECT_LT(norm(velocity[i] - stepper->state().velocity[i]), 1e-13);
  }
}

// In a chain there is only one way: going on and beginning again end alike.
TEST(SynchronousStepper, GoingOnAndBeginningAgainAgreeOnAChain) {
  std::vector<State> ends;
  for (const double restitution : {1.0, 1.0 - 1e-15}) {
    TestScene world;
    for (int k = 0; k < 8; ++k) world.ball({1.0005 * k, 0, 0}, {k == 0 ? 10.0 : 0.0, 0, 0});
    world.restitution(restitution);
    world.step(1e-2);
    const auto stepper = make_stepper(world.simulation);
    EXPECT_EQ(stepper->step().redetections, restitution == 1.0 ? 2U : 6U);
    ends.push_back(stepper->state());
  }
  for (Index i = 0; i < 8; ++i) {
    EXPECT_LT(norm(ends[0].velocity[i] - ends[1].velocity[i]), 1e-12) << i;
  }
}

// A pulse that runs on beyond the pairs that wait for it is met by others in the next round.
TEST(SynchronousStepper, APulseGoesOnWhereNoPairWaited) {
  constexpr Index kBalls = 9000;
  std::vector<State> ends;
  for (const Index threads : {1U, 2U}) {
    TestScene world;
    for (Index k = 0; k < kBalls; ++k) world.ball({1.0005 * k, 0, 0}, {k == 0 ? 10.0 : 0.0, 0, 0});
    world.step(1e-2);
    world.simulation.detection.halve = false;
    world.simulation.threads = threads;
    const auto stepper = make_stepper(world.simulation);
    const StepReport report = stepper->step();
    EXPECT_EQ(report.redetections, 4U) << "one ball, some 2,000, three times as many, the rest";
    EXPECT_EQ(report.rows, kBalls - 1);
    EXPECT_EQ(report.impulses, kBalls - 1);
    EXPECT_LT(report.penetration.depth, 1e-9);
    EXPECT_NEAR(report.totals.kinetic, 50.0, 1e-9);
    EXPECT_NEAR(stepper->state().velocity.back().x, 10.0, 1e-10);
    ends.push_back(stepper->state());
  }
  EXPECT_EQ(ends[0].velocity, ends[1].velocity);
  EXPECT_EQ(ends[0].position, ends[1].position);
}

// A crystal with gaps that its balls cross many times within a step.
TestScene tight_crystal() {
  TestScene world;
  Random random(3);
  for (int j = 0; j < 48; ++j) {
    for (int i = 0; i < 48; ++i) {
      world.ball({1.001 * i, 1.001 * j, 0}, {random.normal(), random.normal(), 0});
    }
  }
  world.step(5e-3);
  return world;
}

TEST(SynchronousStepper, TakesStepsThatAreTooLongInHalves) {
  TestScene world = tight_crystal();
  const auto stepper = make_stepper(world.simulation);
  stepper->note_impulses(true);
  const Totals before = totals(world.simulation, stepper->state());
  std::vector<Vec3> velocity = world.simulation.start.velocity;
  Index substeps = 0;
  for (int k = 0; k < 6; ++k) {
    const StepReport report = stepper->step();
    ASSERT_TRUE(report.can_go_on());
    EXPECT_EQ(report.status, ImpactStatus::resolved);
    EXPECT_LT(report.penetration.relative, 1e-8);
    EXPECT_FALSE(report.redetect_exhausted);
    EXPECT_NEAR(report.totals.kinetic, before.kinetic, 1e-12 * before.kinetic);
    EXPECT_LT(std::abs(report.dissipated), 1e-12 * before.kinetic);
    EXPECT_LT(norm(report.totals.momentum - before.momentum), 1e-11);
    EXPECT_EQ(stepper->state().time, report.time);
    substeps += report.substeps;
    // Impulses are those of all parts, and happened in them.
    const std::vector<ContactImpulse> impulses = stepper->impulses();
    EXPECT_EQ(impulses.size(), report.impulses);
    for (const ContactImpulse& impulse : impulses) {
      velocity[impulse.contact.body_a] += impulse.normal * impulse.contact.normal;
      velocity[impulse.contact.body_b] -= impulse.normal * impulse.contact.normal;
      EXPECT_GT(impulse.time, report.time - 1.0000001 * world.simulation.time.step);
      EXPECT_LE(impulse.time, report.time);
    }
    for (Index i = 0; i < velocity.size(); ++i) {
      ASSERT_LT(norm(velocity[i] - stepper->state().velocity[i]), 1e-12);
    }
  }
  EXPECT_GT(substeps, 8U);
  TestScene whole = tight_crystal();
  whole.simulation.detection.halve = false;
  EXPECT_EQ(make_stepper(whole.simulation)->step().substeps, 1U);
}

// Pairs wait that hang together with what joined, however they are found.
TEST(SynchronousStepper, TheSearchForPairsDoesNotChangeTheResult) {
  std::vector<State> ends;
  for (const char* search : {"grid", "brute_force"}) {
    TestScene world = tight_crystal();
    world.simulation.detection.broad_phase = search;
    const auto stepper = make_stepper(world.simulation);
    Index rounds = 0;
    for (int k = 0; k < 2; ++k) rounds += stepper->step().redetections;
    EXPECT_GT(rounds, 20U);
    ends.push_back(stepper->state());
  }
  EXPECT_EQ(ends[0].velocity, ends[1].velocity);
  EXPECT_EQ(ends[0].position, ends[1].position);
}

TEST(SynchronousStepper, StepsInHalvesGoOnFromACheckpointToTheSameBits) {
  const TestScene world = tight_crystal();
  const auto stepper = make_stepper(world.simulation);
  Index most = 0;
  for (int k = 0; k < 4; ++k) {
    stepper->step();
    most = std::max(most, stepper->state().halvings);
    const std::string saved = stepper->save();
    const auto other = make_stepper(world.simulation);
    other->load(saved);
    EXPECT_EQ(other->save(), saved);
    const auto same = make_stepper(world.simulation);
    same->load(saved);
    EXPECT_EQ(state_hash(other->state()), state_hash(stepper->state()));
    other->step();
    same->step();
    EXPECT_EQ(state_hash(other->state()), state_hash(same->state()));
    if (k == 3) {
      stepper->step();
      EXPECT_EQ(state_hash(other->state()), state_hash(stepper->state()));
    }
  }
  EXPECT_GT(most, 0U);
  // What no stepper can have written.
  std::string saved = make_stepper(world.simulation)->save();
  saved.append("\15\0\0\0\0\0\0\0", 8);
  EXPECT_THROW(make_stepper(world.simulation)->load(saved), InputError);
}

// Balls that nearly fill a box, with gaps that they cross many times within a step: as one impact
// they would lock each other.
TestScene tight_box(int side, double gap) {
  TestScene world;
  Random random(5);
  const double spacing = 1.0 + gap;
  for (int j = 0; j < side; ++j) {
    for (int i = 0; i < side; ++i) {
      world.ball({spacing * i, spacing * j, 0}, {random.normal(), random.normal(), 0});
    }
  }
  const double low = -0.5 - gap;
  const double high = spacing * (side - 1) + 0.5 + gap;
  world.wall(BoxInside{{low, low, 0}, {high, high, 0}});
  world.step(1e-2);
  return world;
}

TEST(SynchronousStepper, OpenRowsThatWouldLockAreSteppedInHalves) {
  for (const double gap : {1e-2, 1e-3, 1e-5}) {
    SCOPED_TRACE(gap);
    TestScene world = tight_box(6, gap);
    const auto stepper = make_stepper(world.simulation);
    const Totals before = totals(world.simulation, stepper->state());
    Index substeps = 0;
    for (int k = 0; k < 3; ++k) {
      const StepReport report = stepper->step();
      ASSERT_EQ(report.status, ImpactStatus::resolved);
      EXPECT_EQ(report.left_out, 0U);
      EXPECT_EQ(report.penetration.depth, 0.0);
      EXPECT_EQ(report.lineality_energy, 0.0);
      EXPECT_NEAR(report.totals.kinetic, before.kinetic, 1e-11 * before.kinetic);
      substeps += report.substeps;
    }
    EXPECT_GT(substeps, gap > 5e-3 ? 2U : 10U);
  }
}

// As one impact rows are left out, and balls end in each other.
TEST(SynchronousStepper, OpenRowsThatLockInAStepOfAnySizeAreLeftOut) {
  for (const double gap : {1e-3, 1e-8}) {
    TestScene world = tight_box(6, gap);
    world.simulation.detection.halve = gap < 1e-6;  // too small a gap for any part of a step
    const auto stepper = make_stepper(world.simulation);
    const Totals before = totals(world.simulation, stepper->state());
    const StepReport report = stepper->step();
    ASSERT_EQ(report.status, ImpactStatus::resolved);
    EXPECT_EQ(report.substeps, 1U);
    EXPECT_GT(report.left_out, 0U);
    EXPECT_GT(report.penetration.depth, 0.0);
    EXPECT_NEAR(report.totals.kinetic, before.kinetic, 1e-11 * before.kinetic);
    EXPECT_EQ(stepper->state().time, report.time);
    EXPECT_EQ(stepper->state().halvings, 0U);
  }
}

// What touches is locked in a step of any size.
TEST(SynchronousStepper, TouchingRowsThatLockAreNotSteppedInHalves) {
  TestScene world = tight_box(4, 0.0);
  const StepReport report = make_stepper(world.simulation)->step();
  EXPECT_EQ(report.status, ImpactStatus::resolved);
  EXPECT_EQ(report.substeps, 1U);
  EXPECT_EQ(report.penetration.depth, 0.0);
}

TEST(SynchronousStepper, TheProblemOfAStepHasAllItsRows) {
  TestScene world;
  world.ball({0, 0, 0}, {10, 0, 0});
  world.ball({1.0001, 0, 0}, {0, 0, 0});
  world.ball({2.0002, 0, 0}, {0, 0, 0});
  world.step(1e-2);
  const auto stepper = make_stepper(world.simulation);
  EXPECT_EQ(stepper->step().redetections, 1U);
  const ImpactProblem problem = stepper->resolved_problem();
  ASSERT_EQ(problem.row_count(), 2U);
  EXPECT_EQ(problem.body(0).name, "ball-1");
  const ImpactResult result = resolve_impacts(problem, world.simulation.impact);
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(result.velocity(problem, i)[0], stepper->state().velocity[i].x, 1e-14);
  }
}

}  // namespace
}  // namespace carom
