// Simulations that a program drives: edits, ids, callbacks, and what they leave alone.
#include "carom/live/live_simulation.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/schemes/registry.h"

#include "support/worlds.h"

namespace carom::test {
namespace {

// Balls in a box, without gravity, two of which are far from the others.
TestScene balls_in_a_box(const std::string& scheme) {
  TestScene scene;
  scene.ball({0, 0}, {1, 0.1});
  scene.ball({2, 0.3}, {-1, 0});
  scene.ball({4, -0.2}, {0, 0.4});
  scene.ball({50, 0}, {0.5, 0});
  scene.ball({53, 0.1}, {-0.25, 0});
  scene.wall(BoxInside{{-3, -3}, {60, 3}});
  scene.step(1e-2, 2.0);
  scene.simulation.time.scheme = scheme;
  return scene;
}

class LiveContract : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] LiveSimulation start() const {
    return LiveSimulation(balls_in_a_box(GetParam()).simulation);
  }
};

TEST_P(LiveContract, StepsAsTheSchemeAloneDoes) {
  const TestScene scene = balls_in_a_box(GetParam());
  const auto stepper = make_stepper(scene.simulation);
  LiveSimulation live = start();
  for (int k = 0; k < 200; ++k) {
    const StepReport expected = stepper->step();
    const StepReport& report = live.step();
    ASSERT_EQ(report.step, expected.step);
    ASSERT_EQ(report.totals.kinetic, expected.totals.kinetic);
  }
  EXPECT_EQ(state_hash(live.state()), state_hash(stepper->state()));
}

TEST_P(LiveContract, AnEditThatChangesNothingKeepsEveryBit) {
  LiveSimulation plain = start();
  LiveSimulation edited = start();
  for (int k = 0; k < 200; ++k) {
    plain.step();
    edited.step();
    LiveEdit edit = edited.edit();
    edit.state().velocity[2].x += 0.0;  // the same
    edited.apply(std::move(edit));
    ASSERT_EQ(state_hash(plain.state()), state_hash(edited.state())) << k;
  }
  EXPECT_EQ(edited.ledger().edited, 0.0);
}

TEST_P(LiveContract, AnEditShowsAndTheRunGoesOnInStepAndTime) {
  LiveSimulation live = start();
  EXPECT_EQ(live.run_until(0.5), RunStop::reached);
  LiveEdit edit = live.edit();
  edit.state().velocity[3] = {0.0, 0.75, 0.0};
  const double gained = 0.5 * (0.75 * 0.75 - 0.5 * 0.5);
  live.apply(std::move(edit));
  EXPECT_EQ(live.state().velocity[3], (Vec3{0.0, 0.75, 0.0}));
  EXPECT_NEAR(live.ledger().edited, gained, 1e-13);
  const double y = live.state().position[3].y;
  EXPECT_EQ(live.state().step, 50U);
  EXPECT_EQ(live.run_until(1.0), RunStop::reached);
  EXPECT_EQ(live.state().step, 100U);
  EXPECT_DOUBLE_EQ(live.state().time, 1.0);
  EXPECT_NEAR(live.state().position[3].y - y, 0.375, 1e-12);
  // The account closes across the edit, as far as the scheme's does.
  const double band = live.scheme().energy_band;
  EXPECT_LT(std::abs(live.ledger().drift()), band * live.ledger().now);
}

TEST_P(LiveContract, IdsStayWhenBodiesComeAndGo) {
  LiveSimulation live = start();
  live.step();
  LiveEdit edit = live.edit();
  edit.remove(1);
  const BodyId fresh = edit.add({.position = {20, 0}, .velocity = {0, -0.5}});
  EXPECT_EQ(fresh, 5U);
  live.apply(std::move(edit));
  EXPECT_EQ(live.ids(), (std::vector<BodyId>{0, 2, 3, 4, 5}));
  EXPECT_EQ(live.number_of(4), 3U);
  EXPECT_EQ(live.simulation().world.bodies.name[4], "added-5");
  EXPECT_THROW(static_cast<void>(live.number_of(1)), InputError);
  EXPECT_EQ(live.run_until(1.0), RunStop::reached);
  EXPECT_NEAR(live.state().position[live.number_of(fresh)].y, -0.495, 1e-12);
  edit = live.edit();
  edit.remove(fresh);
  const BodyId next = edit.add({.position = {20, 0}});
  EXPECT_EQ(next, 6U);  // never given again
}

TEST_P(LiveContract, WhatIsRefusedLeavesEverythingAsItWas) {
  LiveSimulation plain = start();
  LiveSimulation live = start();
  plain.run_until(0.3);
  live.run_until(0.3);
  const auto refused = [&](const auto& change, const std::string& word) {
    LiveEdit edit = live.edit();
    try {
      change(edit);
      live.apply(std::move(edit));
      ADD_FAILURE() << "was not refused: " << word;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  refused([](LiveEdit& e) { e.state().velocity[0].x = std::nan(""); }, "not finite");
  refused(
      [](LiveEdit& e) {
        e.state().position[4] = {std::numeric_limits<double>::infinity(), 0, 0};
      },
      "not finite");
  refused([](LiveEdit& e) { e.state().position[0].z = 1.0; }, "third coordinate");
  refused([](LiveEdit& e) { e.state().position.pop_back(); }, "expected one for each");
  refused([](LiveEdit& e) { e.add({.mass = -1.0, .position = {10, 0}}); }, "positive");
  refused([](LiveEdit& e) { e.add({.name = "ball-1", .position = {10, 0}}); }, "twice");
  refused([](LiveEdit& e) { e.remove(17); }, "no body with the id 17");
  if (!live.scheme().can.overlaps) {
    refused([](LiveEdit& e) { e.state().position[4] = e.state().position[3]; }, "overlaps");
    refused([](LiveEdit& e) { e.add({.position = {10, 2.9}}); }, "in the wall");
  }
  LiveEdit late = live.edit();
  live.step();
  plain.step();
  late.state().velocity[0] = {};
  EXPECT_THROW(live.apply(std::move(late)), InputError);
  plain.run_until(1.0);
  live.run_until(1.0);
  EXPECT_EQ(state_hash(plain.state()), state_hash(live.state()));
}

TEST_P(LiveContract, CallbacksSeeEveryStepAndMayEndARun) {
  LiveSimulation live = start();
  std::uint64_t seen = 0;
  live.on_step([&](LiveSimulation& now) {
    EXPECT_EQ(now.state().step, ++seen);
    EXPECT_THROW(now.step(), InputError);
    return seen < 30;
  });
  EXPECT_EQ(live.run_until(1.0), RunStop::stopped);
  EXPECT_EQ(live.state().step, 30U);
  live.on_step([](LiveSimulation&) -> bool { throw std::runtime_error("enough"); });
  EXPECT_THROW(live.run_until(1.0), std::runtime_error);
  EXPECT_EQ(live.state().step, 31U);
  live.on_step({});
  EXPECT_EQ(live.run_until(1.0), RunStop::reached);
  LiveSimulation plain = start();
  plain.run_until(1.0);
  EXPECT_EQ(state_hash(plain.state()), state_hash(live.state()));
}

TEST_P(LiveContract, ASimulationMayStartAtALaterStep) {
  LiveSimulation live = start();
  live.run_until(0.4);
  Simulation later = live.edit().simulation();
  const auto stepper = make_stepper(later);
  EXPECT_EQ(stepper->state().step, 40U);
  for (int k = 0; k < 20; ++k) stepper->step();
  live.run_until(0.6);
  EXPECT_EQ(stepper->state().step, 60U);
  EXPECT_DOUBLE_EQ(stepper->state().time, 0.6);
  for (std::size_t i = 0; i < later.start.position.size(); ++i) {
    EXPECT_LT(norm(stepper->state().position[i] - live.state().position[i]), 1e-3);
  }
  later.start.time += 0.5;
  EXPECT_THROW(static_cast<void>(make_stepper(later)), InputError);
}

INSTANTIATE_TEST_SUITE_P(Registered, LiveContract, testing::ValuesIn(scheme_names()),
                         [](const auto& test) { return test.param; });

TEST(LiveSimulation, OthersKeepTheirBitsWhenABodyFarAwayComesOrGoes) {
  LiveSimulation plain(balls_in_a_box("steps").simulation);
  LiveSimulation live(balls_in_a_box("steps").simulation);
  plain.run_until(0.5);
  live.run_until(0.5);
  LiveEdit edit = live.edit();
  edit.remove(3);
  edit.add({.position = {30, 1}, .velocity = {0, 0.2}});
  live.apply(std::move(edit));
  plain.run_until(2.0);
  live.run_until(2.0);
  for (const BodyId id : {BodyId{0}, BodyId{1}, BodyId{2}}) {
    const Index i = live.number_of(id);
    EXPECT_EQ(live.state().position[i], plain.state().position[id]);
    EXPECT_EQ(live.state().velocity[i], plain.state().velocity[id]);
  }
}

// What moves goes on from where it was: the floor's motion is one of time, not of the edit.
TEST(LiveSimulation, MovingShapesGoOnAcrossEdits) {
  for (const std::string scheme : {"steps", "events"}) {
    TestScene scene;
    scene.ball({0, 1}, {0, 0});
    scene.ball({5, 1}, {0, 0});
    const SinusoidMotion shaking{{0, 0.05}, 2.0, 0.0};
    scene.wall(HalfPlane{{0, 0}, {0, 1}}, shaking);
    scene.simulation.forces.gravity = {0, -9.81};
    scene.restitution(0.5);
    scene.step(1e-3, 1.0);
    scene.simulation.time.scheme = scheme;
    LiveSimulation plain(scene.simulation);
    LiveSimulation live(scene.simulation);
    plain.run_until(0.2);
    live.run_until(0.2);
    LiveEdit edit = live.edit();
    edit.state().velocity[1].x = 0.25;  // across what the floor does
    live.apply(std::move(edit));
    plain.run_until(0.45);
    live.run_until(0.45);
    EXPECT_NEAR(live.state().position[0].y, plain.state().position[0].y, 1e-9) << scheme;
    EXPECT_NEAR(live.state().velocity[0].y, plain.state().velocity[0].y, 1e-9) << scheme;
    EXPECT_NEAR(live.state().position[1].x, 5 + 0.0625, 1e-12) << scheme;
  }
}

// A floor that rises from 0.2 s on and stands again from 0.4 s on: told at once, or bit by bit.
TEST(LiveSimulation, AShapeThatIsMovedGoesOnFromWhereItIs) {
  for (const std::string scheme : {"steps", "events"}) {
    TestScene scene;
    scene.ball({0, 0.6}, {0.3, -1});
    scene.wall(HalfPlane{{0, 0}, {0, 1}}, {}, "floor");
    scene.simulation.forces.gravity = {0, -9.81};
    scene.step(1e-3, 1.0);
    scene.simulation.time.scheme = scheme;
    TestScene table = scene;
    table.simulation.world.shapes[0].motion = TableMotion{{0.2, 0.4}, {{0, 0}, {0, 0.1}}};
    LiveSimulation told(table.simulation);
    LiveSimulation moved(scene.simulation);
    const auto move = [&](const Vec3& velocity) {
      LiveEdit edit = moved.edit();
      edit.move_shape("floor", velocity);
      moved.apply(std::move(edit));
    };
    moved.run_until(0.2);
    move({0, 0.5});
    moved.run_until(0.4);
    move({});
    moved.run_until(0.9);
    told.run_until(0.9);
    EXPECT_GT(told.ledger().external_work, 0.1) << scheme;
    EXPECT_NEAR(moved.state().position[0].y, told.state().position[0].y, 1e-9) << scheme;
    EXPECT_NEAR(moved.ledger().external_work, told.ledger().external_work, 1e-9) << scheme;
    LiveEdit edit = moved.edit();
    EXPECT_THROW(edit.move_shape("flor", {}), InputError);
  }
}

TEST(LiveSimulation, ACradleTellsEveryImpact) {
  TestScene scene;
  for (int k = 0; k < 5; ++k) scene.ball({1.0 * k, 0}, {0, 0});
  scene.simulation.start.position[0].x = -1.0;
  scene.simulation.start.velocity[0].x = 1.0;
  scene.step(0.1, 3.0);
  scene.simulation.time.scheme = "events";
  LiveSimulation live(scene.simulation);
  std::vector<std::size_t> contacts;
  std::vector<double> times;
  live.on_impact([&](LiveSimulation&, std::span<const ContactImpulse> impact) {
    contacts.push_back(impact.size());
    times.push_back(impact.front().time);
  });
  live.run_until(2.0);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_EQ(contacts[0], 4U);
  EXPECT_NEAR(times[0], 1.0, 1e-12);
  EXPECT_NEAR(live.state().velocity[4].x, 1.0, 1e-12);
  EXPECT_NEAR(live.state().position[4].x, 5.0, 1e-12);
}

TEST(LiveSimulation, SpringsAndForcesFollowTheirBodies) {
  TestScene scene;
  for (int k = 0; k < 4; ++k) scene.ball({3.0 * k, 0}, {0, 0});
  ForceSet& forces = scene.simulation.forces;
  forces.springs = {{0, 1, {}, 2.0, 3.0}, {2, 3, {}, 2.0, 2.0}, {3, kNone, {12, 0}, 1.0, 3.0}};
  scene.step(1e-2);
  LiveSimulation live(scene.simulation);
  LiveEdit edit = live.edit();
  edit.remove(0);
  live.apply(std::move(edit));
  const std::vector<SpringForce>& springs = live.simulation().forces.springs;
  ASSERT_EQ(springs.size(), 2U);
  EXPECT_EQ(springs[0].body_a, 1U);
  EXPECT_EQ(springs[0].body_b, 2U);
  EXPECT_EQ(springs[1].body_a, 2U);
  EXPECT_EQ(springs[1].body_b, kNone);
  live.step();
  EXPECT_EQ(live.state().position[0], (Vec3{3, 0, 0}));  // nothing pulls it any more
  EXPECT_LT(live.state().velocity[2].x, 0.0);            // this is pulled by the longer spring
}

TEST(LiveSimulation, TheFirstBodyThatTurnsAndTheLastOneComeAndGo) {
  TestScene scene(3);
  scene.ball({0, 0, 0}, {1, 0, 0});
  scene.step(1e-2);
  LiveSimulation live(scene.simulation);
  live.step();
  LiveEdit edit = live.edit();
  const auto crate = std::make_shared<const Solid>(BoxSolid{{0.5, 0.5, 0.5}}, 3);
  const BodyId id = edit.add(
      {.name = "crate", .solid = crate, .position = {10, 0, 0}, .angular_velocity = {0, 0, 2}});
  live.apply(std::move(edit));
  live.run_until(0.5);
  const Quaternion& q = live.state().orientation[live.number_of(id)];
  EXPECT_NEAR(std::atan2(q.z, q.w), 0.49, 1e-12);  // half the angle
  edit = live.edit();
  edit.remove(id);
  live.apply(std::move(edit));
  EXPECT_TRUE(live.state().orientation.empty());
  live.run_until(1.0);
  EXPECT_NEAR(live.state().position[0].x, 1.0, 1e-12);
}

// A pile sinks in by more than a start may; bodies that nobody moved do not hinder an edit.
TEST(LiveSimulation, WhatARunLeftOverlappingDoesNotHinderAnEdit) {
  TestScene scene;
  scene.ball({0, 0.5}, {0, 0});
  scene.ball({1.5, 5}, {0, 0});
  scene.wall(HalfPlane{{0, 0}, {0, 1}});
  scene.simulation.forces.gravity = {0, -9.81};
  scene.step(1e-2);
  LiveSimulation live(scene.simulation);
  live.step();
  Simulation sunk = live.edit().simulation();
  sunk.start.position[0].y = 0.5 - 1e-6;
  EXPECT_THROW(static_cast<void>(make_stepper(sunk)), InputError);
  const std::vector<Index> other = {1};
  EXPECT_NO_THROW(static_cast<void>(make_stepper(sunk, other)));
  const std::vector<Index> itself = {0};
  EXPECT_THROW(static_cast<void>(make_stepper(sunk, itself)), InputError);
  EXPECT_THROW(static_cast<void>(LiveSimulation(sunk)), InputError);
  LiveSimulation on = LiveSimulation::going_on(sunk);
  EXPECT_TRUE(on.step().can_go_on());
  sunk.start.position[0].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(static_cast<void>(LiveSimulation::going_on(sunk)), InputError);
}

TEST(LiveSimulation, AFailedStepStaysFailedUntilSomethingIsChanged) {
  TestScene scene;
  scene.ball({0, 0}, {0, 0});
  scene.wall(HalfPlane{{0, -0.5}, {0, 1}});
  scene.wall(HalfPlane{{0, 0.6}, {0, -1}}, ConstantMotion{{0, -1}});
  scene.step(1e-2, 1.0);
  LiveSimulation live(scene.simulation);
  EXPECT_EQ(live.run_until(1.0), RunStop::failed);
  EXPECT_FALSE(live.report().can_go_on());
  const std::uint64_t step = live.state().step;
  EXPECT_EQ(live.run_until(1.0), RunStop::failed);
  EXPECT_EQ(live.state().step, step);
  LiveEdit edit = live.edit();
  edit.shapes()[1].motion = {};
  edit.shapes()[1].shape = HalfPlane{{0, 0.8}, {0, -1}};
  live.apply(std::move(edit));
  EXPECT_EQ(live.run_until(1.0), RunStop::reached);
}

}  // namespace
}  // namespace carom::test
