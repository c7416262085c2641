#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include <gtest/gtest.h>

#include "carom/collision/broad_phase.h"

#include "collision/ball_scenes.h"

namespace carom {
namespace {

using test::BallScene;

// The shortest of several runs, in seconds of processor time: what is left when nothing disturbs.
double shortest_time(const BallScene& scene) {
  const std::unique_ptr<BroadPhase> grid = make_broad_phase("grid");
  std::vector<BallPair> pairs;
  double shortest = kInfinity;
  for (int run = 0; run < 20; ++run) {
    const std::clock_t start = std::clock();
    grid->find_pairs(scene.sweep(), pairs);
    const auto ticks = static_cast<double>(std::clock() - start);
    shortest = std::min(shortest, ticks / CLOCKS_PER_SEC);
  }
  return shortest;
}

// A gas of the same density for every number of balls.
BallScene gas(int dimension, Index count, double ratio, double volume_per_ball) {
  const double world = std::pow(volume_per_ball * count, 1.0 / dimension);
  return test::random_gas({dimension, count, world, ratio, 0.1}, 71);
}

void expect_linear(const BallScene& small, const BallScene& large) {
  const double ratio = static_cast<double>(large.size()) / static_cast<double>(small.size());
  // Half as much again for memory that is further away.
  EXPECT_LT(shortest_time(large), 1.5 * ratio * shortest_time(small));
}

TEST(SlowGridBroadPhase, TakesLinearTimeOnALattice) {
  expect_linear(test::touching_lattice(2, 100), test::touching_lattice(2, 316));
}

TEST(SlowGridBroadPhase, TakesLinearTimeForRadiiAHundredTimesDifferent) {
  expect_linear(gas(2, 10000, 100.0, 600.0), gas(2, 100000, 100.0, 600.0));
  expect_linear(gas(3, 10000, 100.0, 20000.0), gas(3, 100000, 100.0, 20000.0));
}

TEST(SlowGridBroadPhase, TakesLinearTimeWithOneBallAcrossTheWorld) {
  BallScene small = gas(2, 10000, 1.0, 5.0);
  BallScene large = gas(2, 100000, 1.0, 5.0);
  for (BallScene* scene : {&small, &large}) scene->add({-1e3, -1e3, 0.0}, {1e3, 1e3, 0.0}, 0.5);
  expect_linear(small, large);
}

TEST(SlowGridBroadPhase, TakesLinearTimeWithOneBallFarAway) {
  BallScene small = gas(2, 10000, 1.0, 5.0);
  BallScene large = gas(2, 100000, 1.0, 5.0);
  for (BallScene* scene : {&small, &large}) scene->add({1e15, 0.0, 0.0}, {1e15, 0.0, 0.0}, 0.5);
  expect_linear(small, large);
}

}  // namespace
}  // namespace carom
