#include "carom/stepping/event_stepper.h"

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/stepping/detail/event_check.h"
#include "carom/stepping/detail/listener_clock.h"
#include "carom/stepping/event_driven.h"
#include "carom/stepping/solid_events.h"

namespace carom {

double EventListener::next_moment(double /*time*/) { return kInfinity; }
void EventListener::on_moment(EventMoment& /*moment*/) {}
void EventListener::on_impact(std::span<const ContactImpulse> /*contacts*/,
                              EventMoment& /*moment*/) {}

std::unique_ptr<EventStepper> make_event_stepper(const Simulation& simulation) {
  check_simulation(simulation);
  if (simulation.time.scheme != "events") {
    throw InputError({"", 0, 0, "time.scheme"},
                     "expected \"events\", found \"" + simulation.time.scheme + "\"");
  }
  if (detail::has_solids(simulation)) return std::make_unique<SolidEventStepper>(simulation);
  return std::make_unique<EventDrivenStepper>(simulation);
}

namespace detail {

void ListenerClock::set(EventListener* listener, double time) {
  listener_ = listener;
  ask(time);
}

void ListenerClock::call(EventMoment& moment) {
  const double time = next_;
  listener_->on_moment(moment);
  ask(time);
}

void ListenerClock::ask(double time) {
  next_ = listener_ != nullptr ? listener_->next_moment(time) : kInfinity;
  if (next_ > time) return;
  throw InputError({}, "a listener's next moment must lie after " + number_text(time) + ", found " +
                           number_text(next_));
}

void check_velocity(const Simulation& simulation, Index body, const Vec3& velocity) {
  if (is_finite(velocity) && (simulation.dimension == 3 || velocity.z == 0.0)) return;
  throw InputError({}, "body " + simulation.bodies.name[body] +
                           " cannot have this velocity: it is not finite, or not in the plane");
}

void check_angular_velocity(const Simulation& simulation, Index body, const Vec3& velocity) {
  if (!simulation.bodies.turns(body)) {
    throw InputError({}, "body " + simulation.bodies.name[body] + " does not turn");
  }
  const bool in_plane = velocity.x == 0.0 && velocity.y == 0.0;
  if (is_finite(velocity) && (simulation.dimension == 3 || in_plane)) return;
  throw InputError({}, "body " + simulation.bodies.name[body] +
                           " cannot have this angular velocity: it is not finite, or not about z");
}

}  // namespace detail
}  // namespace carom
