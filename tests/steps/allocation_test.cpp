#include <string>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

#include "collision/allocation_count.h"
#include "support/worlds.h"

namespace carom {
namespace {

using test::TestScene;

// A gas in a box, dense enough for parts of several rows.
TestScene gas(int dimension, double restitution, double friction) {
  TestScene world(dimension);
  Random random(5);
  const int side = dimension == 2 ? 20 : 8;
  const int layers = dimension == 2 ? 1 : side;
  const auto any = [&] { return random.uniform(-1.0, 1.0); };
  for (int k = 0; k < layers; ++k) {
    for (int j = 0; j < side; ++j) {
      for (int i = 0; i < side; ++i) {
        const Vec3 place = {1.05 * i, 1.05 * j, dimension == 2 ? 0.0 : 1.05 * k};
        const Vec3 velocity = {any(), any(), dimension == 2 ? 0.0 : any()};
        if (friction > 0.0) {
          world.solid(SphereSolid{0.5}, {place, velocity, {}, {}});
        } else {
          world.ball(place, velocity);
        }
      }
    }
  }
  const double far = 1.05 * side;
  world.wall(HalfPlane{{-1, 0, 0}, {1, 0, 0}});
  world.wall(HalfPlane{{far, 0, 0}, {-1, 0, 0}});
  world.wall(HalfPlane{{0, -1, 0}, {0, 1, 0}});
  world.wall(HalfPlane{{0, far, 0}, {0, -1, 0}});
  if (dimension == 3) {
    world.wall(HalfPlane{{0, 0, -1}, {0, 0, 1}});
    world.wall(HalfPlane{{0, 0, far}, {0, 0, -1}});
  }
  world.restitution(restitution, friction);
  world.step(0.02);
  return world;
}

// Of steps that have been made before, so that all memory has grown to what they need.
std::size_t allocations_once_warm(const TestScene& world) {
  constexpr int kPasses = 4;
  constexpr int kSteps = 60;
  const auto stepper = make_stepper(world.simulation);
  const std::string start = stepper->save();
  std::size_t count = 0;
  for (int pass = 0; pass < kPasses; ++pass) {
    stepper->load(start);
    const std::size_t before = test::allocation_count();
    Index rows = 0;
    for (int step = 0; step < kSteps; ++step) rows += stepper->step().rows;
    count = test::allocation_count() - before;
    EXPECT_GT(rows, 1000U);
  }
  return count;
}

TEST(WarmSteps, AllocateNothing) {
  for (const std::string name : {"gr", "qce", "gauss_seidel"}) {
    for (const bool redetect : {true, false}) {
      TestScene world = gas(2, 1.0, 0.0);
      world.simulation.impact.impact_operator = name;
      world.simulation.detection.redetect = redetect;
      EXPECT_EQ(allocations_once_warm(world), 0U) << name << ", redetect " << redetect;
    }
  }
}

TEST(WarmSteps, AllocateNothingInSpace) { EXPECT_EQ(allocations_once_warm(gas(3, 1.0, 0.0)), 0U); }

TEST(WarmSteps, AllocateNothingWhereSpheresRub) {
  EXPECT_EQ(allocations_once_warm(gas(3, 0.8, 0.3)), 0U);
}

}  // namespace
}  // namespace carom
