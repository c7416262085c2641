#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/schemes/registry.h"
#include "carom/steps/synchronous.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::run;
using test::TestScene;

//  o  v = -1
//  o         three balls in touch land on a floor: only the lowest contact closes
//  o         before the impact
// ---
TestScene landing_column(double speed, const std::string& impact_operator) {
  TestScene world;
  world.wall(HalfPlane{{0, 0, 0}, {0, 1, 0}}, {}, "floor");
  for (int k = 0; k < 3; ++k) world.ball({0, 0.5005 + k, 0}, {0, -1, 0});
  Material material = world.simulation.world.materials.material(0);
  material.restitution = 0.7;
  material.restitution_speed = speed;
  world.simulation.world.materials.replace(0, material);
  world.simulation.impact.impact_operator = impact_operator;
  world.simulation.impact.mixed_restitution = MixedRestitution::direct;
  world.step(1e-3);
  return world;
}

std::vector<Vec3> velocities_after_landing(double speed, const std::string& impact_operator) {
  const TestScene world = landing_column(speed, impact_operator);
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 1);
  return stepper->state().velocity;
}

// All contacts go through more than the speed from which on the law is constant, so that the
// outcome is that of the constant.
TEST(ImpactSpeeds, ContactsThatCloseOnlyInTheImpactLoseAsMuchAsTheirImpulseSays) {
  for (const std::string name : {"gr", "qce", "lcp"}) {
    SCOPED_TRACE(name);
    const std::vector<Vec3> constant = velocities_after_landing(0.0, name);
    const std::vector<Vec3> law = velocities_after_landing(1e-3, name);
    for (std::size_t k = 0; k < law.size(); ++k) {
      EXPECT_NEAR(law[k].y, constant[k].y, 1e-12) << "ball " << k;
    }
  }
}

// e(v) = 1 - 0.3 (v / v0)^(3/4)
TEST(ImpactSpeeds, ALoneContactHasTheSpeedBeforeTheImpact) {
  TestScene world;
  world.wall(HalfPlane{{0, 0, 0}, {0, 1, 0}}, {}, "floor");
  world.ball({0, 0.5005, 0}, {0, -1, 0});
  Material material = world.simulation.world.materials.material(0);
  material.restitution = 0.7;
  material.restitution_speed = 2.0;
  world.simulation.world.materials.replace(0, material);
  world.step(1e-3);
  const auto stepper = make_stepper(world.simulation);
  run(*stepper, 1);
  EXPECT_NEAR(stepper->state().velocity[0].y, 1.0 - 0.3 * std::pow(0.5, 0.75), 1e-14);
}

}  // namespace
}  // namespace carom
