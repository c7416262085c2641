// The numbers that steps report, each with its name, its place and how parts merge.
#include "carom/stepping/step_column.h"

#include <algorithm>

namespace carom {
namespace {

StepNumber merged(Merge merge, const StepNumber& whole, const StepNumber& part) {
  return std::visit(
      [&](const auto& more) {
        const auto before = std::get<std::decay_t<decltype(more)>>(whole);
        switch (merge) {
          case Merge::sum:
            return StepNumber(before + more);
          case Merge::maximum:
            return StepNumber(std::max(before, more));
          case Merge::last:
            break;
        }
        return StepNumber(more);
      },
      part);
}

std::vector<StepColumn> make_state_columns() {
  return {
      step_column(
          {"kinetic", "J", "kinetic energy"}, Merge::last,
          [](auto& r) -> auto& { return r.totals.kinetic; }),
      step_column(
          {"potential", "J", "potential energy"}, Merge::last,
          [](auto& r) -> auto& { return r.totals.potential; }),
      step_column(
          {"momentum_x", "kg m/s", "linear momentum"}, Merge::last,
          [](auto& r) -> auto& { return r.totals.momentum.x; }),
      step_column(
          {"momentum_y", "kg m/s", "linear momentum"}, Merge::last,
          [](auto& r) -> auto& { return r.totals.momentum.y; }),
      step_column(
          {"momentum_z", "kg m/s", "linear momentum"}, Merge::last,
          [](auto& r) -> auto& { return r.totals.momentum.z; }),
      step_column(
          {"angular_momentum_x", "kg m^2/s", "angular momentum about the origin"}, Merge::last,
          [](auto& r) -> auto& { return r.totals.angular_momentum.x; }),
      step_column(
          {"angular_momentum_y", "kg m^2/s", "angular momentum about the origin"}, Merge::last,
          [](auto& r) -> auto& { return r.totals.angular_momentum.y; }),
      step_column(
          {"angular_momentum_z", "kg m^2/s", "angular momentum about the origin"}, Merge::last,
          [](auto& r) -> auto& { return r.totals.angular_momentum.z; }),
  };
}

std::vector<StepColumn> make_impact_columns() {
  return {
      step_column(
          {"penetration", "m", "deepest overlap"}, Merge::last,
          [](auto& r) -> auto& { return r.penetration.depth; }),
      step_column(
          {"penetration_relative", "", "deepest overlap in radii of the smaller ball"}, Merge::last,
          [](auto& r) -> auto& { return r.penetration.relative; }),
      step_column(
          {"external_work", "J",
           "work of scripted shapes, and of gravity along periodic axes, in this step"},
          Merge::sum, [](auto& r) -> auto& { return r.external_work; }),
      step_column(
          {"dissipated", "J", "kinetic energy lost to restitution and friction in this step"},
          Merge::sum, [](auto& r) -> auto& { return r.dissipated; }),
      step_column(
          {"lineality_energy", "", "largest relative energy taken by anti-locking in this step"},
          Merge::maximum, [](auto& r) -> auto& { return r.lineality_energy; }),
      step_column(
          {"status", "",
           "worst outcome of the impact: 0 resolved, 1 still_closing, 2 collapsed, 3 "
           "diverged, 4 budget_exhausted, 5 solver_failed, 6 infeasible"},
          Merge::maximum, [](auto& r) -> auto& { return r.status; }),
      step_column(
          {"rows", "", "active contact rows"}, Merge::maximum,
          [](auto& r) -> auto& { return r.rows; }),
      step_column(
          {"impulses", "", "rows that got an impulse"}, Merge::sum,
          [](auto& r) -> auto& { return r.impulses; }),
      step_column(
          {"components", "", "independent systems among them"}, Merge::maximum,
          [](auto& r) -> auto& { return r.components; }),
      step_column(
          {"applications", "", "applications of the operator, the most of any component"},
          Merge::sum, [](auto& r) -> auto& { return r.applications; }),
      step_column(
          {"applications_total", "", "applications of all components"}, Merge::sum,
          [](auto& r) -> auto& { return r.applications_total; }),
      step_column(
          {"substeps", "", "parts in which the step was taken"}, Merge::sum,
          [](auto& r) -> auto& { return r.substeps; }),
      step_column(
          {"redetections", "", "rounds that found further rows"}, Merge::sum,
          [](auto& r) -> auto& { return r.redetections; }),
      step_column(
          {"redetect_exhausted", "", "1 where the budget of those rounds ended first"},
          Merge::maximum, [](auto& r) -> auto& { return r.redetect_exhausted; }),
      step_column(
          {"held_rows", "", "rows kept from sinking"}, Merge::sum,
          [](auto& r) -> auto& { return r.held_rows; }),
      step_column(
          {"left_out", "", "open rows left for a later step because they would lock others"},
          Merge::sum, [](auto& r) -> auto& { return r.left_out; }),
  };
}

}  // namespace

const std::vector<StepColumn>& state_columns() {
  static const std::vector<StepColumn> columns = make_state_columns();
  return columns;
}

const std::vector<StepColumn>& impact_columns() {
  static const std::vector<StepColumn> columns = make_impact_columns();
  return columns;
}

void merge_times(const StepReport& part, StepReport& whole) {
  whole.integration += part.integration;
  whole.detection += part.detection;
  whole.impact += part.impact;
  whole.measurement += part.measurement;
  whole.solvers += part.solvers;
}

void merge_part(const std::vector<StepColumn>& columns, const StepReport& part, StepReport& whole) {
  merge_times(part, whole);
  whole.message = part.message;
  whole.totals = part.totals;
  whole.largest_part = std::max(whole.largest_part, part.largest_part);
  for (const StepColumn& column : columns) {
    column.set(whole, merged(column.merge, column.get(whole), column.get(part)));
  }
}

}  // namespace carom
