#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/events/ball_impact.h"
#include "carom/events/event_stepper.h"

namespace carom {

class ImpactStage;

namespace detail {
class BallEngine;
}  // namespace detail

/// Balls that do not turn, through their collisions in closed form (docs/events.md).
///
/// Guarantees: no ball penetrates another or a shape by more than round-off, however fast it is;
/// what touches at one moment is one impact for the scene's operator, so that symmetric clusters
/// come out symmetric in any order of bodies; elastic collisions keep the energy to round-off.
class EventDrivenStepper final : public EventStepper, private BallImpactHandler {
 public:
  explicit EventDrivenStepper(const Simulation& simulation);
  ~EventDrivenStepper() override;
  EventDrivenStepper(const EventDrivenStepper&) = delete;
  EventDrivenStepper& operator=(const EventDrivenStepper&) = delete;

  /// What has happened in the last step.
  [[nodiscard]] const EventCounts& counts() const { return counts_; }
  [[nodiscard]] double contact_duration() const override;

 protected:
  [[nodiscard]] EventSource& source() override;
  [[nodiscard]] BodyMoment moment_of(Index body, double time) const override;
  void change(Index body, double time, const BodyMoment& moment) override;
  void watch_impacts(bool watch) override;
  void evaluate(double time, State& state) const override;
  void sum_up(double time) override;
  [[nodiscard]] Penetration measure_penetration() override;
  [[nodiscard]] std::string_view mark() const override { return "carom-events-1\n"; }
  void save_bodies(std::string& bytes) const override;
  [[nodiscard]] bool load_bodies(std::string_view& bytes) override;

 private:
  bool resolve(BallImpact& impact) override;
  void happened(double time, std::span<const BallRow> collisions) override;
  void remember(const BallImpact& impact);
  void remember_alone(const BallRow& row);

  std::unique_ptr<ImpactStage> impact_;
  std::unique_ptr<detail::BallEngine> engine_;
  double resolved_time_ = -kInfinity;  ///< of the last impact that was not alone
  EventCounts counts_;

  // The impact that is being resolved, by body.
  std::vector<Vec3> position_;
  std::vector<Vec3> velocity_;
  std::vector<Vec3> angular_velocity_;
};

}  // namespace carom
