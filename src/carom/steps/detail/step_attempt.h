#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "carom/contact/exact_symmetry.h"
#include "carom/contact/impact_stage.h"
#include "carom/core/worker_pool.h"
#include "carom/stepping/stepper.h"
#include "carom/steps/detail/impact_rounds.h"
#include "carom/steps/detail/step_path.h"

namespace carom::detail {

/// An attempt at a step of one size: it arrives, or finds that the step is too long for its scene.
///
///        +----------------- rows were found -- join <----------+---------+
///        v                                                     |         |
///     impact --> look --------------- nothing found --> hold --+--> finish --> arrived
///        ^         |                                      (it moved rows, and these meet others)
///        +---------+  once: restitution would be another, now that the speeds are known
///
/// From impact and join it may leave as too long, from every stage but join as failed.
class StepAttempt {
 public:
  /// `state` is where attempts begin, and where one that arrives leaves it. Both must outlive this.
  StepAttempt(const Simulation& simulation, State& state);
  ~StepAttempt() = default;
  StepAttempt(const StepAttempt&) = delete;
  StepAttempt& operator=(const StepAttempt&) = delete;

  enum class Outcome : std::uint8_t {
    arrived,
    too_long,  ///< nothing has happened
    failed     ///< neither, and the report says why the run cannot go on
  };
  /// A step of this size. What it came to goes into the report, whose step and time are those of
  /// its end.
  struct Task {
    double size = 0.0;  ///< h, s
    TooLong too_long;
    bool notes_penetration = true;
  };
  [[nodiscard]] Outcome run(const Task& task, StepReport& report);

  /// Whether steps are worth being halved: rows that join could wait in shorter ones.
  [[nodiscard]] bool may_be_too_long() const;
  /// The state was set back to where an attempt began.
  void back_to_state() { path_.stand(); }
  /// The state is another: nothing is known of a step before it.
  void begin_anew();
  /// What is shown of the velocities at the end of the last step.
  [[nodiscard]] const ShownVelocities& shown() const { return path_.shown(); }
  /// What the contacts of the last step did is added.
  void add_impulses(std::vector<ContactImpulse>& list) const;
  /// The impact of the last step as a problem.
  [[nodiscard]] ImpactProblem resolved_problem() const;

 private:
  enum class Stage : std::uint8_t { impact, look, hold, join, finish, arrived, too_long, failed };
  /// What is known of how fast rows closed, where restitution falls with that.
  enum class Speeds : std::uint8_t { as_assumed, differ, learnt };

  [[nodiscard]] Stage advance(Stage stage, const Task& task, StepReport& report);
  [[nodiscard]] Stage resolve(StepReport& report);
  [[nodiscard]] Stage look(const Task& task, StepReport& report);
  [[nodiscard]] Stage hold(const Task& task, StepReport& report);
  [[nodiscard]] Stage join(StepReport& report);
  [[nodiscard]] Stage finish(const Task& task, StepReport& report);
  [[nodiscard]] bool finds_further(const Task& task, StepReport& report);
  [[nodiscard]] bool hold_rows(StepReport& report);
  [[nodiscard]] bool was_stopped(StepReport& report) const;
  void measure_impact(StepReport& report);
  [[nodiscard]] double lost_energy();

  const Simulation* simulation_;
  State* state_;
  WorkerPool pool_;
  std::unique_ptr<ExactSymmetry> symmetry_;  ///< to be kept; none: no such wish
  ImpactStage impact_;
  StepPath path_;
  ImpactRounds rounds_;
  Speeds speeds_ = Speeds::as_assumed;
  std::vector<double> opening_speed_;
};

}  // namespace carom::detail
