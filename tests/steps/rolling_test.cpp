// Balls that resist rolling and spinning.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/scene/scene.h"
#include "carom/scene/write_scene.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

#include "support/worlds.h"

namespace carom {
namespace {

using std::numbers::pi;
using test::run;
using test::TestScene;

constexpr double kGravity = 9.81;
constexpr double kRadius = 0.1;

TestScene ball_on_plane(double rolling, double degrees, double step) {
  TestScene world(3);
  world.simulation.impact.friction_model = "coulomb";
  world.simulation.forces.gravity = {0, 0, -kGravity};
  world.step(step);
  const double angle = degrees * pi / 180.0;
  const Vec3 normal{-std::sin(angle), 0, std::cos(angle)};
  world.wall(HalfPlane{{0, 0, 0}, normal}, {}, "plane");
  Material material = world.simulation.world.materials.material(0);
  material.restitution = 0.0;
  material.friction = 0.5;
  material.rolling = rolling;
  world.simulation.world.materials.replace(0, material);
  world.solid(SphereSolid{kRadius}, {kRadius * normal, {}, {}, {}});
  return world;
}

// The torque c r m g of a ball that rolls and the friction F that keeps it rolling:
//   m a = -F,   2/5 m r^2 (a / r) = F r - c r m g,   so   a = -5/7 c g,
// and it stops after 7 v^2 / (10 c g).
TEST(Rolling, ABallStopsWhereTheFormulaSays) {
  for (const double rolling : {0.01, 0.05}) {
    for (const double step : {2e-3, 1e-3}) {
      TestScene world = ball_on_plane(rolling, 0.0, step);
      constexpr double kSpeed = 1.0;
      // In a direction of no special kind.
      const Vec3 way{0.8, 0.6, 0};
      world.simulation.start.velocity[0] = kSpeed * way;
      world.simulation.start.angular_velocity[0] = kSpeed / kRadius * Vec3{-way.y, way.x, 0};
      const auto stepper = make_stepper(world.simulation);
      const double stops = 1.4 * kSpeed / (rolling * kGravity);  // v / a
      double energy = kInfinity;
      while (stepper->state().time < 1.1 * stops) {
        const StepReport report = stepper->step();
        ASSERT_TRUE(report.can_go_on());
        if (report.step > 1) {
          EXPECT_LE(report.totals.energy(), energy + 1e-12);
        }
        energy = report.totals.energy();
      }
      const double expected = 0.7 * kSpeed * kSpeed / (rolling * kGravity);
      EXPECT_NEAR(dot(stepper->state().position[0], way), expected, 1e-3 * expected) << rolling;
      EXPECT_NEAR(stepper->state().position[0].z, kRadius, 1e-6);
      const Vec3 stopped = stepper->state().position[0];
      EXPECT_LT(norm(stepper->state().velocity[0]), 1e-9);
      run(*stepper, 1000);
      EXPECT_LT(norm(stepper->state().position[0] - stopped), 1e-9);
    }
  }
}

// A slope below the coefficient holds a ball; above it a ball rolls with
// 5/7 g (sin a - c cos a).
TEST(Rolling, ASlopeHoldsABallOrLetsItRoll) {
  constexpr double kRolling = 0.1;  // 5.7 degrees
  for (const double degrees : {2.0, 5.0, 7.0, 12.0}) {
    TestScene world = ball_on_plane(kRolling, degrees, 1e-3);
    const auto stepper = make_stepper(world.simulation);
    const Vec3 begin = stepper->state().position[0];
    run(*stepper, 1000);
    const double a = degrees * pi / 180.0;
    const double pull =
        std::max(0.0, 5.0 / 7.0 * kGravity * (std::sin(a) - kRolling * std::cos(a)));
    EXPECT_NEAR(norm(stepper->state().position[0] - begin), 0.5 * pull, 2e-3 * 0.5 * pull + 1e-9)
        << degrees;
  }
}

// Friction at four places c r from the middle: the torque mu c r m g stops a spin after
// w I / torque, I = 2/5 m r^2.
TEST(Rolling, ASpinStops) {
  constexpr double kRolling = 0.05;
  constexpr double kSpin = 20.0;
  TestScene world = ball_on_plane(kRolling, 0.0, 1e-3);
  world.simulation.start.angular_velocity[0] = {0, 0, kSpin};
  const auto stepper = make_stepper(world.simulation);
  const double stops = 0.4 * kRadius * kSpin / (0.5 * kRolling * kGravity);
  run(*stepper, static_cast<std::uint64_t>(0.5 * stops / 1e-3));
  EXPECT_NEAR(stepper->state().angular_velocity[0].z, 0.5 * kSpin, 0.01 * kSpin);
  run(*stepper, static_cast<std::uint64_t>(0.55 * stops / 1e-3));
  EXPECT_LT(norm(stepper->state().angular_velocity[0]), 1e-9);
}

// Free balls that roll on each other keep their momenta.
TEST(Rolling, MomentaAreKept) {
  TestScene world(3);
  world.simulation.impact.friction_model = "coulomb";
  world.step(1e-3);
  Material material = world.simulation.world.materials.material(0);
  material.restitution = 0.0;
  material.friction = 0.5;
  material.rolling = 0.1;
  world.simulation.world.materials.replace(0, material);
  world.solid(SphereSolid{kRadius}, {{0, 0, 0}, {0.1, 0.2, 1.0}, {}, {3, -2, 5}});
  world.solid(SphereSolid{0.2}, {{0, 0, 0.35}, {}, {}, {0, 4, 1}});
  const auto stepper = make_stepper(world.simulation);
  const Totals begin = totals(world.simulation, stepper->state());
  const StepReport end = run(*stepper, 500);
  EXPECT_LT(norm(end.totals.momentum - begin.momentum), 1e-13);
  EXPECT_LT(norm(end.totals.angular_momentum - begin.angular_momentum), 1e-13);
  EXPECT_LE(end.totals.energy(), begin.energy());
}

constexpr const char* kScene = R"toml(
kind = "scene"
[world]
dimension = 3
gravity = [0, 0, -9.81]
[[material]]
name = "felt"
friction = 0.4
rolling = 0.01
[[body]]
radius = 0.1
turns = true
material = "felt"
position = [0, 0, 1]
)toml";

TEST(Rolling, ASceneSaysIt) {
  const Scene scene = read_scene(kScene, "s.toml");
  EXPECT_EQ(scene.simulation.world.materials.material(1).rolling, 0.01);
  const Scene again = read_scene(write_scene(scene), "again.toml");
  EXPECT_EQ(again.simulation.world.materials.material(1).rolling, 0.01);
  for (const std::string model : {"none", "slip"}) {
    try {
      static_cast<void>(
          read_scene(kScene + ("[impact]\nfriction_model = \"" + model + "\"\n"), "s.toml"));
      FAIL() << model;
    } catch (const InputError& error) {
      EXPECT_TRUE(std::string(error.what()).find("material[0].rolling") != std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace carom
