// The settings of an impact, its components, and its report.
#include "carom/impact/resolve.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/core/worker_pool.h"
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
  if (settings.friction_model == "coulomb") {
    throw InputError({"", 0, 0, "friction_model"},
                     "\"coulomb\" holds bodies at rest through time and is there for time.scheme "
                     "\"steps\"; one instant has slip, box and collision");
  }
  check_choice("several_rows_friction", settings.several_rows_friction,
               several_rows_friction_names());
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

// Fewer rows are resolved in the time that it takes to wake a thread.
constexpr Index kRowsWorthSharing = 32;

// One call of resolve_impacts.
struct Resolution {
  const ImpactProblem& problem;
  const ImpactSettings& settings;
  const std::vector<Component> components;
  ImpactResult& result;

  ComponentReport resolve(std::size_t number, ImpactOperator& impact_operator) const {
    const ComponentSystem system(problem, components[number]);
    ComponentResolver resolver(system, static_cast<Index>(number), impact_operator, settings);
    return resolver.run({result.velocities, result.impulses, result.friction_impulses});
  }

  [[nodiscard]] bool worth_sharing() const {
    return settings.pool != nullptr && settings.pool->size() > 1 && settings.observer == nullptr &&
           components.size() > 1 && problem.row_count() >= kRowsWorthSharing;
  }
};

std::vector<ComponentReport> resolve_in_turn(const Resolution& resolution,
                                             ImpactOperator& impact_operator) {
  std::vector<ComponentReport> reports;
  for (std::size_t number = 0; number < resolution.components.size(); ++number) {
    reports.push_back(resolution.resolve(number, impact_operator));
    if (reports.back().status == ImpactStatus::cancelled) break;
  }
  return reports;
}

// Components share no body and no row, so each writes to places of its own.
std::vector<ComponentReport> resolve_shared(const Resolution& resolution) {
  WorkerPool& pool = *resolution.settings.pool;
  std::vector<std::unique_ptr<ImpactOperator>> operators;
  for (unsigned worker = 0; worker < pool.size(); ++worker) {
    operators.push_back(make_operator(resolution.settings.impact_operator));
  }
  std::vector<ComponentReport> reports(resolution.components.size());
  pool.run(reports.size(), [&](std::size_t number, unsigned worker) {
    reports[number] = resolution.resolve(number, *operators[worker]);
  });
  return reports;
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

std::vector<std::string> friction_model_names() {
  return {"none", "slip", "box", "collision", "coulomb"};
}

std::vector<std::string> several_rows_friction_names() { return {"none", "slip", "box"}; }

const std::string& several_rows_friction(const ImpactSettings& settings) {
  return settings.friction_model == "collision" ? settings.several_rows_friction
                                                : settings.friction_model;
}

ImpactResult resolve_impacts(const ImpactProblem& problem, const ImpactSettings& settings) {
  const auto begin = std::chrono::steady_clock::now();
  const std::unique_ptr<ImpactOperator> impact_operator = make_operator(settings.impact_operator);
  check_settings(settings, impact_operator->info());
  ImpactResult result;
  result.velocities.assign(problem.velocities().begin(), problem.velocities().end());
  result.impulses.assign(problem.row_count(), 0.0);
  result.friction_impulses.assign(2 * static_cast<std::size_t>(problem.row_count()), 0.0);
  const Resolution resolution{problem, settings, find_components(problem), result};
  result.report =
      summarise(resolution.worth_sharing() ? resolve_shared(resolution)
                                           : resolve_in_turn(resolution, *impact_operator));
  result.status = result.report.status;
  result.report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace carom
