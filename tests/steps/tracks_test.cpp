// Balls on rails: straight ones, and those of a spiral.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "carom/collision/solid_contact.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

#include "support/worlds.h"

namespace carom {
namespace {

using std::numbers::pi;
using test::TestScene;

constexpr double kGravity = 9.81;
constexpr double kBall = 0.05;
constexpr double kRail = 0.008;
constexpr double kGauge = 0.08;

// How far the ball's centre is above the plane of the rails' middle lines.
double lift() { return std::sqrt(std::pow(kBall + kRail, 2) - kGauge * kGauge / 4.0); }

TestScene world_of(double step, double friction) {
  TestScene world(3);
  world.simulation.impact.friction_model = "coulomb";
  world.simulation.forces.gravity = {0, 0, -kGravity};
  world.step(step);
  world.restitution(0.0, friction);
  return world;
}

// Two rails of one spiral about the z axis, from (radius, 0, 0), falling by `pitch` in a turn.
void add_spiral(TestScene& world, double radius, double pitch, double turns) {
  for (const double side : {-0.5, 0.5}) {
    const auto rod =
        std::make_shared<const Solid>(HelixSolid{kRail, radius + side * kGauge, -pitch, turns}, 3);
    const MassProperties& mass = rod->mass();
    world.wall(SolidObstacle{rod, {mass.center, mass.axes}, {}}, {}, side < 0 ? "inner" : "outer");
  }
}

// The place below `from` where a ball touches a shape, but for 1e-7.
Vec3 lowered(const TestScene& world, Vec3 from) {
  const Solid ball(SphereSolid{kBall}, 3);
  for (int k = 0; k < 200; ++k) {
    double gap = kInfinity;
    for (const PlacedShape& placed : world.simulation.world.shapes) {
      std::vector<SolidContact> contacts;
      find_solid_contacts({&ball, {from, {}}}, OffsetShape{&placed.shape, {}}, 1.0, contacts);
      for (const SolidContact& contact : contacts) gap = std::min(gap, contact.gap);
    }
    if (gap < 1e-7) return from;
    from.z -= 0.9 * gap;
  }
  return from;
}

struct Rolled {
  double angle = 0.0;
  double speed = 0.0;
  double height = 0.0;   ///< fallen
  double deepest = 0.0;  ///< farthest below where a ball rests on the rails
  double highest = 0.0;
  double energy_gained = 0.0;
};

// Speed and height after `turns`, of a ball that starts at rest or along the rails.
Rolled roll(double step, double friction, double turns, double start_speed) {
  constexpr double kRadius = 0.5;
  constexpr double kPitch = 0.2;
  TestScene world = world_of(step, friction);
  add_spiral(world, kRadius, kPitch, 3.0);
  const double begin = 0.2;
  const Vec3 outward{std::cos(begin), std::sin(begin), 0};
  const double slope = kPitch / (2.0 * pi);
  const Vec3 onward = (1.0 / std::hypot(kRadius, slope)) *
                      Vec3{-kRadius * std::sin(begin), kRadius * std::cos(begin), -slope};
  const Vec3 start = lowered(world, kRadius * outward + Vec3{0, 0, lift() - slope * begin + 1e-3});
  world.solid(SphereSolid{kBall}, {start, start_speed * onward, {}, {}});
  const auto stepper = make_stepper(world.simulation);
  Rolled rolled;
  double last = begin;
  double energy = 0.0;
  while (rolled.angle < 2.0 * pi * turns && stepper->state().time < 20.0) {
    const StepReport report = stepper->step();
    EXPECT_TRUE(report.can_go_on());
    if (report.step > 1) {
      rolled.energy_gained = std::max(rolled.energy_gained, report.totals.energy() - energy);
    }
    energy = report.totals.energy();
    const Vec3& q = stepper->state().position[0];
    double angle = std::atan2(q.y, q.x);
    while (angle < last - pi) angle += 2.0 * pi;
    while (angle > last + pi) angle -= 2.0 * pi;
    rolled.angle += angle - last;
    last = angle;
    const double above = q.z - lift() + slope * last;
    rolled.deepest = std::max(rolled.deepest, -above);
    rolled.highest = std::max(rolled.highest, above);
  }
  rolled.speed = norm(stepper->state().velocity[0]);
  rolled.height = start.z - stepper->state().position[0].z;
  return rolled;
}

// Without friction nothing is lost: v^2 = v_0^2 + 2 g H, wherever the seams of a chain of straight
// pieces would be.
TEST(Tracks, ABallSlidesDownASpiralWithoutBeingKicked) {
  double last_error = 0.0;
  for (const double step : {4e-3, 2e-3}) {
    const Rolled rolled = roll(step, 0.0, 1.0, 1.0);
    const double expected = std::sqrt(1.0 + 2.0 * kGravity * rolled.height);
    const double error = std::abs(rolled.speed / expected - 1.0);
    EXPECT_LT(error, 2e-4) << step;
    if (last_error > 0.0) {
      EXPECT_LT(error, 0.8 * last_error);
    }
    last_error = error;
    EXPECT_LE(rolled.energy_gained, 1e-12);
  }
}

// Rolling without slip a ball turns about the line through its two places of contact, at the
// distance d = lift r / (r + rail) from its centre: v^2 (1 + 2/5 r^2 / d^2) = 2 g H.
TEST(Tracks, ABallRollsDownASpiralByTheEnergy) {
  double last_error = 0.0;
  for (const double step : {4e-3, 2e-3}) {
    const Rolled rolled = roll(step, 0.5, 1.0, 0.0);
    const double d = lift() * kBall / (kBall + kRail);
    const double factor = 1.0 + 0.4 * kBall * kBall / (d * d);
    const double expected = std::sqrt(2.0 * kGravity * rolled.height / factor);
    const double error = std::abs(rolled.speed / expected - 1.0);
    EXPECT_LT(error, 5e-3) << step;
    if (last_error > 0.0) {
      EXPECT_LT(error, 0.8 * last_error);
    }
    last_error = error;
    EXPECT_LE(rolled.energy_gained, 1e-12);
  }
}

}  // namespace
}  // namespace carom
