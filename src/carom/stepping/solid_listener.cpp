#include "carom/stepping/detail/free_flight.h"
#include "carom/stepping/detail/listener_clock.h"
#include "carom/stepping/solid_events.h"

// What a listener sees and changes.
namespace carom {

class SolidEventStepper::Moment final : public EventMoment {
 public:
  Moment(SolidEventStepper& stepper, double time) : stepper_(&stepper), time_(time) {}
  [[nodiscard]] double time() const override { return time_; }
  [[nodiscard]] BodyMoment body(Index body) const override {
    return stepper_->flight_->at(body, time_);
  }
  void set_velocity(Index body, const Vec3& velocity) override {
    detail::check_velocity(*stepper_->simulation_, body, velocity);
    BodyMoment moment = stepper_->flight_->at(body, time_);
    moment.velocity = velocity;
    stepper_->set_moment(body, time_, moment);
  }
  void set_angular_velocity(Index body, const Vec3& angular_velocity) override {
    detail::check_angular_velocity(*stepper_->simulation_, body, angular_velocity);
    BodyMoment moment = stepper_->flight_->at(body, time_);
    moment.angular_velocity = angular_velocity;
    stepper_->set_moment(body, time_, moment);
  }

 private:
  SolidEventStepper* stepper_;
  double time_;
};

void SolidEventStepper::listen(EventListener* listener) { listener_->set(listener, state_.time); }

// From a listener.
void SolidEventStepper::set_moment(Index body, double time, const BodyMoment& moment) {
  const auto kinetic = [&](const BodyMoment& now) {
    const BodySet& bodies = simulation_->bodies;
    double energy = 0.5 * bodies.mass[body] * norm_squared(now.velocity);
    if (bodies.turns(body)) {
      const Vec3& w = now.angular_velocity;
      energy += 0.5 * dot(w, world_inertia(bodies, body, now.orientation) * w);
    }
    return energy;
  };
  sums_.external_work += kinetic(moment) - kinetic(flight_->at(body, time));
  flight_->set(body, time, moment);
  schedule_all(body, time);
}

void SolidEventStepper::call_listener() {
  Moment moment(*this, listener_->next());
  listener_->call(moment);
}

// The impulses of the impact that has just been are those noted after the first `known`.
void SolidEventStepper::tell_impact(std::size_t known) {
  EventListener* const listener = listener_->listener();
  if (listener == nullptr || noted_.size() == known) return;
  const std::vector<ContactImpulse> contacts(noted_.begin() + static_cast<std::ptrdiff_t>(known),
                                             noted_.end());
  if (!notes_) noted_.clear();
  Moment moment(*this, impact_time_);
  listener->on_impact(contacts, moment);
}

}  // namespace carom
