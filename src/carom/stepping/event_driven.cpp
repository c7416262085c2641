#include "carom/stepping/event_driven.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/assemble.h"
#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/stepping/detail/impact_stage.h"
#include "carom/stepping/detail/listener_clock.h"
#include "carom/stepping/detail/squeeze.h"
#include "carom/stepping/detail/stopwatch.h"

namespace carom {
namespace {

EventWorld world_of(const Simulation& simulation) {
  EventWorld world;
  world.dimension = simulation.dimension;
  world.bodies = &simulation.bodies;
  world.shapes = &simulation.shapes;
  world.periodicity = &simulation.periodicity;
  world.materials = &simulation.materials;
  world.gravity = simulation.forces.gravity;
  world.friction = simulation.impact.friction_model != "none";
  world.touch = simulation.detection.activation;
  return world;
}

Contact contact_of(const ImpactRow& row) {
  Contact contact;
  contact.body_a = row.body_a;
  contact.body_b = row.body_b;
  contact.shape = row.shape;
  contact.feature = row.feature;
  contact.normal = row.normal;
  contact.gap = row.gap;
  contact.gap_end = row.gap;
  return contact;
}

ContactImpulse impulse_of(const CollisionRecord& collision) {
  return {contact_of(collision.row), collision.row.impulse, collision.row.tangential,
          collision.point, collision.time};
}

}  // namespace

/// Events ask here for the answers to impacts of several bodies.
class EventDrivenStepper::Handler final : public ImpactHandler {
 public:
  explicit Handler(EventDrivenStepper& stepper) : stepper_(&stepper) {}
  bool resolve(ClusterImpact& impact) override { return stepper_->resolve(impact); }
  void happened(double time, std::span<const CollisionRecord> collisions) override {
    stepper_->tell(time, collisions);
  }

 private:
  EventDrivenStepper* stepper_;
};

/// What a listener sees.
class EventDrivenStepper::Moment final : public EventMoment {
 public:
  Moment(EventDrivenStepper& stepper, double time) : stepper_(&stepper), time_(time) {}
  [[nodiscard]] double time() const override { return time_; }
  [[nodiscard]] BodyMoment body(Index body) const override {
    const BallMoment ball = stepper_->events_->moment_of(body, time_);
    return {ball.position, ball.velocity, {}, {}};
  }
  void set_velocity(Index body, const Vec3& velocity) override {
    detail::check_velocity(*stepper_->simulation_, body, velocity);
    stepper_->events_->set_velocity(body, time_, velocity);
  }
  void set_angular_velocity(Index body, const Vec3& angular_velocity) override {
    detail::check_angular_velocity(*stepper_->simulation_, body, angular_velocity);
  }

 private:
  EventDrivenStepper* stepper_;
  double time_;
};

EventDrivenStepper::EventDrivenStepper(const Simulation& simulation)
    : simulation_(&simulation),
      pool_(simulation.threads),
      impact_(std::make_unique<detail::ImpactStage>(simulation, pool_, nullptr)),
      handler_(std::make_unique<Handler>(*this)),
      listener_(std::make_unique<detail::ListenerClock>()),
      state_(simulation.start),
      position_(simulation.bodies.size()),
      velocity_(simulation.bodies.size()) {
  // What closes more slowly than this is stopped without an operator; it may not be much.
  constexpr double kTolerance = 1e-12;
  impact_->tighten(kTolerance);
  if (simulation.periodicity.any()) {
    for (Vec3& q : state_.position) q = wrapped(simulation.periodicity, q);
  }
  events_ =
      std::make_unique<BallEvents>(world_of(simulation), simulation.events, state_, *handler_);
}

EventDrivenStepper::~EventDrivenStepper() = default;

void EventDrivenStepper::note_impulses(bool note) {
  notes_ = note;
  events_->note_collisions(note);
  events_->watch_impacts(notes_ || listener_->listener() != nullptr);
}

void EventDrivenStepper::listen(EventListener* listener) {
  listener_->set(listener, state_.time);
  events_->watch_impacts(notes_ || listener != nullptr);
}

// A contact alone is answered without resolve(). What it did is taken back, for the problem as it
// was.
void EventDrivenStepper::keep_alone(const CollisionRecord& collision) {
  const ImpactRow& row = collision.row;
  last_.time = collision.time;
  last_.rows.assign(1, row);
  last_.bodies.clear();
  last_.position.clear();
  last_.velocity.clear();
  for (const Index body : {row.body_a, row.body_b}) {
    if (body == kNone) continue;
    const BallMoment now = events_->moment_of(body, collision.time);
    const double change =
        (body == row.body_a ? row.impulse : -row.impulse) / simulation_->bodies.mass[body];
    last_.bodies.push_back(body);
    last_.position.push_back(now.position);
    last_.velocity.push_back(now.velocity - change * row.normal);
  }
}

void EventDrivenStepper::tell(double time, std::span<const CollisionRecord> collisions) {
  const bool is_alone = collisions.size() == 1 && resolved_time_ != time;
  if (notes_ && is_alone) keep_alone(collisions.front());
  if (listener_->listener() == nullptr) return;
  std::vector<ContactImpulse> contacts;
  contacts.reserve(collisions.size());
  for (const CollisionRecord& collision : collisions) contacts.push_back(impulse_of(collision));
  Moment moment(*this, time);
  listener_->listener()->on_impact(contacts, moment);
}

// Where events are stopped changes nothing about them.
EventOutcome EventDrivenStepper::advance(double end) {
  while (listener_->next() <= end) {
    const double time = listener_->next();
    EventOutcome outcome = events_->advance(time);
    if (outcome.status != EventOutcome::Status::reached) return outcome;
    Moment moment(*this, time);
    listener_->call(moment);
  }
  return events_->advance(end);
}

bool EventDrivenStepper::resolve(ClusterImpact& impact) {
  const Stopwatch watch(sums_.impact);
  last_ = impact;
  resolved_time_ = impact.time;
  contacts_.clear();
  restitution_.clear();
  for (const ImpactRow& row : impact.rows) {
    contacts_.push_back(contact_of(row));
    restitution_.push_back(row.restitution);
  }
  for (std::size_t k = 0; k < impact.bodies.size(); ++k) {
    position_[impact.bodies[k]] = impact.position[k];
    velocity_[impact.bodies[k]] = impact.velocity[k];
  }
  ImpactMoment moment;
  moment.time = impact.time;
  moment.position = position_;
  moment.velocity = velocity_;
  moment.restitution = restitution_;
  impact_->resolve(contacts_, moment, {&velocity_, &angular_velocity_});
  const detail::ImpactStage::Summary& summary = impact_->summary();
  if (summary.status == ImpactStatus::infeasible) {
    sums_.status = summary.status;
    sums_.message = detail::squeeze_text(summary.squeezed);
    return false;
  }
  for (std::size_t k = 0; k < impact.bodies.size(); ++k) {
    impact.velocity[k] = velocity_[impact.bodies[k]];
  }
  for (std::size_t k = 0; k < impact.rows.size(); ++k) {
    impact.rows[k].impulse = impact_->impulses()[k];
    impact.rows[k].tangential = impact_->friction()[k];
  }
  sums_.status = std::max(sums_.status, summary.status);
  sums_.components += summary.components;
  sums_.applications = std::max(sums_.applications, summary.applications);
  sums_.applications_total += summary.applications_total;
  sums_.largest_part = std::max(sums_.largest_part, summary.largest_part);
  sums_.lineality_energy = std::max(sums_.lineality_energy, summary.lineality_energy);
  return true;
}

// What a ball touches, or nearly.
void EventDrivenStepper::add_shapes_at(Index body, double time,
                                       std::vector<std::string>& names) const {
  constexpr double kNear = 1e-3;  // radii
  const double radius = simulation_->bodies.radius[body];
  const Vec3 place = events_->moment_of(body, time).position;
  for (const PlacedShape& placed : simulation_->shapes) {
    const Vec3 seen = place - offset_at(placed.motion, time);
    for (Index k = 0; k < feature_count(placed.shape, simulation_->dimension); ++k) {
      if (ball_contact(placed.shape, k, seen, radius).gap > kNear * radius) continue;
      names.push_back(placed.name);
      break;
    }
  }
}

std::string EventDrivenStepper::failure_text(const EventOutcome& outcome) const {
  if (outcome.status == EventOutcome::Status::refused) return sums_.message;
  std::vector<std::string> names;
  for (const Index body : outcome.bodies) names.push_back(simulation_->bodies.name[body]);
  for (const Index body : outcome.bodies) add_shapes_at(body, outcome.time, names);
  return "events pile up at time " + number_text(outcome.time) + " without end, among " +
         detail::name_list(names) + "; events.contact_duration is " +
         number_text(events_->contact_duration());
}

StepReport EventDrivenStepper::step() {
  sums_ = StepReport();
  last_ = ClusterImpact();
  StepReport report;
  report.step = state_.step + 1;
  report.time = static_cast<double>(report.step) * simulation_->time.step;
  EventOutcome outcome;
  {
    const Stopwatch watch(report.integration);
    outcome = advance(report.time);
  }
  if (outcome.status != EventOutcome::Status::reached) {
    ahead_ = true;
    report.status =
        outcome.status == EventOutcome::Status::refused ? sums_.status : ImpactStatus::diverged;
    report.message = failure_text(outcome);
    return report;
  }
  sum_up(report);
  return report;
}

void EventDrivenStepper::sum_up(StepReport& report) {
  counts_ = events_->take_counts(report.time);
  collisions_ = events_->take_collisions();
  const std::uint64_t alone = counts_.impacts - counts_.clusters;
  report.status = sums_.status;
  report.rows = static_cast<Index>(counts_.rows);
  report.impulses = static_cast<Index>(counts_.collisions);
  report.components = static_cast<Index>(alone) + sums_.components;
  report.applications = std::max<std::uint64_t>(sums_.applications, alone > 0 ? 1 : 0);
  report.applications_total = sums_.applications_total + alone;
  report.largest_part = std::max<Index>(sums_.largest_part, alone > 0 ? 1 : 0);
  report.lineality_energy = sums_.lineality_energy;
  report.external_work = counts_.work;
  report.dissipated = counts_.dissipated;
  report.impact = sums_.impact;
  report.integration.wall -= sums_.impact.wall;
  report.integration.cpu -= sums_.impact.cpu;
  events_->evaluate(report.time, state_);
  state_.step = report.step;
  state_.time = report.time;
  report.totals = totals(*simulation_, state_);
  const Stopwatch watch(report.measurement);
  const EventOverlap overlap = events_->deepest_overlap(report.time);
  report.penetration = {overlap.depth, overlap.relative};
}

std::vector<ContactImpulse> EventDrivenStepper::impulses() const {
  std::vector<ContactImpulse> list;
  list.reserve(collisions_.size());
  for (const CollisionRecord& collision : collisions_) {
    list.push_back(impulse_of(collision));
  }
  return list;
}

ImpactProblem EventDrivenStepper::resolved_problem() const {
  const ContactWorld world = {simulation_->dimension, &simulation_->bodies, &simulation_->shapes,
                              &simulation_->periodicity};
  ContactAssembler assembler(world, simulation_->materials);
  std::vector<Contact> contacts;
  std::vector<double> restitution;
  for (const ImpactRow& row : last_.rows) {
    contacts.push_back(contact_of(row));
    restitution.push_back(row.restitution);
  }
  std::vector<Vec3> position(simulation_->bodies.size());
  std::vector<Vec3> velocity(simulation_->bodies.size());
  for (std::size_t k = 0; k < last_.bodies.size(); ++k) {
    position[last_.bodies[k]] = last_.position[k];
    velocity[last_.bodies[k]] = last_.velocity[k];
  }
  ImpactMoment moment;
  moment.time = last_.time;
  moment.position = position;
  moment.velocity = velocity;
  moment.restitution = restitution;
  assembler.assemble(contacts, moment, {true, {}});
  return assembler.problem();
}

}  // namespace carom
