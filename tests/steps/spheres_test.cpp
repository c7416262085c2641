#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/schemes/registry.h"
#include "carom/steps/synchronous.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::run;
using test::TestScene;

// Spheres or discs that fall onto a floor, spinning.
struct Fall {
  int dimension = 3;
  int side = 3;
  int layers = 3;
  double restitution = 0.5;
  double friction = 0.4;
  std::string model = "slip";
  bool solid_obstacle = false;  ///< far away; it sends everything the general way
  double shift = 0.0;           ///< along x
  bool balls = true;            ///< some of them do not turn
};

TestScene make(const Fall& fall) {
  TestScene world(fall.dimension);
  Simulation& s = world.simulation;
  const bool space = fall.dimension == 3;
  s.forces.gravity = space ? Vec3{0, 0, -10} : Vec3{0, -10, 0};
  Random random(11);
  const auto number = [&] { return random.uniform(-1.0, 1.0); };
  for (int k = 0; k < fall.layers; ++k) {
    for (int j = 0; j < (space ? fall.side : 1); ++j) {
      for (int i = 0; i < fall.side; ++i) {
        TestScene::SolidStart start;
        const double x = 1.05 * i + 0.3 * (k % 2) + 0.02 * number() + fall.shift;
        const double up = 0.55 + 1.02 * k;
        const double y = 1.05 * j + 0.3 * (k % 2) + 0.02 * number();
        start.position = space ? Vec3{x, y, up} : Vec3{x, up, 0};
        start.velocity = space ? Vec3{number(), number(), number()} : Vec3{number(), number(), 0};
        start.angular_velocity =
            space ? Vec3{3 * number(), 3 * number(), 3 * number()} : Vec3{0, 0, 3 * number()};
        if (fall.balls && (i + k) % 5 == 4) {
          world.ball(start.position, start.velocity);
        } else {
          world.solid(SphereSolid{0.5}, start);
        }
      }
    }
  }
  world.wall(space ? HalfPlane{{0, 0, 0}, {0, 0, 1}} : HalfPlane{{0, 0, 0}, {0, 1, 0}}, {},
             "floor");
  if (fall.solid_obstacle) {
    const auto solid = std::make_shared<const Solid>(SphereSolid{0.5}, fall.dimension);
    world.wall(SolidObstacle{solid, {space ? Vec3{500, 0, 500} : Vec3{500, 500, 0}, Mat3()}}, {},
               "obstacle");
  }
  world.restitution(fall.restitution, fall.friction);
  s.impact.friction_model = fall.model;
  world.step(5e-3);
  return world;
}

double farthest(const State& a, const State& b) {
  double distance = 0.0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    distance = std::max({distance, norm(a.position[i] - b.position[i]),
                         norm(a.velocity[i] - b.velocity[i]),
                         norm(a.angular_velocity[i] - b.angular_velocity[i])});
  }
  return distance;
}

TEST(Spheres, GoTheSameWayAsTheGeneralOne) {
  std::uint64_t held = 0;
  for (const int dimension : {2, 3}) {
    for (const char* model : {"slip", "box", "none"}) {
      SCOPED_TRACE(std::string(model) + " " + std::to_string(dimension));
      Fall fall;
      fall.dimension = dimension;
      fall.model = model;
      const TestScene fast = make(fall);
      fall.solid_obstacle = true;
      const TestScene general = make(fall);
      const auto one = make_stepper(fast.simulation);
      const auto other = make_stepper(general.simulation);
      for (int step = 0; step < 60; ++step) {
        const StepReport a = one->step();
        const StepReport b = other->step();
        ASSERT_EQ(a.rows, b.rows) << step;
        ASSERT_EQ(a.held_rows, b.held_rows) << step;
        held += a.held_rows;
        // Round-off grows with every collision.
        ASSERT_LT(farthest(one->state(), other->state()), 1e-7) << step;
        ASSERT_NEAR(a.dissipated, b.dissipated, 1e-7);
      }
    }
  }
  EXPECT_GT(held, 0U);
}

TEST(Spheres, NeverGainEnergyAndKeepMomentum) {
  for (const char* model : {"slip", "box"}) {
    Fall fall;
    fall.model = model;
    fall.side = 4;
    fall.balls = false;  // the torque on those goes nowhere
    TestScene world = make(fall);
    Simulation& s = world.simulation;
    s.world.shapes.clear();
    s.forces.gravity = {};
    for (std::size_t i = 0; i < s.start.velocity.size(); ++i) {
      s.start.velocity[i] -= 0.8 * (s.start.position[i] - Vec3{1.6, 1.6, 1.6});
    }
    const auto stepper = make_stepper(s);
    const Totals before = totals(s, s.start);
    double last = before.energy();
    for (int step = 0; step < 100; ++step) {
      const StepReport report = stepper->step();
      ASSERT_TRUE(report.can_go_on());
      EXPECT_LE(report.totals.energy(), last * (1.0 + 1e-13));
      last = report.totals.energy();
    }
    const Totals after = totals(s, stepper->state());
    EXPECT_LT(last, 0.9 * before.energy());
    EXPECT_LT(norm(after.momentum - before.momentum), 1e-12);
    EXPECT_LT(norm(after.angular_momentum - before.angular_momentum), 1e-11);
  }
}

TEST(Spheres, GiveTheSameBitsForAnyNumberOfThreads) {
  Fall fall;
  fall.side = 6;
  TestScene world = make(fall);
  const auto alone = make_stepper(world.simulation);
  Simulation shared = world.simulation;
  shared.threads = 3;
  const auto together = make_stepper(shared);
  run(*alone, 80);
  run(*together, 80);
  EXPECT_EQ(farthest(alone->state(), together->state()), 0.0);
}

TEST(Spheres, APeriodicWorldHasNoSeam) {
  Fall fall;
  fall.side = 5;
  const auto periodic = [](const Fall& from) {
    TestScene world = make(from);
    world.simulation.world.periodicity = {{-1, -1, 0}, {6, 6, 0}};
    for (Vec3& q : world.simulation.start.position)
      q = wrapped(world.simulation.world.periodicity, q);
    return world;
  };
  const TestScene one = periodic(fall);
  fall.shift = 2.75;
  const TestScene other = periodic(fall);
  const auto here = make_stepper(one.simulation);
  const auto there = make_stepper(other.simulation);
  for (int step = 0; step < 60; ++step) {
    here->step();
    there->step();
    for (std::size_t i = 0; i < here->state().position.size(); ++i) {
      ASSERT_LT(norm(here->state().velocity[i] - there->state().velocity[i]), 1e-7) << step;
      ASSERT_LT(norm(here->state().angular_velocity[i] - there->state().angular_velocity[i]), 1e-7);
    }
  }
}

// Two spheres that meet across the seam, by the general way (lcp) and by the fast one.
TEST(Spheres, TheGeneralWayKnowsThatAPeriodicWorldRepeats) {
  TestScene world(3);
  world.solid(SphereSolid{0.5}, {{0.4, 5, 5}, {-2, 0, 0.5}, {}, {0, 3, 1}});
  world.solid(SphereSolid{0.5}, {{9.3, 5.2, 5}, {1, 0, 0}, {}, {1, 0, -2}});
  world.restitution(0.0, 0.3);
  world.simulation.impact.friction_model = "box";
  world.step(0.05);
  TestScene plain = world;
  plain.simulation.start.position[0].x += 10.0;
  world.simulation.world.periodicity = {{0, 0, 0}, {10, 10, 10}};
  for (const char* name : {"gr", "lcp"}) {
    world.simulation.impact.impact_operator = name;
    plain.simulation.impact.impact_operator = name;
    const auto stepper = make_stepper(world.simulation);
    const auto reference = make_stepper(plain.simulation);
    run(*stepper, 10);
    run(*reference, 10);
    EXPECT_GT(std::abs(stepper->state().velocity[0].y), 1e-3);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_LT(norm(stepper->state().velocity[i] - reference->state().velocity[i]), 1e-12);
      EXPECT_LT(norm(stepper->state().angular_velocity[i] - reference->state().angular_velocity[i]),
                1e-12);
    }
  }
}

// A pair and the same pair with its members exchanged.
TEST(Spheres, ItDoesNotMatterWhichSphereIsTheFirst) {
  for (const bool obstacle : {false, true}) {
    std::array<Vec3, 2> spin;
    for (const bool swapped : {false, true}) {
      TestScene world(3);
      const TestScene::SolidStart left = {{0, 0, 0}, {3, 0, 0}, {}, {0, 0, 2}};
      const TestScene::SolidStart right = {{1.1, 0.1, 0}, {-3, 0, 0}, {}, {0, 1, 0}};
      world.solid(SphereSolid{0.5}, swapped ? right : left);
      world.solid(SphereSolid{0.5}, swapped ? left : right);
      if (obstacle) {
        const auto solid = std::make_shared<const Solid>(SphereSolid{0.5}, 3);
        world.wall(SolidObstacle{solid, {{50, 0, 0}, Mat3()}}, {}, "obstacle");
      }
      world.restitution(0.5, 0.4);
      world.simulation.impact.friction_model = "slip";
      world.step(0.1);
      const auto stepper = make_stepper(world.simulation);
      run(*stepper, 3);
      spin[swapped ? 1 : 0] = stepper->state().angular_velocity[swapped ? 1 : 0];
    }
    EXPECT_GT(norm(spin[0] - Vec3{0, 0, 2}), 1e-3);
    EXPECT_LT(norm(spin[0] - spin[1]), 1e-13);
  }
}

}  // namespace
}  // namespace carom
