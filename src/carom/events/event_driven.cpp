// Balls under events: the engine finds what collides, here impacts of several are answered and what
// happened is told and summed up.
#include "carom/events/event_driven.h"

#include <algorithm>

#include "carom/contact/impact_stage.h"
#include "carom/contact/squeeze.h"
#include "carom/core/stopwatch.h"
#include "carom/events/detail/ball_engine.h"

namespace carom {

EventDrivenStepper::EventDrivenStepper(const Simulation& simulation)
    : EventStepper(simulation),
      impact_(std::make_unique<ImpactStage>(impact_scene(simulation), pool(), nullptr)),
      position_(simulation.world.bodies.size()),
      velocity_(simulation.world.bodies.size()) {
  // What closes more slowly than this is stopped without an operator; it may not be much.
  constexpr double kTolerance = 1e-12;
  impact_->tighten(kTolerance);
  BallImpactHandler& handler = *this;
  engine_ = std::make_unique<detail::BallEngine>(simulation, state(), scheduler(), handler);
}

EventDrivenStepper::~EventDrivenStepper() = default;

EventSource& EventDrivenStepper::source() { return *engine_; }
double EventDrivenStepper::contact_duration() const { return engine_->contact_duration(); }
void EventDrivenStepper::watch_impacts(bool watch) { engine_->watch_impacts(watch); }
void EventDrivenStepper::evaluate(double time, State& state) const {
  engine_->evaluate(time, state);
}
void EventDrivenStepper::save_bodies(std::string& bytes) const { engine_->save(bytes); }
bool EventDrivenStepper::load_bodies(std::string_view& bytes) { return engine_->load(bytes); }
Penetration EventDrivenStepper::measure_penetration() {
  return engine_->deepest_overlap(state().time);
}

BodyMoment EventDrivenStepper::moment_of(Index body, double time) const {
  return engine_->moment_of(body, time);
}

void EventDrivenStepper::change(Index body, double time, const BodyMoment& moment) {
  engine_->set_velocity(body, time, moment.velocity);
}

// For resolved_problem().
void EventDrivenStepper::remember(const BallImpact& impact) {
  ImpactRecord& last = last_impact();
  last.time = impact.time;
  last.contacts.clear();
  last.restitution.clear();
  for (const BallRow& row : impact.rows) {
    last.contacts.push_back(row.contact);
    last.contacts.back().gap_end = row.contact.gap;
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
void EventDrivenStepper::remember_alone(const BallRow& row) {
  const Contact& contact = row.contact;
  BallImpact impact;
  impact.time = row.time;
  impact.rows.assign(1, row);
  for (const Index body : {contact.body_a, contact.body_b}) {
    if (body == kNone) continue;
    const BodyMoment now = engine_->moment_of(body, row.time);
    const double change =
        (body == contact.body_a ? row.normal : -row.normal) / simulation().world.bodies.mass[body];
    impact.bodies.push_back(body);
    impact.position.push_back(now.position);
    impact.velocity.push_back(now.velocity - change * contact.normal);
  }
  remember(impact);
}

void EventDrivenStepper::happened(double time, std::span<const BallRow> collisions) {
  const bool is_alone = collisions.size() == 1 && resolved_time_ != time;
  if (notes_impulses() && is_alone) remember_alone(collisions.front());
  std::vector<ContactImpulse> impulses;
  impulses.reserve(collisions.size());
  for (const BallRow& row : collisions) {
    impulses.push_back(row);  // NOLINT: all but the coefficient
    impulses.back().contact.gap_end = row.contact.gap;
  }
  tell(impulses, time);
}

bool EventDrivenStepper::resolve(BallImpact& impact) {
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
  const ImpactStage::Summary& summary = impact_->summary();
  if (summary.status == ImpactStatus::infeasible) {
    sums.status = summary.status;
    sums.message = squeeze_text(summary.squeezed);
    return false;
  }
  for (std::size_t k = 0; k < impact.bodies.size(); ++k) {
    impact.velocity[k] = velocity_[impact.bodies[k]];
  }
  for (std::size_t k = 0; k < impact.rows.size(); ++k) {
    impact.rows[k].normal = impact_->impulses()[k];
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
  counts_ = engine_->take_counts(time);
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

}  // namespace carom
