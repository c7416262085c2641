// The loop over applications of an operator.
#include "carom/impact/iterate.h"

#include <algorithm>
#include <cmath>

#include "carom/core/long_work.h"

namespace carom {
namespace {

// Closing speeds relative to u. A finite sequence of impacts jumps from the first to below the
// second; a collapse passes through what lies between, again and again, and goes on below the
// third.
constexpr double kShrinking = 1e-6;
constexpr double kFinished = 1e-14;
constexpr double kVanished = 1e-28;
constexpr int kOften = 3;

}  // namespace

ImpactLoop::ImpactLoop(const solvers::BlockRows& rows)
    : violated_(rows.row_count()), b_(rows.row_count(), 0.0), block_stamp_(rows.block_count(), 0) {}

void ImpactLoop::look_at(const IterationRows& component, Index row,
                         std::span<const double> velocity) {
  b_[row] = component.rows->dot(row, velocity) - component.offset[row];
  if (b_[row] < -component.threshold) {
    violated_.insert(row);
  } else {
    violated_.erase(row);
  }
}

double ImpactLoop::apply_impulses(const IterationRows& component, std::span<double> velocity,
                                  std::span<double> lambda) {
  double sum = 0.0;
  ++stamp_;
  touched_.clear();
  for (std::size_t k = 0; k < impulses_.rows.size(); ++k) {
    const double impulse = impulses_.values[k];
    if (impulse == 0.0) continue;
    const Index row = impulses_.rows[k];
    lambda[row] += impulse;
    sum += impulse;
    for (const solvers::BlockRows::Entry& entry : component.rows->entries(row)) {
      const std::span<const double> response = component.rows->response(entry);
      bool changed = false;  // an impulse below the round-off of a velocity moves nothing
      for (Index i = 0; i < entry.size; ++i) {
        const double before = velocity[entry.dof + i];
        velocity[entry.dof + i] += response[i] * impulse;
        changed = changed || velocity[entry.dof + i] != before;
      }
      if (!changed || block_stamp_[entry.block] == stamp_) continue;
      block_stamp_[entry.block] = stamp_;
      touched_.push_back(entry.block);
    }
  }
  for (const Index block : touched_) {
    for (const Index row : component.rows->rows_of(block)) look_at(component, row, velocity);
  }
  return sum;
}

double ImpactLoop::largest_violation() const {
  double largest = 0.0;
  for (const Index row : violated_.members()) largest = std::max(largest, -b_[row]);
  return largest;
}

double ImpactLoop::fastest_touched(const IterationRows& component) const {
  double fastest = 0.0;
  for (const Index block : touched_) {
    for (const Index row : component.rows->rows_of(block)) {
      fastest = std::max(fastest, std::abs(b_[row]));
    }
  }
  return fastest;
}

ImpactLoop::Outcome ImpactLoop::run(ImpactOperator& impact_operator, const IterationRows& component,
                                    const IterationSettings& settings,
                                    std::span<const double> response, std::span<double> velocity,
                                    std::span<double> lambda) {
  Outcome outcome;
  violated_.clear();
  if (component.active.empty()) return outcome;
  for (const Index row : component.active) look_at(component, row, velocity);
  impact_operator.start(component.active.front());
  Application application{
      component.rows, component.scale,     component.active,    &violated_,           b_,
      response,       component.stiffness, component.threshold, settings.exact_energy};
  int shrinking = 0;  // applications that saw the closing speeds on their way down
  bool may_be_locked = settings.lineality_after > 0;
  const auto is_locked = [&] {
    const bool ask = may_be_locked && (outcome.applications >= settings.lineality_after ||
                                       outcome.total_impulse > settings.impulse_limit);
    if (ask) may_be_locked = false;
    return ask && settings.is_locked();
  };
  while (!violated_.empty() || outcome.total_impulse > settings.impulse_limit) {
    if (is_locked()) {
      outcome.end = IterationEnd::locked;
      return outcome;
    }
    if (violated_.empty()) return outcome;
    if (outcome.applications > 0 && impact_operator.info().once) {
      outcome.end = IterationEnd::once;
      return outcome;
    }
    if (settings.collapse_scale > 0.0) {
      const double largest = largest_violation() / settings.collapse_scale;
      if (largest > kFinished && largest < kShrinking) ++shrinking;
      if (largest < kVanished) {
        outcome.end = shrinking >= kOften ? IterationEnd::collapsed : IterationEnd::feasible;
        return outcome;
      }
    }
    if (settings.budget > 0 && outcome.applications >= settings.budget) {
      outcome.end = IterationEnd::budget;
      return outcome;
    }
    if (settings.work != nullptr && !settings.work->go_on("applications", outcome.applications)) {
      outcome.end = IterationEnd::cancelled;
      return outcome;
    }
    impulses_.clear();
    const ApplicationStatus status = impact_operator.apply(application, impulses_);
    if (status == ApplicationStatus::locked || status == ApplicationStatus::budget_exhausted) {
      outcome.end =
          status == ApplicationStatus::locked ? IterationEnd::locked : IterationEnd::inner_budget;
      return outcome;
    }
    if (status == ApplicationStatus::solver_failed) outcome.solver_failed = true;
    if (settings.observer) {
      violated_before_.assign(violated_.members().begin(), violated_.members().end());
    }
    outcome.total_impulse += apply_impulses(component, velocity, lambda);
    ++outcome.applications;
    if (status == ApplicationStatus::budget_exhausted) {
      outcome.end = IterationEnd::inner_budget;  // with its best iterate applied
      return outcome;
    }
    if (settings.correct_velocity) {
      settings.correct_velocity(velocity);
      for (const Index row : component.active) look_at(component, row, velocity);
    }
    if (settings.observer &&
        !settings.observer({outcome.applications, violated_before_, &impulses_, velocity})) {
      outcome.end = IterationEnd::cancelled;
      return outcome;
    }
    if (settings.diverged_above < kInfinity &&
        fastest_touched(component) > settings.diverged_above) {
      outcome.end = IterationEnd::diverged;
      return outcome;
    }
    if (touched_.empty()) {
      outcome.end = IterationEnd::stalled;
      if (settings.collapse_scale > 0.0) {
        const bool finished =
            largest_violation() <= kFinished * settings.collapse_scale && shrinking < kOften;
        outcome.end = finished ? IterationEnd::feasible : IterationEnd::collapsed;
      }
      return outcome;
    }
  }
  return outcome;
}

}  // namespace carom
