#pragma once

#include <memory>
#include <vector>

#include "carom/collision/time_of_impact.h"
#include "carom/events/event_stepper.h"

namespace carom::detail {

/// Bodies that fly freely, each from a clock of its own: the moment of its last collision. Where a
/// body is at a time follows from its clock alone, so looking changes nothing. A body at rest is
/// carried: it stays where it is until it is set going again.
class FreeFlight {
 public:
  /// `simulation` must outlive it.
  explicit FreeFlight(const Simulation& simulation);

  [[nodiscard]] Index size() const { return static_cast<Index>(start_.size()); }
  [[nodiscard]] const BodyMoment& at(Index body, double time);
  /// A body goes on from here.
  void set(Index body, double time, const BodyMoment& moment);
  /// It stays here, without velocity, until it goes on.
  void rest(Index body, double time, const BodyMoment& moment);
  [[nodiscard]] bool is_at_rest(Index body) const { return rests_[body] != 0; }
  [[nodiscard]] Vec3 acceleration(Index body) const {
    return is_at_rest(body) ? Vec3{} : simulation_->forces.gravity;
  }
  /// It is one of its copies from now on.
  void shift(Index body, const Vec3& by);
  [[nodiscard]] FlyingSolid flying(Index body, double time);
  [[nodiscard]] const Solid& solid(Index body) const { return *solid_[body]; }

  [[nodiscard]] double clock(Index body) const { return clock_[body]; }
  [[nodiscard]] const BodyMoment& start(Index body) const { return start_[body]; }

 private:
  [[nodiscard]] double turn_rate(Index body) const;

  const Simulation* simulation_;
  std::vector<std::shared_ptr<const Solid>> solid_;  ///< also of balls that do not turn
  std::vector<double> clock_;
  std::vector<BodyMoment> start_;  ///< at the clock
  std::vector<double> turn_rate_;
  std::vector<char> rests_;
  std::vector<double> seen_time_;  ///< of what was looked at last
  std::vector<BodyMoment> seen_;
};

}  // namespace carom::detail
