// Bodies that turn, under events: who is near whom, and in a periodic world which copy of it.
#include <algorithm>
#include <cmath>

#include "carom/bodies/periods.h"
#include "carom/events/detail/body_zones.h"
#include "carom/events/detail/free_flight.h"
#include "carom/events/detail/pair_events.h"
#include "carom/events/settings.h"
#include "carom/events/solid_events.h"

// Who is near whom, and in a periodic world which copy of it.
namespace carom {
namespace {

using detail::PairEvents;

// How far a body may go from the centre of its zone, in radii of the ball around it.
constexpr double kSkin = 0.5;
// Zones are moved when their bodies have gone this part of that.
constexpr double kFarEnough = 0.75;

}  // namespace

void SolidEventStepper::make_zones() {
  const BodySet& bodies = simulation_->world.bodies;
  std::vector<double> reach;
  for (Index i = 0; i < bodies.size(); ++i) {
    const double radius = flight_->solid(i).bounding_radius();
    skin_.push_back(kSkin * radius);
    reach.push_back(radius + skin_[i] +
                    simulation_->settings.of<EventSettings>().envelope * bodies.extent(i));
  }
  zones_ = std::make_unique<detail::BodyZones>(std::move(reach), simulation_->world.periodicity,
                                               simulation_->detection.broad_phase != "brute_force");
  for (Index i = 0; i < bodies.size(); ++i) zones_->move(i, flight_->start(i).position);
  const double begin = simulation_->start.time;
  std::vector<Index> found;
  for (Index i = 0; i < bodies.size(); ++i) {
    zones_->find_near(i, found);
    for (const Index other : found) {
      if (other < i) schedule(events_->join(i, other), begin);
    }
    for (Index shape = 0; shape < simulation_->world.shapes.size(); ++shape) {
      schedule(events_->pair_with_shape(i, shape), begin);
    }
    schedule_zone(i, begin);
  }
  for (Index shape = 0; shape < simulation_->world.shapes.size(); ++shape)
    schedule_motion(shape, begin);
}

// When the body may have come to the edge of its zone, at the earliest.
void SolidEventStepper::schedule_zone(Index body, double time) {
  if (flight_->is_at_rest(body)) {
    events_->set(PairEvents::zone_of(body), kInfinity);
    return;
  }
  const BodyMoment& now = flight_->at(body, time);
  const double left = std::max(skin_[body] - norm(now.position - zones_->center(body)), 0.0);
  const double speed = norm(now.velocity);
  const double gravity = norm(simulation_->forces.gravity);
  const double twice_mean = speed + std::sqrt(speed * speed + 2.0 * gravity * left);
  double until = 0.0;
  if (left > 0.0) until = twice_mean > 0.0 ? 2.0 * left / twice_mean : kInfinity;
  events_->set(PairEvents::zone_of(body), time + until);
}

// Bodies stay within their zones; periods of twice what two zones and their skins reach
// leave no doubt which copy of a near body is meant.
Vec3 SolidEventStepper::periods_to(Index b, Index a, double time) const {
  if (!wraps_) return {};
  return periods_between(simulation_->world.periodicity,
                         flight_->at(a, time).position - flight_->at(b, time).position);
}

// The copy of b that is next to a.
FlyingSolid SolidEventStepper::flying_near(Index b, Index a, double time) const {
  FlyingSolid copy = flight_->flying(b, time);
  if (wraps_) copy.body.pose.position += periods_to(b, a, time);
  return copy;
}

// From the centre of a body to a place on it, or on one of its copies.
Vec3 SolidEventStepper::arm(const Vec3& place, const Vec3& center) const {
  return wraps_ ? nearest_image(simulation_->world.periodicity, place - center) : place - center;
}

// Into the first period.
void SolidEventStepper::wrap(Index body, double time) {
  const Vec3 place = flight_->at(body, time).position;
  const Periodicity& periodicity = simulation_->world.periodicity;
  const Vec3 by = periods_between(periodicity, wrapped(periodicity, place) - place);
  if (by == Vec3{}) return;
  period_work_ -= simulation_->world.bodies.mass[body] * dot(simulation_->forces.gravity, by);
  flight_->shift(body, by);
}

void SolidEventStepper::leave_zone(Index body, double time) {
  const Vec3 place = flight_->at(body, time).position;
  if (norm(place - zones_->center(body)) >= kFarEnough * skin_[body]) {
    ++counts_.renewals;
    if (wraps_) wrap(body, time);
    zones_->move(body, flight_->at(body, time).position);
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

// What gravity has done along the periods since the beginning, up to a constant: there it has no
// potential.
double SolidEventStepper::work_along_periods(double time) const {
  const Vec3 along = along_periods(simulation_->world.periodicity, simulation_->forces.gravity);
  if (along == Vec3{}) return 0.0;
  double work = period_work_;
  for (Index i = 0; i < flight_->size(); ++i) {
    work += simulation_->world.bodies.mass[i] * dot(along, flight_->at(i, time).position);
  }
  return work;
}

void SolidEventStepper::sum_up(double time) {
  const double work = work_along_periods(time);
  sums().external_work += work - period_work_seen_;
  period_work_seen_ = work;
}

}  // namespace carom
