// Rows and columns of a run's diagnostics, and what all rows together amount to.
#include "carom/runs/diagnostics.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

// A number that is not one stays: it must not pass for a small one.
double larger(double a, double b) { return b > a || std::isnan(b) ? b : a; }

}  // namespace

DiagnosticRow start_row(const Simulation& simulation, const Stepper& stepper) {
  const State& state = stepper.state();
  DiagnosticRow row;
  row.report.step = state.step;
  row.report.time = state.time;
  row.report.totals = totals(simulation, stepper);
  row.state_hash = state_hash(state);
  return row;
}

DiagnosticRow step_row(const StepReport& report, const State& state) {
  return {report, state_hash(state)};
}

DiagnosticTable::DiagnosticTable(const SchemeInfo& scheme) : numbers_(state_columns()) {
  numbers_.insert(numbers_.end(), scheme.columns.begin(), scheme.columns.end());
  for (const StepColumn& column : numbers_) {
    columns_.push_back({column.name, column.whole ? ColumnType::integer : ColumnType::real,
                        column.unit, column.description});
  }
  columns_.push_back(
      {"state_hash", ColumnType::integer, "", "XXH64 of step, positions and velocities"});
}

std::vector<DiagnosticValue> DiagnosticTable::values(const DiagnosticRow& row) const {
  std::vector<DiagnosticValue> values;
  values.reserve(columns_.size());
  for (const StepColumn& column : numbers_) values.push_back(column.get(row.report));
  values.emplace_back(row.state_hash);
  return values;
}

void DiagnosticTable::set(std::size_t column, const DiagnosticValue& value,
                          DiagnosticRow& row) const {
  numbers_[column].set(row.report, value);
}

void RunStatistics::add(const DiagnosticRow& row) {
  if (!started_) first_ = row;
  started_ = true;
  last_ = row;
  const StepReport& report = row.report;
  const Totals& start = first_.report.totals;
  energy_.add(report);
  work_ += report.external_work;
  dissipated_ += report.dissipated;
  sums_.external_work = work_;
  sums_.dissipated = dissipated_;
  for (std::size_t k = 0; k < StepReport::kOwnNumbers; ++k) sums_.own[k] += report.own[k];
  kinetic_most_ = larger(kinetic_most_, report.totals.kinetic);
  energy_off_ =
      (report.totals.kinetic + report.totals.potential) - (start.kinetic + start.potential) - work_;
  energy_off_most_ = larger(energy_off_most_, std::abs(energy_off_));
  momentum_change_ = larger(momentum_change_, norm(report.totals.momentum - start.momentum));
  penetration_ = std::max(penetration_, report.penetration.depth);
  if (report.penetration.relative > penetration_relative_) {
    penetration_relative_ = report.penetration.relative;
    penetration_time_ = report.time;
  }
  status_ = std::max(status_, static_cast<std::uint64_t>(report.status));
  if (report.impulses > 0) ++impacts_;
  impulses_ += report.impulses;
  rows_most_ = std::max<std::uint64_t>(rows_most_, report.rows);
  applications_most_ = std::max(applications_most_, report.applications);
  applications_sum_ += static_cast<double>(report.applications);
  redetections_ += report.redetections;
  redetect_exhausted_ += report.redetect_exhausted ? 1 : 0;
  if (report.substeps > 1) ++halved_;
  if (report.status != ImpactStatus::resolved) ++unresolved_;
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
