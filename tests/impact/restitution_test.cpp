// Restitution models: the papers' formulas, different coefficients in one component, collapse.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/impact/resolve.h"

#include "support/impact_families.h"

namespace carom {
namespace {

using test::line_of_balls;

// A line of equal balls with a coefficient per contact.
ImpactProblem line_with(const std::vector<double>& velocities,
                        const std::vector<double>& coefficients) {
  ImpactProblem problem;
  for (const double v : velocities) {
    BodyDefinition body;
    body.velocity = {v};
    problem.add_body(body);
  }
  for (Index i = 0; i < coefficients.size(); ++i) {
    ContactDefinition contact;
    contact.body_a = i + 1;
    contact.body_b = i;
    contact.normal = {1.0};
    contact.restitution = coefficients[i];
    problem.add_contact(contact);
  }
  return problem;
}

ImpactSettings with(const std::string& impact_operator, const std::string& model = "interpolated") {
  ImpactSettings settings;
  settings.impact_operator = impact_operator;
  settings.restitution_model = model;
  return settings;
}

void expect_velocities(const ImpactResult& result, const std::vector<double>& expected,
                       double tolerance = 8 * kRoundOff) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(result.velocities[i], expected[i], tolerance) << "number " << i;
  }
}

double largest_difference(const ImpactResult& a, const ImpactResult& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.velocities.size(); ++i) {
    largest = std::max(largest, std::abs(a.velocities[i] - b.velocities[i]));
  }
  return largest;
}

TEST(InterpolatedRestitution, BlendsTheElasticAndTheInelasticOutcome) {
  // Cradle of three: elastic (0, 0, 1), inelastic (1/3, 1/3, 1/3).
  for (const double c : {0.0, 0.25, 0.5, 1.0}) {
    const double rest = (1.0 - c) / 3.0;
    expect_velocities(resolve_impacts(line_of_balls({1.0, 0.0, 0.0}, {}, c), with("gr")),
                      {rest, rest, rest + c});
  }
}

TEST(InterpolatedRestitution, ALoneContactHasExactlyItsOwnCoefficient) {
  for (const OperatorInfo& info : operator_registry()) {
    for (const double c : {0.0, 0.3, 0.9, 1.0}) {
      const ImpactResult result =
          resolve_impacts(line_of_balls({1.0, 0.0}, {}, c), with(info.name));
      expect_velocities(result, {0.5 * (1.0 - c), 0.5 * (1.0 + c)},
                        info.name == "lzb" ? 1e-14 : 4 * kRoundOff);
    }
  }
}

TEST(LayeredRestitution, AnElasticAndAPlasticContactActLikeTheBlowsTheyAre) {
  // First elastic: 1 stops, 2 and 3 go on together with what 2 got.
  expect_velocities(resolve_impacts(line_with({1, 0, 0}, {1, 0}), with("gr")), {0.0, 0.5, 0.5});
  // First plastic: 1 and 2 together at 1/2, 2 gives it to 3, 1 catches up with 2: 1/4 each.
  expect_velocities(resolve_impacts(line_with({1, 0, 0}, {0, 1}), with("gr")), {0.25, 0.25, 0.5});
}

TEST(LayeredRestitution, EqualCoefficientsAreThePapersFormula) {
  for (const std::string name : {"gr", "qce", "gauss_seidel"}) {
    const ImpactResult one = resolve_impacts(line_with({1, 0.2, -0.3, -1}, {1, 1, 1}), with(name));
    const ImpactResult zero = resolve_impacts(line_with({1, 0.2, -0.3, -1}, {0, 0, 0}), with(name));
    const ImpactResult c =
        resolve_impacts(line_with({1, 0.2, -0.3, -1}, {0.7, 0.7, 0.7}), with(name));
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(c.velocities[i], 0.7 * one.velocities[i] + 0.3 * zero.velocities[i],
                  8 * kRoundOff);
    }
  }
}

TEST(LayeredRestitution, IsContinuousWhereCoefficientsPassEachOther) {
  constexpr double kStep = 1e-7;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    std::vector<double> v(5);
    for (double& x : v) x = random.normal();
    std::vector<double> c(4);
    for (double& x : c) x = random.uniform() < 0.5 ? 0.5 : random.uniform(0.0, 1.0 - kStep);
    for (const std::string name : {"gr", "qce", "gauss_seidel"}) {
      const ImpactResult here = resolve_impacts(line_with(v, c), with(name));
      for (std::size_t i = 0; i < c.size(); ++i) {
        std::vector<double> moved = c;
        moved[i] += kStep;
        const ImpactResult there = resolve_impacts(line_with(v, moved), with(name));
        // The slope is a difference of two layers' velocities, so at most twice the largest speed.
        EXPECT_LT(largest_difference(here, there), 20.0 * kStep) << name << " seed " << seed;
      }
    }
  }
}

TEST(LayeredRestitution, ZenoLayersAreFinishedInelastically) {
  // A heavy ball keeps hitting a light one that sticks to a heavy third: geometric, without end.
  ImpactProblem problem;
  const std::vector<double> masses = {1e9, 1.0, 1e6};
  for (std::size_t i = 0; i < 3; ++i) {
    BodyDefinition body;
    body.mass = masses[i];
    body.velocity = {i == 0 ? 1.0 : 0.0};
    problem.add_body(body);
  }
  for (Index i = 0; i < 2; ++i) {
    ContactDefinition contact;
    contact.body_a = i + 1;
    contact.body_b = i;
    contact.normal = {1.0};
    contact.restitution = i == 0 ? 1.0 : 0.0;
    problem.add_contact(contact);
  }
  const ImpactResult result = resolve_impacts(problem, with("gr"));
  EXPECT_EQ(result.status, ImpactStatus::resolved);
  EXPECT_EQ(result.report.components[0].layers_finished_inelastically, 1U);
  const double common = 1e9 / (1e9 + 1.0 + 1e6);
  expect_velocities(result, {common, common, common}, 2e-3);
  EXPECT_LE(result.report.energy, kRoundOff);
}

TEST(DirectRestitution, MeetsThePapersFormulaWhereCoefficientsAreEqual) {
  ImpactSettings settings = with("gr");
  settings.mixed_restitution = MixedRestitution::direct;
  expect_velocities(resolve_impacts(line_of_balls({1, 0, 0}, {}, 0.5), settings),
                    {1.0 / 6, 1.0 / 6, 2.0 / 3});
}

TEST(DirectRestitution, IsSafeToo) {
  ImpactSettings settings = with("gr");
  settings.mixed_restitution = MixedRestitution::direct;
  test::FamilyLimits limits;
  limits.restitution = -1.0;
  int clipped = 0;
  for (std::uint64_t seed = 1; seed <= 10000; ++seed) {
    const test::Instance instance = test::random_instance(seed, limits);
    const ImpactResult result = resolve_impacts(instance.problem, settings);
    ASSERT_EQ(result.status, ImpactStatus::resolved) << "seed " << seed;
    for (const ComponentReport& component : result.report.components) {
      clipped += component.energy_clipped ? 1 : 0;
      EXPECT_LE(component.energy, 1e-13 * (10.0 + component.total_impulse)) << "seed " << seed;
      EXPECT_EQ(component.one_sided, 0.0) << "seed " << seed;
    }
  }
  EXPECT_GT(clipped, 0);  // the clip is rare, and these problems reach it
}

TEST(NewtonsRestitution, GainsEnergyWithDifferentCoefficientsInOneComplementarityProblem) {
  // Glocker2013: rows with b = (-1, 0.6), coefficients (1, 0). The first blow closes the second
  // row, which was opening at 0.6; asking it for 0 instead of -0.6 adds (1 - c2) b2 l2 / 2 of
  // energy.
  const ImpactProblem problem = line_with({1.0, 0.0, 0.6}, {1.0, 0.0});
  const ImpactResult newton = resolve_impacts(problem, with("lcp", "propagated"));
  EXPECT_GT(newton.report.energy, 0.01);
  for (const OperatorInfo& info : operator_registry()) {
    const ImpactResult ours = resolve_impacts(problem, with(info.name));
    EXPECT_LE(ours.report.energy, 16 * kRoundOff) << info.name;
  }
}

TEST(QceLcp, FollowsEquation19) {
  // 0 <= l perp A l + b - c N v1 >= 0. Cradle, v1 = (0, 0, 1), N v1 = (0, 1), b = (-1, 0):
  // A = [2 -1; -1 2], right side (-1, -c): l = (2 + c, 1 + 2c)/3.
  const double c = 0.4;
  const double l1 = (2.0 + c) / 3.0;
  const double l2 = (1.0 + 2.0 * c) / 3.0;
  expect_velocities(resolve_impacts(line_of_balls({1, 0, 0}, {}, c), with("qce", "qce_lcp")),
                    {1.0 - l1, l1 - l2, l2});
}

TEST(QceLcp, IsNotInterpolationInGeneralAndNeverGainsEnergy) {
  test::FamilyLimits limits;
  limits.restitution = 0.5;
  double largest = 0.0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const ImpactProblem problem = test::random_instance(seed, limits).problem;
    largest = std::max(largest, largest_difference(resolve_impacts(problem, with("qce", "qce_lcp")),
                                                   resolve_impacts(problem, with("qce"))));
  }
  EXPECT_GT(largest, 1e-2);
  limits.restitution = -1.0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const test::Instance instance = test::random_instance(seed, limits);
    const ImpactResult result = resolve_impacts(instance.problem, with("qce", "qce_lcp"));
    ASSERT_EQ(result.status, ImpactStatus::resolved) << "seed " << seed;
    for (const ComponentReport& component : result.report.components) {
      EXPECT_LE(component.energy, 1e-13 * (10.0 + component.total_impulse)) << "seed " << seed;
    }
  }
}

TEST(PropagatedRestitution, ThreeBallsCollapseBelowSevenMinusFourRootThree) {
  const double threshold = 7.0 - 4.0 * std::sqrt(3.0);  // 0.0718
  for (const double c : {0.0, 0.03, threshold - 0.002}) {
    const ImpactResult result =
        resolve_impacts(line_of_balls({1, 0, 0}, {}, c), with("gauss_seidel", "propagated"));
    EXPECT_TRUE(result.status == ImpactStatus::collapsed ||
                result.status == ImpactStatus::budget_exhausted)
        << c << " " << to_string(result.status);
  }
  for (const double c : {threshold + 0.002, 0.2, 0.9}) {
    const ImpactResult result =
        resolve_impacts(line_of_balls({1, 0, 0}, {}, c), with("gauss_seidel", "propagated"));
    EXPECT_EQ(result.status, ImpactStatus::resolved) << c;
  }
  for (int percent = 0; percent <= 100; ++percent) {
    const double c = 0.01 * percent;
    const ImpactResult result =
        resolve_impacts(line_of_balls({1, 0, 0}, {}, c), with("gauss_seidel"));
    EXPECT_EQ(result.status, ImpactStatus::resolved) << c;
    EXPECT_LE(result.report.applications, 2U);
  }
}

TEST(PropagatedRestitution, ImpactsThatAreFinishedAreNotCalledCollapsed) {
  // A ball that comes to rest in a corner after a few plastic blows; what is left is round-off.
  ImpactProblem corner;
  corner.add_body({.velocity = {1.0, -1.0}});
  corner.add_contact({.body_a = 0, .normal = {-1.0, 0.5}, .restitution = 0.0});
  corner.add_contact({.body_a = 0, .normal = {1.0, 0.2}, .restitution = 0.0});
  EXPECT_EQ(resolve_impacts(corner, with("gr", "propagated")).status, ImpactStatus::resolved);
}

TEST(LayeredRestitution, ASpentBudgetIsSaid) {
  ImpactSettings settings = with("gr");
  settings.max_applications = 1;
  const ImpactResult result =
      resolve_impacts(line_with({1, 0, 0, 0, 0}, {0.9, 0.8, 0.7, 0.6}), settings);
  EXPECT_EQ(result.status, ImpactStatus::budget_exhausted);
}

TEST(PropagatedRestitution, IsRefusedByOperatorsThatCannotCarryACoefficientInside) {
  EXPECT_THROW(static_cast<void>(resolve_impacts(line_of_balls({1, 0}), with("qce", "propagated"))),
               InputError);
}

}  // namespace
}  // namespace carom
