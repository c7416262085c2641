// A step in one go or, where it is too long for its scene, in halves that may be halved again.
#include "carom/steps/synchronous.h"

#include <algorithm>
#include <cmath>

#include "carom/stepping/step_column.h"
#include "carom/steps/detail/checkpoint.h"

namespace carom {
namespace {

using detail::kMostHalvings;
constexpr Index kMostForJoining = 6;  // halvings; more parts cost more than joining rows
// One step in so many begins with parts twice as long as those of the step before.
constexpr std::uint64_t kStepsToLongerParts = 4;

}  // namespace

SynchronousStepper::SynchronousStepper(const Simulation& simulation)
    : simulation_(&simulation), state_(simulation.start), attempt_(simulation, state_) {}

// From where the state is to the end of a part.
SynchronousStepper::Outcome SynchronousStepper::advance(const Part& part, OpenLocks locks,
                                                        StepReport& report) {
  const bool can_halve = attempt_.may_be_too_long();
  detail::StepAttempt::Task task;
  task.size = std::ldexp(simulation_->time.step, -static_cast<int>(part.halvings));
  task.too_long = {can_halve && part.halvings < kMostForJoining,
                   can_halve && locks == OpenLocks::are_halved};
  task.notes_penetration = notes_penetration();
  StepReport attempted;
  attempted.step = report.step;
  attempted.time = part.end;
  const auto outcome = attempt_.run(task, attempted);
  if (outcome != detail::StepAttempt::Outcome::too_long) {
    merge_part(impact_columns(), attempted, report);
    most_halvings_ = std::max(most_halvings_, part.halvings);
    if (notes_impulses_ && part.end < report.time) attempt_.add_impulses(earlier_impulses_);
    return outcome == detail::StepAttempt::Outcome::arrived ? Outcome::arrived : Outcome::failed;
  }
  merge_times(attempted, report);
  if (report.substeps == 0) whole_begin_ = state_;
  if (part.halvings == kMostHalvings) return Outcome::lock_stays;
  const double middle = 0.5 * (state_.time + part.end);
  const Outcome first = advance({middle, part.halvings + 1}, locks, report);
  return first != Outcome::arrived ? first : advance({part.end, part.halvings + 1}, locks, report);
}

// In equal parts, each of which may be halved further.
SynchronousStepper::Outcome SynchronousStepper::advance_in_parts(Index halvings, OpenLocks locks,
                                                                 StepReport& report) {
  earlier_impulses_.clear();
  most_halvings_ = 0;
  if (halvings > 0) whole_begin_ = state_;
  const double begin = state_.time;
  const unsigned parts = 1U << halvings;
  Outcome outcome = Outcome::arrived;
  for (unsigned k = 1; k <= parts && outcome == Outcome::arrived; ++k) {
    const double part = static_cast<double>(k) / parts;
    const double time = k < parts ? begin + part * (report.time - begin) : report.time;
    outcome = advance({time, halvings}, locks, report);
  }
  return outcome;
}

// As often as the step before was halved, and now and then once less.
Index SynchronousStepper::first_halvings(std::uint64_t step) const {
  const bool tries_longer = state_.halvings > 0 && step % kStepsToLongerParts == 0;
  return tries_longer ? state_.halvings - 1 : state_.halvings;
}

void SynchronousStepper::back_to_begin() {
  state_ = whole_begin_;
  attempt_.back_to_state();
}

StepReport SynchronousStepper::step() {
  StepReport fresh;
  fresh.step = state_.step + 1;
  fresh.time = static_cast<double>(fresh.step) * simulation_->time.step;
  fresh.substeps = 0;
  StepReport report = fresh;
  Outcome outcome = advance_in_parts(first_halvings(report.step), OpenLocks::are_halved, report);
  if (outcome == Outcome::lock_stays) {  // nearly in touch: left out, or taken for locked
    back_to_begin();
    merge_times(report, fresh);
    report = fresh;
    outcome = advance_in_parts(0, OpenLocks::are_left_out, report);
  }
  if (outcome == Outcome::arrived) {
    state_.halvings = most_halvings_;
  } else if (report.substeps > 1) {
    back_to_begin();
  }
  return report;
}

std::vector<ContactImpulse> SynchronousStepper::impulses() const {
  std::vector<ContactImpulse> list = earlier_impulses_;
  attempt_.add_impulses(list);
  return list;
}

ImpactProblem SynchronousStepper::resolved_problem() const { return attempt_.resolved_problem(); }

std::string SynchronousStepper::save() const { return detail::write_checkpoint(state_); }

void SynchronousStepper::load(std::string_view bytes) {
  state_ = detail::read_checkpoint(bytes, *simulation_);
  attempt_.begin_anew();
}

}  // namespace carom
