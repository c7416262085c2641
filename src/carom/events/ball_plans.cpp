// Balls under events: what comes next for a ball.
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/events/detail/ball_engine.h"
#include "carom/events/touch_time.h"

// What comes next for a ball: the earliest of what it may run into, and the end of its list.
namespace carom::detail {
namespace {

double shifted(double difference, double length) {
  const double half = 0.5 * length;
  if (length <= 0.0) return difference;
  if (difference > half) return difference - length;
  if (difference < -half) return difference + length;
  return difference;
}

}  // namespace

// Both stand within a skin of their references, so that one shift is enough.
Vec3 BallEngine::between(Index from, Index to, const Vec3& difference) const {
  if (!wraps_ || (!near_->at_edge(from) && !near_->at_edge(to))) return difference;
  const Vec3& length = world_->periodicity.length;
  return {shifted(difference.x, length.x), shifted(difference.y, length.y),
          shifted(difference.z, length.z)};
}

BallFlight BallEngine::flight_of(Index slot) const {
  const Ball& ball = balls_[slot];
  return {ball.position, ball.velocity, gravity_, ball.radius};
}

// When the ball will have gone further from its list's reference than the list is good for. Under
// gravity a bound: looking again is cheap.
double BallEngine::list_end(Index slot) const {
  const Ball& ball = balls_[slot];
  const Vec3 away = ball.position - near_->reference(slot);
  const double skin = near_->skin();
  if (has_gravity_) {
    const double speed = norm(ball.velocity);
    const double left = std::max(skin - norm(away), 0.0);
    const double g = norm(gravity_);
    return 2.0 * left / (speed + std::sqrt(speed * speed + 2.0 * g * left));
  }
  const double a = norm_squared(ball.velocity);
  if (a == 0.0) return kInfinity;
  const double b = dot(away, ball.velocity);
  const double c = std::min(norm_squared(away) - skin * skin, 0.0);
  const double root = std::sqrt(b * b - a * c);
  return b > 0.0 ? -c / (b + root) : (root - b) / a;
}

// The earliest collision with a ball of the list. Balls are looked at four at a time; the few
// operations are the same in the same order for each, so that the width changes no bit.
bool BallEngine::look_at_balls(Index slot, Index partner, Earliest& earliest) const {
  const Ball& ball = balls_[slot];
  PairSearch search;
  search.balls = balls_.data();
  search.near = near_->near(slot);
  search.position = ball.position;
  search.velocity = ball.velocity;
  search.gravity = gravity_;
  const bool sees_copies = near_->at_edge(slot);
  search.period = sees_copies ? world_->periodicity.length : Vec3{};
  search.now = now();
  search.radius = ball.radius;
  search.touch = touch_;
  search.partner = partner;
  const PairFound found = has_gravity_  ? find_first_pair_general(search)
                          : sees_copies ? find_first_copy(search)
                                        : find_first_pair(search);
  if (now() + found.time < earliest.time) {
    earliest = {now() + found.time, {EventKind::pair, found.ball, 0}};
  }
  return found.touching;
}

bool BallEngine::look_at_shapes(Index slot, Index partner, Earliest& earliest) const {
  bool touching = false;
  const BallFlight ball = flight_of(slot);
  for (const Index packed : shapes_near_.of(slot)) {
    const PlacedShape& placed = world_->shapes[packed / kFeatures];
    const double clock = scheduler_->time();
    const Vec3 place = ball.position - offset_at(placed.motion, clock);
    const SurfaceContact contact =
        ball_contact(placed.shape, packed % kFeatures, place, ball.radius);
    touching |= contact.gap <= touch_ * ball.radius && packed != partner;
    double horizon = earliest.time - now();
    const auto* sinusoid = std::get_if<SinusoidMotion>(&placed.motion);
    if (sinusoid != nullptr && is_moving(placed.motion)) {
      horizon = std::min(horizon, 1.0 / std::abs(sinusoid->frequency));
    }
    ShapeTouch touch = first_touch(placed, packed % kFeatures, ball, {clock, horizon});
    if (touch.time > horizon) touch = {horizon, false};  // nothing until then
    const double time = now() + touch.time;
    if (time < earliest.time) {
      earliest = {time, {touch.certain ? EventKind::shape : EventKind::recheck, packed, 0}};
    }
  }
  return touching;
}

// Whether a ball that flies straight will clearly not have left its list by then. If it is within
// the skin at the end of its way, it has been so all along.
bool BallEngine::stays_near(Index slot, double time) const {
  constexpr double kClearly = 0.999;
  const Ball& ball = balls_[slot];
  const Vec3 away = ball.position + (time - now()) * ball.velocity - near_->reference(slot);
  return norm_squared(away) < kClearly * near_->skin() * near_->skin();
}

// Plans the next event of a ball that is at now, and says whether it touches anything but what it
// has just collided with.
bool BallEngine::plan(Index slot, const Partner& partner) {
  // Shapes are looked at no further than to the end of the list. Otherwise it is seldom needed.
  const bool needs_end = has_gravity_ || !world_->shapes.empty();
  Earliest earliest;
  if (needs_end) earliest = {now() + list_end(slot), {EventKind::boundary, kNone, 0}};
  bool touching = look_at_balls(slot, partner.ball, earliest);
  if (!needs_end && !stays_near(slot, earliest.time)) {
    const double end = now() + list_end(slot);
    if (end <= earliest.time) earliest = {end, {EventKind::boundary, kNone, 0}};
  }
  if (!world_->shapes.empty()) touching |= look_at_shapes(slot, partner.shape, earliest);
  if (earliest.plan.kind == EventKind::pair) {
    earliest.plan.version = records_[earliest.plan.partner].version;
  }
  records_[slot].plan = earliest.plan;
  scheduler_->queue().set(slot, earliest.time);
  return touching;
}

// The features of shapes that the ball can touch before its list ends; shapes that move, always.
void BallEngine::list_shapes(Index slot) {
  shapes_near_.clear(slot);
  const Vec3& reference = near_->reference(slot);
  const double radius = balls_[slot].radius;
  const double reach = near_->skin() + 2.0 * touch_ * radius;
  for (Index shape = 0; shape < world_->shapes.size(); ++shape) {
    const PlacedShape& placed = world_->shapes[shape];
    const Vec3 place = reference - offset_at(placed.motion, 0.0);
    for (Index feature = 0; feature < feature_count(placed.shape, world_->dimension); ++feature) {
      if (is_moving(placed.motion) ||
          ball_contact(placed.shape, feature, place, radius).gap <= reach) {
        shapes_near_.add(slot, pack(shape, feature));
      }
    }
  }
}

}  // namespace carom::detail
