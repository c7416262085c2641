#pragma once

#include "carom/core/types.h"
#include "carom/stepping/event_stepper.h"

namespace carom::detail {

/// When a listener wants to be called next.
class ListenerClock {
 public:
  [[nodiscard]] EventListener* listener() const { return listener_; }
  /// Infinity where there is no listener.
  [[nodiscard]] double next() const { return next_; }
  void set(EventListener* listener, double time);
  /// Calls the listener at the moment it asked for, and asks for the next one.
  void call(EventMoment& moment);
  /// Asks for the first moment after `time`. Throws InputError where it is not.
  void ask(double time);

 private:
  EventListener* listener_ = nullptr;
  double next_ = kInfinity;
};

/// Throws InputError on a velocity that a body of this simulation cannot have.
void check_velocity(const Simulation& simulation, Index body, const Vec3& velocity);
void check_angular_velocity(const Simulation& simulation, Index body, const Vec3& velocity);

}  // namespace carom::detail
