// Balls under events: what happens when an event is due.
#include "carom/events/detail/ball_engine.h"

#include <algorithm>
#include <cmath>

#include "carom/core/assert.h"
#include "carom/events/touch_time.h"
#include "carom/geometry/direction.h"

// The way through events.
namespace carom::detail {

void BallEngine::bring_to_now(Index slot) {
  Ball& ball = balls_[slot];
  const double passed = now() - ball.clock;
  ball.position += passed * ball.velocity;
  if (has_gravity_) {
    ball.position += (0.5 * passed * passed) * gravity_;
    ball.velocity += passed * gravity_;
  }
  ball.clock = now();
}

// Balls that meet are anywhere in memory. What an event needs is asked for in stages, each when the
// one before has come: the owner, its list and its partner, the balls of both lists.
void BallEngine::look_ahead() {
  // Groups ahead.
  constexpr Index kOwner = 20;
  constexpr Index kPartner = 15;
  constexpr Index kNear = 10;
  constexpr Index kNearPartner = 5;
  const auto fetch = [&](Index slot) {
    __builtin_prefetch(&balls_[slot]);
    __builtin_prefetch(&records_[slot]);
    near_->prefetch(slot);
    scheduler_->queue().prefetch(slot);
  };
  const auto fetch_near = [&](Index slot) {
    for (const Index other : near_->near(slot)) __builtin_prefetch(&balls_[other]);
  };
  const auto partner_of = [&](Index slot) {
    const Plan& pending = records_[slot].plan;
    return pending.kind == EventKind::pair ? pending.partner : kNone;
  };
  const Index group = scheduler_->queue().group();
  if (looked_ahead_ > group) looked_ahead_ = group;  // the queue has been laid out anew
  for (; looked_ahead_ < group; ++looked_ahead_) {
    const Index next = looked_ahead_ + 1;
    for (Index s = scheduler_->queue().first_of(next + kOwner); s != kNone;
         s = scheduler_->queue().next_of(s))
      fetch(s);
    for (Index s = scheduler_->queue().first_of(next + kPartner); s != kNone;
         s = scheduler_->queue().next_of(s)) {
      near_->prefetch_near(s);
      if (const Index partner = partner_of(s); partner != kNone) fetch(partner);
    }
    for (Index s = scheduler_->queue().first_of(next + kNear); s != kNone;
         s = scheduler_->queue().next_of(s)) {
      fetch_near(s);
      if (const Index partner = partner_of(s); partner != kNone) near_->prefetch_near(partner);
    }
    for (Index s = scheduler_->queue().first_of(next + kNearPartner); s != kNone;
         s = scheduler_->queue().next_of(s)) {
      if (const Index partner = partner_of(s); partner != kNone) fetch_near(partner);
    }
  }
}

bool BallEngine::handle(const DueEvent& event) {
  constexpr std::size_t kFitInCache = 8000;
  if (balls_.size() > kFitInCache) look_ahead();
  handle_plan(event.owner);
  if (watching_ && !collisions_.empty()) tell_impact();
  return outcome_.status == EventOutcome::Status::reached;
}

void BallEngine::tell_impact() {
  handler_->happened(scheduler_->time(), collisions_);
  collisions_.clear();
}

void BallEngine::set_back(double passed) {
  for (Index slot = 0; slot < balls_.size(); ++slot) {
    bring_to_now(slot);
    balls_[slot].clock = 0.0;
    records_[slot].last_collision -= passed;
  }
}

// A cluster that collapses, and nothing that keeps it from doing so.
double BallEngine::runaway_window(const DueEvent& event) const {
  constexpr double kPart = 1e-6;  // of the time in which a ball moves by its radius
  const Ball& ball = balls_[event.owner];
  return kPart * std::min(crossing_time_, ball.radius / norm(ball.velocity));
}

void BallEngine::add_involved(Index owner, EventOutcome& outcome) const {
  const Plan& pending = records_[owner].plan;
  outcome.bodies.push_back(body_of_[owner]);
  if (pending.kind == EventKind::pair) outcome.bodies.push_back(body_of_[pending.partner]);
  if (pending.kind == EventKind::shape) outcome.shapes.push_back(pending.partner / kFeatures);
}

void BallEngine::handle_plan(Index slot) {
  const Plan pending = records_[slot].plan;
  switch (pending.kind) {
    case EventKind::pair:
      if (records_[pending.partner].version == pending.version) {
        collide_balls(slot, pending.partner);
        return;
      }
      ++counts_.late;
      break;
    case EventKind::shape:
      collide_shape(slot, pending.partner);
      return;
    case EventKind::boundary:
      bring_to_now(slot);
      renew_list(slot);
      break;
    default:
      break;  // a bound that has come
  }
  bring_to_now(slot);
  static_cast<void>(plan(slot, {}));
}

void BallEngine::renew_list(Index slot) {
  Ball& ball = balls_[slot];
  // Under gravity the end was only a bound.
  constexpr double kFarEnough = 0.75;
  if (has_gravity_ && norm(ball.position - near_->reference(slot)) < kFarEnough * near_->skin()) {
    return;
  }
  if (wraps_) {
    const Vec3 inside = wrapped(world_->periodicity, ball.position);
    period_work_ += dot(gravity_, ball.position - inside) / records_[slot].inverse_mass;
    ball.position = inside;
  }
  near_->renew(slot, ball.position);
  if (!world_->shapes.empty()) list_shapes(slot);
  ++counts_.renewals;
}

void BallEngine::collide_balls(Index a, Index b) {
  near_->prefetch(b);
  scheduler_->queue().prefetch(b);
  bring_to_now(a);
  bring_to_now(b);
  Ball& ball_a = balls_[a];
  Ball& ball_b = balls_[b];
  const Vec3 away = between(a, b, ball_b.position - ball_a.position);
  const Vec3 before_a = ball_a.velocity;
  const Vec3 before_b = ball_b.velocity;
  const double closing = dot(away, before_b - before_a);
  const double distance_squared = norm_squared(away);
  const double noise = speed_noise(norm(before_a) + norm(before_b));
  if (!(closing < -noise * (ball_a.radius + ball_b.radius))) {
    static_cast<void>(plan(a, {}));  // they only brush
    return;
  }
  Record& record_a = records_[a];
  Record& record_b = records_[b];
  const Coefficients pair = coefficients(record_a.material, record_b.material);
  if (pair.friction) {
    if (resolve_cluster(a, b)) return;
    static_cast<void>(plan(a, {}));
    return;
  }
  double restitution = pair.restitution;
  if (pair.restitution_speed > 0.0) {
    restitution = pair.restitution_at(-closing / std::sqrt(distance_squared));
  }
  if (restitution < 1.0 && (collided_lately(a) || collided_lately(b))) restitution = 1.0;
  // Impulse over distance.
  const double sum = record_a.inverse_mass + record_b.inverse_mass;
  const double push = -(1.0 + restitution) * closing / (distance_squared * sum);
  const Vec3 after_a = before_a - (push * record_a.inverse_mass) * away;
  const Vec3 after_b = before_b + (push * record_b.inverse_mass) * away;
  ball_a.velocity = after_a;
  ball_b.velocity = after_b;
  ++record_a.version;
  ++record_b.version;
  const bool a_touches = plan(a, {b, kNone});
  const bool b_touches = plan(b, {a, kNone});
  if (a_touches || b_touches) {
    ball_a.velocity = before_a;
    ball_b.velocity = before_b;
    if (resolve_cluster(a, b)) return;
    ball_a.velocity = after_a;
    ball_b.velocity = after_b;
    static_cast<void>(plan(a, {b, kNone}));
    static_cast<void>(plan(b, {a, kNone}));
  }
  ++counts_.impacts;
  ++counts_.collisions;
  ++counts_.rows;
  if (lossy_) {
    record_a.last_collision = now();
    record_b.last_collision = now();
    counts_.dissipated +=
        0.5 * (1.0 - restitution * restitution) * closing * closing / (distance_squared * sum);
  }
  if (watching_) {
    const double distance = std::sqrt(distance_squared);
    const bool in_order = body_of_[a] < body_of_[b];
    BallRow row;
    row.contact.body_a = body_of_[in_order ? a : b];
    row.contact.body_b = body_of_[in_order ? b : a];
    row.contact.normal = ((in_order ? -1.0 : 1.0) / distance) * away;
    row.contact.gap = distance - (ball_a.radius + ball_b.radius);
    row.restitution = restitution;
    row.normal = push * distance;
    note(row, in_order ? a : b);
  }
}

void BallEngine::collide_shape(Index slot, Index packed) {
  bring_to_now(slot);
  Ball& ball = balls_[slot];
  Record& record = records_[slot];
  const Index shape = packed / kFeatures;
  const PlacedShape& placed = world_->shapes[shape];
  const double clock = scheduler_->time();
  const Vec3 offset = offset_at(placed.motion, clock);
  const SurfaceContact contact =
      ball_contact(placed.shape, packed % kFeatures, ball.position - offset, ball.radius);
  const Vec3 surface = velocity_at(placed.motion, clock);
  const Vec3 before = ball.velocity;
  const double closing = -dot(contact.normal, before - surface);
  BallRow row;
  row.contact.body_a = body_of_[slot];
  row.contact.shape = shape;
  row.contact.feature = packed % kFeatures;
  row.contact.normal = contact.normal;
  row.contact.gap = contact.gap;
  const double bounce = bounce_speed(slot, before, row);
  if (closing <= speed_noise(norm(before) + norm(surface)) && bounce == 0.0) {
    static_cast<void>(plan(slot, {kNone, packed}));
    return;
  }
  const Coefficients pair = coefficients(record.material, placed.material);
  if (pair.friction) {
    if (resolve_cluster(slot, kNone)) return;
    static_cast<void>(plan(slot, {}));
    return;
  }
  row.restitution = collided_lately(slot) ? 1.0 : pair.restitution_at(std::max(closing, 0.0));
  double leaving = std::max(row.restitution * closing, std::min(closing, bounce));
  if (leaving < kAtRest * bounce) leaving = kLeastBounce * bounce;
  const double speed_change = closing + leaving;
  const Vec3 after = before + speed_change * contact.normal;
  ball.velocity = after;
  ++record.version;
  if (plan(slot, {kNone, packed})) {
    ball.velocity = before;
    if (resolve_cluster(slot, kNone)) return;
    ball.velocity = after;
    static_cast<void>(plan(slot, {kNone, packed}));
  }
  ++counts_.impacts;
  ++counts_.collisions;
  ++counts_.rows;
  record.last_collision = now();
  row.normal = speed_change / record.inverse_mass;
  counts_.work += row.normal * dot(contact.normal, surface);
  counts_.dissipated += 0.5 * (closing * closing - leaving * leaving) / record.inverse_mass;
  if (watching_) note(row, slot);
}

void BallEngine::note(const BallRow& row, Index slot_a) {
  const Ball& ball = balls_[slot_a];
  collisions_.push_back(row);
  collisions_.back().time = scheduler_->time();
  collisions_.back().point = place_at(ball, now()) - ball.radius * row.contact.normal;
}

}  // namespace carom::detail
