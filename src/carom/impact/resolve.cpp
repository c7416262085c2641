#include "carom/impact/resolve.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/impact/detail/component_resolver.h"
#include "carom/impact/detail/report.h"
#include "carom/impact/system.h"

namespace carom {
namespace {

void check_choice(const std::string& key, const std::string& value,
                  const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  throw InputError({"", 0, 0, key}, unknown_name_message("name", value, choices));
}

void check_settings(const ImpactSettings& settings, const OperatorInfo& info) {
  check_choice("restitution_model", settings.restitution_model, restitution_model_names());
  check_choice("friction_model", settings.friction_model, friction_model_names());
  const auto check_range = [](const std::string& key, double value, double low, double high) {
    if (value >= low && value <= high) return;
    throw InputError({"", 0, 0, key}, "must be between " + number_text(low) + " and " +
                                          number_text(high) + ", found " + number_text(value));
  };
  check_range("tolerance", settings.tolerance, 1e-14, 1e-2);
  check_range("lineality_threshold", settings.lineality_threshold, 1e-12, 1e-1);
  if (settings.layer_applications < 1) {
    throw InputError({"", 0, 0, "layer_applications"}, "must be at least 1, found 0");
  }
  if (settings.friction_passes < 1) {
    throw InputError({"", 0, 0, "friction_passes"}, "must be at least 1, found 0");
  }
  if (settings.restitution_model == "propagated" && !info.fractional_response) {
    throw InputError({"", 0, 0, "restitution_model"},
                     "'propagated' needs an operator that can bounce with any coefficient inside "
                     "its iteration; " +
                         info.name + " cannot (jacobi, gauss_seidel, lcp and gr can)");
  }
}

}  // namespace

std::string_view to_string(ImpactStatus status) {
  switch (status) {
    case ImpactStatus::resolved:
      return "resolved";
    case ImpactStatus::still_closing:
      return "still_closing";
    case ImpactStatus::collapsed:
      return "collapsed";
    case ImpactStatus::diverged:
      return "diverged";
    case ImpactStatus::budget_exhausted:
      return "budget_exhausted";
    case ImpactStatus::solver_failed:
      return "solver_failed";
    case ImpactStatus::infeasible:
      return "infeasible";
    case ImpactStatus::cancelled:
      return "cancelled";
  }
  return "?";
}

std::vector<std::string> restitution_model_names() {
  return {"interpolated", "propagated", "qce_lcp"};
}

std::vector<std::string> friction_model_names() { return {"none", "slip", "box"}; }

ImpactResult resolve_impacts(const ImpactProblem& problem, const ImpactSettings& settings) {
  const auto begin = std::chrono::steady_clock::now();
  const std::unique_ptr<ImpactOperator> impact_operator = make_operator(settings.impact_operator);
  check_settings(settings, impact_operator->info());
  ImpactResult result;
  result.velocities.assign(problem.velocities().begin(), problem.velocities().end());
  result.impulses.assign(problem.row_count(), 0.0);
  result.friction_impulses.assign(2 * static_cast<std::size_t>(problem.row_count()), 0.0);
  std::vector<ComponentReport> reports;
  for (const Component& component : find_components(problem)) {
    const ComponentSystem system(problem, component);
    ComponentResolver resolver(system, static_cast<Index>(reports.size()), *impact_operator,
                               settings);
    reports.push_back(resolver.run({result.velocities, result.impulses, result.friction_impulses}));
    if (reports.back().status == ImpactStatus::cancelled) break;
  }
  result.report = summarise(std::move(reports));
  result.status = result.report.status;
  result.report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace carom
