#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/recording/recording.h"
#include "carom/stepping/stepper.h"

namespace carom {

/// One row of a run's diagnostics: the state after a step and what the step did. Step 0 is the
/// start.
struct DiagnosticRow {
  std::uint64_t step = 0;
  double time = 0.0;
  double kinetic = 0.0;
  double potential = 0.0;
  Vec3 momentum;
  Vec3 angular_momentum;
  double penetration = 0.0;           ///< a length
  double penetration_relative = 0.0;  ///< in radii of the smaller ball
  double external_work = 0.0;         ///< of this step
  double dissipated = 0.0;            ///< in this step
  double lineality_energy = 0.0;
  std::uint64_t status = 0;  ///< ImpactStatus as a number
  std::uint64_t rows = 0;
  std::uint64_t components = 0;
  std::uint64_t impulses = 0;
  std::uint64_t applications = 0;
  std::uint64_t applications_total = 0;
  std::uint64_t substeps = 1;
  std::uint64_t redetections = 0;
  std::uint64_t redetect_exhausted = 0;
  std::uint64_t held_rows = 0;
  std::uint64_t left_out = 0;
  std::uint64_t state_hash = 0;
};

[[nodiscard]] DiagnosticRow start_row(const Simulation& simulation, const State& state);
[[nodiscard]] DiagnosticRow step_row(const StepReport& report, const State& state);

/// The columns that a recording of steps has, and a row as its values in that order.
[[nodiscard]] const std::vector<DiagnosticColumn>& diagnostic_columns();
[[nodiscard]] std::vector<DiagnosticValue> diagnostic_values(const DiagnosticRow& row);

/// What a whole run amounts to, row by row. Rows come in the order of their steps.
class RunStatistics {
 public:
  void add(const DiagnosticRow& row);
  /// The outcome of a step that could not be made.
  void note_status(ImpactStatus status);

  [[nodiscard]] std::uint64_t steps() const { return last_.step; }
  [[nodiscard]] double time() const { return last_.time; }
  [[nodiscard]] const DiagnosticRow& first() const { return first_; }
  [[nodiscard]] const DiagnosticRow& last() const { return last_; }
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
