#include "carom/stepping/event_driven.h"

#include <algorithm>

#include "carom/contact/assemble.h"
#include "carom/stepping/detail/impact_stage.h"
#include "carom/stepping/detail/squeeze.h"
#include "carom/stepping/detail/stopwatch.h"

namespace carom {
namespace {

EventWorld world_of(const Simulation& simulation) {
  EventWorld world;
  world.dimension = simulation.world.dimension;
  world.bodies = &simulation.world.bodies;
  world.shapes = &simulation.world.shapes;
  world.periodicity = &simulation.world.periodicity;
  world.materials = &simulation.world.materials;
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

}  // namespace

/// Events ask here for the answers to impacts of several bodies.
class EventDrivenStepper::Handler final : public ImpactHandler {
 public:
  explicit Handler(EventDrivenStepper& stepper) : stepper_(&stepper) {}
  bool resolve(ClusterImpact& impact) override { return stepper_->resolve(impact); }
  void happened(double time, std::span<const CollisionRecord> collisions) override {
    stepper_->happened(time, collisions);
  }

 private:
  EventDrivenStepper* stepper_;
};

EventDrivenStepper::EventDrivenStepper(const Simulation& simulation)
    : EventStepper(simulation),
      impact_(std::make_unique<detail::ImpactStage>(simulation, pool(), nullptr)),
      handler_(std::make_unique<Handler>(*this)),
      position_(simulation.world.bodies.size()),
      velocity_(simulation.world.bodies.size()) {
  // What closes more slowly than this is stopped without an operator; it may not be much.
  constexpr double kTolerance = 1e-12;
  impact_->tighten(kTolerance);
  const BallEvents::Surroundings surroundings{&scheduler(), handler_.get()};
  events_ =
      std::make_unique<BallEvents>(world_of(simulation), simulation.events, state(), surroundings);
}

EventDrivenStepper::~EventDrivenStepper() = default;

BodyMoment EventDrivenStepper::moment_of(Index body, double time) const {
  const BallMoment ball = events_->moment_of(body, time);
  return {ball.position, ball.velocity, {}, {}};
}

void EventDrivenStepper::change(Index body, double time, const BodyMoment& moment) {
  events_->set_velocity(body, time, moment.velocity);
}

// For resolved_problem().
void EventDrivenStepper::remember(const ClusterImpact& impact) {
  ImpactRecord& last = last_impact();
  last.time = impact.time;
  last.contacts.clear();
  last.restitution.clear();
  for (const ImpactRow& row : impact.rows) {
    last.contacts.push_back(contact_of(row));
    last.restitution.push_back(row.restitution);
  }
  last.bodies = impact.bodies;
  last.moments.clear();
  for (std::size_t k = 0; k < impact.bodies.size(); ++k) {
    last.moments.push_back({impact.position[k], impact.velocity[k], {}, {}});
  }
}

// A contact alone is answered without resolve(). What it did is taken back, for the problem as it
// was.
void EventDrivenStepper::remember_alone(const CollisionRecord& collision) {
  const ImpactRow& row = collision.row;
  ClusterImpact impact;
  impact.time = collision.time;
  impact.rows.assign(1, row);
  for (const Index body : {row.body_a, row.body_b}) {
    if (body == kNone) continue;
    const BallMoment now = events_->moment_of(body, collision.time);
    const double change =
        (body == row.body_a ? row.impulse : -row.impulse) / simulation().world.bodies.mass[body];
    impact.bodies.push_back(body);
    impact.position.push_back(now.position);
    impact.velocity.push_back(now.velocity - change * row.normal);
  }
  remember(impact);
}

void EventDrivenStepper::happened(double time, std::span<const CollisionRecord> collisions) {
  const bool is_alone = collisions.size() == 1 && resolved_time_ != time;
  if (notes_impulses() && is_alone) remember_alone(collisions.front());
  std::vector<ContactImpulse> contacts;
  contacts.reserve(collisions.size());
  for (const CollisionRecord& collision : collisions) {
    const ImpactRow& row = collision.row;
    contacts.push_back(
        {contact_of(row), row.impulse, row.tangential, collision.point, collision.time});
  }
  tell(contacts, time);
}

bool EventDrivenStepper::resolve(ClusterImpact& impact) {
  StepReport& sums = this->sums();
  const Stopwatch watch(sums.impact);
  remember(impact);
  resolved_time_ = impact.time;
  for (std::size_t k = 0; k < impact.bodies.size(); ++k) {
    position_[impact.bodies[k]] = impact.position[k];
    velocity_[impact.bodies[k]] = impact.velocity[k];
  }
  ImpactMoment moment;
  moment.time = impact.time;
  moment.position = position_;
  moment.velocity = velocity_;
  moment.restitution = last_impact().restitution;
  impact_->resolve(last_impact().contacts, moment, {&velocity_, &angular_velocity_});
  const detail::ImpactStage::Summary& summary = impact_->summary();
  if (summary.status == ImpactStatus::infeasible) {
    sums.status = summary.status;
    sums.message = detail::squeeze_text(summary.squeezed);
    return false;
  }
  for (std::size_t k = 0; k < impact.bodies.size(); ++k) {
    impact.velocity[k] = velocity_[impact.bodies[k]];
  }
  for (std::size_t k = 0; k < impact.rows.size(); ++k) {
    impact.rows[k].impulse = impact_->impulses()[k];
    impact.rows[k].tangential = impact_->friction()[k];
  }
  sums.status = std::max(sums.status, summary.status);
  sums.components += summary.components;
  sums.applications = std::max(sums.applications, summary.applications);
  sums.applications_total += summary.applications_total;
  sums.largest_part = std::max(sums.largest_part, summary.largest_part);
  sums.lineality_energy = std::max(sums.lineality_energy, summary.lineality_energy);
  return true;
}

void EventDrivenStepper::sum_up(double time) {
  counts_ = events_->take_counts(time);
  const std::uint64_t alone = counts_.impacts - counts_.clusters;
  StepReport& sums = this->sums();
  sums.rows = static_cast<Index>(counts_.rows);
  sums.impulses = static_cast<Index>(counts_.collisions);
  sums.components += static_cast<Index>(alone);
  sums.applications = std::max<std::uint64_t>(sums.applications, alone > 0 ? 1 : 0);
  sums.applications_total += alone;
  sums.largest_part = std::max<Index>(sums.largest_part, alone > 0 ? 1 : 0);
  sums.external_work = counts_.work;
  sums.dissipated = counts_.dissipated;
}

Penetration EventDrivenStepper::measure_penetration() {
  const EventOverlap overlap = events_->deepest_overlap(state().time);
  return {overlap.depth, overlap.relative};
}

}  // namespace carom
