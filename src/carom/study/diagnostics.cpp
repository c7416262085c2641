#include "carom/study/diagnostics.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

struct Column {
  DiagnosticColumn info;
  DiagnosticValue (*value)(const DiagnosticRow&);
};

Column real(const char* name, const char* unit, const char* description,
            DiagnosticValue (*value)(const DiagnosticRow&)) {
  return {{name, ColumnType::real, unit, description}, value};
}

Column integer(const char* name, const char* description,
               DiagnosticValue (*value)(const DiagnosticRow&)) {
  return {{name, ColumnType::integer, "", description}, value};
}

using Row = DiagnosticRow;
using Value = DiagnosticValue;

const std::vector<Column>& columns() {
  static const std::vector<Column> list = {
      real("kinetic", "J", "kinetic energy", [](const Row& r) { return Value(r.kinetic); }),
      real("potential", "J", "potential energy", [](const Row& r) { return Value(r.potential); }),
      real("momentum_x", "kg m/s", "linear momentum",
           [](const Row& r) { return Value(r.momentum.x); }),
      real("momentum_y", "kg m/s", "linear momentum",
           [](const Row& r) { return Value(r.momentum.y); }),
      real("momentum_z", "kg m/s", "linear momentum",
           [](const Row& r) { return Value(r.momentum.z); }),
      real("angular_momentum_x", "kg m^2/s", "angular momentum about the origin",
           [](const Row& r) { return Value(r.angular_momentum.x); }),
      real("angular_momentum_y", "kg m^2/s", "angular momentum about the origin",
           [](const Row& r) { return Value(r.angular_momentum.y); }),
      real("angular_momentum_z", "kg m^2/s", "angular momentum about the origin",
           [](const Row& r) { return Value(r.angular_momentum.z); }),
      real("penetration", "m", "deepest overlap",
           [](const Row& r) { return Value(r.penetration); }),
      real("penetration_relative", "", "deepest overlap in radii of the smaller ball",
           [](const Row& r) { return Value(r.penetration_relative); }),
      real("external_work", "J",
           "work of scripted shapes, and of gravity along periodic axes, in this step",
           [](const Row& r) { return Value(r.external_work); }),
      real("dissipated", "J", "kinetic energy lost to restitution and friction in this step",
           [](const Row& r) { return Value(r.dissipated); }),
      real("lineality_energy", "", "largest relative energy taken by anti-locking in this step",
           [](const Row& r) { return Value(r.lineality_energy); }),
      integer("status",
              "worst outcome of the impact: 0 resolved, 1 still_closing, 2 collapsed, 3 "
              "diverged, 4 budget_exhausted, 5 solver_failed, 6 infeasible",
              [](const Row& r) { return Value(r.status); }),
      integer("rows", "active contact rows", [](const Row& r) { return Value(r.rows); }),
      integer("impulses", "rows that got an impulse",
              [](const Row& r) { return Value(r.impulses); }),
      integer("components", "independent systems among them",
              [](const Row& r) { return Value(r.components); }),
      integer("applications", "applications of the operator, the most of any component",
              [](const Row& r) { return Value(r.applications); }),
      integer("applications_total", "applications of all components",
              [](const Row& r) { return Value(r.applications_total); }),
      integer("substeps", "parts in which the step was taken",
              [](const Row& r) { return Value(r.substeps); }),
      integer("redetections", "rounds that found further rows",
              [](const Row& r) { return Value(r.redetections); }),
      integer("redetect_exhausted", "1 where the budget of those rounds ended first",
              [](const Row& r) { return Value(r.redetect_exhausted); }),
      integer("held_rows", "rows kept from sinking",
              [](const Row& r) { return Value(r.held_rows); }),
      integer("left_out", "open rows left for a later step because they would lock others",
              [](const Row& r) { return Value(r.left_out); }),
      integer("state_hash", "XXH64 of step, positions and velocities",
              [](const Row& r) { return Value(r.state_hash); }),
  };
  return list;
}

// A number that is not one stays: it must not pass for a small one.
double larger(double a, double b) { return b > a || std::isnan(b) ? b : a; }

}  // namespace

DiagnosticRow start_row(const Simulation& simulation, const State& state) {
  DiagnosticRow row;
  row.step = state.step;
  row.time = state.time;
  const Totals sums = totals(simulation, state);
  row.kinetic = sums.kinetic;
  row.potential = sums.potential;
  row.momentum = sums.momentum;
  row.angular_momentum = sums.angular_momentum;
  row.state_hash = state_hash(state);
  return row;
}

DiagnosticRow step_row(const StepReport& report, const State& state) {
  DiagnosticRow row;
  row.step = report.step;
  row.time = report.time;
  row.kinetic = report.totals.kinetic;
  row.potential = report.totals.potential;
  row.momentum = report.totals.momentum;
  row.angular_momentum = report.totals.angular_momentum;
  row.penetration = report.penetration.depth;
  row.penetration_relative = report.penetration.relative;
  row.external_work = report.external_work;
  row.dissipated = report.dissipated;
  row.lineality_energy = report.lineality_energy;
  row.status = static_cast<std::uint64_t>(report.status);
  row.rows = report.rows;
  row.components = report.components;
  row.impulses = report.impulses;
  row.applications = report.applications;
  row.applications_total = report.applications_total;
  row.substeps = report.substeps;
  row.redetections = report.redetections;
  row.redetect_exhausted = report.redetect_exhausted ? 1 : 0;
  row.held_rows = report.held_rows;
  row.left_out = report.left_out;
  row.state_hash = state_hash(state);
  return row;
}

const std::vector<DiagnosticColumn>& diagnostic_columns() {
  static const std::vector<DiagnosticColumn> list = [] {
    std::vector<DiagnosticColumn> infos;
    for (const Column& column : columns()) infos.push_back(column.info);
    return infos;
  }();
  return list;
}

std::vector<DiagnosticValue> diagnostic_values(const DiagnosticRow& row) {
  std::vector<DiagnosticValue> values;
  values.reserve(columns().size());
  for (const Column& column : columns()) values.push_back(column.value(row));
  return values;
}

void RunStatistics::add(const DiagnosticRow& row) {
  if (!started_) first_ = row;
  started_ = true;
  last_ = row;
  work_ += row.external_work;
  dissipated_ += row.dissipated;
  kinetic_most_ = larger(kinetic_most_, row.kinetic);
  energy_off_ = (row.kinetic + row.potential) - (first_.kinetic + first_.potential) - work_;
  energy_off_most_ = larger(energy_off_most_, std::abs(energy_off_));
  momentum_change_ = larger(momentum_change_, norm(row.momentum - first_.momentum));
  penetration_ = std::max(penetration_, row.penetration);
  penetration_relative_ = std::max(penetration_relative_, row.penetration_relative);
  status_ = std::max(status_, row.status);
  if (row.impulses > 0) ++impacts_;
  impulses_ += row.impulses;
  rows_most_ = std::max(rows_most_, row.rows);
  applications_most_ = std::max(applications_most_, row.applications);
  applications_sum_ += static_cast<double>(row.applications);
  redetections_ += row.redetections;
  redetect_exhausted_ += row.redetect_exhausted;
  if (row.substeps > 1) ++halved_;
  if (row.status != 0) ++unresolved_;
}

void RunStatistics::note_status(ImpactStatus status) {
  status_ = std::max(status_, static_cast<std::uint64_t>(status));
  ++unresolved_;
}

double RunStatistics::energy_drift() const {
  if (std::isnan(energy_off_most_)) return energy_off_most_;
  return kinetic_most_ > 0.0 ? energy_off_most_ / kinetic_most_ : 0.0;
}

double RunStatistics::energy_lost() const {
  return kinetic_most_ > 0.0 ? dissipated_ / kinetic_most_ : 0.0;
}

double RunStatistics::energy_change() const {
  return kinetic_most_ > 0.0 ? energy_off_ / kinetic_most_ : 0.0;
}

double RunStatistics::applications_mean() const {
  return impacts_ > 0 ? applications_sum_ / static_cast<double>(impacts_) : 0.0;
}

}  // namespace carom
