#include "carom/stepping/solid_events.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/collision/solid_contact.h"
#include "carom/collision/time_of_impact.h"
#include "carom/core/names.h"
#include "carom/stepping/detail/body_zones.h"
#include "carom/stepping/detail/free_flight.h"
#include "carom/stepping/detail/listener_clock.h"
#include "carom/stepping/detail/pair_events.h"
#include "carom/stepping/detail/round_pairs.h"
#include "carom/stepping/detail/squeeze.h"
#include "carom/stepping/detail/stopwatch.h"

namespace carom {
namespace {

using detail::FreeFlight;
using detail::PairEvents;

// Events aim at this part of the envelope, so that looks do not creep up to its edge.
constexpr double kAim = 0.8;
// How far a body may go from the centre of its zone, in radii of the ball around it.
constexpr double kSkin = 0.5;
// Zones are moved when their bodies have gone this part of that.
constexpr double kFarEnough = 0.75;
// Between two looks at a pair in touch: at least this part of the contact duration.
constexpr double kShortest = 0.05;
// Bounds beyond so many contact durations need not be better than those of balls.
constexpr double kHorizon = 16.0;
// Looks within one contact duration that no scene needs, per pair: the run does not go on.
constexpr std::uint64_t kRunaway = 2000;
// The bodies and shapes of so many of the last looks are named then.
constexpr std::uint64_t kNamed = 100;

double largest_speed(const Motion& motion) {
  if (const auto* sinusoid = std::get_if<SinusoidMotion>(&motion)) {
    return 2.0 * std::numbers::pi * sinusoid->frequency * norm(sinusoid->amplitude);
  }
  double largest = 0.0;
  if (const auto* table = std::get_if<TableMotion>(&motion)) {
    for (std::size_t k = 1; k < table->times.size(); ++k) {
      largest = std::max(largest, norm(table->offsets[k] - table->offsets[k - 1]) /
                                      (table->times[k] - table->times[k - 1]));
    }
  }
  return largest;
}

FlyingShape flying_shape(const PlacedShape& placed, double time) {
  FlyingShape shape{{&placed.shape, offset_at(placed.motion, time)}, {}};
  if (const auto* constant = std::get_if<ConstantMotion>(&placed.motion)) {
    shape.flight.velocity = constant->velocity;
  } else {
    shape.flight.further_speed = largest_speed(placed.motion);
  }
  return shape;
}

}  // namespace

SolidEventStepper::SolidEventStepper(const Simulation& simulation)
    : simulation_(&simulation),
      pool_(simulation.threads),
      world_{simulation.dimension, &simulation.bodies, &simulation.shapes, &simulation.periodicity},
      assembler_(world_, simulation.materials),
      detector_(world_, simulation.detection, &pool_),
      flight_(std::make_unique<FreeFlight>(simulation)),
      events_(std::make_unique<PairEvents>(simulation.bodies.size(),
                                           static_cast<Index>(simulation.shapes.size()))),
      listener_(std::make_unique<detail::ListenerClock>()),
      state_(simulation.start),
      is_member_(simulation.bodies.size(), 0),
      position_(simulation.start.position),
      velocity_(simulation.start.velocity) {
  orientation_.resize(simulation.bodies.size());
  angular_velocity_.resize(simulation.bodies.size());
  velocity_before_ = velocity_;
  angular_before_ = angular_velocity_;
  choose_durations();
  round_ = std::make_unique<detail::RoundPairs>(simulation, contact_duration_);
  make_zones();
}

SolidEventStepper::~SolidEventStepper() = default;

// The time that gravity needs for half the (smallest) envelope, and the speed it gives over all of
// it: slow_ = sqrt(2 g d), contact_duration_ = slow_ / 2 g.
void SolidEventStepper::choose_durations() {
  double size = kInfinity;
  double fastest = 0.0;
  for (Index i = 0; i < simulation_->bodies.size(); ++i) {
    size = std::min(size, simulation_->bodies.extent(i));
    fastest = std::max(fastest, norm(simulation_->start.velocity[i]));
  }
  const double envelope = simulation_->events.envelope * size;
  const double gravity = norm(simulation_->forces.gravity);
  if (simulation_->events.contact_duration > 0.0) {
    contact_duration_ = simulation_->events.contact_duration;
  } else if (gravity > 0.0) {
    contact_duration_ = std::sqrt(0.5 * envelope / gravity);
  } else {
    contact_duration_ = fastest > 0.0 ? 0.1 * envelope / fastest : 1.0;
  }
  slow_ = 2.0 * gravity * contact_duration_;
}

void SolidEventStepper::make_zones() {
  const BodySet& bodies = simulation_->bodies;
  std::vector<double> reach;
  for (Index i = 0; i < bodies.size(); ++i) {
    const double radius = flight_->solid(i).bounding_radius();
    skin_.push_back(kSkin * radius);
    reach.push_back(radius + skin_[i] + simulation_->events.envelope * bodies.extent(i));
  }
  zones_ = std::make_unique<detail::BodyZones>(std::move(reach),
                                               simulation_->detection.broad_phase != "brute_force");
  for (Index i = 0; i < bodies.size(); ++i) zones_->move(i, flight_->start(i).position);
  std::vector<Index> found;
  for (Index i = 0; i < bodies.size(); ++i) {
    zones_->find_near(i, found);
    for (const Index other : found) {
      if (other < i) schedule(events_->join(i, other), 0.0);
    }
    for (Index shape = 0; shape < simulation_->shapes.size(); ++shape) {
      schedule(events_->pair_with_shape(i, shape), 0.0);
    }
    schedule_zone(i, 0.0);
  }
}

// When the body may have come to the edge of its zone, at the earliest.
void SolidEventStepper::schedule_zone(Index body, double time) {
  const BodyMoment& now = flight_->at(body, time);
  const double left = std::max(skin_[body] - norm(now.position - zones_->center(body)), 0.0);
  const double speed = norm(now.velocity);
  const double gravity = norm(simulation_->forces.gravity);
  const double twice_mean = speed + std::sqrt(speed * speed + 2.0 * gravity * left);
  double until = 0.0;
  if (left > 0.0) until = twice_mean > 0.0 ? 2.0 * left / twice_mean : kInfinity;
  events_->set(PairEvents::zone_of(body), time + until);
}

void SolidEventStepper::leave_zone(Index body, double time) {
  const Vec3 place = flight_->at(body, time).position;
  if (norm(place - zones_->center(body)) >= kFarEnough * skin_[body]) {
    ++counts_.renewals;
    zones_->move(body, place);
    thread_local std::vector<Index> found;
    thread_local std::vector<Index> known;
    zones_->find_near(body, found);
    known.clear();
    for (const PairEvents::Partner& partner : events_->near(body)) known.push_back(partner.body);
    for (const Index other : known) {
      if (!std::binary_search(found.begin(), found.end(), other)) events_->part(body, other);
    }
    for (const Index other : found) {
      if (std::binary_search(known.begin(), known.end(), other)) continue;
      schedule(events_->join(body, other), time);
    }
  }
  schedule_zone(body, time);
}

// After a body's flight has changed.
void SolidEventStepper::schedule_all(Index body, double time) {
  for (const PairEvents::Partner& partner : events_->near(body)) schedule(partner.pair, time);
  for (Index shape = 0; shape < simulation_->shapes.size(); ++shape) {
    schedule(events_->pair_with_shape(body, shape), time);
  }
  schedule_zone(body, time);
}

double SolidEventStepper::envelope_of(Index pair) const {
  const auto [a, b] = events_->bodies_of(pair);
  const double size_a = simulation_->bodies.extent(a);
  const double size = b == kNone ? size_a : std::min(size_a, simulation_->bodies.extent(b));
  return simulation_->events.envelope * size;
}

Vec3 SolidEventStepper::surface_velocity(Index shape, const Vec3& place, double time) const {
  return velocity_of_surface(simulation_->shapes[shape], place, time);
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
  if (is_round(pair)) {
    const BodyMoment& now_a = flight_->at(a, time);
    const BodyMoment& now_b = b != kNone ? flight_->at(b, time) : now_a;
    events_->set(
        pair, time + round_->time_until_touch({a, b, events_->shape_of(pair)}, now_a, now_b, time));
    return;
  }
  const FlyingSolid first = flight_->flying(a, time);
  const double envelope = envelope_of(pair);
  const ImpactQuery query{kAim * envelope, kHorizon * contact_duration_};
  ImpactBound bound;
  if (b != kNone) {
    bound = bound_time_of_impact(first, flight_->flying(b, time), query);
  } else {
    const PlacedShape& shape = simulation_->shapes[events_->shape_of(pair)];
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
    find_solid_contacts(placed, flight_->flying(b, time).body, margin, found);
  } else {
    const PlacedShape& other = simulation_->shapes[shape];
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
    return now.velocity + cross(now.angular_velocity, row.place - now.position);
  };
  const Contact& contact = row.contact;
  Vec3 other;
  if (contact.body_b != kNone) {
    other = velocity(contact.body_b);
  } else if (row.is_round) {
    other = velocity_at(simulation_->shapes[contact.shape].motion, time);
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
  const double closing = -1e-6 * slow_;
  const bool closes = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
    return row.is_round ? row.touches && row.speed < 0.0 : row.speed < closing;
  });
  if (closes) {
    const std::size_t known = noted_.size();
    collide(pair, time);
    tell_impact(known);
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
  return norm_squared(flight_->at(a, time).position - flight_->at(b, time).position) <=
         reach * reach;
}

void SolidEventStepper::add_names(Index pair, std::vector<std::string>& names) const {
  const auto [a, b] = events_->bodies_of(pair);
  const Index shape = events_->shape_of(pair);
  names.push_back(simulation_->bodies.name[a]);
  if (b != kNone) names.push_back(simulation_->bodies.name[b]);
  if (shape != kNone) names.push_back(simulation_->shapes[shape].name);
}

// All events up to a time, and the listener's moments among them.
void SolidEventStepper::run_events(double end) {
  std::uint64_t looks = 0;
  double since = 0.0;
  std::vector<std::string> names;
  while (sums_.message.empty()) {
    const double time = events_->next_time();
    if (listener_->next() < time && listener_->next() <= end) {
      call_listener();
      continue;
    }
    if (time > end) return;
    const Index number = events_->pop();
    if (time > since + contact_duration_) {
      since = time;
      looks = 0;
      names.clear();
    }
    const std::uint64_t most = kRunaway * (events_->number_count() + 1);
    if (++looks + kNamed > most) add_names(number, names);
    if (looks > most) {
      sums_.status = ImpactStatus::diverged;
      sums_.message = "events pile up at time " + number_text(time) + " without end, among " +
                      detail::name_list(names);
      return;
    }
    if (events_->is_zone(number)) {
      leave_zone(number, time);
    } else {
      look(number, time);
    }
  }
}

StepReport SolidEventStepper::step() {
  sums_ = StepReport();
  noted_.clear();
  contacts_.clear();
  places_.clear();
  StepReport report;
  const double end = static_cast<double>(state_.step + 1) * simulation_->time.step;
  PhaseTime all;
  {
    const Stopwatch watch(all);
    run_events(end);
  }
  report = sums_;
  report.step = state_.step + 1;
  report.time = end;
  report.integration.wall = all.wall - sums_.impact.wall;
  report.integration.cpu = all.cpu - sums_.impact.cpu;
  if (!report.can_go_on()) return report;
  evaluate(end);
  state_.step = report.step;
  state_.time = end;
  report.totals = totals(*simulation_, state_);
  const Stopwatch watch(report.measurement);
  detector_.measure(
      {end, 0.0, state_.position, state_.position, state_.orientation, state_.orientation});
  report.penetration = detector_.penetration();
  return report;
}

void SolidEventStepper::evaluate(double time) {
  for (Index i = 0; i < flight_->size(); ++i) {
    const BodyMoment& now = flight_->at(i, time);
    state_.position[i] = now.position;
    state_.velocity[i] = now.velocity;
    if (state_.orientation.empty()) continue;
    state_.orientation[i] = now.orientation;
    state_.angular_velocity[i] = now.angular_velocity;
  }
}

}  // namespace carom
