// One component from its rows to its outcome: elastic iteration, restitution, friction, measures.
#include "carom/impact/detail/component_resolver.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "carom/impact/detail/explained.h"
#include "carom/impact/detail/friction.h"
#include "carom/impact/detail/lone_collision.h"
#include "carom/impact/detail/momentum.h"
#include "carom/impact/detail/report.h"
#include "carom/impact/detail/show_application.h"

namespace carom {
namespace {

// For operators without FIN, and for restitution inside the iteration, where nothing proves an end.
constexpr std::uint64_t kBudgetWithoutProof = 10'000;

// Speeds this many times the scale of the component are no impact any more.
constexpr double kDiverged = 1e8;

// Speeds this far below the scale of the component are round-off of the programs solved on the way.
constexpr double kUnexplained = 1e-14;

// Directions shorter than this cannot leave a row closing by more than the smallest tolerance.
constexpr double kJamRank = 1e-12;

void rescale(std::span<double> v, double before, double now) {
  if (!(now > 0.0)) return;
  const double factor = std::sqrt(before / now);
  for (double& x : v) x *= factor;
}

double square_of(std::span<const double> v) {
  return std::inner_product(v.begin(), v.end(), v.begin(), 0.0);
}

ComponentRows rows_of(const ComponentSystem& system) {
  return {&system.rows, system.all_rows, system.all_blocks, system.offset, system.speed_scale};
}

}  // namespace

ComponentResolver::ComponentResolver(const ComponentSystem& system, Index number,
                                     ImpactOperator& impact_operator,
                                     const ImpactSettings& settings)
    : system_(system),
      number_(number),
      operator_(impact_operator),
      settings_(settings),
      velocity_(system.velocity),
      lambda_(system.row_ids.size(), 0.0),
      given_rows_{&system.rows,  system.all_rows,  system.scale,
                  system.offset, system.stiffness, settings.tolerance * system.speed_scale} {
  // To show a collapse the sign of a closing speed must count, however small it is.
  if (settings.restitution_model == "propagated") given_rows_.threshold = 0.0;
  report_.bodies = system.bodies;
  report_.rows = system.row_ids;
}

ComponentReport ComponentResolver::run(const ResolvedArrays& result) {
  if (any_violated() && is_lone_collision(system_, settings_)) {
    resolve_lone();
  } else if (any_violated()) {
    resolve_normal();
    static_cast<void>(jam());
    if (several_rows_friction(settings_) != "none") resolve_with_friction();
    if (unlocked_ && report_.status == ImpactStatus::resolved) close_gaps();
  }
  if (settings_.certificate) certify();
  if (unlocked_ && report_.status != ImpactStatus::infeasible) account_for_lineality();
  restore_momentum(system_, tangential_, velocity_);
  measure_laws(system_, {velocity_, lambda_, tangential_, energy_removed_}, report_);
  conclude();
  write(result);
  return std::move(report_);
}

// One contact, followed through its collision; for whoever watches it is one application.
void ComponentResolver::resolve_lone() {
  LoneCollision lone = resolve_lone_collision(system_, settings_);
  velocity_ = std::move(lone.velocity);
  lambda_.front() = lone.lambda;
  tangential_ = std::move(lone.tangential);
  report_.applications = 1;
  report_.slip_course = lone.outcome.course;
  report_.closes_faster = lone.outcome.closes_faster;
  if (settings_.observer == nullptr) return;
  const Impulses impulses{system_.all_rows, lambda_};
  if (!show({1, system_.all_rows, &impulses, velocity_})) {
    report_.status = ImpactStatus::cancelled;
  }
}

void ComponentResolver::resolve_with_friction() {
  rub();
  if (unlock_after_friction() || jam()) {
    rub();
    if (jam()) rub();
  }
}

bool ComponentResolver::any_violated() const {
  return std::any_of(system_.all_rows.begin(), system_.all_rows.end(), [&](Index row) {
    return system_.rows.dot(row, velocity_) - system_.offset[row] < -given_rows_.threshold;
  });
}

std::uint64_t ComponentResolver::budget() const {
  if (settings_.max_applications > 0) return settings_.max_applications;
  const bool proven = operator_.info().promise(Law::fin) == Promise::yes &&
                      settings_.restitution_model != "propagated" &&
                      settings_.anti_locking != AntiLocking::off;
  return proven ? 0 : kBudgetWithoutProof;
}

void ComponentResolver::resolve_normal() {
  const bool off = settings_.anti_locking == AntiLocking::off;
  const bool first = settings_.anti_locking == AntiLocking::eager ||
                     settings_.anti_locking_after == 0 || operator_.info().whole_impact;
  if (!off && first && !look_for_lineality(settings_.lineality_threshold)) return;
  if (!unlocked_) iterate_given(off || first ? 0 : settings_.anti_locking_after);
  if (locked_ && off) {  // the operator found that no finite impulse exists: a squeeze
    if (look_for_lineality(settings_.lineality_threshold))
      report_.status = ImpactStatus::solver_failed;
    unlocked_.reset();
    return;
  }
  if (!locked_) {
    if (unlocked_) iterate_unlocked();
    return;
  }
  // Again from the first velocity, on rows without lineality.
  velocity_ = system_.velocity;
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  if (!report_.lineality_checked)
    static_cast<void>(look_for_lineality(settings_.lineality_threshold));
  if (report_.status == ImpactStatus::infeasible) return;
  if (unlocked_) {
    iterate_unlocked();
  } else {  // strictly feasible, and yet the operator found no end
    report_.status = ImpactStatus::solver_failed;
  }
}

// Near-locks may leave rows closing by up to the threshold; then the near-lock is taken as a jam.
// Returns whether it did.
bool ComponentResolver::jam() {
  if (!unlocked_ || report_.status != ImpactStatus::resolved) return false;
  if (!any_violated()) return false;
  if (!look_for_lineality(kJamRank) || !unlocked_) return false;
  report_.lineality_rows.clear();
  iterate_unlocked();
  return true;
}

// Friction can press a near-lock that the normal impulses did not feel; its closing pass then needs
// impulses beyond all bounds. Starts again from the first velocity; returns whether it did.
bool ComponentResolver::unlock_after_friction() {
  if (unlocked_ || report_.lineality_checked || report_.status != ImpactStatus::resolved ||
      settings_.anti_locking == AntiLocking::off || !any_violated()) {
    return false;
  }
  if (!look_for_lineality(settings_.lineality_threshold) || !unlocked_) return false;
  iterate_unlocked();
  static_cast<void>(jam());
  return true;
}

// False when the component is infeasible.
bool ComponentResolver::look_for_lineality(double rank_threshold) {
  report_.lineality_checked = true;
  Lineality lineality =
      find_lineality(rows_of(system_), system_.velocity,
                     {settings_.lineality_threshold, rank_threshold, settings_.work});
  if (lineality.status == LinealityStatus::stopped) {
    report_.status = ImpactStatus::cancelled;
    return false;
  }
  if (!report_.margin) report_.margin = lineality.margin;
  if (lineality.status == LinealityStatus::infeasible) {
    report_.status = ImpactStatus::infeasible;
    for (const Index row : lineality.contradiction) {
      report_.lineality_rows.push_back(system_.row_ids[row]);
    }
    return false;
  }
  unlocked_ = std::move(lineality.unlocked);
  return true;
}

IterationSettings ComponentResolver::iteration_settings(std::uint64_t lineality_after) {
  IterationSettings iteration;
  iteration.budget = budget();
  iteration.work = settings_.work;
  iteration.lineality_after = lineality_after;
  if (lineality_after > 0) {
    // Without lineality the impulses add up to at most 2 |v|_M / rho.
    const double speed = std::sqrt(2.0 * system_.kinetic_energy(system_.velocity));
    iteration.impulse_limit =
        2.0 * std::max(speed, system_.speed_scale) / settings_.lineality_threshold;
    iteration.is_locked = [this] {
      if (!report_.lineality_checked)
        static_cast<void>(look_for_lineality(settings_.lineality_threshold));
      return unlocked_ != nullptr || report_.status == ImpactStatus::infeasible;
    };
  }
  if (settings_.restitution_model == "propagated") {
    iteration.collapse_scale = system_.speed_scale;
  }
  if (operator_.info().promise(Law::kin) != Promise::yes) {
    iteration.diverged_above = kDiverged * system_.speed_scale;
  }
  iteration.exact_energy = settings_.energy_correction == EnergyCorrection::impulse_scaling;
  return iteration;
}

void ComponentResolver::iterate_given(std::uint64_t lineality_after) {
  ImpactLoop loop(system_.rows);
  IterationSettings iteration = iteration_settings(lineality_after);
  if (renormalises()) {
    const double before = system_.kinetic_energy(system_.velocity);
    iteration.correct_velocity = [this, before](std::span<double> v) {
      rescale(v, before, system_.kinetic_energy(v));
    };
  }
  if (settings_.observer != nullptr) {
    iteration.observer = [this](const IterationEvent& event) { return show(event); };
  }
  note(apply_restitution(
      {&operator_, &loop, &settings_, given_rows_, system_.restitution, std::move(iteration)},
      velocity_, lambda_));
}

void ComponentResolver::iterate_unlocked() {
  const UnlockedComponent& unlocked = *unlocked_;
  for (const Index row : unlocked.equalities) {
    report_.lineality_rows.push_back(system_.row_ids[row]);
  }
  work_ = UnlockedWork(system_, unlocked);
  tangential_.clear();
  ImpactLoop loop(unlocked.rows);
  IterationSettings iteration = iteration_settings(0);
  if (renormalises()) {
    const double before = square_of(work_.velocity);
    iteration.correct_velocity = [before](std::span<double> v) {
      rescale(v, before, square_of(v));
    };
  }
  if (settings_.observer != nullptr) {
    iteration.observer = [this](const IterationEvent& event) { return show(event); };
  }
  note(
      apply_restitution({&operator_, &loop, &settings_, work_.rows(unlocked, given_rows_.threshold),
                         work_.restitution, std::move(iteration)},
                        work_.velocity, work_.lambda));
  if (locked_) report_.status = ImpactStatus::solver_failed;
  leave_unlocked();
}

// Velocity and impulses back to the given rows. What the impulses cannot explain, because rows were
// taken for locked that are only nearly so, is taken out of the velocity.
void ComponentResolver::leave_unlocked() {
  unlocked_->to_velocity(work_.velocity, velocity_);
  system_.restore_momentum(velocity_);
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  for (std::size_t k = 0; k < unlocked_->row_of.size(); ++k) {
    lambda_[unlocked_->row_of[k]] = unlocked_->stretch[k] * work_.lambda[k];
  }
  explain_by_equalities(system_, unlocked_->equalities, velocity_, tangential_, lambda_);
  const ComponentImpulses impulses{lambda_, tangential_};
  if (unexplained_speed(system_, impulses, velocity_) <= kUnexplained * system_.speed_scale) return;
  const std::vector<double> change = velocity_change(system_, impulses);
  for (std::size_t k = 0; k < change.size(); ++k) velocity_[k] = system_.velocity[k] + change[k];
}

// Whatever is left: the least-energy feasible velocity.
void ComponentResolver::close_gaps() {
  if (!any_violated()) return;
  note(apply_inelastic(given_rows_, velocity_, lambda_));
}

// What anti-locking took: the balance of the given rows less that of the iteration without
// equalities. KIN is judged by the latter.
void ComponentResolver::account_for_lineality() {
  const double gained =
      system_.balance(velocity_, lambda_) - system_.kinetic_energy(system_.velocity);
  energy_removed_ = work_.gained(*unlocked_) - gained;
}

void ComponentResolver::rub() {
  if (report_.status != ImpactStatus::resolved) return;
  const bool unlocked = unlocked_ != nullptr;
  FrictionState state{unlocked ? work_.velocity : velocity_, unlocked ? work_.lambda : lambda_, {}};
  const FrictionStatus status = apply_friction(
      {&system_, &settings_, unlocked_.get(),
       unlocked ? work_.rows(*unlocked_, given_rows_.threshold) : given_rows_, lambda_},
      state);
  tangential_ = std::move(state.tangential);
  report_.friction_fell_back = state.fell_back;
  if (unlocked) {
    work_.velocity = std::move(state.velocity);
    work_.lambda = std::move(state.lambda);
    leave_unlocked();
  } else {
    velocity_ = std::move(state.velocity);
    lambda_ = std::move(state.lambda);
  }
  if (status == FrictionStatus::solver_failed) solver_failed_ = true;
  if (status == FrictionStatus::infeasible) report_.status = ImpactStatus::infeasible;
}

void ComponentResolver::note(const RestitutionOutcome& outcome) {
  report_.applications += outcome.applications;
  report_.layers = outcome.layers;
  report_.layers_finished_inelastically = outcome.layers_finished_inelastically;
  report_.energy_clipped = report_.energy_clipped || outcome.energy_clipped;
  solver_failed_ = solver_failed_ || outcome.solver_failed;
  locked_ = outcome.infeasible || outcome.end == IterationEnd::locked;
  switch (outcome.end) {
    case IterationEnd::feasible:
    case IterationEnd::once:
      break;
    case IterationEnd::budget:
    case IterationEnd::inner_budget:
      report_.status = ImpactStatus::budget_exhausted;
      break;
    case IterationEnd::locked:
      break;
    case IterationEnd::diverged:
      report_.status = ImpactStatus::diverged;
      break;
    case IterationEnd::collapsed:
      report_.status = ImpactStatus::collapsed;
      break;
    case IterationEnd::stalled:
      solver_failed_ = true;
      break;
    case IterationEnd::cancelled:
      report_.status = ImpactStatus::cancelled;
      break;
  }
}

void ComponentResolver::note(solvers::QpStatus status) {
  if (status == solvers::QpStatus::solved) return;
  if (status == solvers::QpStatus::unbounded) {
    report_.status = ImpactStatus::infeasible;
  } else {
    solver_failed_ = true;
  }
}

void ComponentResolver::certify() {
  if (!(system_.speed_scale > 0.0)) return;
  if (!report_.margin) report_.margin = lineality_margin(rows_of(system_));
  const OperatorInfo& info = operator_.info();
  const bool proven =
      info.promise(Law::kin) == Promise::yes && info.promise(Law::fin) == Promise::yes;
  if (system_.some_surface_moves() || unlocked_ || !proven) return;
  const double speed = std::sqrt(2.0 * system_.kinetic_energy(system_.velocity));
  report_.application_bound =
      application_bound(*report_.margin, speed, info.least_impulse * given_rows_.threshold);
}

void ComponentResolver::conclude() {
  if (report_.status == ImpactStatus::resolved && solver_failed_) {
    report_.status = ImpactStatus::solver_failed;
  }
  if (report_.status == ImpactStatus::resolved && report_.feasibility > 2.0 * settings_.tolerance) {
    report_.status = ImpactStatus::still_closing;
  }
}

bool ComponentResolver::show(const IterationEvent& event) {
  return show_application({&system_, &settings_, number_, unlocked_.get(), &work_}, event);
}

// The printed renormalisation; surfaces that move do work, which it would undo.
bool ComponentResolver::renormalises() const {
  return settings_.energy_correction == EnergyCorrection::velocity_renormalisation &&
         !system_.some_surface_moves();
}

void ComponentResolver::write(const ResolvedArrays& result) const {
  system_.write(velocity_, result.velocities);
  for (Index row = 0; row < system_.row_ids.size(); ++row) {
    const Index id = system_.row_ids[row];
    result.impulses[id] = lambda_[row] * system_.scale[row] * system_.impulse_unit();
    if (tangential_.empty()) continue;
    result.friction_impulses[2 * id] = tangential_[2 * row] * system_.impulse_unit();
    result.friction_impulses[2 * id + 1] = tangential_[2 * row + 1] * system_.impulse_unit();
  }
}

}  // namespace carom
