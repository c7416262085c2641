// symmetry = "exact": what else a world may hold.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "carom/contact/exact_symmetry.h"
#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/schemes/registry.h"
#include "carom/steps/detail/symmetry_search.h"

#include "steps/symmetric_worlds.h"

namespace carom {
namespace {

using test::groups;
using test::largest_difference;
using test::NamedGroup;
using test::Operations;
using test::run;
using test::symmetric_world;
using test::symmetry_error;
using test::TestScene;
using test::WorldSettings;

// Averaging keeps what is linear and loses the square of what was not symmetric: copying half of
// the outcome over the other would keep neither momentum nor energy.
TEST(ExactSymmetry, AveragingKeepsMomentumAndRaisesNoEnergy) {
  for (const NamedGroup& group : groups()) {
    SCOPED_TRACE(group.name);
    const TestScene world = symmetric_world(group.operations, {});
    const ExactSymmetry symmetry(world.simulation.world, detail::find_symmetry(world.simulation));
    State state = world.simulation.start;
    Random random(7);
    for (Vec3& v : state.velocity) v += Vec3{1e-6 * random.normal(), 1e-6 * random.normal(), 0.0};
    const Totals before = totals(world.simulation, state);
    for (Index i = 0; i < state.velocity.size(); ++i) {
      if (symmetry.representative(i) == i) symmetry.average_velocity(i, state.velocity);
    }
    const Totals after = totals(world.simulation, state);
    EXPECT_EQ(symmetry_error(world.simulation.start, state, group.operations), 0.0);
    EXPECT_LT(after.kinetic, before.kinetic);
    EXPECT_LT(before.kinetic - after.kinetic, 1e-10);
    // The part of the momentum that the group keeps; of the others' mean nothing is left.
    Vec3 kept;
    for (const SquareOperation operation : group.operations) {
      kept +=
          (1.0 / static_cast<double>(group.operations.size())) * image(operation, before.momentum);
    }
    EXPECT_LT(norm(after.momentum - kept), 1e-13);
  }
}

void expect_kept(const TestScene& world, std::uint64_t steps, const Operations& group,
                 const Vec3& center = {}) {
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, steps);
  EXPECT_EQ(symmetry_error(world.simulation.start, stepper->state(), group, center), 0.0);
}

// Balls fall into a wedge and come to rest: rows are held, and rows lock.
TEST(ExactSymmetry, APileUnderGravityComesToRestSymmetrically) {
  WorldSettings settings;
  settings.restitution = 0.4;
  settings.friction = 0.3;
  settings.friction_model = "slip";
  settings.box = false;
  TestScene world = symmetric_world(groups()[0].operations, settings);
  world.simulation.forces.gravity = {0, -9.81, 0};
  const double half = std::sqrt(0.5);
  world.wall(HalfPlane{{0, -6, 0}, {half, half, 0}}, {}, "left");
  world.wall(HalfPlane{{0, -6, 0}, {-half, half, 0}}, {}, "right");
  const auto stepper = make_stepper(world.simulation);
  Index held = 0;
  for (int k = 0; k < 400; ++k) held += stepper->step().held_rows;
  EXPECT_GT(held, 0U);
  EXPECT_EQ(symmetry_error(world.simulation.start, stepper->state(), groups()[0].operations), 0.0);
}

TEST(ExactSymmetry, AboutAnotherCentreItIsKeptAsWell) {
  WorldSettings settings;
  settings.center = {3.3, 7.1, 0.0};
  settings.spacing = 1.01;  // neither is a number of few digits
  for (const NamedGroup& group : groups()) {
    SCOPED_TRACE(group.name);
    const TestScene world = symmetric_world(group.operations, settings);
    const auto stepper = make_stepper(world.simulation);
    const State start = stepper->state();
    EXPECT_LT(largest_difference(start.position, world.simulation.start.position), 3e-14);
    EXPECT_EQ(symmetry_error(start, start, group.operations, settings.center), 0.0);
    run(*stepper, 200);
    EXPECT_EQ(symmetry_error(start, stepper->state(), group.operations, settings.center), 0.0);
  }
}

TEST(ExactSymmetry, APeriodicWorldKeepsIt) {
  WorldSettings settings;
  settings.spacing = 1.25;
  settings.box = false;
  TestScene world = symmetric_world(groups().back().operations, settings);
  world.simulation.world.periodicity = {{-3.125, -3.125, 0}, {6.25, 6.25, 0}};
  world.simulation.symmetry = "none";
  const auto plain = make_stepper(world.simulation);
  world.simulation.symmetry = "exact";
  const auto stepper = make_stepper(world.simulation);
  std::uint64_t impulses = 0;
  for (int k = 0; k < 300; ++k) {
    impulses += stepper->step().impulses;
    plain->step();
    if (k == 40) {
      EXPECT_LT(largest_difference(stepper->state().velocity, plain->state().velocity), 1e-8);
    }
  }
  EXPECT_GT(impulses, 100U);
  EXPECT_EQ(symmetry_error(world.simulation.start, stepper->state(), groups().back().operations),
            0.0);
}

// Images lie half a period away from a mirror line, on the edge of the world.
TEST(ExactSymmetry, BallsOnTheEdgeOfAPeriodicWorldStayThere) {
  TestScene world;
  world.simulation.world.periodicity = {{-4, 0, 0}, {8, 0, 0}};
  world.ball({-4, 0, 0}, {0, 1, 0});
  world.ball({-4, 5, 0}, {0, -1, 0});
  world.ball({0, 0, 0}, {0, 0, 0});
  world.ball({-2, 0, 0}, {-0.5, 0.25, 0});
  world.ball({2, 0, 0}, {0.5, 0.25, 0});
  world.simulation.symmetry = "exact";
  world.step(1e-2);
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 210);
  EXPECT_LT(stepper->state().velocity[0].y, 0.0);  // they have met
  run(*stepper, 300);
  const State& state = stepper->state();
  EXPECT_EQ(state.position[0].x, -4.0);
  EXPECT_EQ(state.position[1].x, -4.0);
  EXPECT_EQ(state.position[3].x, -state.position[4].x);
  EXPECT_EQ(state.position[3].y, state.position[4].y);
}

TEST(ExactSymmetry, MovingWallsSpringsAndCentresKeepIt) {
  WorldSettings settings;
  settings.spacing = 1.125;
  settings.box = false;
  const Operations group = groups()[6].operations;  // of the rectangle
  TestScene world = symmetric_world(group, settings);
  Simulation& simulation = world.simulation;
  world.wall(HalfPlane{{-4, 0, 0}, {1, 0, 0}}, SinusoidMotion{{0.5, 0, 0}, 1.0, 0.0}, "left");
  world.wall(HalfPlane{{4, 0, 0}, {-1, 0, 0}}, SinusoidMotion{{-0.5, 0, 0}, 1.0, 0.0}, "right");
  world.wall(Segment{{-5, 4, 0}, {5, 4, 0}}, {}, "top");
  world.wall(Segment{{5, -4, 0}, {-5, -4, 0}}, {}, "bottom");
  simulation.forces.drag.coefficient = 0.1;
  simulation.forces.centers.push_back({{0, 0, 0}, 0.5, 1.0});
  for (Index a = 0; a < simulation.world.bodies.size(); ++a) {
    const Vec3& q = simulation.start.position[a];
    if (std::abs(q.x) != 2.25 || std::abs(q.y) != 2.25) continue;
    simulation.forces.springs.push_back({a, kNone, 2.0 * q, 3.0, 1.0});
    for (Index b = 0; b < simulation.world.bodies.size(); ++b) {
      const Vec3& other = simulation.start.position[b];
      if (other == Vec3{q.x, -q.y, 0} && q.y > 0) {
        simulation.forces.springs.push_back({b, a, {}, 2.0, 4.0});
      }
    }
  }
  EXPECT_EQ(simulation.forces.springs.size(), 6U);
  expect_kept(world, 400, group);
}

TEST(ExactSymmetry, ASavedStateGoesOnToTheSameBitsForAnyNumberOfThreads) {
  WorldSettings settings;
  settings.restitution = 0.8;
  TestScene world = symmetric_world(groups()[5].operations, settings);
  const auto first = make_stepper(world.simulation);
  run(*first, 60);
  const std::string saved = first->save();
  run(*first, 60);
  world.simulation.threads = 2;
  const auto second = make_stepper(world.simulation);
  second->load(saved);
  run(*second, 60);
  EXPECT_EQ(state_hash(first->state()), state_hash(second->state()));
}

// A ball between two walls that close in on it cannot evade, and neither can its rows say so.
TEST(ExactSymmetry, ASqueezeIsToldWithItsBodies) {
  TestScene world;
  world.ball({0, 0, 0}, {0, 0, 0});
  world.wall(HalfPlane{{-1, 0, 0}, {1, 0, 0}}, ConstantMotion{{1, 0, 0}}, "left");
  world.wall(HalfPlane{{1, 0, 0}, {-1, 0, 0}}, ConstantMotion{{-1, 0, 0}}, "right");
  world.simulation.symmetry = "exact";
  world.step(1e-2);
  for (const bool general : {false, true}) {
    world.simulation.impact.certificate = general;  // which only the general way gives
    const auto stepper = make_stepper(world.simulation);
    StepReport report;
    for (int k = 0; k < 100 && report.can_go_on(); ++k) report = stepper->step();
    EXPECT_EQ(report.status, ImpactStatus::infeasible);
    EXPECT_NE(report.message.find("left"), std::string::npos) << report.message;
  }
}

std::string fault_of(const Simulation& simulation) {
  try {
    check_simulation(simulation);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ExactSymmetry, AStartWithoutOneIsRefusedWithTheBodyThatSpoilsIt) {
  TestScene world = symmetric_world(groups()[0].operations, {});
  world.simulation.start.velocity[7] += Vec3{1e-6, 0, 0};
  EXPECT_EQ(
      fault_of(world.simulation)
          .find("world.symmetry: the start has no symmetry to keep: no mirror in an axis or a "
                "diagonal, no half or quarter turn maps it onto itself; nearest is the mirror in x "
                "about (0, 0), where body '"),
      0U)
      << fault_of(world.simulation);

  world = symmetric_world(groups()[0].operations, {});
  world.simulation.forces.gravity = {1, 0, 0};
  EXPECT_NE(fault_of(world.simulation).find("mirror in x about (0, 0), where gravity would not"),
            std::string::npos)
      << fault_of(world.simulation);

  world = symmetric_world(groups()[0].operations, {});
  world.wall(HalfPlane{{-9, 0, 0}, {1, 0, 0}}, {}, "odd");
  EXPECT_NE(fault_of(world.simulation).find("where the shapes would not be the same"),
            std::string::npos)
      << fault_of(world.simulation);
}

TEST(ExactSymmetry, WhatCannotKeepItIsRefused) {
  WorldSettings settings;
  settings.impact_operator = "gauss_seidel:order=random";
  EXPECT_EQ(fault_of(symmetric_world(groups()[0].operations, settings).simulation),
            "world.symmetry: operator 'gauss_seidel' does not keep symmetries (SYM); \"exact\" "
            "needs one that does");
  TestScene space(3);
  space.ball({0, 0, 0}, {0, 0, 0});
  space.simulation.symmetry = "exact";
  EXPECT_EQ(fault_of(space.simulation),
            "world.symmetry: \"exact\" is there in two dimensions only");
  TestScene world = symmetric_world(groups()[0].operations, {});
  world.simulation.symmetry = "exactly";
  EXPECT_EQ(fault_of(world.simulation)
                .find("world.symmetry: unknown symmetry 'exactly'; did you "
                      "mean 'exact'?"),
            0U);
}

}  // namespace
}  // namespace carom
