// Friction of an impact: closed forms, moving surfaces, the laws.

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "carom/core/random.h"
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

INSTANTIATE_TEST_SUITE_P(Registry, FrictionModel, testing::Values("slip", "box", "collision"),
                         [](const auto& name) { return name.param; });

// A rod that falls on its tip, sliding backwards: slip stops, and turns round within the collision.
ImpactProblem rod_on_its_tip(double slip) {
  ImpactProblem problem;
  BodyDefinition body;
  body.kind = BodyKind::rigid_2d;
  body.velocity = {slip, -1.0, 0.0};
  body.inertia = {1.0 / 12};
  body.position = Numbers{-0.4, 0.3};
  problem.add_body(body);
  ContactDefinition contact;
  contact.body_a = 0;
  contact.normal = {0.0, 1.0};
  contact.point = Numbers{0.0, 0.0};
  contact.restitution = 0.5;
  contact.friction = 0.2;
  problem.add_contact(contact);
  return problem;
}

TEST(Friction, ALoneCollisionIsFollowedThroughItsReversal) {
  // K = (1 + 12 0.09, 12 0.12; 12 0.12, 1 + 12 0.16) in (x, y).
  const double xx = 2.08;
  const double xy = 1.44;
  const double yy = 2.92;
  const double mu = 0.2;
  for (const RestitutionEnd end : {RestitutionEnd::stronge, RestitutionEnd::poisson}) {
    ImpactSettings settings = rubbing("collision");
    settings.restitution_end = end;
    const ImpactResult result = resolve_impacts(rod_on_its_tip(-0.3), settings);
    ASSERT_EQ(result.status, ImpactStatus::resolved);
    EXPECT_EQ(result.report.components[0].slip_course, SlipCourse::slides_again);
    EXPECT_EQ(result.report.applications, 1U);
    // Slip to the left: impulse along (mu, 1), until it vanishes; then along (-mu, 1).
    const double stop = 0.3 / (mu * xx + xy);
    const double speed = -1.0 + stop * (mu * xy + yy);
    const double rate = yy - mu * xy;
    const double compressed = stop - speed / rate;
    double p = 1.5 * compressed;
    if (end == RestitutionEnd::stronge) {
      const double work = 0.5 * stop * (-1.0 + speed) + 0.5 * (compressed - stop) * speed;
      p = compressed + std::sqrt(-2.0 * 0.25 * work / rate);
    }
    EXPECT_NEAR(result.impulses[0], p, 8 * kRoundOff);
    EXPECT_NEAR(result.velocities[0], -0.3 + mu * stop - mu * (p - stop), 8 * kRoundOff);
    EXPECT_NEAR(result.velocities[1], -1.0 + p, 8 * kRoundOff);
    EXPECT_LT(result.report.energy, 0.0);
  }
}

TEST(Friction, CollisionLeavesSeveralRowsToTheSecondModel) {
  test::FamilyLimits limits;
  limits.friction = 0.5;
  limits.restitution = 0.6;
  int lone = 0;
  int several = 0;
  for (const std::string model : {"none", "slip", "box"}) {
    ImpactSettings settings = rubbing("collision");
    settings.several_rows_friction = model;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const test::Instance instance = test::random_instance(seed, limits);
      const ImpactResult both = resolve_impacts(instance.problem, settings);
      const ImpactResult second = resolve_impacts(instance.problem, rubbing(model));
      for (const ComponentReport& component : both.report.components) {
        if (component.slip_course != SlipCourse::none) {
          EXPECT_EQ(component.rows.size(), 1U);
          ++lone;
        } else {
          ++several;
          for (const Index row : component.rows) {
            EXPECT_EQ(both.impulses[row], second.impulses[row]) << "seed " << seed;
          }
        }
      }
    }
  }
  EXPECT_GT(lone, 0);
  EXPECT_GT(several, 100);
}

// Two boxes of random mass that meet in one point, or one that meets a moving surface.
ImpactProblem random_lone_collision(std::uint64_t seed) {
  Random random(seed);
  const auto number = [&](double size) { return random.uniform(-size, size); };
  ImpactProblem problem;
  const bool on_surface = random.uniform() < 0.3;
  for (int i = 0; i < (on_surface ? 1 : 2); ++i) {
    BodyDefinition body;
    body.kind = BodyKind::rigid_3d;
    body.mass = std::exp(number(3.0));
    const double long_way = std::exp(number(1.0));
    body.inertia = {body.mass * (0.1 + long_way),
                    0,
                    0,
                    0,
                    body.mass * (0.2 + long_way),
                    0,
                    0,
                    0,
                    body.mass * 0.3};
    body.velocity = {number(1), number(1), i == 0 ? -1.0 : 1.0, number(1), number(1), number(1)};
    body.position = Numbers{number(0.5), number(0.5), i == 0 ? 0.7 : -0.6};
    problem.add_body(body);
  }
  ContactDefinition contact;
  contact.body_a = 0;
  contact.body_b = 1;
  if (on_surface) {
    const Numbers belt = {number(2), number(2), number(0.3)};
    problem.add_scripted({.kind = BodyKind::ball, .velocity = belt});
  }
  contact.normal = {number(0.2), number(0.2), 1.0};
  contact.point = Numbers{0.0, 0.0, 0.0};
  contact.restitution = random.uniform();
  contact.friction = random.uniform(0.0, 1.5);
  problem.add_contact(contact);
  return problem;
}

TEST(Friction, LoneCollisionsKeepWhatIsPromised) {
  int collided = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const ImpactProblem problem = random_lone_collision(seed);
    for (const RestitutionEnd end : {RestitutionEnd::stronge, RestitutionEnd::poisson}) {
      ImpactSettings settings = rubbing("collision");
      settings.restitution_end = end;
      const ImpactResult result = resolve_impacts(problem, settings);
      const ComponentReport& report = result.report.components.at(0);
      if (report.slip_course != SlipCourse::none) ++collided;
      ASSERT_EQ(result.status, ImpactStatus::resolved) << "seed " << seed;
      ASSERT_LE(report.momentum_linear, 16 * kRoundOff) << "seed " << seed;
      ASSERT_LE(report.momentum_angular.value_or(0.0), 64 * kRoundOff) << "seed " << seed;
      ASSERT_EQ(report.one_sided, 0.0) << "seed " << seed;
      ASSERT_LE(report.feasibility, settings.tolerance) << "seed " << seed;
      ASSERT_LE(report.energy, 64 * kRoundOff) << "seed " << seed;
    }
  }
  EXPECT_GT(collided, 4000);
}

TEST(Friction, AWatcherSeesALoneCollisionAsOneApplicationAndMayStopIt) {
  class Watcher final : public ImpactObserver {
   public:
    bool on_application(const Event& event) override {
      ++count;
      impulse = event.impulses.front();
      return false;
    }
    int count = 0;
    double impulse = 0.0;
  };
  Watcher watcher;
  ImpactSettings settings = rubbing("collision");
  settings.observer = &watcher;
  const ImpactResult result = resolve_impacts(rod_on_its_tip(-0.3), settings);
  EXPECT_EQ(result.status, ImpactStatus::cancelled);
  EXPECT_EQ(watcher.count, 1);
  EXPECT_EQ(watcher.impulse, result.impulses[0]);
}

TEST(Friction, NoneMeansNone) {
  const ImpactResult result = resolve_impacts(ball_on_belt(1.0, 0.9, 1.0, 0.0), {});
  EXPECT_EQ(result.velocities[0], 1.0);
}

}  // namespace
}  // namespace carom
