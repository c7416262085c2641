#include <algorithm>
#include <cmath>

#include "carom/contact/impact_speeds.h"
#include "carom/contact/impact_stage.h"
#include "carom/contact/squeeze.h"
#include "carom/core/long_work.h"
#include "carom/core/stopwatch.h"
#include "carom/core/stretches.h"
#include "carom/stepping/step_column.h"
#include "carom/steps/detail/checkpoint.h"
#include "carom/steps/synchronous.h"

// A step, in one go or in halves.
namespace carom {
namespace {

using detail::kMostHalvings;
constexpr Index kMostForJoining = 6;    // halvings; more parts cost more than joining rows
constexpr std::size_t kFewRows = 1000;  // a cascade of so many is over soon

}  // namespace

// How many rows may join before a step is too long.
std::size_t SynchronousStepper::most_joining() const {
  return may_halve_ ? std::max(first_rows_, kFewRows) : kUnlimited;
}

// Shorter steps bring open rows in touch one after the other where a long one finds them locked.
bool SynchronousStepper::is_too_long() const {
  if (impact_->summary().open_lock) return true;
  return contacts_.size() > first_rows_ && contacts_.size() - first_rows_ > most_joining();
}

// One look that finds half as many says it before more work is done.
bool SynchronousStepper::will_be_too_long() const {
  return may_halve_ && found_.size() > std::max(first_rows_ / 2, kFewRows);
}

// Whether whoever watches long steps has asked for a stop: what an impact has come to then is not
// to be gone on from.
bool SynchronousStepper::leaves_undone(StepReport& report) const {
  LongWork* const work = simulation_->impact.work;
  if (work == nullptr || work->go_on("contacts", contacts_.size())) return false;
  report.status = ImpactStatus::cancelled;
  report.message = "was stopped";
  return true;
}

// One step of step_size_. False: it is too long, and nothing has happened.
bool SynchronousStepper::try_step(StepReport& report) {
  begin_time_ = state_.time;
  copy_stretches(&pool_, state_.velocity, new_velocity_);
  copy_stretches(&pool_, state_.angular_velocity, new_angular_);
  starts_fresh_ = true;
  left_out_.clear();
  waiting_.clear();
  knows_reach_ = false;
  start_over();
  speeds_->begin_step();
  {
    const Stopwatch watch(report.integration);
    predict();
  }
  detect(report);
  looked_at_begin_ = simulation_->detection.redetect;  // otherwise nobody looks again
  first_rows_ = contacts_.size();
  bool knows_speeds = false;
  for (;;) {
    resolve(report);
    if (leaves_undone(report)) return true;
    if (is_too_long()) return false;
    const bool differs = learn_speeds();
    if (impact_->summary().status == ImpactStatus::infeasible) {
      report.status = impact_->summary().status;
      report.message = squeeze_text(impact_->summary().squeezed);
      return true;
    }
    if (impact_->summary().status == ImpactStatus::diverged) {
      report.status = ImpactStatus::diverged;
      report.message = "the operator gains energy without end";
      return true;
    }
    predict_round(report);
    detect_further(report);  // where it finds nothing it measures the penetration, too
    if (found_.empty()) {
      if (differs && !knows_speeds) {
        knows_speeds = true;
        continue;
      }
      if (!hold(report)) break;
      detect_further(report);
      if (found_.empty()) break;
    }
    if (report.redetections == simulation_->detection.redetect_rounds) {
      report.redetect_exhausted = true;
      const Stopwatch watch(report.measurement);
      detector_.measure(motion());
      break;
    }
    if (will_be_too_long()) return false;
    ++report.redetections;
    meet_found();
    if (can_go_on_) go_on();
    join_found();
    if (is_too_long()) return false;
    find_waiting(report);
    last_found_ = found_.size();
  }
  if (leaves_undone(report)) return true;
  finish(report);
  return true;
}

// From where the state is to a time. False: it cannot go on, or a lock stays however short a step.
bool SynchronousStepper::advance(double time, Index halvings, StepReport& report) {
  StepReport part;
  part.step = report.step;
  part.time = time;
  step_size_ = std::ldexp(simulation_->time.step, -static_cast<int>(halvings));
  flight_.change_step(step_size_);
  may_halve_ = can_halve_ && halvings < kMostForJoining;
  impact_->stop_at_open_locks(can_halve_ && halves_locks_);
  if (try_step(part)) {
    merge_part(impact_columns(), part, report);
    most_halvings_ = std::max(most_halvings_, halvings);
    if (notes_impulses_ && time < report.time) add_impulses(earlier_impulses_);
    return part.can_go_on();
  }
  merge_times(part, report);
  if (report.substeps == 0) whole_begin_ = state_;
  lock_stays_ = halvings == kMostHalvings;
  if (lock_stays_) return false;
  const double middle = 0.5 * (state_.time + time);
  return advance(middle, halvings + 1, report) && advance(time, halvings + 1, report);
}

// In parts, each of which may be halved further.
bool SynchronousStepper::advance_in_parts(Index halvings, StepReport& report) {
  earlier_impulses_.clear();
  most_halvings_ = 0;
  lock_stays_ = false;
  if (halvings > 0) whole_begin_ = state_;
  const double begin = state_.time;
  const unsigned parts = 1U << halvings;
  bool goes_on = true;
  for (unsigned k = 1; k <= parts && goes_on; ++k) {
    const double part = static_cast<double>(k) / parts;
    const double time = k < parts ? begin + part * (report.time - begin) : report.time;
    goes_on = advance(time, halvings, report);
  }
  return goes_on;
}

void SynchronousStepper::back_to_begin() {
  state_ = whole_begin_;
  shown_.clear();
  flight_.start(state_.position);
}

StepReport SynchronousStepper::step() {
  constexpr std::uint64_t kHopeful = 4;  // one step in so many begins with longer parts
  StepReport fresh;
  fresh.step = state_.step + 1;
  fresh.time = static_cast<double>(fresh.step) * simulation_->time.step;
  fresh.substeps = 0;
  StepReport report = fresh;
  const bool hopes = state_.halvings > 0 && report.step % kHopeful == 0;
  halves_locks_ = true;
  bool goes_on = advance_in_parts(hopes ? state_.halvings - 1 : state_.halvings, report);
  if (lock_stays_) {  // what is nearly in touch: its rows are left out, or taken for locked
    back_to_begin();
    merge_times(report, fresh);
    report = fresh;
    halves_locks_ = false;
    goes_on = advance_in_parts(0, report);
  }
  if (goes_on) {
    state_.halvings = most_halvings_;
  } else if (report.substeps > 1) {
    back_to_begin();
  }
  return report;
}

}  // namespace carom
