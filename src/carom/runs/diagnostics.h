#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/recording/recording.h"
#include "carom/runs/energy_ledger.h"
#include "carom/stepping/scheme.h"

namespace carom {

/// One row of a run's diagnostics: what the step did and the state after it. Step 0 is the start.
struct DiagnosticRow {
  StepReport report;
  std::uint64_t state_hash = 0;
};

[[nodiscard]] DiagnosticRow start_row(const Simulation& simulation, const Stepper& stepper);
[[nodiscard]] DiagnosticRow step_row(const StepReport& report, const State& state);

/// The columns that recordings of a scheme have: those of every scheme, its own, and the hash of
/// the state.
class DiagnosticTable {
 public:
  explicit DiagnosticTable(const SchemeInfo& scheme);

  [[nodiscard]] const std::vector<DiagnosticColumn>& columns() const { return columns_; }
  /// A row as its values, in the order of columns().
  [[nodiscard]] std::vector<DiagnosticValue> values(const DiagnosticRow& row) const;
  /// Sets the number of a column, which is not the hash. Its type must be the column's.
  void set(std::size_t column, const DiagnosticValue& value, DiagnosticRow& row) const;

 private:
  std::vector<StepColumn> numbers_;
  std::vector<DiagnosticColumn> columns_;
};

/// What a whole run amounts to, row by row. Rows come in the order of their steps.
class RunStatistics {
 public:
  void add(const DiagnosticRow& row);
  /// The outcome of a step that could not be made.
  void note_status(ImpactStatus status);

  [[nodiscard]] std::uint64_t steps() const { return last_.report.step; }
  [[nodiscard]] double time() const { return last_.report.time; }
  [[nodiscard]] const StepReport& first() const { return first_.report; }
  [[nodiscard]] const StepReport& last() const { return last_.report; }
  /// A number of the whole run: the sum of a column whose parts add up, else its last.
  [[nodiscard]] StepNumber total(const StepColumn& column) const {
    return column.get(column.merge == Merge::sum ? sums_ : last_.report);
  }
  [[nodiscard]] const EnergyLedger& energy() const { return energy_; }
  /// Largest |E - E0 - work of scripted shapes| so far, over the largest kinetic energy so far.
  [[nodiscard]] double energy_drift() const;
  /// E now, without that work, minus E0, over the largest kinetic energy.
  [[nodiscard]] double energy_change() const;
  /// Kinetic energy lost in impacts, over the largest kinetic energy.
  [[nodiscard]] double energy_lost() const;
  /// Largest change of the momentum so far.
  [[nodiscard]] double momentum_change() const { return momentum_change_; }
  [[nodiscard]] double penetration() const { return penetration_; }
  [[nodiscard]] double penetration_relative() const { return penetration_relative_; }
  /// When that was.
  [[nodiscard]] double penetration_time() const { return penetration_time_; }
  [[nodiscard]] ImpactStatus worst_status() const { return static_cast<ImpactStatus>(status_); }
  [[nodiscard]] std::uint64_t impacts() const { return impacts_; }    ///< steps with impulses
  [[nodiscard]] std::uint64_t impulses() const { return impulses_; }  ///< of all steps
  [[nodiscard]] std::uint64_t rows_most() const { return rows_most_; }
  [[nodiscard]] std::uint64_t applications_most() const { return applications_most_; }
  [[nodiscard]] double applications_mean() const;  ///< over those steps
  [[nodiscard]] std::uint64_t redetections() const { return redetections_; }
  [[nodiscard]] std::uint64_t redetect_exhausted() const { return redetect_exhausted_; }
  [[nodiscard]] std::uint64_t halved() const { return halved_; }          ///< steps taken in parts
  [[nodiscard]] std::uint64_t unresolved() const { return unresolved_; }  ///< steps not `resolved`

 private:
  bool started_ = false;
  EnergyLedger energy_;
  StepReport sums_;  ///< of what only one scheme knows, of work and of losses
  DiagnosticRow first_;
  DiagnosticRow last_;
  double work_ = 0.0;
  double kinetic_most_ = 0.0;
  double energy_off_most_ = 0.0;
  double energy_off_ = 0.0;
  double dissipated_ = 0.0;
  double momentum_change_ = 0.0;
  double penetration_ = 0.0;
  double penetration_relative_ = 0.0;
  double penetration_time_ = 0.0;
  double applications_sum_ = 0.0;
  std::uint64_t status_ = 0;
  std::uint64_t impacts_ = 0;
  std::uint64_t impulses_ = 0;
  std::uint64_t rows_most_ = 0;
  std::uint64_t applications_most_ = 0;
  std::uint64_t redetections_ = 0;
  std::uint64_t redetect_exhausted_ = 0;
  std::uint64_t halved_ = 0;
  std::uint64_t unresolved_ = 0;
};

}  // namespace carom
