// When a ball in free flight touches a shape.
#include "carom/events/shape_touch.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/core/assert.h"
#include "carom/events/touch_time.h"
#include "carom/geometry/direction.h"

namespace carom {
namespace {

/// A ball as seen from the shape's place at the beginning of a stretch of uniform motion.
struct SeenBall {
  BallFlight flight;
  double horizon = kInfinity;
  double noise = 0.0;  ///< of speeds
};

/// A ball, one feature of a shape, and the time.
struct Meeting {
  const PlacedShape* placed = nullptr;
  Index feature = 0;
  BallFlight ball;
  TouchWindow window;
};

BallFlight after(const BallFlight& ball, double time) {
  BallFlight later = ball;
  later.position += time * (ball.velocity + 0.5 * time * ball.acceleration);
  later.velocity += time * ball.acceleration;
  return later;
}

// ----- One stretch of uniform motion ----------------------------------------------------------

double flat_touch(const Shape& shape, Index feature, const SeenBall& ball) {
  const BallFlight& flight = ball.flight;
  const SurfaceContact contact = ball_contact(shape, feature, flight.position, flight.radius);
  return time_to_touch(
      {contact.gap, dot(contact.normal, flight.velocity), dot(contact.normal, flight.acceleration)},
      ball.noise);
}

RelativeFlight seen_from(const Vec3& center, const BallFlight& flight) {
  return {flight.position - center, flight.velocity, flight.acceleration};
}

// The infinite cylinder about the segment, where the ball enters it beside the segment. Under
// gravity it can leave the cylinder and enter it once more.
double side_touch(const Segment& segment, const SeenBall& ball) {
  const Vec3 middle = 0.5 * segment.a + 0.5 * segment.b;
  const Direction half = direction_of(0.5 * segment.b - 0.5 * segment.a);
  const RelativeFlight whole = seen_from(middle, ball.flight);
  const auto across = [&](const Vec3& v) { return v - dot(v, half.unit) * half.unit; };
  const double radius = ball.flight.radius;
  RelativeFlight flight = {across(whole.place), across(whole.velocity), across(whole.acceleration)};
  double passed = 0.0;
  constexpr int kMostEntries = 2;  // a parabola meets a cylinder at four places at most
  for (int entry = 0; entry < kMostEntries; ++entry) {
    const double left = ball.horizon - passed;
    const double time = passed + time_to_come_near(flight, radius, left, ball.noise);
    if (!(time <= ball.horizon)) break;
    const Vec3 place = whole.place + time * (whole.velocity + 0.5 * time * whole.acceleration);
    if (std::abs(dot(place, half.unit)) <= half.length) return time;
    if (flight.acceleration == Vec3{}) break;
    const auto move = [&](double by) {
      flight.place += by * (flight.velocity + 0.5 * by * flight.acceleration);
      flight.velocity += by * flight.acceleration;
    };
    move(time - passed);
    passed = time;
    const double leaves = time_to_go_far(flight, radius, ball.horizon - passed, ball.noise);
    if (!(passed + leaves <= ball.horizon)) break;
    move(leaves);
    passed += leaves;
  }
  return kInfinity;
}

double touch(const HalfPlane& shape, Index feature, const SeenBall& ball) {
  return flat_touch(shape, feature, ball);
}
double touch(const BoxInside& shape, Index feature, const SeenBall& ball) {
  return flat_touch(shape, feature, ball);
}
double touch(const SphereInside& shape, Index /*feature*/, const SeenBall& ball) {
  return time_to_go_far(seen_from(shape.center, ball.flight), shape.radius - ball.flight.radius,
                        ball.horizon, ball.noise);
}
double touch(const SphereOutside& shape, Index /*feature*/, const SeenBall& ball) {
  return time_to_come_near(seen_from(shape.center, ball.flight), shape.radius + ball.flight.radius,
                           ball.horizon, ball.noise);
}
double touch(const Segment& shape, Index /*feature*/, const SeenBall& ball) {
  double first = side_touch(shape, ball);
  for (const Vec3& end : {shape.a, shape.b}) {
    first = std::min(first, time_to_come_near(seen_from(end, ball.flight), ball.flight.radius,
                                              ball.horizon, ball.noise));
  }
  return first;
}
double touch(const SolidObstacle& /*shape*/, Index /*feature*/, const SeenBall& /*ball*/) {
  CAROM_DEMAND(false);  // balls and solids are another method's business
  return kInfinity;
}

// The shape stands at `offset` now and moves with `velocity`.
double uniform_touch(const Meeting& meeting, const Vec3& offset, const Vec3& velocity) {
  SeenBall seen{meeting.ball, meeting.window.horizon, 0.0};
  seen.noise = speed_noise(norm(meeting.ball.velocity) + norm(velocity));
  seen.flight.position -= offset;
  seen.flight.velocity -= velocity;
  return std::visit([&](const auto& shape) { return touch(shape, meeting.feature, seen); },
                    meeting.placed->shape);
}

// ----- Motions that are not uniform -----------------------------------------------------------

double table_touch(const Meeting& meeting, const TableMotion& table) {
  const auto [now, horizon] = meeting.window;
  double passed = 0.0;
  auto corner = std::upper_bound(table.times.begin(), table.times.end(), now);
  for (;;) {
    const bool last = corner == table.times.end();
    const double piece = last ? kInfinity : std::max(*corner - now - passed, 0.0);
    Meeting part = meeting;
    part.ball = after(meeting.ball, passed);
    part.window = {now + passed, std::min(piece, horizon - passed)};
    const double time =
        uniform_touch(part, offset_at(table, part.window.now), velocity_at(table, part.window.now));
    if (time <= piece) return passed + time;
    passed += piece;
    if (last || passed > horizon) return kInfinity;
    ++corner;
  }
}

// How fast the gap's speed can fall, at most (m/s^2). Distances from convex things are convex along
// straight ways, so that only accelerations count; the inside of a sphere bends towards the flight,
// which is bounded in its outer half.
double bend(double hollow, double acceleration, double speed) {
  return hollow > 0.0 ? acceleration + 2.0 * speed * speed / hollow : acceleration;
}

ShapeTouch sinusoid_touch(const Meeting& meeting, const SinusoidMotion& sinusoid) {
  const PlacedShape& placed = *meeting.placed;
  const BallFlight& ball = meeting.ball;
  const auto [now, horizon] = meeting.window;
  CAROM_ASSERT(std::isfinite(horizon));
  constexpr int kMostSteps = 100;
  constexpr double kTouching = 1e-13;  // of a radius
  const double rate = 2.0 * std::numbers::pi * std::abs(sinusoid.frequency);
  const double reach = norm(sinusoid.amplitude);
  const double fall = norm(ball.acceleration);
  const double speed = norm(ball.velocity) + fall * horizon + reach * rate;
  // Of the sphere in which the centre can move.
  const auto* inside = std::get_if<SphereInside>(&placed.shape);
  const double hollow = inside != nullptr ? inside->radius - ball.radius : 0.0;
  const double bound = bend(hollow, fall + reach * rate * rate, speed);
  const double noise = speed_noise(speed);
  double time = 0.0;
  for (int k = 0; k < kMostSteps; ++k) {
    if (!(time <= horizon)) return {};
    const BallFlight later = after(ball, time);
    const SurfaceContact contact =
        ball_contact(placed.shape, meeting.feature,
                     later.position - offset_at(sinusoid, now + time), later.radius);
    const double u = dot(contact.normal, later.velocity - velocity_at(sinusoid, now + time));
    const bool touching = contact.gap <= kTouching * ball.radius;
    if (touching && u < -noise) return {time, true};
    if (touching && u <= noise &&
        gap_acceleration(placed, contact.normal, later, now + time) < 0.0) {
      return {time, true};
    }
    const double far = inside != nullptr ? contact.gap - 0.5 * hollow : 0.0;
    double step = 0.0;
    if (far > 0.0) {
      step = std::max(far, 0.1 * hollow) / speed;
    } else {
      const double gap = std::max(contact.gap, 0.0);
      step = (u + std::sqrt(u * u + 2.0 * bound * gap)) / bound;
    }
    // A pair that hardly parts is let go by what round-off would hide.
    if (u >= -noise) step = std::max(step, 1e-9 / rate);
    if (time + step == time) return {time, true};
    time += step;
  }
  return {time, false};
}

}  // namespace

ShapeTouch first_touch(const PlacedShape& placed, Index feature, const BallFlight& ball,
                       const TouchWindow& window) {
  const Meeting meeting = {&placed, feature, ball, window};
  if (const auto* table = std::get_if<TableMotion>(&placed.motion)) {
    return {table_touch(meeting, *table), true};
  }
  const auto* sinusoid = std::get_if<SinusoidMotion>(&placed.motion);
  if (sinusoid != nullptr && is_moving(placed.motion)) return sinusoid_touch(meeting, *sinusoid);
  return {uniform_touch(meeting, offset_at(placed.motion, window.now),
                        velocity_at(placed.motion, window.now)),
          true};
}

double gap_acceleration(const PlacedShape& placed, const Vec3& normal, const BallFlight& ball,
                        double now) {
  const Vec3 velocity = ball.velocity - velocity_at(placed.motion, now);
  const Vec3 acceleration = ball.acceleration - acceleration_at(placed.motion, now);
  const double straight = dot(normal, acceleration);
  const double along = norm_squared(velocity) - dot(normal, velocity) * dot(normal, velocity);
  if (const auto* inside = std::get_if<SphereInside>(&placed.shape)) {
    return straight - along / (inside->radius - ball.radius);
  }
  if (const auto* outside = std::get_if<SphereOutside>(&placed.shape)) {
    return straight + along / (outside->radius + ball.radius);
  }
  return straight;
}

}  // namespace carom
