#pragma once

#include <memory>
#include <vector>

#include "carom/core/worker_pool.h"
#include "carom/events/ball_events.h"
#include "carom/stepping/event_stepper.h"

namespace carom {

namespace detail {
class ImpactStage;
class ListenerClock;
}  // namespace detail

/// Every collision at its own moment ([Mirtich1995]; docs/events.md). A step is only a look: it
/// lets all events up to the next multiple of `time.step` happen and says what they were. Nothing
/// depends on it; two runs with different steps have the same collisions, to the bit.
///
/// Guarantees: no ball penetrates another or a shape by more than round-off, however fast it is;
/// what touches at one moment is one impact for the scene's operator, so that symmetric clusters
/// come out symmetric in any order of bodies; elastic collisions keep the energy to round-off.
class EventDrivenStepper final : public EventStepper {
 public:
  explicit EventDrivenStepper(const Simulation& simulation);
  ~EventDrivenStepper() override;
  EventDrivenStepper(const EventDrivenStepper&) = delete;
  EventDrivenStepper& operator=(const EventDrivenStepper&) = delete;

  StepReport step() override;
  [[nodiscard]] const State& state() const override { return state_; }
  [[nodiscard]] std::string save() const override;
  void load(std::string_view bytes) override;
  void note_impulses(bool note) override;
  [[nodiscard]] std::vector<ContactImpulse> impulses() const override;
  /// The last impact of the last step, empty if there was none. Impacts that are answered in closed
  /// form (one contact without friction) are only known if impulses are noted.
  [[nodiscard]] ImpactProblem resolved_problem() const override;
  void listen(EventListener* listener) override;

  /// What has happened in the last step.
  [[nodiscard]] const EventCounts& counts() const { return counts_; }
  /// The contact duration in use, s.
  [[nodiscard]] double contact_duration() const { return events_->contact_duration(); }

 private:
  class Handler;
  class Moment;
  EventOutcome advance(double end);
  void tell(double time, std::span<const CollisionRecord> collisions);
  void keep_alone(const CollisionRecord& collision);
  void add_shapes_at(Index body, double time, std::vector<std::string>& names) const;
  bool resolve(ClusterImpact& impact);
  void sum_up(StepReport& report);
  [[nodiscard]] std::string failure_text(const EventOutcome& outcome) const;

  const Simulation* simulation_;
  WorkerPool pool_;
  std::unique_ptr<detail::ImpactStage> impact_;
  std::unique_ptr<Handler> handler_;
  std::unique_ptr<BallEvents> events_;
  std::unique_ptr<detail::ListenerClock> listener_;
  State state_;
  bool ahead_ = false;  ///< a step failed: the events are further than the state
  bool notes_ = false;
  double resolved_time_ = -kInfinity;  ///< of the last impact that was not alone
  EventCounts counts_;
  std::vector<CollisionRecord> collisions_;
  StepReport sums_;  ///< of the impacts of several bodies since the last report

  // The impact that is being resolved; by body where not said otherwise. `last_` is as it was
  // before it was answered, and after a step the last of all.
  ClusterImpact last_;
  std::vector<Contact> contacts_;
  std::vector<double> restitution_;  ///< by contact
  std::vector<Vec3> position_;
  std::vector<Vec3> velocity_;
  std::vector<Vec3> angular_velocity_;
};

}  // namespace carom
