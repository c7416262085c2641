#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "carom/contact/assemble.h"
#include "carom/contact/detection.h"
#include "carom/core/worker_pool.h"
#include "carom/integrators/free_rotation.h"
#include "carom/integrators/verlet.h"
#include "carom/stepping/stepper.h"
#include "carom/steps/detail/shown_velocities.h"

namespace carom {

class ExactSymmetry;
class ImpactSpeeds;
class ImpactStage;

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
class SynchronousStepper final : public Stepper {
 public:
  explicit SynchronousStepper(const Simulation& simulation);
  ~SynchronousStepper() override;
  SynchronousStepper(const SynchronousStepper&) = delete;
  SynchronousStepper& operator=(const SynchronousStepper&) = delete;

  StepReport step() override;
  [[nodiscard]] const State& state() const override { return state_; }
  [[nodiscard]] std::span<const VelocityChange> shown_changes() const override {
    return shown_.changes();
  }
  /// Kinetic energy is that of the velocities that are shown, the sum that of the state.
  [[nodiscard]] std::optional<Totals> own_totals() const override;
  [[nodiscard]] std::string save() const override;
  void load(std::string_view bytes) override;
  /// Of a step in parts those before the last are kept only then.
  void note_impulses(bool note) override { notes_impulses_ = note; }
  [[nodiscard]] std::vector<ContactImpulse> impulses() const override;
  [[nodiscard]] ImpactProblem resolved_problem() const override;

 private:
  [[nodiscard]] StepMotion motion() const;
  [[nodiscard]] ImpactMoment moment() const;
  [[nodiscard]] ImpactMoment moment_of_round() const;
  [[nodiscard]] const Periodicity* periodicity() const;  ///< none: the world does not repeat
  void find_places();
  void predict();
  void predict_round(StepReport& report);
  void turn();
  bool advance(double time, Index halvings, StepReport& report);
  bool advance_in_parts(Index halvings, StepReport& report);
  void back_to_begin();
  bool try_step(StepReport& report);
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
  [[nodiscard]] std::size_t most_joining() const;
  [[nodiscard]] bool leaves_undone(StepReport& report) const;
  [[nodiscard]] bool is_too_long() const;
  [[nodiscard]] bool will_be_too_long() const;
  void detect(StepReport& report);
  void detect_further(StepReport& report);
  void join_found();
  [[nodiscard]] bool lets_rows_wait() const;
  [[nodiscard]] double waiting_reach();
  [[nodiscard]] std::size_t enough_waiting(const StepReport& report) const;
  void find_waiting(StepReport& report);
  [[nodiscard]] bool wakes(const Contact& contact, const Vec3& velocity_a,
                           const Vec3& velocity_b) const;
  [[nodiscard]] double waking_speed(const Contact& contact) const;
  void start_over();
  void go_on();
  void resolve_once(StepReport& report);
  bool leave_out_locked_gaps();
  void resolve(StepReport& report);
  void meet_found();
  [[nodiscard]] bool learn_speeds();
  bool hold(StepReport& report);
  void measure_impact(StepReport& report);
  void add_impulses(std::vector<ContactImpulse>& list) const;
  void finish(StepReport& report);
  [[nodiscard]] double work_along_periods() const;

  const Simulation* simulation_;
  WorkerPool pool_;
  ContactDetector detector_;
  std::unique_ptr<ExactSymmetry> symmetry_;  ///< to be kept; none: no such wish
  std::unique_ptr<ImpactStage> impact_;
  std::unique_ptr<ImpactSpeeds> speeds_;
  VerletFlight flight_;
  detail::ShownVelocities shown_;
  State state_;
  double step_size_;                              ///< h, of this part of the step
  double begin_time_ = 0.0;                       ///< of the last part
  bool can_halve_ = false;                        ///< steps that are too long are taken in halves
  bool may_halve_ = false;                        ///< this one may be
  std::size_t first_rows_ = 0;                    ///< that it began with
  Index most_halvings_ = 0;                       ///< of the step's parts
  bool halves_locks_ = true;                      ///< in this step
  bool lock_stays_ = false;                       ///< however short its parts are
  State whole_begin_;                             ///< of a step in halves
  std::vector<ContactImpulse> earlier_impulses_;  ///< of its parts but the last
  bool notes_impulses_ = false;
  bool can_go_on_;                  ///< rounds go on from where the one before ended
  std::vector<Vec3> new_velocity_;  ///< v+
  bool starts_fresh_ = false;       ///< v+ is what the round begins with: no impact changed it yet
  bool went_on_ = false;            ///< this one does
  std::vector<Vec3> round_velocity_;  ///< that it begins with; elsewhere v
  std::vector<Vec3> round_angular_;
  std::vector<Vec3> end_;                     ///< end of the motion with v+
  bool looked_at_begin_ = false;              ///< the last look was at what the round begins with
  bool knows_moved_ = false;                  ///< end_ differs from that only where moved_ says
  std::vector<Index> moved_;                  ///< bodies
  std::vector<std::vector<Index>> moved_in_;  ///< by stretch
  // Likewise of bodies that turn; empty where none does.
  std::vector<Vec3> moments_;  ///< principal ones
  std::vector<Vec3> new_angular_;
  std::vector<Turning> end_turning_;
  std::vector<Quaternion> end_orientation_;
  std::vector<Vec3> places_;  ///< where each contact acts
  std::vector<Contact> contacts_;
  std::vector<Contact> found_;    ///< further rows of the last look
  std::vector<Contact> merging_;  ///< room
  /// Finds pairs that are near; none before it is asked.
  std::unique_ptr<ContactDetector> near_detector_;
  double near_reach_ = 0.0;        ///< for which it was made
  bool knows_reach_ = false;       ///< that it is for this step
  std::size_t last_moved_ = 0;     ///< bodies that the last round may have made faster or slower
  std::size_t last_found_ = 0;     ///< rows that it was for
  std::vector<Index> around_;      ///< bodies of found rows
  std::vector<Contact> waiting_;   ///< near pairs that are no rows: wakes() says when they are
  std::vector<Contact> left_out_;  ///< open rows that would lock others, of this step
  std::vector<double> opening_speed_;
};

}  // namespace carom
