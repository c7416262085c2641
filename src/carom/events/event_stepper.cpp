// What both ways through events share: reports, listeners, and steps up to the next report.
#include "carom/events/event_stepper.h"

#include "carom/contact/assemble.h"
#include "carom/contact/squeeze.h"
#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/core/stopwatch.h"
#include "carom/events/settings.h"

namespace carom {
namespace {

void check_velocity(const Simulation& simulation, Index body, const Vec3& velocity) {
  if (is_finite(velocity) && (simulation.world.dimension == 3 || velocity.z == 0.0)) return;
  throw InputError({}, "body " + simulation.world.bodies.name[body] +
                           " cannot have this velocity: it is not finite, or not in the plane");
}

void check_angular_velocity(const Simulation& simulation, Index body, const Vec3& velocity) {
  if (!simulation.world.bodies.turns(body)) {
    throw InputError({}, "body " + simulation.world.bodies.name[body] + " does not turn");
  }
  const bool in_plane = velocity.x == 0.0 && velocity.y == 0.0;
  if (is_finite(velocity) && (simulation.world.dimension == 3 || in_plane)) return;
  throw InputError({}, "body " + simulation.world.bodies.name[body] +
                           " cannot have this angular velocity: it is not finite, or not about z");
}

}  // namespace

double EventListener::next_moment(double /*time*/) { return kInfinity; }
void EventListener::on_moment(EventMoment& /*moment*/) {}
void EventListener::on_impact(std::span<const ContactImpulse> /*contacts*/,
                              EventMoment& /*moment*/) {}

/// What a listener sees.
class EventStepper::Moment final : public EventMoment {
 public:
  Moment(EventStepper& stepper, double time) : stepper_(&stepper), time_(time) {}
  [[nodiscard]] double time() const override { return time_; }
  [[nodiscard]] BodyMoment body(Index body) const override {
    return stepper_->moment_of(body, time_);
  }
  void set_velocity(Index body, const Vec3& velocity) override {
    check_velocity(*stepper_->simulation_, body, velocity);
    BodyMoment moment = stepper_->moment_of(body, time_);
    moment.velocity = velocity;
    stepper_->change(body, time_, moment);
  }
  void set_angular_velocity(Index body, const Vec3& angular_velocity) override {
    check_angular_velocity(*stepper_->simulation_, body, angular_velocity);
    BodyMoment moment = stepper_->moment_of(body, time_);
    moment.angular_velocity = angular_velocity;
    stepper_->change(body, time_, moment);
  }

 private:
  EventStepper* stepper_;
  double time_;
};

EventStepper::EventStepper(const Simulation& simulation)
    : simulation_(&simulation),
      pool_(simulation.threads),
      scheduler_(simulation.settings.of<EventSettings>().queue),
      state_(simulation.start) {
  if (simulation.world.periodicity.any()) {
    for (Vec3& q : state_.position) q = wrapped(simulation.world.periodicity, q);
  }
  scheduler_.on_call([this](double time) { call_listener(time); });
}

EventStepper::~EventStepper() = default;

void EventStepper::note_impulses(bool note) {
  notes_ = note;
  watch_impacts(notes_ || listener_ != nullptr);
}

void EventStepper::listen(EventListener* listener) {
  listener_ = listener;
  ask_listener(state_.time);
  watch_impacts(notes_ || listener_ != nullptr);
}

void EventStepper::ask_listener(double time) {
  const double next = listener_ != nullptr ? listener_->next_moment(time) : kInfinity;
  if (!(next > time)) {
    throw InputError({}, "a listener's next moment must lie after " + number_text(time) +
                             ", found " + number_text(next));
  }
  scheduler_.call_at(next);
}

void EventStepper::call_listener(double time) {
  Moment moment(*this, time);
  listener_->on_moment(moment);
  ask_listener(time);
}

void EventStepper::tell(std::span<const ContactImpulse> contacts, double time) {
  if (contacts.empty()) return;
  if (notes_) noted_.insert(noted_.end(), contacts.begin(), contacts.end());
  if (listener_ == nullptr) return;
  Moment moment(*this, time);
  listener_->on_impact(contacts, moment);
}

std::string EventStepper::failure_text(const EventOutcome& outcome) const {
  const std::string when = number_text(outcome.time);
  std::vector<std::string> names;
  for (const Index body : outcome.bodies) names.push_back(simulation_->world.bodies.name[body]);
  for (const Index shape : outcome.shapes) names.push_back(simulation_->world.shapes[shape].name);
  switch (outcome.status) {
    case EventOutcome::Status::reached:
      break;
    case EventOutcome::Status::refused:
      return sums_.message + ", at time " + when;
    case EventOutcome::Status::unconverged:
      return "the impact at time " + when + " leaves some closing: " + name_list(names);
    case EventOutcome::Status::runaway:
      return "events pile up at time " + when + " without end, among " + name_list(names) +
             "; events.contact_duration is " + number_text(contact_duration());
  }
  return {};
}

StepReport EventStepper::step() {
  sums_ = StepReport();
  last_ = ImpactRecord();
  noted_.clear();
  const std::uint64_t number = state_.step + 1;
  const double end = static_cast<double>(number) * simulation_->time.step;
  EventOutcome outcome;
  PhaseTime all;
  {
    const Stopwatch watch(all);
    outcome = scheduler_.run(end, source());
  }
  const bool is_there = outcome.status == EventOutcome::Status::reached;
  if (is_there) {
    sum_up(end);
    evaluate(end, state_);
    state_.step = number;
    state_.time = end;
  }
  StepReport report = sums_;
  report.step = number;
  report.time = end;
  report.integration = {all.wall - sums_.impact.wall, all.cpu - sums_.impact.cpu};
  if (!is_there) {
    ahead_ = true;
    report.message = failure_text(outcome);
    if (outcome.status != EventOutcome::Status::refused) report.status = ImpactStatus::diverged;
    return report;
  }
  report.totals = totals(*simulation_, state_);
  const Stopwatch watch(report.measurement);
  report.penetration = notes_penetration() ? measure_penetration() : Penetration::unknown();
  return report;
}

ImpactProblem EventStepper::resolved_problem() const {
  ContactAssembler assembler(simulation_->world);
  const Index count = simulation_->world.bodies.size();
  std::vector<Vec3> position(count);
  std::vector<Vec3> velocity(count);
  std::vector<Quaternion> orientation(count);
  std::vector<Vec3> angular_velocity(count);
  for (std::size_t k = 0; k < last_.bodies.size(); ++k) {
    const Index body = last_.bodies[k];
    position[body] = last_.moments[k].position;
    velocity[body] = last_.moments[k].velocity;
    orientation[body] = last_.moments[k].orientation;
    angular_velocity[body] = last_.moments[k].angular_velocity;
  }
  ImpactMoment moment;
  moment.time = last_.time;
  moment.position = position;
  moment.velocity = velocity;
  moment.orientation = orientation;
  moment.angular_velocity = angular_velocity;
  moment.places = last_.places;
  moment.periodicity =
      simulation_->world.periodicity.any() ? &simulation_->world.periodicity : nullptr;
  moment.restitution = last_.restitution;
  assembler.assemble(last_.contacts, moment, {true, {}});
  return assembler.problem();
}

}  // namespace carom
