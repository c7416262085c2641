// Bodies that turn, under events: what happens when an event is due.
#include "carom/events/solid_events.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/collision/solid_contact.h"
#include "carom/events/detail/body_zones.h"
#include "carom/events/detail/free_flight.h"
#include "carom/events/detail/pair_events.h"
#include "carom/events/detail/round_pairs.h"
#include "carom/events/settings.h"

namespace carom {
namespace {

using detail::FreeFlight;
using detail::PairEvents;

// Events aim at this part of the envelope, so that looks do not creep up to its edge.
constexpr double kAim = 0.8;
// Between two looks at a pair in touch: at least this part of the contact duration.
constexpr double kShortest = 0.05;
// Bounds beyond so many contact durations need not be better than those of balls.
constexpr double kHorizon = 16.0;
// Looks within one contact duration that no scene needs, per pair: the run does not go on. A body
// has about so many pairs.
constexpr std::uint64_t kRunaway = 2000;
constexpr std::uint64_t kPairsOfABody = 8;

double largest_speed(const SinusoidMotion& motion) {
  return 2.0 * std::numbers::pi * motion.frequency * norm(motion.amplitude);
}

// Until a motion along a table goes on otherwise; then its pairs are looked at again.
FlyingShape flying_shape(const PlacedShape& placed, double time) {
  FlyingShape shape{{&placed.shape, offset_at(placed.motion, time)}, {}};
  if (const auto* sinusoid = std::get_if<SinusoidMotion>(&placed.motion)) {
    shape.flight.further_speed = largest_speed(*sinusoid);
  } else {
    shape.flight.velocity = velocity_at(placed.motion, time);
  }
  return shape;
}

}  // namespace

SolidEventStepper::SolidEventStepper(const Simulation& simulation)
    : EventStepper(simulation),
      simulation_(&simulation),
      wraps_(simulation.world.periodicity.any()),
      assembler_(simulation.world),
      detector_(simulation.world, simulation.detection, &pool()),
      flight_(std::make_unique<FreeFlight>(simulation)),
      events_(std::make_unique<PairEvents>(simulation.world.bodies.size(),
                                           static_cast<Index>(simulation.world.shapes.size()),
                                           scheduler())),
      is_member_(simulation.world.bodies.size(), 0),
      position_(simulation.start.position),
      velocity_(simulation.start.velocity) {
  orientation_.resize(simulation.world.bodies.size());
  angular_velocity_.resize(simulation.world.bodies.size());
  velocity_before_ = velocity_;
  angular_before_ = angular_velocity_;
  comes_to_rest_.assign(simulation.world.bodies.size(), 0);
  rest_until_.assign(simulation.world.bodies.size(), kInfinity);
  choose_durations();
  scheduler().begin_at(simulation.start.time);
  round_ = std::make_unique<detail::RoundPairs>(simulation, contact_duration_);
  make_zones();
  period_work_seen_ = work_along_periods(simulation.start.time);
  const std::uint64_t pairs =
      simulation.world.bodies.size() * (kPairsOfABody + simulation.world.shapes.size());
  scheduler().set_most_events(kRunaway * (pairs + 1));
}

SolidEventStepper::~SolidEventStepper() = default;

// The time that gravity needs for half the (smallest) envelope, and the speed it gives over all of
// it: slow_ = sqrt(2 g d), contact_duration_ = slow_ / 2 g.
void SolidEventStepper::choose_durations() {
  double size = kInfinity;
  double fastest = 0.0;
  for (Index i = 0; i < simulation_->world.bodies.size(); ++i) {
    size = std::min(size, simulation_->world.bodies.extent(i));
    fastest = std::max(fastest, norm(simulation_->start.velocity[i]));
  }
  const double envelope = simulation_->settings.of<EventSettings>().envelope * size;
  const double gravity = norm(simulation_->forces.gravity);
  if (simulation_->settings.of<EventSettings>().contact_duration > 0.0) {
    contact_duration_ = simulation_->settings.of<EventSettings>().contact_duration;
  } else if (gravity > 0.0) {
    contact_duration_ = std::sqrt(0.5 * envelope / gravity);
  } else {
    contact_duration_ = fastest > 0.0 ? 0.1 * envelope / fastest : 1.0;
  }
  slow_ = 2.0 * gravity * contact_duration_;
}

// The next corner of a motion along a table.
void SolidEventStepper::schedule_motion(Index shape, double time) {
  const auto* table = std::get_if<TableMotion>(&simulation_->world.shapes[shape].motion);
  if (table == nullptr) return;
  const auto next = std::upper_bound(table->times.begin(), table->times.end(), time);
  events_->set(events_->motion_of(shape), next != table->times.end() ? *next : kInfinity);
}

// The motion of a shape changes course. Bounds on times of impact were found for the motion before
// and are found anew; closed forms know all of it.
void SolidEventStepper::renew_bounds_with(Index shape, double time) {
  for (Index body = 0; body < flight_->size(); ++body) {
    const Index pair = events_->pair_with_shape(body, shape);
    if (!is_round(pair)) schedule(pair, time);
  }
  schedule_motion(shape, time);
}

// After a body's flight has changed.
void SolidEventStepper::schedule_all(Index body, double time) {
  for (const PairEvents::Partner& partner : events_->near(body)) schedule(partner.pair, time);
  for (Index shape = 0; shape < simulation_->world.shapes.size(); ++shape) {
    schedule(events_->pair_with_shape(body, shape), time);
  }
  schedule_zone(body, time);
}

double SolidEventStepper::envelope_of(Index pair) const {
  const auto [a, b] = events_->bodies_of(pair);
  const double size_a = simulation_->world.bodies.extent(a);
  const double size = b == kNone ? size_a : std::min(size_a, simulation_->world.bodies.extent(b));
  return simulation_->settings.of<EventSettings>().envelope * size;
}

Vec3 SolidEventStepper::surface_velocity(Index shape, const Vec3& place, double time) const {
  return velocity_of_surface(simulation_->world.shapes[shape], place, time);
}

bool SolidEventStepper::is_round(Index pair) const {
  const auto [a, b] = events_->bodies_of(pair);
  return round_->has({a, b, events_->shape_of(pair)});
}

// The next look at a pair: when it touches, if that is known; otherwise when it may come into the
// envelope; of a pair that is there, when its surfaces may meet, and at the latest after a contact
// duration.
void SolidEventStepper::schedule(Index pair, double time) {
  const auto [a, b] = events_->bodies_of(pair);
  if (const std::optional<double> until = rest_of(pair)) {
    events_->set(pair, *until);
    return;
  }
  if (is_round(pair)) {
    const detail::RoundPairs::Falling first{flight_->at(a, time), flight_->acceleration(a)};
    detail::RoundPairs::Falling other = first;
    if (b != kNone) other = {flight_->at(b, time), flight_->acceleration(b)};
    if (wraps_ && b != kNone) other.moment.position += periods_to(b, a, time);
    events_->set(
        pair, time + round_->time_until_touch({a, b, events_->shape_of(pair)}, first, other, time));
    return;
  }
  const FlyingSolid first = flight_->flying(a, time);
  const double envelope = envelope_of(pair);
  const ImpactQuery query{kAim * envelope, kHorizon * contact_duration_};
  ImpactBound bound;
  if (b != kNone) {
    bound = bound_time_of_impact(first, flying_near(b, a, time), query);
  } else {
    const PlacedShape& shape = simulation_->world.shapes[events_->shape_of(pair)];
    bound = bound_time_of_impact(first, flying_shape(shape, time), query);
  }
  if (bound.distance > envelope) {
    events_->set(pair, time + bound.time);
    return;
  }
  // Where there is hardly room left the bound says nothing.
  const double shortest = bound.distance < kDeep * envelope ? kShortest * contact_duration_ : 0.0;
  events_->set(pair, time + std::clamp(bound.meeting, shortest, contact_duration_));
}

void SolidEventStepper::find_rows(Index pair, double time, std::vector<Row>& rows) {
  thread_local std::vector<SolidContact> found;
  const auto [a, b] = events_->bodies_of(pair);
  const Index shape = events_->shape_of(pair);
  const double margin = envelope_of(pair);
  const PlacedSolid placed = flight_->flying(a, time).body;
  if (b != kNone) {
    find_solid_contacts(placed, flying_near(b, a, time).body, margin, found);
  } else {
    const PlacedShape& other = simulation_->world.shapes[shape];
    find_solid_contacts(placed, OffsetShape{&other.shape, offset_at(other.motion, time)}, margin,
                        found);
  }
  const bool round = is_round(pair);
  const double touching =
      round ? round_->touching_gap({a, b, shape}, flight_->at(a, time).position) : 0.0;
  Index feature = 0;
  for (const SolidContact& contact : found) {
    Row row;
    row.contact.body_a = a;
    row.contact.body_b = b;
    row.contact.shape = shape;
    row.contact.feature = feature++;
    row.contact.normal = contact.normal;
    row.contact.gap = contact.gap;
    row.contact.gap_end = contact.gap;
    row.place = 0.5 * (contact.point_a + contact.point_b);
    row.is_round = round;
    row.touches = round && contact.gap <= touching;
    row.speed = speed_of(row, time);
    rows.push_back(row);
  }
}

// Relative, along the normal. What turning adds for round bodies is round-off.
double SolidEventStepper::speed_of(const Row& row, double time) {
  const auto velocity = [&](Index body) {
    const BodyMoment& now = flight_->at(body, time);
    if (row.is_round) return now.velocity;
    return now.velocity + cross(now.angular_velocity, arm(row.place, now.position));
  };
  const Contact& contact = row.contact;
  Vec3 other;
  if (contact.body_b != kNone) {
    other = velocity(contact.body_b);
  } else if (row.is_round) {
    other = velocity_at(simulation_->world.shapes[contact.shape].motion, time);
  } else {
    other = surface_velocity(contact.shape, row.place, time);
  }
  return dot(contact.normal, velocity(contact.body_a) - other);
}

void SolidEventStepper::look(Index pair, double time) {
  ++counts_.looks;
  thread_local std::vector<Row> rows;
  rows.clear();
  if (may_touch(pair, time)) find_rows(pair, time, rows);
  if (rest_of(pair).has_value()) {
    if (rows.empty()) {
      events_->set(pair, kInfinity);
      return;
    }
    collide(pair, time);
    tell(answered_, time);
    return;
  }
  const double closing = -1e-6 * slow_;
  const bool closes = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
    return row.is_round ? row.touches && row.speed < 0.0 : row.speed < closing;
  });
  if (closes) {
    collide(pair, time);
    tell(answered_, time);
  } else {
    schedule(pair, time);
  }
}

// Whether the balls around the two come nearer than the envelope.
bool SolidEventStepper::may_touch(Index pair, double time) {
  const auto [a, b] = events_->bodies_of(pair);
  if (b == kNone) return true;
  const double reach =
      flight_->solid(a).bounding_radius() + flight_->solid(b).bounding_radius() + envelope_of(pair);
  return norm_squared(arm(flight_->at(a, time).position, flight_->at(b, time).position)) <=
         reach * reach;
}

bool SolidEventStepper::handle(const DueEvent& event) {
  switch (events_->kind_of(event.owner)) {
    case EventKind::boundary:
      leave_zone(event.owner, event.time);
      break;
    case EventKind::motion:
      renew_bounds_with(events_->shape_of(event.owner), event.time);
      break;
    default:
      look(event.owner, event.time);
  }
  return sums().message.empty();
}

// Only an impact without an answer ends a run here.
EventOutcome SolidEventStepper::outcome() const {
  return {EventOutcome::Status::refused, scheduler().time(), {}, {}};
}

// There is one epoch: next to the envelope the round-off of times is nothing.
void SolidEventStepper::set_back(double /*passed*/) {}

double SolidEventStepper::runaway_window(const DueEvent& /*event*/) const {
  return contact_duration_;
}

void SolidEventStepper::add_involved(Index owner, EventOutcome& outcome) const {
  const auto [a, b] = events_->bodies_of(owner);
  const Index shape = events_->shape_of(owner);
  if (a != kNone) outcome.bodies.push_back(a);
  if (b != kNone) outcome.bodies.push_back(b);
  if (shape != kNone) outcome.shapes.push_back(shape);
}

BodyMoment SolidEventStepper::moment_of(Index body, double time) const {
  BodyMoment moment = flight_->at(body, time);
  if (wraps_) moment.position = wrapped(simulation_->world.periodicity, moment.position);
  return moment;
}

void SolidEventStepper::change(Index body, double time, const BodyMoment& moment) {
  const auto kinetic = [&](const BodyMoment& now) {
    const BodySet& bodies = simulation_->world.bodies;
    double energy = 0.5 * bodies.mass[body] * norm_squared(now.velocity);
    if (bodies.turns(body)) {
      const Vec3& w = now.angular_velocity;
      energy += 0.5 * dot(w, world_inertia(bodies, body, now.orientation) * w);
    }
    return energy;
  };
  set_going(body, time);
  BodyMoment changed = flight_->at(body, time);  // not one of its copies
  changed.velocity = moment.velocity;
  changed.angular_velocity = moment.angular_velocity;
  sums().external_work += kinetic(changed) - kinetic(flight_->at(body, time));
  flight_->set(body, time, changed);
  schedule_all(body, time);
}

void SolidEventStepper::evaluate(double time, State& state) const {
  for (Index i = 0; i < flight_->size(); ++i) {
    const BodyMoment now = moment_of(i, time);
    state.position[i] = now.position;
    state.velocity[i] = now.velocity;
    if (state.orientation.empty()) continue;
    state.orientation[i] = now.orientation;
    state.angular_velocity[i] = now.angular_velocity;
  }
}

Penetration SolidEventStepper::measure_penetration() {
  const State& now = state();
  detector_.measure({now.time, 0.0, now.position, now.position, now.orientation, now.orientation});
  return detector_.penetration();
}

}  // namespace carom
