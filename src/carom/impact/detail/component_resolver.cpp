// One component from its rows to its outcome: elastic iteration, restitution, friction, measures.
#include "carom/impact/detail/component_resolver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/impact/detail/explained.h"
#include "carom/impact/detail/friction.h"
#include "carom/impact/detail/lone_collision.h"
#include "carom/impact/detail/momentum.h"
#include "carom/impact/detail/report.h"

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

ComponentResolver::UnlockedWork::UnlockedWork(const ComponentSystem& system,
                                              const UnlockedComponent& unlocked)
    : velocity(unlocked.velocity), lambda(unlocked.row_of.size(), 0.0) {
  for (std::size_t k = 0; k < unlocked.row_of.size(); ++k) {
    const Index row = unlocked.row_of[k];
    all.push_back(static_cast<Index>(k));
    scale.push_back(system.scale[row] * unlocked.stretch[k]);
    restitution.push_back(system.restitution[row]);
    stiffness.push_back(system.stiffness[row]);
  }
}

bool ComponentResolver::any_violated() const {
  return std::any_of(system_.all_rows.begin(), system_.all_rows.end(), [&](Index row) {
    return system_.rows.dot(row, velocity_) - system_.offset[row] < -given_rows_.threshold;
  });
}

ComponentRows ComponentResolver::component_rows() const {
  return {&system_.rows, system_.all_rows, system_.all_blocks, system_.offset, system_.speed_scale};
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
  if (!off && first && !look_for_lineality()) return;
  if (!unlocked_) iterate_given(off || first ? 0 : settings_.anti_locking_after);
  if (locked_ && off) {  // the operator found that no finite impulse exists: a squeeze
    if (look_for_lineality()) report_.status = ImpactStatus::solver_failed;
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
  if (!report_.lineality_checked) static_cast<void>(look_for_lineality());
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
  if (!look_for_lineality() || !unlocked_) return false;
  iterate_unlocked();
  static_cast<void>(jam());
  return true;
}

// False when the component is infeasible.
bool ComponentResolver::look_for_lineality() {
  return look_for_lineality(settings_.lineality_threshold);
}

bool ComponentResolver::look_for_lineality(double rank_threshold) {
  report_.lineality_checked = true;
  Lineality lineality =
      find_lineality(component_rows(), system_.velocity,
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
      if (!report_.lineality_checked) static_cast<void>(look_for_lineality());
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
    const auto energy = [](std::span<const double> v) {
      double sum = 0.0;
      for (const double x : v) sum += x * x;
      return sum;
    };
    const double before = energy(work_.velocity);
    iteration.correct_velocity = [before, energy](std::span<double> v) {
      rescale(v, before, energy(v));
    };
  }
  if (settings_.observer != nullptr) {
    iteration.observer = [this](const IterationEvent& event) { return show(event); };
  }
  note(apply_restitution(
      {&operator_, &loop, &settings_, unlocked_rows(), work_.restitution, std::move(iteration)},
      work_.velocity, work_.lambda));
  if (locked_) report_.status = ImpactStatus::solver_failed;
  leave_unlocked();
}

IterationRows ComponentResolver::unlocked_rows() const {
  return {&unlocked_->rows,  work_.all,       work_.scale,
          unlocked_->offset, work_.stiffness, given_rows_.threshold};
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
  double iterated = 0.0;
  for (std::size_t i = 0; i < work_.velocity.size(); ++i) {
    iterated += 0.5 * (work_.velocity[i] * work_.velocity[i] -
                       unlocked_->velocity[i] * unlocked_->velocity[i]);
  }
  for (std::size_t k = 0; k < work_.lambda.size(); ++k) {
    iterated -= unlocked_->offset[k] * work_.lambda[k];
  }
  energy_removed_ = iterated - (balance() - system_.kinetic_energy(system_.velocity));
}

double ComponentResolver::balance() const {
  double sum = system_.kinetic_energy(velocity_);
  for (const Index row : system_.all_rows) sum -= system_.offset[row] * lambda_[row];
  return sum;
}

void ComponentResolver::rub() {
  if (report_.status != ImpactStatus::resolved) return;
  const bool unlocked = unlocked_ != nullptr;
  FrictionState state{unlocked ? work_.velocity : velocity_, unlocked ? work_.lambda : lambda_, {}};
  const FrictionStatus status = apply_friction(
      {&system_, &settings_, unlocked_.get(), unlocked ? unlocked_rows() : given_rows_, lambda_},
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
  if (!report_.margin) report_.margin = lineality_margin(component_rows());
  const OperatorInfo& info = operator_.info();
  const bool proven =
      info.promise(Law::kin) == Promise::yes && info.promise(Law::fin) == Promise::yes;
  if (moves() || unlocked_ || !proven) return;
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
  // Rows and velocities of the working coordinates, as the problem numbers them.
  const auto given = [this](Index row) { return unlocked_ ? unlocked_->row_of[row] : row; };
  std::vector<Index> violated;
  for (const Index row : event.violated) violated.push_back(system_.row_ids[given(row)]);
  std::sort(violated.begin(), violated.end());
  std::vector<Index> rows;
  std::vector<double> values;
  for (std::size_t k = 0; k < event.impulses->rows.size(); ++k) {
    if (event.impulses->values[k] == 0.0) continue;
    const Index row = event.impulses->rows[k];
    const double scale = unlocked_ ? work_.scale[row] : system_.scale[row];
    rows.push_back(system_.row_ids[given(row)]);
    values.push_back(event.impulses->values[k] * scale * impulse_unit());
  }
  std::vector<double> velocity(event.velocity.begin(), event.velocity.end());
  if (unlocked_) unlocked_->to_velocity(event.velocity, velocity);
  std::vector<double> all(system_.problem->velocities().begin(),
                          system_.problem->velocities().end());
  scatter(velocity, all);
  ImpactObserver::Event told;
  told.component = number_;
  told.application = event.application;
  told.restarted_without_lineality = unlocked_ != nullptr;
  told.violated_rows = violated;
  told.impulse_rows = rows;
  told.impulses = values;
  told.bodies = system_.bodies;
  told.velocities = all;
  return settings_.observer->on_application(told);
}

// Back to the lab. A body whose velocity did not change keeps its bits.
void ComponentResolver::scatter(std::span<const double> velocity, std::span<double> all) const {
  for (Index block = 0; block < system_.bodies.size(); ++block) {
    const Index from = system_.rows.block_dof(block);
    const Index to = system_.problem->body(system_.bodies[block]).dof;
    for (Index k = 0; k < system_.rows.block_size(block); ++k) {
      if (velocity[from + k] == system_.velocity[from + k]) continue;
      all[to + k] = system_.field[from + k] + velocity[from + k] * system_.velocity_unit;
    }
  }
}

// The printed renormalisation; surfaces that move do work, which it would undo.
bool ComponentResolver::renormalises() const {
  return settings_.energy_correction == EnergyCorrection::velocity_renormalisation && !moves();
}

// Whether a surface moves along a normal, as the frame sees it.
bool ComponentResolver::moves() const {
  return std::any_of(system_.offset.begin(), system_.offset.end(),
                     [](double w) { return w != 0.0; });
}

double ComponentResolver::impulse_unit() const { return system_.mass_unit * system_.velocity_unit; }

void ComponentResolver::write(const ResolvedArrays& result) const {
  scatter(velocity_, result.velocities);
  for (Index row = 0; row < system_.row_ids.size(); ++row) {
    const Index id = system_.row_ids[row];
    result.impulses[id] = lambda_[row] * system_.scale[row] * impulse_unit();
    if (tangential_.empty()) continue;
    result.friction_impulses[2 * id] = tangential_[2 * row] * impulse_unit();
    result.friction_impulses[2 * id + 1] = tangential_[2 * row + 1] * impulse_unit();
  }
}

}  // namespace carom
