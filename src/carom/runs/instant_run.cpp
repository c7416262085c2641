// One instant resolved by several operators, its laws and expectations judged.
#include "carom/runs/instant_run.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace carom {
namespace {

bool is_elastic(const ImpactProblem& problem, const ImpactSettings& settings) {
  bool friction = false;
  for (Index i = 0; i < problem.row_count(); ++i) {
    if (problem.row(i).restitution != 1.0) return false;
    friction = friction || problem.row(i).friction > 0.0;
  }
  return !friction || settings.friction_model == "none";
}

LawVerdict judge_momentum(const ImpactReport& report, double bound) {
  LawVerdict verdict{Law::mom};
  verdict.judged = std::any_of(report.components.begin(), report.components.end(),
                               [](const ComponentReport& c) { return c.free; });
  verdict.residual = std::max(report.momentum_linear, report.momentum_angular.value_or(0.0));
  verdict.bound = bound;
  verdict.held = verdict.residual <= bound;
  return verdict;
}

}  // namespace

std::vector<LawVerdict> judge_laws(const ImpactProblem& problem, const ImpactSettings& settings,
                                   const ImpactResult& result) {
  const ImpactReport& report = result.report;
  const double bound = 100.0 * kRoundOff * (10.0 + static_cast<double>(report.applications));
  std::vector<LawVerdict> verdicts;
  verdicts.push_back(
      {Law::one, Promise::no, true, report.one_sided <= bound, report.one_sided, bound});
  verdicts.push_back(judge_momentum(report, bound));
  const double gain = is_elastic(problem, settings) ? std::abs(report.energy) : report.energy;
  verdicts.push_back({Law::kin, Promise::no, true, gain <= bound, report.energy, bound});
  // The closing passes of restitution and friction may leave a row a little above the threshold.
  const double feasible = 2.0 * settings.tolerance;
  verdicts.push_back(
      {Law::feas, Promise::no, true, report.feasibility <= feasible, report.feasibility, feasible});
  const bool ended =
      result.status == ImpactStatus::resolved || result.status == ImpactStatus::still_closing;
  verdicts.push_back(
      {Law::fin, Promise::no, true, ended, static_cast<double>(report.applications), 0.0});
  // Velocities are sums of impulses, so their round-off grows with what was exchanged.
  double impulses = 1.0;
  for (const ComponentReport& component : report.components) {
    impulses = std::max(impulses, component.total_impulse);
  }
  verdicts.push_back({Law::imp, Promise::no, true, report.unexplained <= bound * impulses,
                      report.unexplained, bound * impulses});
  const OperatorInfo& info = make_operator(settings.impact_operator)->info();
  for (LawVerdict& verdict : verdicts) verdict.promise = info.promise(verdict.law);
  return verdicts;
}

std::vector<Claim> judge_expectation(const Expectation& expectation, const ImpactProblem& problem,
                                     const ImpactSettings& settings, const ImpactResult& result) {
  std::vector<Claim> claims;
  const ImpactReport& report = result.report;
  if (expectation.status) {
    claims.push_back(claim_true(fmt::format("status {} (expected {})", to_string(result.status),
                                            to_string(*expectation.status)),
                                result.status == *expectation.status));
  }
  const auto applications = static_cast<double>(report.applications);
  if (expectation.applications) {
    const auto expected = static_cast<double>(*expectation.applications);
    claims.push_back(claim_equal("applications", applications, expected, 0.0));
  }
  if (expectation.applications_at_most) {
    claims.push_back(claim_at_most("applications", applications,
                                   static_cast<double>(*expectation.applications_at_most)));
  }
  if (expectation.lineality_rows) {
    std::size_t rows = 0;
    for (const ComponentReport& component : report.components)
      rows += component.lineality_rows.size();
    claims.push_back(claim_equal("rows found locked", static_cast<double>(rows),
                                 static_cast<double>(*expectation.lineality_rows), 0.0));
  }
  if (expectation.energy) {
    claims.push_back(
        claim_at_least("relative energy change", report.energy, expectation.energy->first));
    claims.push_back(
        claim_at_most("relative energy change", report.energy, expectation.energy->second));
  }
  for (const LawVerdict& verdict : judge_laws(problem, settings, result)) {
    if (std::find(expectation.laws.begin(), expectation.laws.end(), verdict.law) ==
        expectation.laws.end()) {
      continue;
    }
    claims.push_back(claim_true(
        fmt::format("{} holds (residual {:.2g})", to_string(verdict.law), verdict.residual),
        verdict.held));
  }
  for (const Expectation::Velocity& velocity : expectation.velocities) {
    const std::span<const double> found = result.velocity(problem, velocity.body);
    for (std::size_t k = 0; k < found.size(); ++k) {
      claims.push_back(
          claim_equal(fmt::format("velocity of {}[{}]", problem.body(velocity.body).name, k),
                      found[k], velocity.value[k], expectation.tolerance));
    }
  }
  for (const Expectation::Impulse& impulse : expectation.impulses) {
    claims.push_back(claim_equal(fmt::format("impulse of {}", problem.row(impulse.row).name),
                                 result.impulses[impulse.row], impulse.value,
                                 expectation.tolerance));
  }
  return claims;
}

InstantRun run_instant(const Instant& instant, const ImpactSettings& settings) {
  InstantRun run;
  run.impact_operator = settings.impact_operator;
  run.result = resolve_impacts(instant.problem, settings);
  run.laws = judge_laws(instant.problem, settings, run.result);
  const auto listed =
      std::find(instant.operators.begin(), instant.operators.end(), run.impact_operator);
  if (listed != instant.operators.end()) {
    const auto k = static_cast<std::size_t>(listed - instant.operators.begin());
    run.claims = judge_expectation(instant.expectations[k], instant.problem, settings, run.result);
  }
  return run;
}

}  // namespace carom
