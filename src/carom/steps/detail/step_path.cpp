// Where bodies go in a step of one size: predictions, what of them a look has seen, and arrival.
#include "carom/steps/detail/step_path.h"

#include <cmath>

#include "carom/bodies/periods.h"
#include "carom/core/stretches.h"

namespace carom::detail {
namespace {

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

StepPath::StepPath(const Simulation& simulation, State& state, WorkerPool& pool)
    : simulation_(&simulation),
      state_(&state),
      pool_(&pool),
      flight_(simulation.forces, simulation.world.bodies, simulation.world.periodicity,
              simulation.time.step),
      shown_(simulation.world),
      step_size_(simulation.time.step),
      velocity_(simulation.world.bodies.size()),
      end_(simulation.world.bodies.size()) {
  const BodySet& bodies = simulation.world.bodies;
  if (!bodies.any_turns()) return;
  end_turning_.resize(bodies.size());
  moments_.resize(bodies.size());
  for (Index i = 0; i < moments_.size(); ++i) {
    if (bodies.turns(i)) moments_[i] = bodies.moments(i);
  }
}

void StepPath::set_up(const ExactSymmetry* symmetry, Turning turning) {
  symmetry_ = symmetry;
  turning_ = turning;
  if (symmetry_ != nullptr) symmetry_->make_exact(*state_);
  flight_.share_out(*pool_);
  stand();
}

void StepPath::stand() {
  shown_.clear();
  end_orientation_ = state_->orientation;
  flight_.start(state_->position);
}

void StepPath::begin(double step_size) {
  step_size_ = step_size;
  begin_time_ = state_->time;
  flight_.change_step(step_size);
  begin_round_again();
}

const Periodicity* StepPath::periodicity() const {
  return simulation_->world.periodicity.any() ? &simulation_->world.periodicity : nullptr;
}

StepMotion StepPath::motion() const {
  return {state_->time, step_size_, state_->position, end_, state_->orientation, end_orientation_};
}

ImpactMoment StepPath::before(std::span<const Vec3> places) const {
  return {state_->time,     step_size_,          state_->position,
          state_->velocity, state_->orientation, state_->angular_velocity,
          places,           periodicity()};
}

ImpactMoment StepPath::before_round(std::span<const Vec3> places) const {
  ImpactMoment moment = before(places);
  if (round_begin_ == RoundBegin::last_round) {
    moment.velocity = round_velocity_;
    moment.angular_velocity = round_angular_;
  }
  return moment;
}

ImpactMoment StepPath::after(std::span<const Vec3> places) const {
  ImpactMoment moment = before(places);
  moment.velocity = velocity_;
  moment.angular_velocity = angular_;
  return moment;
}

void StepPath::begin_round_again() {
  copy_stretches(pool_, state_->velocity, velocity_);
  copy_stretches(pool_, state_->angular_velocity, angular_);
  round_begin_ = RoundBegin::step;
  ends_ = Ends::unseen;
}

std::size_t StepPath::begin_round_from_here() {
  const bool knows_moved = ends_ == Ends::moved_since;
  if (knows_moved && round_begin_ == RoundBegin::last_round) {
    for (const Index i : moved_) round_velocity_[i] = velocity_[i];
  } else {
    copy_stretches(pool_, velocity_, round_velocity_);
  }
  copy_stretches(pool_, angular_, round_angular_);
  round_begin_ = RoundBegin::last_round;
  ends_ = Ends::of_round_begin;
  return knows_moved ? moved_.size() : velocity_.size();
}

void StepPath::predict() {
  ends_ = Ends::unseen;
  flight_.positions(state_->position, velocity_, end_);  // (1), (4)
  if (symmetry_ != nullptr) symmetry_->complete_positions(state_->position, end_);
  if (turning_ == Turning::for_each_look) turn();
}

void StepPath::predict_round() {
  const bool all_turn = turning_ == Turning::for_each_look;
  if (ends_ != Ends::of_round_begin || symmetry_ != nullptr || all_turn) {
    predict();
    return;
  }
  const std::vector<Vec3>& before =
      round_begin_ == RoundBegin::last_round ? round_velocity_ : state_->velocity;
  moved_in_.resize(stretch_count(before.size(), kLongStretch));
  for_each_stretch(pool_, before.size(), kLongStretch, [&](const Stretch& stretch) {
    std::vector<Index>& moved = moved_in_[stretch.number];
    moved.clear();
    for (auto i = static_cast<Index>(stretch.first); i < stretch.last; ++i) {
      if (velocity_[i] == before[i]) continue;
      moved.push_back(i);
      end_[i] = flight_.end_of(i, state_->position[i], velocity_[i]);
    }
  });
  moved_.clear();
  for (const std::vector<Index>& moved : moved_in_) {
    moved_.insert(moved_.end(), moved.begin(), moved.end());
  }
  ends_ = Ends::moved_since;
}

const std::vector<Index>* StepPath::moved() const {
  return ends_ == Ends::moved_since ? &moved_ : nullptr;
}

void StepPath::turn() {
  for (Index i = 0; i < end_turning_.size(); ++i) {
    if (!simulation_->world.bodies.turns(i)) continue;
    const carom::Turning start = {state_->orientation[i], angular_[i]};
    end_turning_[i] =
        simulation_->world.dimension == 2
            ? free_rotation_2d(start, step_size_)
            : free_rotation(moments_[i], start, step_size_, simulation_->time.rotation);
    end_orientation_[i] = end_turning_[i].orientation;
  }
}

// Gravity along a periodic axis has no potential there: what it does is work from outside.
double StepPath::work_along_periods() const {
  const Vec3 along = along_periods(simulation_->world.periodicity, simulation_->forces.gravity);
  if (along == Vec3{}) return 0.0;
  double work = 0.0;
  for (Index i = 0; i < simulation_->world.bodies.size(); ++i) {
    work += simulation_->world.bodies.mass[i] * dot(along, end_[i] - state_->position[i]);
  }
  return work;
}

bool StepPath::arrive(double& work) {
  const Periodicity& periods = simulation_->world.periodicity;
  work += work_along_periods();
  if (periods.any()) {
    for (Vec3& q : end_) q = wrapped(periods, q);
    if (symmetry_ != nullptr) symmetry_->complete_positions(state_->position, end_);
  }
  shown_.find({state_->velocity, velocity_, state_->angular_velocity, angular_}, flight_);
  flight_.velocities(end_, velocity_);  // (4)
  work += flight_.work();
  if (turning_ == Turning::at_the_end) turn();
  if (symmetry_ != nullptr) symmetry_->complete_velocities(velocity_);
  if (!within_bounds(end_, *pool_) || !within_bounds(velocity_, *pool_) ||
      !within_bounds(angular_, *pool_)) {
    shown_.clear();
    flight_.start(state_->position);
    return false;
  }
  swap_with_state();
  shown_.finish(*state_);
  return true;
}

void StepPath::swap_with_state() {
  for (Index i = 0; i < end_turning_.size(); ++i) {
    if (simulation_->world.bodies.turns(i)) {
      std::swap(state_->orientation[i], end_orientation_[i]);
      angular_[i] = end_turning_[i].angular_velocity;
    }
  }
  state_->position.swap(end_);
  state_->velocity.swap(velocity_);
  state_->angular_velocity.swap(angular_);
}

ImpactMoment StepPath::resolved_moment(std::span<const Vec3> places) const {
  return {begin_time_,      step_size_, end_,   velocity_,
          end_orientation_, angular_,   places, periodicity()};
}

}  // namespace carom::detail
