// When round bodies touch each other or a shape, in closed form.
#include "carom/events/detail/round_pairs.h"

#include <algorithm>
#include <cmath>

#include "carom/events/shape_touch.h"
#include "carom/events/touch_time.h"
#include "carom/geometry/direction.h"

namespace carom::detail {
namespace {

// What comes together more slowly than this part of the speeds is what an operator left alone.
constexpr double kStill = 1e-9;

// How long what is in touch with a shape or with a body at rest is left alone, at least: a part of
// the contact duration.
constexpr double kShortest = 0.05;

// Looks at shapes that swing do not reach farther ahead than this part of a period.
constexpr double kPartOfPeriod = 0.5;

double horizon_of(const Motion& motion) {
  const auto* sinusoid = std::get_if<SinusoidMotion>(&motion);
  if (sinusoid == nullptr || !is_moving(motion)) return kInfinity;
  return kPartOfPeriod / std::abs(sinusoid->frequency);
}

}  // namespace

RoundPairs::RoundPairs(const Simulation& simulation, double contact_duration)
    : simulation_(&simulation),
      contact_duration_(contact_duration),
      shapes_(simulation.world.shapes) {
  for (Index i = 0; i < simulation.world.bodies.size(); ++i) {
    is_round_.push_back(simulation.world.bodies.is_round(i) ? 1 : 0);
  }
  for (PlacedShape& placed : shapes_) {
    const auto* obstacle = std::get_if<SolidObstacle>(&placed.shape);
    const bool is_sphere = obstacle != nullptr && obstacle->solid->is_sphere();
    has_closed_form_.push_back(obstacle == nullptr || is_sphere ? 1 : 0);
    if (is_sphere) {
      placed.shape = SphereOutside{obstacle->pose.position, obstacle->solid->bounding_radius()};
    }
  }
}

bool RoundPairs::has(const Pair& pair) const {
  if (is_round_[pair.a] == 0) return false;
  return pair.b != kNone ? is_round_[pair.b] != 0 : has_closed_form_[pair.shape] != 0;
}

double RoundPairs::touching_gap(const Pair& pair, const Vec3& place) const {
  const BodySet& bodies = simulation_->world.bodies;
  double radius = bodies.radius[pair.a];
  if (pair.b != kNone) radius = std::min(radius, bodies.radius[pair.b]);
  return simulation_->detection.activation * radius + 16.0 * kRoundOff * norm(place);
}

double RoundPairs::time_until_touch(const Pair& pair, const Falling& a, const Falling& b,
                                    double now) const {
  return pair.b != kNone ? time_of_bodies(pair, a, b) : time_of_shape(pair, a, now);
}

double RoundPairs::time_of_bodies(const Pair& pair, const Falling& falling_a,
                                  const Falling& falling_b) const {
  const BodyMoment& a = falling_a.moment;
  const BodyMoment& b = falling_b.moment;
  const std::vector<double>& radius = simulation_->world.bodies.radius;
  const double reach = radius[pair.a] + radius[pair.b];
  const double speeds = norm(a.velocity) + norm(b.velocity);
  const RelativeFlight flight{a.position - b.position, a.velocity - b.velocity,
                              falling_a.acceleration - falling_b.acceleration};
  const double time = time_to_come_near(flight, reach, kInfinity, speed_noise(speeds));
  const Direction between = direction_of(flight.place);
  const bool is_touching = between.length - reach <= touching_gap(pair, a.position);
  const bool is_closing = dot(between.unit, flight.velocity) < -kStill * speeds;
  if (!is_touching || is_closing) return time;
  const double part = flight.acceleration == Vec3{} ? 1.0 : kShortest;
  return std::max(time, part * contact_duration_);
}

double RoundPairs::time_of_shape(const Pair& pair, const Falling& falling, double now) const {
  const BodyMoment& a = falling.moment;
  const PlacedShape& placed = shapes_[pair.shape];
  const BallFlight ball{a.position, a.velocity, falling.acceleration,
                        simulation_->world.bodies.radius[pair.a]};
  const Vec3 place = ball.position - offset_at(placed.motion, now);
  const Vec3 surface = velocity_at(placed.motion, now);
  const double speeds = norm(ball.velocity) + norm(surface);
  const double horizon = horizon_of(placed.motion);
  const double touching = touching_gap(pair, a.position);
  const Index features = feature_count(placed.shape, simulation_->world.dimension);
  double first = kInfinity;
  for (Index feature = 0; feature < features; ++feature) {
    double time = std::min(first_touch(placed, feature, ball, {now, horizon}).time, horizon);
    const SurfaceContact contact = ball_contact(placed.shape, feature, place, ball.radius);
    const bool is_closing = dot(contact.normal, ball.velocity - surface) < -kStill * speeds;
    if (contact.gap <= touching && !is_closing) {
      time = std::max(time, kShortest * contact_duration_);
    }
    first = std::min(first, time);
  }
  return first;
}

}  // namespace carom::detail
