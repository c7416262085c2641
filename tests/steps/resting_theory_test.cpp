// Friction of what slides and rests beside closed forms, over angles and step sizes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "carom/schemes/registry.h"
#include "carom/steps/resting.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::run;
using test::TestScene;

constexpr double kGravity = 9.81;

TestScene world_3d(double step, double friction) {
  TestScene world(3);
  world.simulation.impact.friction_model = "coulomb";
  world.simulation.forces.gravity = {0, 0, -kGravity};
  world.step(step);
  world.restitution(0.0, friction);
  return world;
}

std::uint64_t steps_of(double time, double step) {
  return static_cast<std::uint64_t>(std::lround(time / step));
}

// At all angles and step sizes: below the friction angle it does not creep, above it the way is
// that of the formula.
TEST(RestingTheory, ACubeOnRampsOfAllAnglesStaysOrSlides) {
  constexpr double kFriction = 0.5;
  constexpr double kTime = 0.4;
  for (const double step : {1e-3, 2e-3, 5e-3, 1e-2, 2e-2}) {
    for (double degrees = 2.0; degrees < 80.0; degrees += 4.0) {
      const double angle = degrees * std::numbers::pi / 180.0;
      TestScene world = world_3d(step, kFriction);
      const Vec3 normal{-std::sin(angle), 0, std::cos(angle)};
      world.wall(HalfPlane{{0, 0, 0}, normal}, {}, "ramp");
      // The ramp rises along x: a turn by -angle about y.
      world.solid(BoxSolid{{0.5, 0.5, 0.5}},
                  {0.5 * normal, {}, rotation_about({0, 1, 0}, -angle), {}});
      const auto stepper = make_stepper(world.simulation);
      const Vec3 begin = stepper->state().position[0];
      double residual = 0.0;
      for (std::uint64_t k = 0; k < steps_of(kTime, step); ++k) {
        const StepReport report = stepper->step();
        ASSERT_TRUE(report.can_go_on());
        residual = std::max(residual, report.own[0]);
      }
      ASSERT_LE(residual, 1e-10) << degrees << " degrees, h " << step;
      const double moved = norm(stepper->state().position[0] - begin);
      const double pull = kGravity * (std::sin(angle) - kFriction * std::cos(angle));
      if (pull <= 0.0) {
        EXPECT_LT(moved, 3.0 * residual * kGravity * step * kTime) << degrees << ", h " << step;
      } else {
        const double way = 0.5 * pull * kTime * kTime;
        EXPECT_NEAR(moved, way, 1e-4 * way) << degrees << " degrees, h " << step;
      }
    }
  }
}

// A box thrown on a long one that lies on ice: both end with the speed that momentum says, and the
// way on it is v^2 / (2 mu g (1 + m / M)).
TEST(RestingTheory, ABoxThrownOnABoxDragsItAlong) {
  for (const double step : {1e-3, 1e-2}) {
    TestScene world = world_3d(step, 0.3);
    world.wall(HalfPlane{{0, 0, 0}, {0, 0, 1}}, {}, "ice");
    Material ice = world.simulation.world.materials.material(0);
    ice.name = "ice";
    ice.friction = 0.0;
    world.simulation.world.shapes[0].material = world.simulation.world.materials.add(ice);
    world.solid(BoxSolid{{2, 2, 0.5}}, {{0, 0, 0.5}, {}, {}, {}});
    world.solid(BoxSolid{{0.5, 0.5, 0.5}}, {{-1, 0, 1.5}, {2, 0, 0}, {}, {}});
    const double ratio =
        world.simulation.world.bodies.mass[1] / world.simulation.world.bodies.mass[0];
    const auto stepper = make_stepper(world.simulation);
    run(*stepper, steps_of(1.5, step));
    const State& state = stepper->state();
    const double common = 2.0 * ratio / (1.0 + ratio);
    EXPECT_NEAR(state.velocity[0].x, common, 1e-9) << step;
    EXPECT_NEAR(state.velocity[1].x, common, 1e-9) << step;
    const double way = 4.0 / (2.0 * 0.3 * kGravity * (1.0 + ratio));
    EXPECT_NEAR(state.position[1].x + 1.0 - state.position[0].x, way, 1e-3 * way) << step;
  }
}

// A coin that slides flat on a table.
TEST(RestingTheory, ACoinSlidesAsFarAsTheFormulaSays) {
  for (const double step : {1e-3, 5e-3}) {
    TestScene world = world_3d(step, 0.2);
    world.wall(HalfPlane{{0, 0, 0}, {0, 0, 1}}, {}, "table");
    world.solid(CylinderSolid{0.012, 0.001}, {{0, 0, 0.001}, {0.5, 0, 0}, {}, {}});
    const auto stepper = make_stepper(world.simulation);
    run(*stepper, steps_of(0.5, step));
    const double way = 0.25 / (2.0 * 0.2 * kGravity);
    EXPECT_NEAR(stepper->state().position[0].x, way, 1e-3 * way) << step;
    EXPECT_LT(norm(stepper->state().velocity[0]), 1e-9) << step;
    EXPECT_LT(norm(stepper->state().angular_velocity[0]), 1e-6) << step;
  }
}

}  // namespace
}  // namespace carom
