#include "carom/events/event_driven.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/events/settings.h"
#include "carom/schemes/registry.h"

#include "support/hard_gas.h"
#include "support/worlds.h"

namespace carom {
namespace {

using test::run;
using test::run_and_measure;
using test::RunExtremes;
using test::TestScene;

constexpr double kGravity = 9.81;

TestScene event_world(int dimension = 2) {
  TestScene world(dimension);
  world.simulation.time.scheme = "events";
  return world;
}

TEST(EventDrivenStepper, EqualBallsExchangeTheirVelocities) {
  TestScene world = event_world();
  world.ball({-2, 0, 0}, {3, 0, 0});
  world.ball({2, 0, 0}, {-1, 0, 0});
  world.step(2.0);
  const auto stepper = make_stepper(world.simulation);
  const StepReport report = run(*stepper, 1);
  EXPECT_EQ(report.impulses, 1U);
  EXPECT_EQ(stepper->state().velocity[0], (Vec3{-1, 0, 0}));
  EXPECT_EQ(stepper->state().velocity[1], (Vec3{3, 0, 0}));
  // They met after 3 / 4 s at 0.25 and 1.25.
  EXPECT_NEAR(stepper->state().position[0].x, 0.25 - 1.25, 1e-15);
  EXPECT_NEAR(stepper->state().position[1].x, 1.25 + 3.75, 1e-15);
}

std::vector<ContactImpulse> collisions_until(Simulation simulation, double step,
                                             std::uint64_t steps, State& end) {
  simulation.time.step = step;
  const auto stepper = make_stepper(simulation);
  stepper->note_impulses(true);
  std::vector<ContactImpulse> all;
  for (std::uint64_t k = 0; k < steps; ++k) {
    EXPECT_TRUE(stepper->step().can_go_on());
    const std::vector<ContactImpulse> some = stepper->impulses();
    // What collides touches.
    for (const ContactImpulse& impulse : some) EXPECT_LT(std::abs(impulse.contact.gap), 1e-12);
    all.insert(all.end(), some.begin(), some.end());
  }
  end = stepper->state();
  return all;
}

void expect_same(const std::vector<ContactImpulse>& a, const std::vector<ContactImpulse>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    ASSERT_TRUE(a[k].contact.same_pair(b[k].contact)) << "collision " << k;
    ASSERT_EQ(a[k].time, b[k].time) << "collision " << k;
    ASSERT_EQ(a[k].normal, b[k].normal) << "collision " << k;
    ASSERT_EQ(a[k].contact.normal, b[k].contact.normal) << "collision " << k;
  }
}

TEST(EventDrivenStepper, LookingMoreOftenChangesNoBit) {
  const Simulation gas = test::make_hard_gas({3, 5, 0.4, 5});
  State coarse;
  State fine;
  const auto expected = collisions_until(gas, 4.0, 2, coarse);
  const auto found = collisions_until(gas, 1.0 / 64.0, 512, fine);
  EXPECT_GT(expected.size(), 1000U);
  expect_same(expected, found);
  EXPECT_EQ(coarse.position, fine.position);
  EXPECT_EQ(coarse.velocity, fine.velocity);
}

TEST(EventDrivenStepper, TheCalendarAndTheHeapGiveTheSameBits) {
  Simulation gas = test::make_hard_gas({2, 5, 0.5, 6});
  State calendar;
  State heap;
  const auto expected = collisions_until(gas, 1.0, 10, calendar);
  gas.settings.of<EventSettings>().queue = "heap";
  const auto found = collisions_until(gas, 1.0, 10, heap);
  EXPECT_GT(expected.size(), 1000U);
  expect_same(expected, found);
}

// Balls of three sizes fall into a box, with loss: everything that a checkpoint has to hold.
TestScene falling_balls() {
  TestScene world = event_world();
  world.simulation.forces.gravity = {0, -kGravity, 0};
  world.wall(BoxInside{{-4, 0, 0}, {4, 30, 0}}, {}, "box");
  world.wall(Segment{{-4, 3, 0}, {0, 2, 0}}, {}, "slope");
  world.wall(SphereOutside{{2, 1, 0}, 0.8}, SinusoidMotion{{0.0, 0.1, 0.0}, 3.0, 0.0}, "knob");
  world.restitution(0.8);
  Random random(11);
  for (int row = 0; row < 5; ++row) {
    for (int column = 0; column < 6; ++column) {
      world.ball({-3.2 + 1.2 * column, 5.0 + 1.2 * row, 0}, {random.normal(), random.normal(), 0},
                 0.2 + 0.15 * ((row + column) % 3));
    }
  }
  world.step(0.05);
  return world;
}

TEST(EventDrivenStepper, ALoadedCheckpointGoesOnToTheSameBits) {
  const TestScene world = falling_balls();
  const auto whole = make_stepper(world.simulation);
  run(*whole, 20);
  const std::string bytes = whole->save();
  const auto resumed = make_stepper(world.simulation);
  resumed->load(bytes);
  EXPECT_EQ(state_hash(resumed->state()), state_hash(whole->state()));
  for (int k = 0; k < 40; ++k) {
    const StepReport expected = whole->step();
    const StepReport found = resumed->step();
    ASSERT_TRUE(expected.can_go_on()) << expected.message;
    ASSERT_EQ(state_hash(resumed->state()), state_hash(whole->state())) << "step " << k;
    ASSERT_EQ(found.impulses, expected.impulses);
    ASSERT_EQ(found.dissipated, expected.dissipated);
    ASSERT_EQ(found.external_work, expected.external_work);
  }
  EXPECT_EQ(resumed->save(), whole->save());
}

TEST(EventDrivenStepper, ADamagedCheckpointIsRefused) {
  const TestScene world = falling_balls();
  const auto stepper = make_stepper(world.simulation);
  const std::string bytes = stepper->save();
  EXPECT_THROW(stepper->load(bytes.substr(0, bytes.size() - 8)), InputError);
  EXPECT_THROW(stepper->load("carom-steps-1\n"), InputError);
  std::string other = bytes;
  other.replace(bytes.size() - 16, 8, std::string(8, '\x7f'));
  EXPECT_THROW(stepper->load(bytes + bytes), InputError);
}

// ----- Simultaneous means together ------------------------------------------------------------

// The same balls in another order; returns the velocities in the first order.
std::vector<Vec3> outcome_in_order(const TestScene& world, const std::vector<Index>& order,
                                   std::uint64_t steps) {
  TestScene shuffled = event_world(world.simulation.world.dimension);
  shuffled.simulation.impact = world.simulation.impact;
  shuffled.simulation.world.shapes = world.simulation.world.shapes;
  shuffled.simulation.time = world.simulation.time;
  for (const Index i : order) {
    const Simulation& s = world.simulation;
    shuffled.ball(s.start.position[i], s.start.velocity[i], s.world.bodies.radius[i],
                  s.world.bodies.mass[i]);
  }
  const auto stepper = make_stepper(shuffled.simulation);
  run(*stepper, steps);
  std::vector<Vec3> velocity(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    velocity[order[k]] = stepper->state().velocity[k];
  }
  return velocity;
}

void expect_any_order_gives(const TestScene& world, std::uint64_t steps, double tolerance) {
  std::vector<Index> order(world.simulation.world.bodies.size());
  std::iota(order.begin(), order.end(), Index{0});
  const std::vector<Vec3> expected = outcome_in_order(world, order, steps);
  Random random(3);
  for (int draw = 0; draw < 10; ++draw) {
    for (Index k = static_cast<Index>(order.size()); k > 1; --k) {
      std::swap(order[k - 1], order[random.below(k)]);
    }
    const std::vector<Vec3> found = outcome_in_order(world, order, steps);
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_NEAR(norm(found[i] - expected[i]), 0.0, tolerance) << "draw " << draw << " ball " << i;
    }
  }
}

TEST(EventDrivenCluster, ATouchingCradleIsOneImpactInAnyOrder) {
  TestScene world = event_world();
  world.ball({-3, 0, 0}, {1, 0, 0});
  for (int k = 0; k < 4; ++k) world.ball({1.0 * k, 0, 0}, {});
  world.step(4.0);
  const auto stepper = make_stepper(world.simulation);
  const StepReport report = run(*stepper, 1);
  // GR by hand: the first row reflects, then each in turn: a wave that leaves the last ball moving.
  EXPECT_EQ(report.rows, 4U);
  EXPECT_NEAR(stepper->state().velocity[4].x, 1.0, 1e-14);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(stepper->state().velocity[k].x, 0.0, 1e-14);
  expect_any_order_gives(world, 1, 1e-14);
}

// GR with two rows that close at once (physics of one instant): the middle of three balls is hit
// from both sides.
TEST(EventDrivenCluster, BallsThatHitAThirdAtOneMomentAreTakenTogether) {
  TestScene world = event_world();
  world.ball({0, 0, 0}, {});
  world.ball({-3, 0, 0}, {1, 0, 0});
  world.ball({3, 0, 0}, {-1, 0, 0});
  world.step(3.0);
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 1);
  EXPECT_EQ(stepper->state().velocity[0], (Vec3{0, 0, 0}));
  EXPECT_NEAR(stepper->state().velocity[1].x, -1.0, 1e-15);
  EXPECT_NEAR(stepper->state().velocity[2].x, 1.0, 1e-15);
}

TestScene rack(int rows) {
  TestScene world = event_world();
  world.ball({-3, 0, 0}, {5, 0, 0});
  const double r = 0.5;
  for (int row = 0; row < rows; ++row) {
    for (int k = 0; k <= row; ++k) {
      world.ball({r * std::sqrt(3.0) * row, r * (2 * k - row), 0}, {}, r);
    }
  }
  world.step(1.0);
  return world;
}

TEST(EventDrivenCluster, APerfectRackComesOutSymmetricInAnyOrder) {
  const TestScene world = rack(5);
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 1);
  const State& state = stepper->state();
  // Ball k of a row is the mirror image of ball row - k.
  Index first = 1;
  for (Index row = 0; row < 5; ++row) {
    for (Index k = 0; k <= row; ++k) {
      const Vec3& a = state.velocity[first + k];
      const Vec3& b = state.velocity[first + row - k];
      EXPECT_NEAR(a.x, b.x, 1e-12);
      EXPECT_NEAR(a.y, -b.y, 1e-12);
    }
    first += row + 1;
  }
  expect_any_order_gives(world, 1, 1e-11);
}

TEST(EventDrivenCluster, ARingOf24KeepsItsSymmetryInAnyOrder) {
  TestScene world = event_world();
  constexpr std::size_t kCount = 24;
  for (std::size_t k = 0; k < kCount; ++k) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(k) / kCount;
    const Vec3 outward = {std::cos(angle), std::sin(angle), 0};
    world.ball(8.0 * outward, -1.0 * outward);
  }
  world.step(8.0);
  const auto stepper = make_stepper(world.simulation);
  const StepReport report = run(*stepper, 1);
  EXPECT_EQ(report.impulses, 24U);
  for (std::size_t k = 0; k < kCount; ++k) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(k) / kCount;
    const Vec3 outward = {std::cos(angle), std::sin(angle), 0};
    EXPECT_NEAR(norm(stepper->state().velocity[k] - outward), 0.0, 1e-12) << "ball " << k;
  }
  expect_any_order_gives(world, 1, 1e-12);
}

// ----- Gravity, walls, loss -------------------------------------------------------------------

TestScene dropped_ball(double height, double e) {
  TestScene world = event_world();
  world.simulation.forces.gravity = {0, -kGravity, 0};
  world.wall(HalfPlane{{0, 0, 0}, {0, 1, 0}}, {}, "floor");
  world.ball({0, height + 0.5, 0}, {0, 0, 0});
  world.restitution(e);
  return world;
}

TEST(EventDrivenStepper, AnElasticBounceKeepsItsHeightAndPeriod) {
  TestScene world = dropped_ball(1.0, 1.0);
  const double period = 2.0 * std::sqrt(2.0 / kGravity);
  world.step(period);
  const auto stepper = make_stepper(world.simulation);
  for (int k = 0; k < 1000; ++k) EXPECT_EQ(run(*stepper, 1).impulses, 1U);
  EXPECT_NEAR(stepper->state().position[0].y, 1.5, 1e-9);
}

TEST(EventDrivenStepper, ABouncingBallComesToRestAndTimeGoesOn) {
  for (const double e : {0.0, 0.3, 0.7}) {
    TestScene world = dropped_ball(1.0, e);
    // All bounces are over at t1 (1 + e) / (1 - e), t1 the time of the first fall.
    const double rest = std::sqrt(2.0 / kGravity) * (1.0 + e) / (1.0 - e);
    world.step(rest + 0.1);
    const auto stepper = make_stepper(world.simulation);
    double lost = run(*stepper, 1).dissipated;
    for (int k = 0; k < 5; ++k) {
      const StepReport report = run(*stepper, 1);
      lost += report.dissipated;
      EXPECT_NEAR(stepper->state().position[0].y, 0.5, 1e-4 * 0.5) << "e " << e;
      EXPECT_LE(report.penetration.relative, 1e-12);
      EXPECT_NEAR(report.totals.energy() + lost, kGravity * 1.5, 1e-9);
    }
  }
}

TEST(EventDrivenStepper, TheBouncesOfALossyBallAreWhereTheyShouldBe) {
  TestScene world = dropped_ball(1.0, 0.5);
  world.step(1.352);
  const auto stepper = make_stepper(world.simulation);
  stepper->note_impulses(true);
  run(*stepper, 1);
  const std::vector<ContactImpulse> bounces = stepper->impulses();
  ASSERT_GT(bounces.size(), 6U);
  double time = std::sqrt(2.0 / kGravity);
  double speed = kGravity * time;
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(bounces[k].time, time, 1e-12) << "bounce " << k;
    EXPECT_NEAR(bounces[k].normal, 1.5 * speed, 1e-12) << "bounce " << k;
    speed *= 0.5;
    time += 2.0 * speed / kGravity;
  }
}

// e(v) = 1 - (1 - e0) (v / v0)^(3/4) below v0: faster bounces lose more.
double bizon(double e0, double v0, double v) {
  return v < v0 ? 1.0 - (1.0 - e0) * std::pow(v / v0, 0.75) : e0;
}

void restitution_by_speed(TestScene& world, double e0, double v0) {
  Material material = world.simulation.world.materials.material(0);
  material.restitution = e0;
  material.restitution_speed = v0;
  world.simulation.world.materials.replace(0, material);
}

TEST(EventDrivenStepper, RestitutionBySpeedIsThatOfEachBounce) {
  TestScene world = dropped_ball(1.0, 1.0);
  restitution_by_speed(world, 0.4, 3.0);
  world.step(3.0);
  const auto stepper = make_stepper(world.simulation);
  stepper->note_impulses(true);
  run(*stepper, 1);
  const std::vector<ContactImpulse> bounces = stepper->impulses();
  ASSERT_GT(bounces.size(), 6U);
  double time = std::sqrt(2.0 / kGravity);
  double speed = kGravity * time;
  for (std::size_t k = 0; k < 6; ++k) {
    const double e = bizon(0.4, 3.0, speed);
    EXPECT_NEAR(bounces[k].time, time, 1e-11) << "bounce " << k;
    EXPECT_NEAR(bounces[k].normal, (1.0 + e) * speed, 1e-11) << "bounce " << k;
    speed *= e;
    time += 2.0 * speed / kGravity;
  }
}

TEST(EventDrivenStepper, RestitutionBySpeedIsThatOfThePairAndOfTheCluster) {
  TestScene pair = event_world();
  restitution_by_speed(pair, 0.2, 2.0);
  pair.ball({-2, 0, 0}, {1, 0, 0});
  pair.ball({0, 0, 0}, {0, 0, 0});
  pair.step(3.0);
  const auto alone = make_stepper(pair.simulation);
  run(*alone, 1);
  EXPECT_NEAR(alone->state().velocity[1].x - alone->state().velocity[0].x, bizon(0.2, 2.0, 1.0),
              1e-12);
  // Two that hit a third from both sides at one moment: by symmetry it stays.
  TestScene three = event_world();
  restitution_by_speed(three, 0.2, 2.0);
  three.ball({-2, 0, 0}, {1, 0, 0});
  three.ball({0, 0, 0}, {0, 0, 0});
  three.ball({2, 0, 0}, {-1, 0, 0});
  three.step(3.0);
  const auto cluster = make_stepper(three.simulation);
  run(*cluster, 1);
  EXPECT_NEAR(cluster->state().velocity[2].x, bizon(0.2, 2.0, 1.0), 1e-9);
  EXPECT_NEAR(cluster->state().velocity[1].x, 0.0, 1e-12);
}

TEST(EventDrivenStepper, ABallThatStartsAtRestOnTheFloorStaysThere) {
  TestScene world = dropped_ball(0.0, 0.5);
  world.step(0.5);
  const auto stepper = make_stepper(world.simulation);
  for (int k = 0; k < 10; ++k) {
    const StepReport report = run(*stepper, 1);
    EXPECT_NEAR(stepper->state().position[0].y, 0.5, 1e-4);
    EXPECT_LT(report.impulses, 10000U);
  }
}

TEST(EventDrivenStepper, AStackThatStartsAtRestStays) {
  TestScene world = event_world();
  world.simulation.forces.gravity = {0, -kGravity, 0};
  world.wall(BoxInside{{-0.5, 0, 0}, {0.5, 10, 0}}, {}, "shaft");
  for (int k = 0; k < 4; ++k) world.ball({0, 0.5 + k, 0}, {});
  world.restitution(0.5);
  world.step(0.25);
  const auto stepper = make_stepper(world.simulation);
  for (int step = 0; step < 8; ++step) {
    run(*stepper, 1);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(stepper->state().position[k].y, 0.5 + static_cast<double>(k), 2e-3);
      EXPECT_LT(norm(stepper->state().velocity[k]), 0.1);
    }
  }
}

TEST(EventDrivenStepper, ElasticBallsInADrumKeepTheirEnergyAndPenetrateNothing) {
  TestScene world = event_world();
  world.simulation.forces.gravity = {0, -kGravity, 0};
  world.wall(SphereInside{{0, 0, 0}, 6.0}, {}, "drum");
  Random random(2);
  for (int row = 0; row < 5; ++row) {
    for (int column = 0; column < 5; ++column) {
      world.ball({-2.6 + 1.3 * column, -2.6 + 1.3 * row, 0}, {random.normal(), random.normal(), 0});
    }
  }
  world.step(0.1);
  const auto stepper = make_stepper(world.simulation);
  const RunExtremes extremes = run_and_measure(*stepper, world.simulation, 300);
  EXPECT_LT(extremes.energy_drift, 1e-11);
  EXPECT_LT(extremes.penetration, 1e-12);
}

TEST(EventDrivenStepper, AVibratingPlateDoesTheWorkThatTheBallsHave) {
  TestScene world = event_world();
  world.simulation.forces.gravity = {0, -kGravity, 0};
  world.wall(HalfPlane{{0, 0, 0}, {0, 1, 0}}, SinusoidMotion{{0, 0.05, 0}, 10.0, 0.0}, "plate");
  world.wall(HalfPlane{{-2, 0, 0}, {1, 0, 0}}, {}, "left");
  world.wall(HalfPlane{{2, 0, 0}, {-1, 0, 0}}, TableMotion{{0.0, 1.0, 2.0}, {{}, {-0.3, 0, 0}, {}}},
             "right");
  world.ball({-1, 1, 0}, {1, 0, 0});
  world.ball({0.5, 2, 0}, {-0.5, 0, 0}, 0.3, 2.0);
  world.step(0.1);
  const auto stepper = make_stepper(world.simulation);
  const RunExtremes extremes = run_and_measure(*stepper, world.simulation, 50);
  EXPECT_LT(extremes.energy_drift, 1e-9);
  EXPECT_LT(extremes.penetration, 1e-9);
}

TEST(EventDrivenStepper, SizesOfAHundredToOneMix) {
  TestScene world = event_world(3);
  world.simulation.world.periodicity.length = {30, 30, 30};
  Random random(4);
  world.ball({15, 15, 15}, {0.1, 0, 0}, 5.0, 1000.0);
  world.ball({15, 15, 26}, {-0.1, 0, 0}, 1.0, 10.0);
  while (world.simulation.world.bodies.size() < 1500) {
    const Vec3 place = {random.uniform(0, 30), random.uniform(0, 30), random.uniform(0, 30)};
    bool free = true;
    for (Index i = 0; i < world.simulation.world.bodies.size(); ++i) {
      const Vec3 away = nearest_image(world.simulation.world.periodicity,
                                      place - world.simulation.start.position[i]);
      free = free && norm(away) > world.simulation.world.bodies.radius[i] + 0.06;
    }
    if (free) world.ball(place, {random.normal(), random.normal(), random.normal()}, 0.05, 1e-3);
  }
  world.step(0.5);
  const auto stepper = make_stepper(world.simulation);
  const RunExtremes extremes = run_and_measure(*stepper, world.simulation, 40);
  EXPECT_LT(extremes.energy_drift, 1e-11);
  EXPECT_LT(extremes.penetration, 1e-11);
  EXPECT_GT(stepper->state().velocity[0].y, -10.0);
}

// Galperin: a block of mass 100^k runs a ball against a wall; the digits of pi.
TEST(EventDrivenStepper, GalperinsBlocksCountTheDigitsOfPi) {
  const std::array<std::uint64_t, 4> digits = {3, 31, 314, 3141};
  for (std::size_t k = 0; k < digits.size(); ++k) {
    TestScene world = event_world();
    world.wall(HalfPlane{{0, 0, 0}, {1, 0, 0}}, {}, "wall");
    world.ball({2, 0, 0}, {});
    world.ball({5, 0, 0}, {-1, 0, 0}, 0.5, std::pow(100.0, static_cast<double>(k)));
    world.step(1.0);
    const auto stepper = make_stepper(world.simulation);
    std::uint64_t count = 0;
    for (int step = 0; step < 40; ++step) count += run(*stepper, 1).impulses;
    EXPECT_EQ(count, digits[k]);
  }
}

// ----- No end of collisions -------------------------------------------------------------------

TEST(EventDrivenStepper, WithoutContactDurationABallThatComesToRestIsReported) {
  TestScene world = dropped_ball(1.0, 0.5);
  world.simulation.settings.of<EventSettings>().contact_duration = 0.0;
  world.step(2.0);
  const auto stepper = make_stepper(world.simulation);
  const StepReport report = stepper->step();
  EXPECT_FALSE(report.can_go_on());
  EXPECT_NE(report.message.find("pile up"), std::string::npos) << report.message;
  EXPECT_NE(report.message.find(world.simulation.world.bodies.name[0]), std::string::npos);
  EXPECT_NE(report.message.find(world.simulation.world.shapes[0].name), std::string::npos)
      << report.message;
  EXPECT_EQ(stepper->state().step, 0U);
  const auto again = make_stepper(world.simulation);
  again->load(stepper->save());
  EXPECT_EQ(state_hash(again->state()), state_hash(stepper->state()));
  EXPECT_FALSE(again->step().can_go_on());
}

// Below 7 - 4 sqrt 3 three balls collide without end in finite time. As soon as they touch they are
// one impact, which ends it, with a contact duration or without.
TEST(EventDrivenStepper, ACollapseOfThreeBallsEnds) {
  for (const double contact_duration : {0.0, -1.0}) {
    TestScene world = event_world();
    world.simulation.settings.of<EventSettings>().contact_duration = contact_duration;
    world.ball({-3, 0, 0}, {1, 0, 0});
    world.ball({0, 0, 0}, {0, 0, 0});
    world.ball({1.5, 0, 0}, {-1, 0, 0});
    world.restitution(0.05);
    world.step(4.0);
    const auto stepper = make_stepper(world.simulation);
    const double before = totals(world.simulation, world.simulation.start).kinetic;
    const StepReport report = run(*stepper, 1);
    EXPECT_LT(report.totals.kinetic, before);
    EXPECT_NEAR(report.totals.momentum.x, 0.0, 1e-14);
    EXPECT_LT(report.impulses, 200U);
  }
}

TEST(EventDrivenStepper, MovingWallsThatSqueezeABallStopTheRun) {
  TestScene world = event_world();
  world.wall(HalfPlane{{-1, 0, 0}, {1, 0, 0}}, ConstantMotion{{1, 0, 0}}, "left");
  world.wall(HalfPlane{{1, 0, 0}, {-1, 0, 0}}, ConstantMotion{{-1, 0, 0}}, "right");
  world.ball({0, 0, 0}, {0, 0, 0});
  world.step(1.0);
  const auto stepper = make_stepper(world.simulation);
  const StepReport report = stepper->step();
  EXPECT_FALSE(report.can_go_on());
  EXPECT_NE(report.message.find("left"), std::string::npos) << report.message;
}

TEST(EventDrivenStepper, FrictionOfABallAgainstAWallIsTheOperators) {
  TestScene world = event_world();
  world.wall(HalfPlane{{0, 0, 0}, {0, 1, 0}}, {}, "floor");
  world.ball({0, 1.5, 0}, {1, -1, 0});
  world.restitution(1.0, 0.2);
  world.simulation.impact.friction_model = "slip";
  world.step(2.0);
  const auto stepper = make_stepper(world.simulation);
  const StepReport report = run(*stepper, 1);
  // Normal impulse 2, friction 0.2 of it.
  EXPECT_NEAR(stepper->state().velocity[0].x, 0.6, 1e-12);
  EXPECT_NEAR(stepper->state().velocity[0].y, 1.0, 1e-12);
  EXPECT_NEAR(report.dissipated, 0.5 * (1.0 - 0.36), 1e-12);
  EXPECT_EQ(stepper->resolved_problem().row_count(), 1U);
}

void expect_refused(const TestScene& world, const std::string& what) {
  try {
    static_cast<void>(make_stepper(world.simulation));
    ADD_FAILURE() << "should refuse " << what;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
  }
}

// One contact without friction is answered in closed form; its problem is as it was before.
TEST(EventDrivenStepper, ALoneImpactIsKnownAfterwardsIfImpulsesAreNoted) {
  TestScene world = event_world();
  world.ball({-2, 0, 0}, {3, 0.5, 0});
  world.ball({2, 0.25, 0}, {-1, 0, 0});
  world.step(1.0);
  for (const bool notes : {false, true}) {
    const auto stepper = make_stepper(world.simulation);
    stepper->note_impulses(notes);
    EXPECT_EQ(run(*stepper, 1).impulses, 1U);
    const ImpactProblem problem = stepper->resolved_problem();
    ASSERT_EQ(problem.row_count(), notes ? 1U : 0U);
    if (!notes) continue;
    EXPECT_NEAR(problem.velocity(0)[0], 3.0, 1e-15);
    EXPECT_NEAR(problem.velocity(0)[1], 0.5, 1e-15);
    EXPECT_NEAR(problem.velocity(1)[0], -1.0, 1e-15);
    EXPECT_NEAR(problem.velocity(1)[1], 0.0, 1e-15);
    const ImpactResult result = resolve_impacts(problem, world.simulation.impact);
    for (Index body = 0; body < 2; ++body) {
      const Vec3& after = stepper->state().velocity[body];
      EXPECT_NEAR(result.velocity(problem, body)[0], after.x, 1e-14);
      EXPECT_NEAR(result.velocity(problem, body)[1], after.y, 1e-14);
    }
    // Nothing happens afterwards.
    EXPECT_EQ(run(*stepper, 1).impulses, 0U);
    EXPECT_EQ(stepper->resolved_problem().row_count(), 0U);
  }
}

TEST(EventDrivenStepper, WhatItCannotRunIsRefusedByName) {
  TestScene world = event_world();
  world.ball({0, 0, 0}, {});
  TestScene springs = world;
  springs.simulation.forces.springs.push_back({0, kNone, {}, 1.0, 0.0});
  expect_refused(springs, "spring");
  TestScene drag = world;
  drag.simulation.forces.drag.coefficient = 1.0;
  expect_refused(drag, "drag");
  TestScene narrow = world;
  narrow.simulation.world.periodicity.length = {2.2, 0, 0};
  expect_refused(narrow, "period");
  TestScene symmetric = world;
  symmetric.simulation.symmetry = "exact";
  expect_refused(symmetric, "symmetry");
  TestScene queue = world;
  queue.simulation.settings.of<EventSettings>().queue = "stack";
  expect_refused(queue, "queue");
}

}  // namespace
}  // namespace carom
