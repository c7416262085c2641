// Lineality: margins, implicit equalities, anti-locking, squeezes, certificates.

#include "carom/impact/lineality.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/impact/resolve.h"
#include "carom/impact/system.h"
#include "carom/solvers/quadratic_program.h"

#include "support/impact_families.h"

namespace carom {
namespace {

ImpactProblem ball_between(const std::vector<Numbers>& normals, const Numbers& velocity) {
  ImpactProblem problem;
  BodyDefinition body;
  body.velocity = velocity;
  problem.add_body(body);
  for (const Numbers& normal : normals) {
    ContactDefinition contact;
    contact.body_a = 0;
    contact.normal = normal;
    problem.add_contact(contact);
  }
  return problem;
}

ImpactSettings with(const std::string& impact_operator, AntiLocking anti_locking) {
  ImpactSettings settings;
  settings.impact_operator = impact_operator;
  settings.anti_locking = anti_locking;
  return settings;
}

TEST(Margin, OfAWedgeIsTheSineOfHalfItsAngle) {
  for (const double angle : {1e-9, 1e-6, 1e-3, 0.1, 1.0, 2.0}) {
    // Normals (0, 1) and (sin t, -cos t): they meet at the angle pi - t.
    const ImpactProblem problem =
        ball_between({{0.0, 1.0}, {std::sin(angle), -std::cos(angle)}}, {0.0, -1.0});
    const ComponentSystem system(problem, find_components(problem).front());
    const double margin = lineality_margin(
        {&system.rows, system.all_rows, system.all_blocks, system.offset, system.speed_scale});
    EXPECT_NEAR(margin, std::sin(0.5 * angle), 2 * kRoundOff);
  }
}

TEST(Certificate, BoundsTheApplicationsOfEveryProblem) {
  for (const std::string name : {"gauss_seidel", "gr", "qce"}) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      const test::Instance instance = test::random_instance(seed);
      ImpactSettings settings = with(name, AntiLocking::lazy);
      settings.certificate = true;
      const ImpactResult result = resolve_impacts(instance.problem, settings);
      for (const ComponentReport& component : result.report.components) {
        if (!component.application_bound || component.applications == 0) continue;
        EXPECT_LE(static_cast<double>(component.applications), *component.application_bound);
        EXPECT_LE(component.total_impulse, 2.0 / *component.margin * (1.0 + 1e-9))
            << name << " seed " << seed;
      }
    }
  }
}

class AntiLockingOf : public testing::TestWithParam<std::string> {};

TEST_P(AntiLockingOf, ABallBetweenWallsKeepsItsVerticalVelocity) {
  const ImpactProblem problem = ball_between({{1.0, 0.0}, {-1.0, 0.0}}, {1.0, 0.3});
  for (const AntiLocking how : {AntiLocking::lazy, AntiLocking::eager}) {
    const ImpactResult result = resolve_impacts(problem, with(GetParam(), how));
    EXPECT_EQ(result.status, ImpactStatus::resolved);
    EXPECT_NEAR(result.velocities[0], 0.0, kRoundOff);
    EXPECT_EQ(result.velocities[1], 0.3);
    const ComponentReport& component = result.report.components[0];
    EXPECT_EQ(component.lineality_rows, (std::vector<Index>{0, 1}));
    EXPECT_NEAR(component.lineality_energy, 1.0 / 1.09, 4 * kRoundOff);
    EXPECT_NEAR(component.energy, 0.0, 4 * kRoundOff);
    for (const double impulse : result.impulses) EXPECT_GE(impulse, 0.0);
    EXPECT_NEAR(result.impulses[1] - result.impulses[0], 1.0, 4 * kRoundOff);
  }
}

TEST_P(AntiLockingOf, WithoutItTheBudgetIsUsedUp) {
  if (GetParam() == "lzb") return;  // oscillates inside one application; its own budget ends it
  const ImpactProblem problem = ball_between({{1.0, 0.0}, {-1.0, 0.0}}, {1.0, 0.3});
  const ImpactResult result = resolve_impacts(problem, with(GetParam(), AntiLocking::off));
  EXPECT_EQ(result.status, ImpactStatus::budget_exhausted);
}

TEST_P(AntiLockingOf, LazyAndEagerAgree) {
  for (std::uint64_t seed = 1; seed <= (GetParam() == "lzb" ? 20U : 200U); ++seed) {
    const test::Instance instance = test::random_instance(seed);
    const ImpactResult lazy =
        resolve_impacts(instance.problem, with(GetParam(), AntiLocking::lazy));
    const ImpactResult eager =
        resolve_impacts(instance.problem, with(GetParam(), AntiLocking::eager));
    // Exactly locked components may end feasibly before anybody looks for lineality.
    if (lazy.report.components.size() == 1 &&
        lazy.report.components[0].lineality_rows != eager.report.components[0].lineality_rows) {
      continue;
    }
    for (std::size_t i = 0; i < lazy.velocities.size(); ++i) {
      EXPECT_NEAR(lazy.velocities[i], eager.velocities[i], 1e-9) << "seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, AntiLockingOf,
                         testing::Values("gauss_seidel", "gr", "qce", "lzb"),
                         [](const auto& name) { return name.param; });

// Reference by another route: row i is an implicit equality iff -n_i lies in the cone of the rows,
// that is iff min |N l + n_i| over l >= 0 is 0.
std::set<Index> equalities_by_cones(const ComponentSystem& system) {
  std::set<Index> found;
  for (const Index row : system.all_rows) {
    std::vector<double> c;
    for (const Index other : system.all_rows) c.push_back(system.rows.product(other, row));
    const solvers::QpResult result = solvers::solve_qp({&system.rows, system.all_rows, c});
    std::vector<double> sum(system.rows.dof_count(), 0.0);
    system.rows.apply(row, 1.0, sum);
    for (const Index other : system.all_rows) {
      system.rows.apply(other, result.x[other], sum);
    }
    double square = 0.0;
    for (const double x : sum) square += x * x;
    if (std::sqrt(square) < 1e-8) found.insert(row);
  }
  return found;
}

TEST(ImplicitEqualities, AgreeWithTheConeTestOnExactlyLockedProblems) {
  int locked = 0;
  test::FamilyLimits limits;
  limits.bend_below = 0.0;  // exactly locked, or plainly not
  limits.largest_mass_ratio = 10.0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const test::Instance instance = test::random_instance(seed, limits);
    if (instance.scripted) continue;
    for (const Component& component : find_components(instance.problem)) {
      const ComponentSystem system(instance.problem, component);
      if (!(system.speed_scale > 0.0)) continue;
      const Lineality lineality = find_lineality(
          {&system.rows, system.all_rows, system.all_blocks, system.offset, system.speed_scale},
          system.velocity, {});
      const std::set<Index> expected = equalities_by_cones(system);
      std::set<Index> found;
      if (lineality.unlocked) {
        found.insert(lineality.unlocked->equalities.begin(), lineality.unlocked->equalities.end());
        // Rows that vanish on the complement of E are implied ones as well.
        std::set<Index> kept(lineality.unlocked->row_of.begin(), lineality.unlocked->row_of.end());
        for (const Index row : system.all_rows) {
          if (kept.count(row) == 0) found.insert(row);
        }
        ++locked;
      }
      EXPECT_EQ(found, expected) << "seed " << seed << " " << instance.family;
    }
  }
  EXPECT_GT(locked, 30);
}

TEST(AntiLocking, ShiftsTheImpulsesSoThatTheyPushAndStillExplainTheVelocity) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    test::FamilyLimits limits;
    limits.bend_below = 0.0;
    limits.largest_mass_ratio = 10.0;
    const test::Instance instance = test::random_instance(seed, limits);
    const ImpactResult result = resolve_impacts(instance.problem, with("gr", AntiLocking::eager));
    // v+ = v + M^-1 N l, from the given rows and the returned impulses alone.
    std::vector<double> rebuilt(instance.problem.velocities().begin(),
                                instance.problem.velocities().end());
    double size = 1.0;
    for (Index row = 0; row < instance.problem.row_count(); ++row) {
      const ImpactProblem::Row& r = instance.problem.row(row);
      EXPECT_GE(result.impulses[row], 0.0);
      size += result.impulses[row];
      const auto push = [&](Index body, std::span<const double> gradient) {
        if (body == kNone || instance.problem.body(body).scripted) return;
        const ImpactProblem::Body& b = instance.problem.body(body);
        const std::span<const double> w = instance.problem.inverse_mass(body);
        for (Index k = 0; k < b.size; ++k) {
          for (Index l = 0; l < b.size; ++l) {
            rebuilt[b.dof + k] += w[k * b.size + l] * gradient[l] * result.impulses[row];
          }
        }
      };
      push(r.body_a, instance.problem.gradient_a(row));
      push(r.body_b, instance.problem.gradient_b(row));
    }
    for (std::size_t i = 0; i < rebuilt.size(); ++i) {
      EXPECT_NEAR(rebuilt[i], result.velocities[i], 1e-12 * size)
          << "seed " << seed << " " << instance.family;
    }
  }
}

ImpactProblem ball_between_moving_walls(double left, double right, double restitution = 1.0) {
  ImpactProblem problem;
  BodyDefinition body;
  body.velocity = {0.2, 0.3};
  body.name = "nut";
  problem.add_body(body);
  const Index a = problem.add_scripted({.kind = BodyKind::ball, .velocity = {left, 0.0}});
  const Index b = problem.add_scripted({.kind = BodyKind::ball, .velocity = {right, 0.0}});
  ContactDefinition contact;
  contact.body_a = 0;
  contact.body_b = a;
  contact.restitution = restitution;
  contact.normal = {1.0, 0.0};
  problem.add_contact(contact);
  contact.body_b = b;
  contact.normal = {-1.0, 0.0};
  problem.add_contact(contact);
  return problem;
}

TEST(ScriptedRows, WallsClosingOnABallAreInfeasibleAndNamed) {
  for (const OperatorInfo& info : operator_registry()) {
    for (const double c : {1.0, 0.5}) {
      const ImpactProblem problem = ball_between_moving_walls(1.0, -1.0, c);
      const ImpactResult result = resolve_impacts(problem, with(info.name, AntiLocking::lazy));
      EXPECT_EQ(result.status, ImpactStatus::infeasible) << info.name;
      EXPECT_EQ(result.report.components[0].lineality_rows, (std::vector<Index>{0, 1}));
      EXPECT_EQ(result.velocities[0], 0.2);  // what was there is kept
    }
  }
}

TEST(ScriptedRows, AnOperatorThatFindsTheSqueezeItselfNamesItWithoutAntiLocking) {
  const ImpactResult result =
      resolve_impacts(ball_between_moving_walls(1.0, -1.0), with("gr", AntiLocking::off));
  EXPECT_EQ(result.status, ImpactStatus::infeasible);
  EXPECT_EQ(result.report.applications, 0U);
  EXPECT_EQ(result.report.components[0].lineality_rows, (std::vector<Index>{0, 1}));
  EXPECT_EQ(result.velocities[0], 0.2);
}

TEST(ScriptedRows, WallsMovingTogetherTakeTheBallAlong) {
  for (const std::string name : {"gauss_seidel", "gr", "qce", "lzb"}) {
    const ImpactResult result =
        resolve_impacts(ball_between_moving_walls(-1.5, -1.5), with(name, AntiLocking::lazy));
    EXPECT_EQ(result.status, ImpactStatus::resolved) << name;
    EXPECT_NEAR(result.velocities[0], -1.5, 8 * kRoundOff) << name;
    EXPECT_NEAR(result.velocities[1], 0.3, kRoundOff) << name;
  }
}

TEST(ScriptedRows, WallsThatHardlyOpenKeepTheirLawsAsAnEquality) {
  // Openings below the lineality threshold: taken as locked, to the width of the opening.
  for (const double opening : {1e-12, 1e-9, 1e-7}) {
    for (const std::string name : {"gauss_seidel", "gr", "qce", "lzb"}) {
      const ImpactResult result = resolve_impacts(ball_between_moving_walls(0.5, 0.5 + opening),
                                                  with(name, AntiLocking::lazy));
      EXPECT_EQ(result.status, ImpactStatus::resolved) << name << opening;
      EXPECT_NEAR(result.velocities[0], 0.5, 2.0 * opening + 4 * kRoundOff) << name << opening;
      EXPECT_NEAR(result.report.energy, 0.0, 16 * kRoundOff) << name << opening;
      EXPECT_LE(result.report.feasibility, 1e-10) << name << opening;
    }
  }
}

TEST(AntiLocking, AfterNoApplicationsIsEager) {
  ImpactSettings settings = with("gr", AntiLocking::lazy);
  settings.anti_locking_after = 0;
  const ImpactResult result =
      resolve_impacts(ball_between({{1.0, 0.0}, {-1.0, 0.0}}, {1.0, 0.3}), settings);
  EXPECT_EQ(result.status, ImpactStatus::resolved);
  EXPECT_EQ(result.report.applications, 0U);
}

TEST(ScriptedRows, WallsMovingApartLetItBounceToAnEnd) {
  for (const std::string name : {"gauss_seidel", "gr", "qce"}) {
    const ImpactResult result =
        resolve_impacts(ball_between_moving_walls(-0.1, 0.1), with(name, AntiLocking::lazy));
    EXPECT_EQ(result.status, ImpactStatus::resolved) << name;
    EXPECT_LE(std::abs(result.velocities[0]), 0.1 * (1.0 + 1e-9)) << name;
    EXPECT_NEAR(result.report.energy, 0.0, 1e-14) << name;  // with the work of the walls
  }
}

TEST(WedgeReflections, GaussSeidelNeedsTheExactCount) {
  // Unfolded, a ball between walls at angle t flies straight through copies of the wedge: it ends
  // when its direction lies inside one. Entering along the bisector the count is ceil(pi/t) - 1 or
  // its neighbour; here it is followed exactly with the direction's angle.
  for (const double angle : {0.9, 0.31, 0.05, 0.011}) {
    const double start = std::numbers::pi + 0.4 * angle;  // flying into the corner
    const ImpactProblem problem =
        ball_between({{-std::sin(0.0), 1.0}, {std::sin(angle), -std::cos(angle)}},
                     {std::cos(start), std::sin(start)});
    const ImpactResult result = resolve_impacts(problem, with("gauss_seidel", AntiLocking::lazy));
    // Each reflection lowers the unfolded angle by one copy of the wedge.
    double direction = start;
    std::uint64_t count = 0;
    for (bool floor = std::sin(direction) < 0.0;; floor = !floor) {
      const double speed = floor ? std::sin(direction) : std::sin(angle - direction);
      if (!(speed < 0.0)) break;
      direction = floor ? -direction : 2.0 * angle - direction;
      ++count;
    }
    EXPECT_EQ(result.report.applications, count) << "angle " << angle;
  }
}

}  // namespace
}  // namespace carom
