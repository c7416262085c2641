#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/stepping/stepper.h"
#include "carom/steps/detail/step_attempt.h"

namespace carom {

/// Steps of one size for all (GR Alg. 4):
///
///   (1)  q~ = free flight of (q, v) over h
///   (2)  C  = rows that this motion makes active
///   (3)  v+ = impact of v with the rows C, at the frozen place q: operator, restitution, friction
///   (4)  (q', v') = free flight of (q, v+) over h
///
/// q position, v velocity, h step. With an operator that promises KIN, restitution 1, no friction
/// and a uniform force, the total energy is constant to round-off.
///
/// Departs from the paper:
///  - Re-detection: rows that the motion (4) makes active join C and (3) is done again, until there
///    are none. As printed, pairs that only the new velocities drive together sink into each other
///    for a step. With gr, where nothing is lost, (3) goes on from v+: an iteration that ends when
///    no row of C is closing ends when no row of the larger C is; from the second time on pairs
///    that are near, around what joined last, wait beside C and join as soon as the motion makes
///    them active and nothing else closes. Elsewhere it begins again from v. Where rows that lock
///    each other (implicit equalities, which take energy) are not touching yet, those are left out
///    again: the pairs meet in a later step. Without that a ball that would cross a narrow gap to
///    and fro within one step would be stopped dead.
///  - Halves: a step in which more rows join than it began with, or rows lock that do not touch
///    yet, is too long for its scene. It is taken in two halves, and so are these where they are.
///  - Restitution that falls with the speed takes, from the second round on, what rows went through
///    in the round before (detail/impact_speeds.h); where no row joins there is one such round.
///  - Sweep: (2) looks at the way of the step, not only at its end, so that nothing tunnels.
///  - Hold: a row that does not close but would sink under (4) by more than it has sunk already (a
///    resting ball falls by h^2 g / 2 in every step) opens just fast enough to stay where it is:
///    v++ is the velocity next to v+ in the mass metric with n.v++ >= w, w the missing opening
///    speed. These impulses only push, momentum is kept, and on the straight line from v+ to v++
///    one goes no further than the energy that the impact lost: energy never grows by it, elastic
///    impacts are left alone.
///
/// The stages of an attempt at a step stand in detail/step_attempt.h, the rounds of its impact in
/// detail/impact_rounds.h, pairs that wait beside them in detail/waiting_rows.h, and where bodies
/// go in detail/step_path.h. Here steps that an attempt finds too long are taken in halves.
class SynchronousStepper final : public Stepper {
 public:
  explicit SynchronousStepper(const Simulation& simulation);

  StepReport step() override;
  [[nodiscard]] const State& state() const override { return state_; }
  [[nodiscard]] std::span<const VelocityChange> shown_changes() const override {
    return attempt_.shown().changes();
  }
  /// Kinetic energy is that of the velocities that are shown, the sum that of the state.
  [[nodiscard]] std::optional<Totals> own_totals() const override {
    return attempt_.shown().shown(totals(*simulation_, state_));
  }
  [[nodiscard]] std::string save() const override;
  void load(std::string_view bytes) override;
  /// Of a step in parts those before the last are kept only then.
  void note_impulses(bool note) override { notes_impulses_ = note; }
  [[nodiscard]] std::vector<ContactImpulse> impulses() const override;
  [[nodiscard]] ImpactProblem resolved_problem() const override;

 private:
  enum class Outcome : std::uint8_t {
    arrived,
    failed,     ///< the report says why
    lock_stays  ///< rows that do not touch lock each other however short the parts are
  };
  enum class OpenLocks : std::uint8_t { are_halved, are_left_out };
  /// Of a step: where it ends, and how often the step was halved for it.
  struct Part {
    double end = 0.0;  ///< time, s
    Index halvings = 0;
  };
  [[nodiscard]] Outcome advance(const Part& part, OpenLocks locks, StepReport& report);
  [[nodiscard]] Outcome advance_in_parts(Index halvings, OpenLocks locks, StepReport& report);
  [[nodiscard]] Index first_halvings(std::uint64_t step) const;
  void back_to_begin();

  const Simulation* simulation_;
  State state_;
  detail::StepAttempt attempt_;
  Index most_halvings_ = 0;                       ///< of the step's parts
  State whole_begin_;                             ///< of a step in parts
  std::vector<ContactImpulse> earlier_impulses_;  ///< of its parts but the last
  bool notes_impulses_ = false;
};

}  // namespace carom
