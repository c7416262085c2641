// What an impact leaves of the momentum of bodies that turn, beyond the last bit of velocities.

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/core/types.h"
#include "carom/impact/resolve.h"

namespace carom::test {
namespace {

using Exact = long double;
using ExactVector = std::array<Exact, 3>;

ExactVector cross(const ExactVector& a, const ExactVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Exact length(const ExactVector& a) { return std::hypot(a[0], a[1], a[2]); }

struct ExactMomentum {
  ExactVector linear{};
  ExactVector angular{};
  Exact linear_size = 0;  // sums of the bodies' magnitudes
  Exact angular_size = 0;
};

ExactMomentum momentum_of(const ImpactProblem& problem, std::span<const double> velocities) {
  ExactMomentum sum;
  for (Index body = 0; body < problem.body_count(); ++body) {
    const ImpactProblem::Body& b = problem.body(body);
    const std::span<const double> mass = problem.mass_matrix(body);
    std::array<Exact, 6> p{};
    for (Index k = 0; k < 6; ++k) {
      for (Index l = 0; l < 6; ++l) {
        p[k] += static_cast<Exact>(mass[6 * k + l]) * velocities[b.dof + l];
      }
    }
    const ExactVector linear = {p[0], p[1], p[2]};
    ExactVector angular = cross({b.position[0], b.position[1], b.position[2]}, linear);
    sum.linear_size += length(linear);
    sum.angular_size += length(angular);
    for (std::size_t k = 0; k < 3; ++k) {
      angular[k] += p[3 + k];
      sum.linear[k] += linear[k];
      sum.angular[k] += angular[k];
    }
    sum.angular_size += length({p[3], p[4], p[5]});
  }
  return sum;
}

Numbers random_vector(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

// Two stones that lie in a bowl, each on a patch of many points; nothing is held from outside. The
// whole turns about z, and the stones press outward a little.
ImpactProblem stones_in_a_bowl(std::uint64_t seed, Index points) {
  Random random(seed);
  ImpactProblem problem;
  const std::vector<Numbers> places = {{0.1, 0.2, -0.1}, {1.0, 0.1, 0.3}, {-0.9, 0.3, 0.2}};
  const Numbers turn = {0.05, 0.1, 0.3};
  for (std::size_t k = 0; k < places.size(); ++k) {
    BodyDefinition body;
    body.kind = BodyKind::rigid_3d;
    body.mass = k == 0 ? 4.0 : 0.3;
    body.position = places[k];
    const double moment = k == 0 ? 3.0 : 0.02;
    body.inertia = {moment, 0.1 * moment, 0.0, 0.1 * moment, 1.3 * moment,
                    0.0,    0.0,          0.0, 1.7 * moment};
    const Numbers& q = places[k];
    body.velocity = {turn[1] * q[2] - turn[2] * q[1],
                     turn[2] * q[0] - turn[0] * q[2],
                     turn[0] * q[1] - turn[1] * q[0],
                     turn[0],
                     turn[1],
                     turn[2]};
    for (Index l = 0; l < 6; ++l) body.velocity[l] += random.uniform(-0.003, 0.003);
    problem.add_body(body);
  }
  for (Index stone = 1; stone <= 2; ++stone) {
    for (Index point = 0; point < points; ++point) {
      const double inward = stone == 1 ? -1.0 : 1.0;
      const Numbers jitter = random_vector(random, 0.2);
      ContactDefinition row;
      row.body_a = stone;
      row.body_b = 0;
      row.normal = {inward, 0.2 * jitter[1], 0.2 * jitter[2]};
      row.point = Numbers{places[stone][0] - 0.3 * inward, places[stone][1] + jitter[1],
                          places[stone][2] + jitter[2]};
      row.restitution = 0.8;
      row.friction = 0.5;
      problem.add_contact(row);
    }
  }
  return problem;
}

ImpactSettings with_friction() {
  ImpactSettings settings;
  settings.friction_model = "slip";
  return settings;
}

// The last bit of every velocity number is off by half a unit at most; the errors of a few hundred
// impacts, which point in all directions, then add up to the root of their number.
TEST(RestoredMomentum, RoundOffHasNoDirection) {
  constexpr int kImpacts = 300;
  const auto root = static_cast<double>(std::sqrt(kImpacts));
  for (const Index points : {4U, 25U}) {
    ExactVector linear{};
    ExactVector angular{};
    Exact linear_unit = 0;
    Exact angular_unit = 0;
    for (int k = 0; k < kImpacts; ++k) {
      const ImpactProblem problem = stones_in_a_bowl(100 + static_cast<std::uint64_t>(k), points);
      const ImpactResult result = resolve_impacts(problem, with_friction());
      ASSERT_EQ(result.status, ImpactStatus::resolved) << "seed " << 100 + k;
      const ExactMomentum before = momentum_of(problem, problem.velocities());
      const ExactMomentum after = momentum_of(problem, result.velocities);
      linear_unit = kRoundOff * after.linear_size;
      angular_unit = kRoundOff * after.angular_size;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        linear[axis] += after.linear[axis] - before.linear[axis];
        angular[axis] += after.angular[axis] - before.angular[axis];
      }
    }
    EXPECT_LT(length(linear), 0.3 * root * linear_unit) << points << " points";
    EXPECT_LT(length(angular), 0.3 * root * angular_unit) << points << " points";
  }
}

TEST(RestoredMomentum, WhatKeepsItsVelocityKeepsItsBits) {
  ImpactProblem problem = stones_in_a_bowl(7, 25);
  BodyDefinition pebble;
  pebble.kind = BodyKind::rigid_3d;
  pebble.position = Numbers{0.1, 1.0, 0.0};
  pebble.inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  pebble.velocity = {0.1, -1.0 / 3.0, 0.7, 1e-9, -2e-9, 3e-9};  // the slowest turns show most
  ContactDefinition row;
  row.body_a = problem.add_body(pebble);
  row.body_b = 0;
  row.normal = {0.0, -1.0, 0.0};
  row.point = Numbers{0.1, 1.2, 0.0};
  problem.add_contact(row);
  const ImpactResult result = resolve_impacts(problem, with_friction());
  ASSERT_EQ(result.report.components.size(), 1U);
  ASSERT_NE(result.velocities[0], problem.velocities()[0]) << "the bowl is hit";
  for (Index k = 0; k < 6; ++k) {
    EXPECT_EQ(result.velocities[problem.body(row.body_a).dof + k], pebble.velocity[k]);
  }
}

}  // namespace
}  // namespace carom::test
