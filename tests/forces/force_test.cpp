#include "carom/forces/force.h"

#include <gtest/gtest.h>

#include "carom/core/random.h"

namespace carom {
namespace {

BodySet three_bodies() {
  BodySet bodies;
  bodies.mass = {1.0, 2.0, 0.5};
  bodies.radius = {0.1, 0.1, 0.1};
  bodies.material = {0, 0, 0};
  bodies.name = {"a", "b", "c"};
  return bodies;
}

// m a = -dU/dq by central differences.
void expect_gradient(const ForceSet& forces, const Periodicity& world) {
  const BodySet bodies = three_bodies();
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Vec3> q(3);
    for (Vec3& p : q) p = {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
    std::vector<Vec3> a(3);
    accelerations(forces, bodies, world, q, a);
    constexpr double kStep = 1e-5;
    for (std::size_t i = 0; i < 3; ++i) {
      for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
        std::vector<Vec3> up = q;
        std::vector<Vec3> down = q;
        up[i].*axis += kStep;
        down[i].*axis -= kStep;
        const double slope = (potential_energy(forces, bodies, world, up) -
                              potential_energy(forces, bodies, world, down)) /
                             (2 * kStep);
        EXPECT_NEAR(bodies.mass[i] * a[i].*axis, -slope, 2e-6 * (1.0 + std::abs(slope)))
            << "trial " << trial;
      }
    }
  }
}

TEST(Forces, GravityIsTheGradientOfItsPotential) {
  ForceSet forces;
  forces.gravity = {0.3, -9.8, 1.0};
  expect_gradient(forces, {});
}

TEST(Forces, SpringsAreTheGradientOfTheirPotential) {
  ForceSet forces;
  forces.springs = {{0, 1, {}, 3.0, 0.7}, {2, kNone, {0.1, 0.2, 0.3}, 5.0, 0.0}};
  expect_gradient(forces, {});
}

TEST(Forces, SpringsReachAcrossAPeriod) {
  ForceSet forces;
  forces.springs = {{0, 1, {}, 3.0, 0.1}};
  BodySet bodies = three_bodies();
  const Periodicity world{{0, 0, 0}, {10, 0, 0}};
  const std::vector<Vec3> q = {{0.5, 0, 0}, {9.5, 0, 0}, {5, 0, 0}};
  std::vector<Vec3> a(3);
  accelerations(forces, bodies, world, q, a);
  EXPECT_NEAR(a[0].x, -3.0 * 0.9, 1e-14) << "pulled to the left, over the border";
  EXPECT_NEAR(a[1].x, 3.0 * 0.9 / 2.0, 1e-14);
}

TEST(Forces, CentresAreTheGradientOfTheirPotential) {
  for (const double exponent : {-2.0, -1.0, 1.0, 3.0, 0.5}) {
    ForceSet forces;
    forces.centers = {{{0.1, -0.2, 5.0}, 2.0, exponent}};
    expect_gradient(forces, {});
  }
}

TEST(Forces, ActAndReact) {
  ForceSet forces;
  forces.springs = {{0, 1, {}, 3.0, 0.7}, {1, 2, {}, 2.0, 0.0}};
  const BodySet bodies = three_bodies();
  const std::vector<Vec3> q = {{0.5, 0.1, 0}, {1.7, -0.4, 2}, {-3, 1, 0}};
  std::vector<Vec3> a(3);
  accelerations(forces, bodies, {}, q, a);
  Vec3 sum;
  for (std::size_t i = 0; i < 3; ++i) sum += bodies.mass[i] * a[i];
  EXPECT_LT(norm(sum), 1e-14);
}

TEST(Forces, NothingIsInfiniteWhereThereIsNoDirection) {
  ForceSet forces;
  forces.springs = {{0, 1, {}, 3.0, 0.7}};
  forces.centers = {{{1, 1, 0}, 2.0, -2.0}};
  const BodySet bodies = three_bodies();
  const std::vector<Vec3> q(3, Vec3{1, 1, 0});
  std::vector<Vec3> a(3);
  accelerations(forces, bodies, {}, q, a);
  for (const Vec3& value : a) EXPECT_EQ(value, Vec3{});
}

}  // namespace
}  // namespace carom
