#pragma once

#include <memory>
#include <span>

#include "carom/geometry/rotation.h"
#include "carom/stepping/stepper.h"

namespace carom {

/// A body at some moment.
struct BodyMoment {
  Vec3 position;
  Vec3 velocity;
  Quaternion orientation;  ///< of balls that do not turn always the same
  Vec3 angular_velocity;   ///< rad/s
};

/// What a listener sees and may do while it is called. Looking changes nothing, not one bit of the
/// run. A change holds from this moment on; what it adds to the kinetic energy counts as external
/// work.
class EventMoment {
 public:
  EventMoment() = default;
  EventMoment(const EventMoment&) = delete;
  EventMoment& operator=(const EventMoment&) = delete;
  virtual ~EventMoment() = default;

  [[nodiscard]] virtual double time() const = 0;  ///< s
  /// By its number in the simulation's bodies.
  [[nodiscard]] virtual BodyMoment body(Index body) const = 0;
  /// Both throw InputError where the velocity is not finite or not one of the plane in 2D, the
  /// second also where the body does not turn.
  virtual void set_velocity(Index body, const Vec3& velocity) = 0;
  virtual void set_angular_velocity(Index body, const Vec3& angular_velocity) = 0;
};

/// A program that is called by the events it is interested in.
class EventListener {
 public:
  EventListener() = default;
  EventListener(const EventListener&) = delete;
  EventListener& operator=(const EventListener&) = delete;
  virtual ~EventListener() = default;

  /// The first moment (s) after `time` at which on_moment() is to be called; infinity: never. It is
  /// asked for again after each call, and when a checkpoint is loaded.
  [[nodiscard]] virtual double next_moment(double time);
  /// At such a moment, after all events up to it.
  virtual void on_moment(EventMoment& moment);
  /// After an impact, with those of its contacts that got an impulse. Velocities are those after
  /// it. Contacts that last are trains of impacts and call every time.
  virtual void on_impact(std::span<const ContactImpulse> contacts, EventMoment& moment);
};

/// A stepper of the scheme "events".
class EventStepper : public Stepper {
 public:
  /// `listener` is called during step() until another takes its place; null: nobody. It must
  /// outlive that. What it throws goes through step(), and the stepper is of no use afterwards.
  /// Throws InputError when its next moment is not after the present one.
  virtual void listen(EventListener* listener) = 0;
};

/// For a simulation of the scheme "events", which must outlive it. Throws InputError as
/// check_simulation does, and where the scheme is another.
[[nodiscard]] std::unique_ptr<EventStepper> make_event_stepper(const Simulation& simulation);

}  // namespace carom
