#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/contact/assemble.h"
#include "carom/contact/detection.h"
#include "carom/contact/exact_symmetry.h"
#include "carom/core/worker_pool.h"
#include "carom/integrators/free_rotation.h"
#include "carom/integrators/verlet.h"
#include "carom/stepping/simulation.h"
#include "carom/steps/detail/shown_velocities.h"

namespace carom::detail {

/// Where bodies go in a step: the state before it, the velocities that its rounds of impacts have
/// come to, and where these lead. Numbers are the equations of steps/synchronous.h.
///
/// An impact is resolved in rounds; each begins with the velocities v before the step, or with
/// those that the round before it left.
class StepPath {
 public:
  /// When the ends of bodies that turn are computed: for every look, or once, for those that do
  /// not touch by how they are turned.
  enum class Turning : std::uint8_t { for_each_look, at_the_end };

  /// `state` is where steps begin, and where arrive() leaves it; all must outlive this.
  StepPath(const Simulation& simulation, State& state, WorkerPool& pool);
  /// To be called once, before the first step. `symmetry`: to be kept; may be none.
  void set_up(const ExactSymmetry* symmetry, Turning turning);

  /// To be called whenever the state was changed from outside.
  void stand();
  /// A step of this size begins, with v+ = v.
  void begin(double step_size);

  [[nodiscard]] double step_size() const { return step_size_; }
  [[nodiscard]] const State& state() const { return *state_; }
  [[nodiscard]] std::vector<Vec3>& velocity() { return velocity_; }  ///< v+
  [[nodiscard]] std::vector<Vec3>& angular_velocity() { return angular_; }
  [[nodiscard]] StepMotion motion() const;

  /// The moment of the impact with the velocities before the step, before this round, and v+.
  [[nodiscard]] ImpactMoment before(std::span<const Vec3> places) const;
  [[nodiscard]] ImpactMoment before_round(std::span<const Vec3> places) const;
  [[nodiscard]] ImpactMoment after(std::span<const Vec3> places) const;

  /// The next round begins with the velocities before the step: v+ = v.
  void begin_round_again();
  /// The next round begins with v+ as it is. How many bodies the last round may have changed.
  std::size_t begin_round_from_here();
  [[nodiscard]] bool begins_before_step() const { return round_begin_ == RoundBegin::step; }

  /// Where v+ leads. (1), (4)
  void predict();
  /// The same after a round: only of bodies that it moved, where the last look saw the others.
  void predict_round();
  /// The ends that were predicted were looked at: those of the velocities that the round begins
  /// with.
  void note_look() { ends_ = Ends::of_round_begin; }
  /// The bodies whose ends are not those of the last look; none: it is not known.
  [[nodiscard]] const std::vector<Index>* moved() const;
  /// Where a body at some place would end, without a look at others.
  [[nodiscard]] Vec3 end_of(Index body, const Vec3& place, const Vec3& velocity) const {
    return flight_.end_of(body, place, velocity);
  }

  /// The end of the step: the state is there, with velocities by (4). False where numbers ran away;
  /// the state is then the one before. `work`: what forces and gravity along periods did is added.
  [[nodiscard]] bool arrive(double& work);
  /// After it: what is shown of the velocities.
  [[nodiscard]] const ShownVelocities& shown() const { return shown_; }
  /// After it: the moment that the impact of the step saw.
  [[nodiscard]] ImpactMoment resolved_moment(std::span<const Vec3> places) const;

 private:
  enum class RoundBegin : std::uint8_t { step, last_round };
  /// What is known of end_.
  enum class Ends : std::uint8_t {
    unseen,          ///< nothing
    of_round_begin,  ///< the last look was at them, and the round begins with their velocities
    moved_since      ///< since then only bodies of moved_ have got others
  };
  [[nodiscard]] const Periodicity* periodicity() const;
  void turn();
  [[nodiscard]] double work_along_periods() const;
  void swap_with_state();

  const Simulation* simulation_;
  State* state_;
  WorkerPool* pool_;
  const ExactSymmetry* symmetry_ = nullptr;
  Turning turning_ = Turning::for_each_look;
  VerletFlight flight_;
  ShownVelocities shown_;
  double step_size_;            ///< h
  double begin_time_ = 0.0;     ///< of the last step
  std::vector<Vec3> velocity_;  ///< v+; after a step v
  std::vector<Vec3> end_;       ///< of the motion with v+; after a step its beginning
  RoundBegin round_begin_ = RoundBegin::step;
  std::vector<Vec3> round_velocity_;  ///< where it is the last round that a round begins with
  std::vector<Vec3> round_angular_;
  Ends ends_ = Ends::unseen;
  std::vector<Index> moved_;
  std::vector<std::vector<Index>> moved_in_;  ///< by stretch
  // Likewise of bodies that turn; empty where none does.
  std::vector<Vec3> moments_;  ///< principal ones
  std::vector<Vec3> angular_;
  std::vector<carom::Turning> end_turning_;
  std::vector<Quaternion> end_orientation_;
};

}  // namespace carom::detail
