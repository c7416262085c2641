// Closed forms and published numbers.

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/impact/resolve.h"

#include "support/impact_families.h"

namespace carom {
namespace {

using test::line_of_balls;

ImpactResult resolve_with(const ImpactProblem& problem, const std::string& impact_operator) {
  ImpactSettings settings;
  settings.impact_operator = impact_operator;
  return resolve_impacts(problem, settings);
}

void expect_velocities(const ImpactResult& result, const std::vector<double>& expected,
                       double tolerance) {
  ASSERT_EQ(result.velocities.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(result.velocities[i], expected[i], tolerance) << "number " << i;
  }
}

TEST(Cradle, BreaksAwayWithEveryOperatorButLcp) {
  const ImpactProblem cradle = line_of_balls({1.0, 0.0, 0.0});
  for (const std::string name : {"jacobi", "gauss_seidel", "gr", "qce"}) {
    const ImpactResult result = resolve_with(cradle, name);
    expect_velocities(result, {0.0, 0.0, 1.0}, 4 * kRoundOff);
    EXPECT_EQ(result.report.applications, 2U) << name;
  }
  // LCP: l = (4/3, 2/3): the second and third ball stick.
  expect_velocities(resolve_with(cradle, "lcp"), {-1.0 / 3, 2.0 / 3, 2.0 / 3}, 4 * kRoundOff);
}

TEST(Lcp, MayLeaveBallsClosing) {
  const ImpactResult result = resolve_with(line_of_balls({1.0, 0.0, 0.6}), "lcp");
  expect_velocities(result, {0.0, 1.0, 0.6}, 4 * kRoundOff);
  EXPECT_EQ(result.status, ImpactStatus::still_closing);
}

TEST(GeneralizedReflections, JumpsWhereAClosingSpeedPassesThroughZero) {
  // (1, d, 0): both rows are violated for d > 0, and GR is LCP; at d = 0 it is the cradle.
  const ImpactResult result = resolve_with(line_of_balls({1.0, 1e-6, 0.0}), "gr");
  expect_velocities(result, {-1.0 / 3, 2.0 / 3, 2.0 / 3}, 2e-6);
}

TEST(QuadraticContactEnergy, ThreeBallsWithTwoVelocities) {
  const ImpactProblem chain = line_of_balls({0.5, 0.0, -1.0});
  expect_velocities(resolve_with(chain, "gr"), {-5.0 / 6, -1.0 / 3, 2.0 / 3}, 8 * kRoundOff);
  // Rows AB, BC with A = [2 -1; -1 2], F = (1/2, 1): slopes a = (0, 3/2). BC ends at s = 2 v/a =
  // 4/3 with P = 4/3; AB, which has been loaded at constant speed -1/2 to E/F = 2/3, goes on with
  // slope 1: x^2/2 - x/2 - 2/3 = 0, x = 1/2 + sqrt(1/4 + 4/3); P_AB = (4/3 + x)/2.
  const double x = 0.5 + std::sqrt(0.25 + 4.0 / 3);
  const double ab = 0.5 * (4.0 / 3 + x);
  expect_velocities(resolve_with(chain, "qce"), {0.5 - ab, ab - 4.0 / 3, 1.0 / 3}, 8 * kRoundOff);
  EXPECT_NEAR(0.5 - ab, -1.045820, 1e-6);
}

TEST(QuadraticContactEnergy, IsContinuousIntoTheCradle) {
  const ImpactResult result = resolve_with(line_of_balls({1.0, 0.0, -1e-7}), "qce");
  expect_velocities(result, {0.0, 0.0, 1.0}, 1e-6);
}

TEST(Lzb, FiveHertzBallsAgreeWithThePublishedCradle) {
  const ImpactResult result = resolve_with(line_of_balls({1.0, 0.0, 0.0, 0.0, 0.0}), "lzb");
  expect_velocities(result, {-0.071, -0.030, -0.014, 0.127, 0.989}, 6e-4);
}

TEST(Lzb, TwoLinearSpringsAgreeWithTheirNormalModes) {
  // Three unit balls, unit springs, velocities (1, 0, 0). With compressions d1, d2:
  //   d1'' = -2 d1 + d2, d2'' = d1 - 2 d2; d1'(0) = 1. Modes d1 +- d2 with frequencies 1, sqrt 3:
  //   d1 = (sin t + sin(w t)/w)/2, d2 = (sin t - sin(w t)/w)/2. d1 opens first, at t1; then
  //   the second spring is alone: d2'' = -2 d2 from (d2, d2')(t1) until it opens.
  const double w = std::sqrt(3.0);
  double low = 1.8;
  double high = 2.6;
  const auto d1 = [&](double t) { return 0.5 * (std::sin(t) + std::sin(w * t) / w); };
  for (int i = 0; i < 200; ++i) {
    const double t = 0.5 * (low + high);
    (d1(t) > 0.0 ? low : high) = t;
  }
  const double t1 = low;
  const double first_speed = -0.5 * (std::cos(t1) + std::cos(w * t1));  // v2 - v1 at t1
  const double d2 = 0.5 * (std::sin(t1) - std::sin(w * t1) / w);
  const double d2_rate = 0.5 * (std::cos(t1) - std::cos(w * t1));         // v2 - v3 ... = d2'
  const double out_speed = std::sqrt(d2_rate * d2_rate + 2.0 * d2 * d2);  // energy of that spring
  // v2 - v1 = first_speed, v2 - v3 = d2_rate, sum 1 gives the velocities at t1.
  const double v2 = (1.0 + first_speed + d2_rate) / 3.0;
  const double v1 = v2 - first_speed;
  const double v3 = v2 - d2_rate;
  const double mean = 0.5 * (v2 + v3);
  const ImpactResult result =
      resolve_with(line_of_balls({1.0, 0.0, 0.0}), "lzb:exponent=1,tolerance=1e-12");
  expect_velocities(result, {v1, mean - 0.5 * out_speed, mean + 0.5 * out_speed}, 1e-9);
}

TEST(Lzb, StiffnessRatiosDecideWhoUnloadsFirst) {
  // A first contact that is infinitely softer than the second behaves as if 2 and 3 were one body.
  ImpactProblem problem;
  for (int i = 0; i < 3; ++i) {
    BodyDefinition body;
    body.velocity = {i == 0 ? 1.0 : 0.0};
    problem.add_body(body);
  }
  for (Index i = 0; i < 2; ++i) {
    ContactDefinition contact;
    contact.body_a = i + 1;
    contact.body_b = i;
    contact.normal = {1.0};
    contact.stiffness = i == 0 ? 1e-6 : 1.0;
    problem.add_contact(contact);
  }
  const ImpactResult result = resolve_with(problem, "lzb:exponent=1");
  expect_velocities(result, {-1.0 / 3, 2.0 / 3, 2.0 / 3}, 3e-3);
}

TEST(Bernoulli, OneBallOnTwoIsSymmetricAndExact) {
  // Ball 0 flies along +x into the gap of two touching-free balls at +-30 degrees; l = 2 / (3/2)
  // per row in the simultaneous operators: n_i = (cos 30, +-1/2), A = [2 1/2; 1/2 2], b = -cos 30.
  ImpactProblem problem;
  BodyDefinition body;
  body.velocity = {1.0, 0.0};
  problem.add_body(body);
  body.velocity = {0.0, 0.0};
  problem.add_body(body);
  problem.add_body(body);
  for (Index i = 1; i <= 2; ++i) {
    ContactDefinition contact;
    contact.body_a = i;
    contact.body_b = 0;
    contact.normal = {std::cos(std::numbers::pi / 6), i == 1 ? 0.5 : -0.5};
    problem.add_contact(contact);
  }
  const double c = std::cos(std::numbers::pi / 6);
  const double l = 2.0 * c / 2.5;
  for (const std::string name : {"lcp", "gr", "qce"}) {
    expect_velocities(resolve_with(problem, name),
                      {1.0 - 2.0 * l * c, 0.0, l * c, 0.5 * l, l * c, -0.5 * l}, 8 * kRoundOff);
  }
  // Gauss-Seidel: the first row alone, then the second sees what is left.
  const double l1 = c;
  const double b2 = -c + l1 * (c * c - 0.25);
  const double l2 = -b2;
  const ImpactResult gs = resolve_with(problem, "gauss_seidel");
  expect_velocities(gs, {1.0 - (l1 + l2) * c, 0.5 * (l2 - l1), l1 * c, 0.5 * l1, l2 * c, -0.5 * l2},
                    8 * kRoundOff);
}

TEST(GaussSeidel, GalperinsBlocksCountTheDigitsOfPi) {
  const std::vector<std::pair<double, std::uint64_t>> cases = {
      {1.0, 3}, {100.0, 31}, {1e4, 314}, {1e6, 3141}};
  for (const auto& [mass, count] : cases) {
    ImpactProblem problem;
    BodyDefinition body;
    body.velocity = {0.0};
    problem.add_body(body);
    body.mass = mass;
    body.velocity = {-1.0};
    problem.add_body(body);
    ContactDefinition contact;
    contact.body_a = 0;
    contact.normal = {1.0};
    problem.add_contact(contact);
    contact.body_a = 1;
    contact.body_b = 0;
    problem.add_contact(contact);
    const ImpactResult result = resolve_with(problem, "gauss_seidel");
    EXPECT_EQ(result.report.applications, count) << "mass ratio " << mass;
    EXPECT_LT(std::abs(result.report.energy), 4 * kRoundOff * static_cast<double>(count + 8));
  }
}

TEST(Cube, DroppedFlatBouncesStraightUpWithGrAndSharesItsImpulse) {
  const ImpactResult result =
      resolve_with(test::cube_on_floor({0.0, 0.0, -1.0, 0.0, 0.0, 0.0}), "gr");
  expect_velocities(result, {0.0, 0.0, 1.0, 0.0, 0.0, 0.0}, 8 * kRoundOff);
  for (const double impulse : result.impulses) EXPECT_NEAR(impulse, 0.5, 8 * kRoundOff);
}

TEST(Rack, FiftyFiveBallBreakIsMirrorSymmetric) {
  const ImpactProblem rack = test::rack_break(10);
  for (const std::string name : {"gr", "qce", "lcp"}) {
    const ImpactResult result = resolve_with(rack, name);
    double error = 0.0;
    for (int level = 0, first = 1; level < 10; first += ++level) {
      for (int j = 0; j <= level; ++j) {
        const auto a = static_cast<Index>(first + j);
        const auto b = static_cast<Index>(first + level - j);
        error = std::max(error, std::abs(result.velocities[2 * a] - result.velocities[2 * b]));
        error =
            std::max(error, std::abs(result.velocities[2 * a + 1] + result.velocities[2 * b + 1]));
      }
    }
    EXPECT_LT(error, 64 * kRoundOff * static_cast<double>(result.report.applications)) << name;
    EXPECT_LT(std::abs(result.report.energy), 1e-14 * 8) << name;
  }
}

}  // namespace
}  // namespace carom
