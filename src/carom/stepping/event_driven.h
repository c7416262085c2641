#pragma once

#include <memory>
#include <vector>

#include "carom/events/ball_events.h"
#include "carom/stepping/event_stepper.h"

namespace carom {

namespace detail {
class ImpactStage;
}  // namespace detail

/// Balls that do not turn, through their collisions in closed form (docs/events.md).
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

  /// What has happened in the last step.
  [[nodiscard]] const EventCounts& counts() const { return counts_; }
  [[nodiscard]] double contact_duration() const override { return events_->contact_duration(); }

 protected:
  [[nodiscard]] EventSource& source() override { return events_->source(); }
  [[nodiscard]] BodyMoment moment_of(Index body, double time) const override;
  void change(Index body, double time, const BodyMoment& moment) override;
  void watch_impacts(bool watch) override { events_->watch_impacts(watch); }
  void evaluate(double time, State& state) const override { events_->evaluate(time, state); }
  void sum_up(double time) override;
  [[nodiscard]] Penetration measure_penetration() override;
  [[nodiscard]] std::string_view mark() const override { return "carom-events-1\n"; }
  void save_bodies(std::string& bytes) const override { events_->save(bytes); }
  [[nodiscard]] bool load_bodies(std::string_view& bytes) override { return events_->load(bytes); }

 private:
  class Handler;
  void happened(double time, std::span<const CollisionRecord> collisions);
  void remember(const ClusterImpact& impact);
  void remember_alone(const CollisionRecord& collision);
  bool resolve(ClusterImpact& impact);

  std::unique_ptr<detail::ImpactStage> impact_;
  std::unique_ptr<Handler> handler_;
  std::unique_ptr<BallEvents> events_;
  double resolved_time_ = -kInfinity;  ///< of the last impact that was not alone
  EventCounts counts_;

  // The impact that is being resolved, by body.
  std::vector<Vec3> position_;
  std::vector<Vec3> velocity_;
  std::vector<Vec3> angular_velocity_;
};

}  // namespace carom
