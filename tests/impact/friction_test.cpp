// Friction of an impact: closed forms, moving surfaces, the laws.

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "carom/impact/resolve.h"

#include "support/impact_families.h"

namespace carom {
namespace {

ImpactSettings rubbing(const std::string& model) {
  ImpactSettings settings;
  settings.friction_model = model;
  return settings;
}

// A ball of unit mass hits the floor with velocity (vx, -1); the floor moves with `belt` along x.
ImpactProblem ball_on_belt(double vx, double friction, double restitution, double belt) {
  ImpactProblem problem;
  BodyDefinition body;
  body.velocity = {vx, -1.0};
  problem.add_body(body);
  const Index floor = problem.add_scripted({.kind = BodyKind::ball, .velocity = {belt, 0.0}});
  ContactDefinition contact;
  contact.body_a = 0;
  contact.body_b = floor;
  contact.normal = {0.0, 1.0};
  contact.restitution = restitution;
  contact.friction = friction;
  problem.add_contact(contact);
  return problem;
}

// A solid sphere of unit mass and radius with velocity v and no spin hits the floor z = 0.
ImpactProblem sphere_on_floor(const Numbers& v, double friction, double restitution) {
  ImpactProblem problem;
  BodyDefinition body;
  body.kind = BodyKind::rigid_3d;
  body.velocity = v;
  body.inertia = {0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4};
  body.position = Numbers{0.0, 0.0, 1.0};
  problem.add_body(body);
  ContactDefinition contact;
  contact.body_a = 0;
  contact.normal = {0.0, 0.0, 1.0};
  contact.point = Numbers{0.0, 0.0, 0.0};
  contact.friction = friction;
  contact.restitution = restitution;
  problem.add_contact(contact);
  return problem;
}

class FrictionModel : public testing::TestWithParam<std::string> {};

TEST_P(FrictionModel, SlidingLosesMuTimesTheNormalImpulse) {
  // Normal impulse (1 + c); the slip of 1 is more than friction can stop.
  const ImpactResult result =
      resolve_impacts(ball_on_belt(1.0, 0.2, 0.5, 0.0), rubbing(GetParam()));
  EXPECT_NEAR(result.velocities[0], 1.0 - 0.2 * 1.5, 4 * kRoundOff);
  EXPECT_NEAR(result.velocities[1], 0.5, 4 * kRoundOff);
  EXPECT_NEAR(std::abs(result.friction_impulses[0]), 0.3, 4 * kRoundOff);
}

TEST_P(FrictionModel, StickingStopsTheSlipAndNoMore) {
  const ImpactResult result =
      resolve_impacts(ball_on_belt(0.2, 0.9, 0.5, 0.0), rubbing(GetParam()));
  EXPECT_NEAR(result.velocities[0], 0.0, 4 * kRoundOff);
}

TEST_P(FrictionModel, AMovingBeltDragsTheBallAlong) {
  const ImpactResult sliding =
      resolve_impacts(ball_on_belt(0.0, 0.2, 0.0, 3.0), rubbing(GetParam()));
  EXPECT_NEAR(sliding.velocities[0], 0.2, 4 * kRoundOff);
  const ImpactResult sticking =
      resolve_impacts(ball_on_belt(0.0, 5.0, 0.0, 3.0), rubbing(GetParam()));
  EXPECT_NEAR(sticking.velocities[0], 3.0, 16 * kRoundOff);
  // Kinetic energy rises, the balance with the belt's work does not.
  EXPECT_LE(sticking.report.energy, 16 * kRoundOff);
}

TEST_P(FrictionModel, ASphereWithoutSpinEndsRollingAtFiveSevenths) {
  const ImpactResult result = resolve_impacts(
      sphere_on_floor({1.0, 0.5, -1.0, 0.0, 0.0, 0.0}, 2.0, 0.0), rubbing(GetParam()));
  EXPECT_NEAR(result.velocities[0], 5.0 / 7, 8 * kRoundOff);
  EXPECT_NEAR(result.velocities[1], 2.5 / 7, 8 * kRoundOff);
  // No slip: v = omega x r at the lowest point.
  EXPECT_NEAR(result.velocities[0] - result.velocities[4], 0.0, 8 * kRoundOff);
  EXPECT_NEAR(result.velocities[1] + result.velocities[3], 0.0, 8 * kRoundOff);
}

TEST_P(FrictionModel, WhereThereIsNoSlipBeforeTheOneAfterTheNormalImpulseCounts) {
  // A plate at 45 degrees falls on its corner without sliding; the normal impulse turns it, and
  // that drags the corner along the floor.
  ImpactProblem problem;
  BodyDefinition body;
  body.kind = BodyKind::rigid_2d;
  body.velocity = {0.0, -1.0, 0.0};
  body.inertia = {0.1};
  body.position = Numbers{0.3, 0.5};
  problem.add_body(body);
  ContactDefinition contact;
  contact.body_a = 0;
  contact.normal = {0.0, 1.0};
  contact.point = Numbers{0.0, 0.0};
  contact.restitution = 0.0;
  contact.friction = 10.0;
  problem.add_contact(contact);
  const ImpactResult result = resolve_impacts(problem, rubbing(GetParam()));
  const double corner_x = result.velocities[0] - result.velocities[2] * (0.0 - 0.5);
  EXPECT_NE(result.friction_impulses[0], 0.0);
  EXPECT_LT(std::abs(corner_x), 0.5);
  EXPECT_EQ(result.status, ImpactStatus::resolved);
}

TEST_P(FrictionModel, TwoCubesKeepLinearAndAngularMomentum) {
  ImpactProblem problem;
  for (int i = 0; i < 2; ++i) {
    BodyDefinition body;
    body.kind = BodyKind::rigid_3d;
    body.mass = 1.0 + i;
    const double inertia = body.mass / 6.0;
    body.inertia = {inertia, 0, 0, 0, inertia, 0, 0, 0, inertia};
    body.velocity =
        i == 0 ? Numbers{1.0, 0.3, 0.1, 0.2, 0.0, 0.4} : Numbers{-1.0, -0.2, 0.4, 0.0, 0.3, -0.2};
    body.position = Numbers{static_cast<double>(i), 0.0, 0.0};
    problem.add_body(body);
  }
  for (int k = 0; k < 4; ++k) {
    ContactDefinition contact;
    contact.body_a = 1;
    contact.body_b = 0;
    contact.normal = {1.0, 0.0, 0.0};
    contact.point = Numbers{0.5, k % 2 == 0 ? -0.5 : 0.5, k / 2 == 0 ? -0.5 : 0.5};
    contact.friction = 0.3;
    contact.restitution = 0.8;
    problem.add_contact(contact);
  }
  for (const unsigned passes : {1U, 5U}) {
    ImpactSettings settings = rubbing(GetParam());
    settings.friction_passes = passes;
    const ImpactResult result = resolve_impacts(problem, settings);
    EXPECT_LT(result.report.momentum_linear, 16 * kRoundOff);
    ASSERT_TRUE(result.report.momentum_angular.has_value());
    EXPECT_LT(*result.report.momentum_angular, 16 * kRoundOff);
    EXPECT_LT(result.report.energy, 0.0);
    for (Index row = 0; row < 4; ++row) {
      const double f0 = result.friction_impulses[2 * row];
      const double f1 = result.friction_impulses[2 * row + 1];
      const double bound =
          0.3 * result.impulses[row] * (GetParam() == "box" ? std::sqrt(2.0) : 1.0);
      EXPECT_LE(std::hypot(f0, f1), bound * (1.0 + 1e-12));
    }
  }
}

TEST_P(FrictionModel, StaggeredPassesNeverRaiseTheEnergy) {
  test::FamilyLimits limits;
  limits.friction = 0.8;
  limits.restitution = 0.5;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const test::Instance instance = test::random_instance(seed, limits);
    ImpactSettings settings = rubbing(GetParam());
    settings.friction_passes = 4;
    const ImpactResult result = resolve_impacts(instance.problem, settings);
    EXPECT_EQ(result.status, ImpactStatus::resolved) << "seed " << seed;
    for (const ComponentReport& component : result.report.components) {
      EXPECT_LE(component.energy, 1e-13 * (10.0 + component.total_impulse)) << "seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, FrictionModel, testing::Values("slip", "box"),
                         [](const auto& name) { return name.param; });

TEST(Friction, NoneMeansNone) {
  const ImpactResult result = resolve_impacts(ball_on_belt(1.0, 0.9, 1.0, 0.0), {});
  EXPECT_EQ(result.velocities[0], 1.0);
}

}  // namespace
}  // namespace carom
