#include "carom/steps/synchronous.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/bodies/periods.h"
#include "carom/contact/exact_symmetry.h"
#include "carom/contact/impact_speeds.h"
#include "carom/contact/impact_stage.h"
#include "carom/contact/squeeze.h"
#include "carom/core/error.h"
#include "carom/core/merge_tail.h"
#include "carom/core/stopwatch.h"
#include "carom/core/stretches.h"
#include "carom/steps/detail/hold.h"
#include "carom/steps/detail/symmetry_search.h"

namespace carom {
namespace {

// What gravity makes of a pair at rest within one step if one of the two is held. Rows that near
// would join one layer of a pile after the other.
double resting_reach(const Simulation& simulation) {
  constexpr double kSafety = 2.3;
  constexpr double kFarthest = 0.1;  // in radii: beyond it nothing is nearly in touch
  if (!simulation.detection.redetect) return 0.0;
  const double step = simulation.time.step;
  double reach = kSafety * step * step * norm(simulation.forces.gravity);
  for (Index i = 0; i < simulation.world.bodies.size(); ++i) {
    reach = std::min(reach, kFarthest * simulation.world.bodies.extent(i));
  }
  return reach;
}

// Whether an impact with more rows may go on from the outcome of one with fewer: the operator says
// so (OperatorInfo::may_go_on), and nothing is lost on the way.
bool goes_on_with_more_rows(const Simulation& simulation) {
  if (!find_operator(simulation.impact.impact_operator)->may_go_on) return false;
  const bool rubs = simulation.impact.friction_model != "none";
  const MaterialTable& materials = simulation.world.materials;
  for (Index a = 0; a < materials.size(); ++a) {
    for (Index b = 0; b <= a; ++b) {
      const PairCoefficients pair = materials.coefficients(a, b);
      if (pair.restitution != 1.0 || (rubs && pair.friction > 0.0)) return false;
    }
  }
  return true;
}

// Beyond this squares overflow soon, and the impact library refuses.
bool within_bounds(const std::vector<Vec3>& vectors, WorkerPool& pool) {
  constexpr double kLargest = 1e100;
  const int stretches_beyond =
      sum_over_stretches<int>(&pool, vectors.size(), [&](const Stretch& stretch) {
        bool all = true;  // without a way out: what is sought for is hardly ever there
        for (std::size_t i = stretch.first; i < stretch.last; ++i) {
          const Vec3& v = vectors[i];
          all &=
              (std::abs(v.x) < kLargest) & (std::abs(v.y) < kLargest) & (std::abs(v.z) < kLargest);
        }
        return all ? 0 : 1;
      });
  return stretches_beyond == 0;
}

}  // namespace

SynchronousStepper::SynchronousStepper(const Simulation& simulation)
    : simulation_(&simulation),
      pool_(simulation.threads),
      detector_(simulation.world, simulation.detection, &pool_, resting_reach(simulation)),
      symmetry_(
          simulation.symmetry == "exact"
              ? std::make_unique<ExactSymmetry>(simulation.world, detail::find_symmetry(simulation))
              : nullptr),
      impact_(std::make_unique<ImpactStage>(impact_scene(simulation), pool_, symmetry_.get())),
      speeds_(
          std::make_unique<ImpactSpeeds>(simulation.world, impact_->assembler(), symmetry_.get())),
      flight_(simulation.forces, simulation.world.bodies, simulation.world.periodicity,
              simulation.time.step),
      shown_(simulation.world),
      state_(simulation.start),
      step_size_(simulation.time.step),
      can_go_on_(goes_on_with_more_rows(simulation)),
      new_velocity_(simulation.world.bodies.size()),
      end_(simulation.world.bodies.size()),
      end_orientation_(state_.orientation) {
  if (simulation.world.bodies.any_turns()) {
    end_turning_.resize(simulation.world.bodies.size());
    moments_.resize(simulation.world.bodies.size());
    for (Index i = 0; i < moments_.size(); ++i) {
      if (simulation.world.bodies.turns(i)) moments_[i] = simulation.world.bodies.moments(i);
    }
  }
  can_halve_ = simulation.detection.redetect && simulation.detection.halve && lets_rows_wait();
  if (symmetry_) symmetry_->make_exact(state_);
  flight_.share_out(pool_);
  flight_.start(state_.position);
}

SynchronousStepper::~SynchronousStepper() = default;

StepMotion SynchronousStepper::motion() const {
  return {state_.time, step_size_, state_.position, end_, state_.orientation, end_orientation_};
}

const Periodicity* SynchronousStepper::periodicity() const {
  return simulation_->world.periodicity.any() ? &simulation_->world.periodicity : nullptr;
}

ImpactMoment SynchronousStepper::moment() const {
  return {state_.time,     step_size_,         state_.position,
          state_.velocity, state_.orientation, state_.angular_velocity,
          places_,         periodicity()};
}

ImpactMoment SynchronousStepper::moment_of_round() const {
  ImpactMoment result = moment();
  if (went_on_) {
    result.velocity = round_velocity_;
    result.angular_velocity = round_angular_;
  }
  return result;
}

void SynchronousStepper::predict() {
  knows_moved_ = false;
  flight_.positions(state_.position, new_velocity_, end_);  // (1), (4)
  if (symmetry_) symmetry_->complete_positions(state_.position, end_);
  if (impact_->points() == nullptr) turn();
}

void SynchronousStepper::turn() {
  const double step = step_size_;
  for (Index i = 0; i < end_turning_.size(); ++i) {
    if (!simulation_->world.bodies.turns(i)) continue;
    const Turning start = {state_.orientation[i], new_angular_[i]};
    end_turning_[i] = simulation_->world.dimension == 2
                          ? free_rotation_2d(start, step)
                          : free_rotation(moments_[i], start, step, simulation_->time.rotation);
    end_orientation_[i] = end_turning_[i].orientation;
  }
}

void SynchronousStepper::find_places() {
  if (end_turning_.empty()) return;
  places_.clear();
  for (const Contact& contact : contacts_) places_.push_back(detector_.place(motion(), contact));
}

void SynchronousStepper::detect(StepReport& report) {
  const Stopwatch watch(report.detection);
  detector_.detect(motion(), contacts_);  // (2)
}

void SynchronousStepper::resolve_once(StepReport& report) {
  const Stopwatch watch(report.impact);
  if (!starts_fresh_) {
    copy_stretches(&pool_, state_.velocity, new_velocity_);
    copy_stretches(&pool_, state_.angular_velocity, new_angular_);
  }
  starts_fresh_ = false;
  if (!went_on_) report.held_rows = 0;
  impact_->arrange(contacts_);
  find_places();
  ImpactMoment before = moment_of_round();
  if (impact_->points() != nullptr) {  // the same numbers, where the new ones go: half the memory
    before.velocity = new_velocity_;
    before.angular_velocity = new_angular_;
  }
  if (speeds_->are_needed()) before.restitution = speeds_->restitution(contacts_, before);
  const ImpactStage::Velocities velocities{&new_velocity_, &new_angular_};
  if (waiting_.empty()) {
    impact_->resolve(contacts_, before, velocities);  // (3)
  } else {
    ImpactStage::Wakes wakes;
    wakes.ask = [this](const Contact& contact, const Vec3& a, const Vec3& b) {
      return this->wakes(contact, a, b);
    };
    if (most_joining() != kUnlimited) {
      wakes.most = static_cast<Index>(first_rows_ + most_joining() - contacts_.size());
    }
    wakes.least_speed = [this](const Contact& contact) { return waking_speed(contact); };
    impact_->resolve(contacts_, waiting_, wakes, before, velocities);  // (3)
    find_places();
  }
  report.solvers += impact_->summary().seconds;
}

// Whether anything moves otherwise than before. Only asked for once the impact has all its rows:
// what it holds is done again with every row that joins.
bool SynchronousStepper::hold(StepReport& report) {
  const Stopwatch watch(report.impact);
  // Holding is paid for with what the impact lost.
  if (contacts_.empty() || !simulation_->detection.hold || impact_->summary().lossless) {
    return false;
  }
  detector_.update_end(motion(), contacts_);
  ImpactMoment after = moment();
  after.velocity = new_velocity_;
  after.angular_velocity = new_angular_;
  const detail::HoldInput input{contacts_,
                                moment(),
                                after,
                                impact_->impulses(),
                                impact_->friction(),
                                &simulation_->world.bodies,
                                &impact_->settings()};
  ContactAssembler& assembler = impact_->assembler();
  if (detail::opening_speeds(input, assembler, opening_speed_) == 0) return false;
  const detail::HoldResult held =
      detail::hold_rows(input, opening_speed_, {&assembler, impact_->points()});
  report.held_rows = held.rows;
  if (held.changes.empty()) return false;
  for (const detail::HoldResult::Change& change : held.changes) {
    new_velocity_[change.body] = change.velocity;
    if (simulation_->world.bodies.turns(change.body)) {
      new_angular_[change.body] = change.angular_velocity;
    }
  }
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    impact_->impulses()[k] += held.impulses[k];
    impact_->friction()[k] += held.friction[k];
  }
  impact_->make_symmetric(contacts_, new_velocity_);
  predict();
  return true;
}

void SynchronousStepper::measure_impact(StepReport& report) {
  const BodySet& bodies = simulation_->world.bodies;
  report.rows = static_cast<Index>(contacts_.size());
  report.left_out = static_cast<Index>(left_out_.size());
  const ImpactStage::Summary& summary = impact_->summary();
  const std::vector<double>& impulses = impact_->impulses();
  report.components = summary.components;
  report.status = summary.status;
  report.applications = summary.applications;
  report.applications_total = summary.applications_total;
  report.lineality_energy = summary.lineality_energy;
  report.largest_part = summary.largest_part;
  report.impulses = static_cast<Index>(
      std::count_if(impulses.begin(), impulses.end(), [](double p) { return p > 0.0; }));
  const auto loss = sum_over_stretches<double>(&pool_, bodies.size(), [&](const Stretch& stretch) {
    double part = 0.0;
    for (auto i = static_cast<Index>(stretch.first); i < stretch.last; ++i) {
      if (new_velocity_[i] != state_.velocity[i]) {
        const Vec3 change = new_velocity_[i] - state_.velocity[i];
        part -= 0.5 * bodies.mass[i] * dot(change, new_velocity_[i] + state_.velocity[i]);
      }
      if (!bodies.turns(i) || new_angular_[i] == state_.angular_velocity[i]) continue;
      const Mat3 inertia = world_inertia(bodies, i, state_.orientation[i]);
      const Vec3 turned = new_angular_[i] - state_.angular_velocity[i];
      part -= 0.5 * dot(turned, inertia * (new_angular_[i] + state_.angular_velocity[i]));
    }
    return part;
  });
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& contact = contacts_[k];
    if (contact.body_b != kNone) continue;
    const Vec3 surface = impact_->assembler().surface_velocity(contact, k, moment());
    report.external_work += dot(surface, impulses[k] * contact.normal + impact_->friction()[k]);
  }
  report.dissipated = loss + report.external_work;
}

std::vector<ContactImpulse> SynchronousStepper::impulses() const {
  std::vector<ContactImpulse> list = earlier_impulses_;
  add_impulses(list);
  return list;
}

// Those of the last part of the step.
void SynchronousStepper::add_impulses(std::vector<ContactImpulse>& list) const {
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const double normal = impact_->impulses()[k];
    const Vec3 tangential = impact_->friction()[k];
    if (normal == 0.0 && tangential == Vec3{}) continue;
    const Contact& contact = contacts_[k];
    // After a step `end_` holds the place where it began.
    const Vec3 point = !places_.empty()
                           ? places_[k]
                           : end_[contact.body_a] -
                                 simulation_->world.bodies.radius[contact.body_a] * contact.normal;
    list.push_back({contact, normal, tangential, point, state_.time});
  }
}

ImpactProblem SynchronousStepper::resolved_problem() const {
  // After a step `end_` and `new_velocity_` hold what it began with.
  ContactAssembler assembler(simulation_->world);
  assembler.assemble(contacts_,
                     {begin_time_, step_size_, end_, new_velocity_, end_orientation_, new_angular_,
                      places_, periodicity(), speeds_->last()},
                     {true, {}});
  return assembler.problem();
}

// Gravity along a periodic axis has no potential there: what it does is work from outside.
double SynchronousStepper::work_along_periods() const {
  const Vec3 along = along_periods(simulation_->world.periodicity, simulation_->forces.gravity);
  if (along == Vec3{}) return 0.0;
  double work = 0.0;
  for (Index i = 0; i < simulation_->world.bodies.size(); ++i) {
    work += simulation_->world.bodies.mass[i] * dot(along, end_[i] - state_.position[i]);
  }
  return work;
}

void SynchronousStepper::finish(StepReport& report) {
  measure_impact(report);
  const bool is_measured = simulation_->detection.redetect || notes_penetration();
  report.penetration = is_measured ? detector_.penetration() : Penetration::unknown();
  const Stopwatch watch(report.integration);
  report.external_work += work_along_periods();
  if (simulation_->world.periodicity.any()) {
    for (Vec3& q : end_) q = wrapped(simulation_->world.periodicity, q);
    if (symmetry_) symmetry_->complete_positions(state_.position, end_);
  }
  shown_.find({state_.velocity, new_velocity_, state_.angular_velocity, new_angular_}, flight_);
  flight_.velocities(end_, new_velocity_);  // (4)
  report.external_work += flight_.work();
  if (impact_->points() != nullptr) turn();  // no look of this step had to know
  if (symmetry_) symmetry_->complete_velocities(new_velocity_);
  if (!within_bounds(end_, pool_) || !within_bounds(new_velocity_, pool_) ||
      !within_bounds(new_angular_, pool_)) {
    report.status = ImpactStatus::diverged;
    report.message = simulation_->forces.functions.empty()
                         ? "velocities grew without bound"
                         : "velocities grew without bound, or a force is not finite";
    shown_.clear();
    flight_.start(state_.position);
    return;
  }
  for (Index i = 0; i < end_turning_.size(); ++i) {
    if (simulation_->world.bodies.turns(i)) {
      std::swap(state_.orientation[i], end_orientation_[i]);
      new_angular_[i] = end_turning_[i].angular_velocity;
    }
  }
  state_.position.swap(end_);
  state_.velocity.swap(new_velocity_);
  state_.angular_velocity.swap(new_angular_);
  state_.step = report.step;
  state_.time = report.time;
  shown_.finish(state_);
  report.totals = shown_.shown(totals(*simulation_, state_, &pool_));
}

std::optional<Totals> SynchronousStepper::own_totals() const {
  return shown_.shown(totals(*simulation_, state_));
}

}  // namespace carom
