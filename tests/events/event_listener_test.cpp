// Programs that are called by events: they see what happens when it does, looking changes no bit,
// and what they change holds from then on.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/events/event_stepper.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::TestScene;

constexpr double kGravity = 9.81;

// Notes everything, changes nothing.
class Witness final : public EventListener {
 public:
  explicit Witness(double interval) : interval_(interval) {}
  double next_moment(double time) override {
    return interval_ * (std::floor(time / interval_ + 1e-9) + 1.0);
  }
  void on_moment(EventMoment& moment) override {
    moments.push_back(moment.time());
    places.push_back(moment.body(0).position);
  }
  void on_impact(std::span<const ContactImpulse> contacts, EventMoment& moment) override {
    impacts.push_back(moment.time());
    ASSERT_FALSE(contacts.empty());
    for (const ContactImpulse& contact : contacts) {
      EXPECT_EQ(contact.time, moment.time());
      impulse += contact.normal;
    }
    velocities.push_back(moment.body(0).velocity);
  }

  std::vector<double> moments;
  std::vector<double> impacts;
  std::vector<Vec3> places;
  std::vector<Vec3> velocities;
  double impulse = 0.0;

 private:
  double interval_;
};

// Two balls, or a box and a ball that turn, above a floor between walls.
TestScene falling_things(bool turning) {
  TestScene world(3);
  world.simulation.time.scheme = "events";
  world.simulation.forces.gravity = {0, 0, -kGravity};
  world.restitution(0.8, turning ? 0.3 : 0.0);
  if (turning) world.simulation.impact.friction_model = "collision";
  world.wall(BoxInside{{-2, -2, 0}, {2, 2, 9}});
  if (turning) {
    world.solid(BoxSolid{{0.3, 0.2, 0.1}}, {{0, 0, 1.0}, {1, 0, 0}, {}, {1, 2, 3}});
    world.solid(SphereSolid{0.2}, {{1.0, 0.5, 1.5}, {-1, 0.5, 0}, {}, {}});
  } else {
    world.ball({0, 0, 1.0}, {1, 0, 0}, 0.3);
    world.ball({1.0, 0.5, 1.5}, {-1, 0.5, 0}, 0.2);
  }
  world.step(0.125);
  return world;
}

class EventListening : public testing::TestWithParam<bool> {};

TEST_P(EventListening, AWitnessSeesEveryImpactAndMomentAndChangesNoBit) {
  const TestScene world = falling_things(GetParam());
  const auto alone = make_event_stepper(world.simulation);
  const auto watched = make_event_stepper(world.simulation);
  Witness witness(0.03);
  watched->listen(&witness);
  alone->note_impulses(true);
  double impulse = 0.0;
  for (int k = 0; k < 12; ++k) {
    ASSERT_TRUE(alone->step().can_go_on());
    ASSERT_TRUE(watched->step().can_go_on());
    ASSERT_EQ(alone->save(), watched->save()) << "step " << k;
    EXPECT_TRUE(watched->impulses().empty()) << "nobody asked for them";
    for (const ContactImpulse& contact : alone->impulses()) impulse += contact.normal;
  }
  EXPECT_GE(witness.impacts.size(), 4U);
  EXPECT_EQ(witness.impulse, impulse);
  ASSERT_EQ(witness.moments.size(), 50U);
  for (std::size_t k = 0; k < 50; ++k) {
    EXPECT_NEAR(witness.moments[k], 0.03 * static_cast<double>(k + 1), 1e-12);
  }
  // Before the first impact it falls.
  EXPECT_NEAR(witness.places[5].z, 1.0 - 0.5 * kGravity * 0.18 * 0.18, 1e-12);
  EXPECT_NEAR(witness.places[5].x, 0.18, 1e-12);
  for (std::size_t k = 1; k < witness.impacts.size(); ++k) {
    EXPECT_GE(witness.impacts[k], witness.impacts[k - 1]);
  }
  watched->listen(nullptr);
  const std::size_t seen = witness.impacts.size() + witness.moments.size();
  ASSERT_TRUE(watched->step().can_go_on());
  EXPECT_EQ(witness.impacts.size() + witness.moments.size(), seen) << "it has been sent away";
}

// Throws body 0 up with a given speed at one moment.
class Thrower final : public EventListener {
 public:
  Thrower(double time, double speed) : time_(time), speed_(speed) {}
  double next_moment(double time) override { return time < time_ ? time_ : kInfinity; }
  void on_moment(EventMoment& moment) override { moment.set_velocity(0, {0, 0, speed_}); }

 private:
  double time_;
  double speed_;
};

TEST_P(EventListening, AThrowAtAMomentIsAParabolaFromThere) {
  TestScene world = falling_things(GetParam());
  const auto stepper = make_event_stepper(world.simulation);
  Thrower thrower(0.2, 7.0);
  stepper->listen(&thrower);
  double work = 0.0;
  double lost = 0.0;
  const double before = totals(world.simulation, world.simulation.start).energy();
  StepReport report;
  for (int k = 0; k < 3; ++k) {
    report = stepper->step();
    ASSERT_TRUE(report.can_go_on());
    work += report.external_work;
    lost += report.dissipated;
  }
  const double start = 1.0 - 0.5 * kGravity * 0.04;
  const double flown = 0.375 - 0.2;
  EXPECT_NEAR(stepper->state().position[0].x, 0.2, 1e-12);
  EXPECT_NEAR(stepper->state().position[0].z, start + 7.0 * flown - 0.5 * kGravity * flown * flown,
              1e-12);
  EXPECT_GT(work, 20.0 * world.simulation.world.bodies.mass[0]);
  EXPECT_NEAR(report.totals.energy(), before + work - lost, 1e-11 * before)
      << "what a listener gives is work";
}

// Nothing was going to happen before the throw.
TEST_P(EventListening, WhatIsThrownAtAnotherHitsIt) {
  TestScene world(3);
  world.simulation.time.scheme = "events";
  world.step(0.5);
  for (const double z : {0.0, 3.0}) {
    if (GetParam()) {
      world.solid(SphereSolid{0.5}, {{0, 0, z}, {}, {}, {}});
    } else {
      world.ball({0, 0, z}, {});
    }
  }
  const auto stepper = make_event_stepper(world.simulation);
  Thrower thrower(0.31, 10.0);
  stepper->listen(&thrower);
  ASSERT_TRUE(stepper->step().can_go_on());
  EXPECT_EQ(stepper->state().velocity[1], Vec3{});
  // They meet at 0.51 s, up to an envelope earlier where they turn, and change their velocities.
  ASSERT_TRUE(stepper->step().can_go_on());
  EXPECT_NEAR(stepper->state().velocity[0].z, 0.0, 1e-12);
  EXPECT_NEAR(stepper->state().velocity[1].z, 10.0, 1e-12);
  EXPECT_NEAR(stepper->state().position[1].z, 3.0 + 10.0 * 0.49, 2e-3);
}

// Makes every bounce of body 0 off the floor one of the same speed.
class Trampoline final : public EventListener {
 public:
  void on_impact(std::span<const ContactImpulse> contacts, EventMoment& moment) override {
    for (const ContactImpulse& contact : contacts) {
      if (contact.contact.body_a != 0 || contact.contact.shape == kNone) continue;
      moment.set_velocity(0, {0, 0, 2.0});
      ++bounces;
    }
  }
  int bounces = 0;
};

TEST_P(EventListening, ABounceThatIsChangedGoesOnAsItWasTold) {
  TestScene world(3);
  world.simulation.time.scheme = "events";
  world.simulation.forces.gravity = {0, 0, -kGravity};
  world.restitution(0.5);
  world.wall(HalfPlane{{0, 0, 0}, {0, 0, 1}});
  if (GetParam()) {
    world.solid(SphereSolid{0.1}, {{0, 0, 0.1 + 2.0 * 2.0 / (2.0 * kGravity)}, {}, {}, {}});
  } else {
    world.ball({0, 0, 0.1 + 2.0 * 2.0 / (2.0 * kGravity)}, {}, 0.1);
  }
  world.step(1.0);
  const auto stepper = make_event_stepper(world.simulation);
  Trampoline trampoline;
  stepper->listen(&trampoline);
  for (int k = 0; k < 8; ++k) ASSERT_TRUE(stepper->step().can_go_on());
  // The first after v / g, then one every 2 v / g.
  EXPECT_EQ(trampoline.bounces, static_cast<int>((8.0 - 2.0 / kGravity) / (4.0 / kGravity)) + 1);
}

TEST_P(EventListening, WhatABodyCannotHaveIsRefused) {
  class Spoiler final : public EventListener {
   public:
    double next_moment(double time) override { return time < 0.01 ? 0.01 : kInfinity; }
    void on_moment(EventMoment& moment) override {
      EXPECT_THROW(moment.set_velocity(0, {0, std::nan(""), 0}), InputError);
      if (turns) {
        moment.set_angular_velocity(1, {0, 0, 5});
      } else {
        EXPECT_THROW(moment.set_angular_velocity(1, {0, 0, 1}), InputError);
      }
    }
    bool turns = false;
  };
  class Stuck final : public EventListener {
   public:
    double next_moment(double time) override { return time; }
  };
  const TestScene world = falling_things(GetParam());
  const auto stepper = make_event_stepper(world.simulation);
  Spoiler spoiler;
  spoiler.turns = GetParam();
  stepper->listen(&spoiler);
  ASSERT_TRUE(stepper->step().can_go_on());
  if (GetParam()) {
    EXPECT_NEAR(stepper->state().angular_velocity[1].z, 5.0, 1e-9);
  }
  Stuck stuck;
  EXPECT_THROW(stepper->listen(&stuck), InputError);
  TestScene with_drag = world;
  with_drag.simulation.forces.drag.coefficient = 0.1;
  EXPECT_THROW(static_cast<void>(make_event_stepper(with_drag.simulation)), InputError);
}

INSTANTIATE_TEST_SUITE_P(BallsAndSolids, EventListening, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& test) {
                           return test.param ? "Solids" : "Balls";
                         });

}  // namespace
}  // namespace carom
