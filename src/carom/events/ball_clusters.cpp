// Impacts of several contacts: what touches, and what touches that, is one problem.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "carom/events/detail/ball_engine.h"
#include "carom/events/touch_time.h"
#include "carom/geometry/direction.h"
#include "carom/impact/resolve.h"

namespace carom::detail {
Vec3 BallEngine::surface_velocity(Index shape) const {
  return velocity_at(world_->shapes[shape].motion, scheduler_->time());
}

void BallEngine::add_to_cluster(Index slot) {
  if (cluster_place_[slot] != kNone) return;
  cluster_place_[slot] = static_cast<Index>(cluster_slots_.size());
  cluster_slots_.push_back(slot);
}

void BallEngine::gather_balls(Index slot) {
  const Ball& ball = balls_[slot];
  for (const Index other : near_->near(slot)) {
    // A pair whose other ball has been here is known.
    const Index place = cluster_place_[other];
    if (place != kNone && place < cluster_place_[slot]) continue;
    const Ball& there = balls_[other];
    const Vec3 difference = between(slot, other, place_at(ball, now()) - place_at(there, now()));
    const Direction away = direction_of(difference);
    const double gap = away.length - (ball.radius + there.radius);
    if (gap > touch_ * std::min(ball.radius, there.radius)) continue;
    add_to_cluster(other);
    const bool in_order = body_of_[slot] < body_of_[other];
    BallRow row;
    row.contact.body_a = body_of_[in_order ? slot : other];
    row.contact.body_b = body_of_[in_order ? other : slot];
    row.contact.normal = in_order ? away.unit : -away.unit;
    row.contact.gap = gap;
    cluster_.rows.push_back(row);
  }
}

void BallEngine::gather_shapes(Index slot) {
  const Ball& ball = balls_[slot];
  for (const Index packed : shapes_near_.of(slot)) {
    const PlacedShape& placed = world_->shapes[packed / kFeatures];
    const Vec3 place = place_at(ball, now()) - offset_at(placed.motion, scheduler_->time());
    const SurfaceContact contact =
        ball_contact(placed.shape, packed % kFeatures, place, ball.radius);
    if (contact.gap > touch_ * ball.radius) continue;
    BallRow row;
    row.contact.body_a = body_of_[slot];
    row.contact.shape = packed / kFeatures;
    row.contact.feature = packed % kFeatures;
    row.contact.normal = contact.normal;
    row.contact.gap = contact.gap;
    cluster_.rows.push_back(row);
  }
}

// The pair that collides touches, whatever round-off says: it comes in as all others do.
void BallEngine::gather(Index first, Index second) {
  cluster_.rows.clear();
  cluster_.time = scheduler_->time();
  add_to_cluster(first);
  if (second != kNone) add_to_cluster(second);
  std::size_t next = 0;
  while (next < cluster_slots_.size()) {  // it grows
    const Index slot = cluster_slots_[next++];
    gather_balls(slot);
    if (!world_->shapes.empty()) gather_shapes(slot);
  }
  std::sort(cluster_.rows.begin(), cluster_.rows.end(),
            [](const BallRow& a, const BallRow& b) { return a.contact.before(b.contact); });
  std::sort(cluster_slots_.begin(), cluster_slots_.end(),
            [&](Index a, Index b) { return body_of_[a] < body_of_[b]; });
  cluster_.bodies.clear();
  cluster_.position.clear();
  cluster_.velocity.clear();
  for (std::size_t k = 0; k < cluster_slots_.size(); ++k) {
    const Index slot = cluster_slots_[k];
    cluster_place_[slot] = static_cast<Index>(k);
    const Ball& ball = balls_[slot];
    cluster_.bodies.push_back(body_of_[slot]);
    cluster_.position.push_back(place_at(ball, now()));
    Vec3 velocity = ball.velocity;
    if (has_gravity_) velocity += (now() - ball.clock) * gravity_;
    cluster_.velocity.push_back(velocity);
  }
  velocity_before_ = cluster_.velocity;
  for (BallRow& row : cluster_.rows) row.restitution = restitution_of(row);
}

double BallEngine::restitution_of(const BallRow& row) const {
  const Index a = slot_of_[row.contact.body_a];
  if (collided_lately(a)) return 1.0;
  Index material = kNone;
  if (row.contact.body_b != kNone) {
    const Index b = slot_of_[row.contact.body_b];
    if (collided_lately(b)) return 1.0;
    material = records_[b].material;
  } else {
    material = world_->shapes[row.contact.shape].material;
  }
  return coefficients(records_[a].material, material)
      .restitution_at(std::max(closing_speed(row), 0.0));
}

double BallEngine::closing_speed(const BallRow& row) const {
  Vec3 relative = cluster_.velocity[cluster_place_[slot_of_[row.contact.body_a]]];
  relative -= row.contact.body_b != kNone
                  ? cluster_.velocity[cluster_place_[slot_of_[row.contact.body_b]]]
                  : surface_velocity(row.contact.shape);
  return -dot(row.contact.normal, relative);
}

double BallEngine::speeds_of(const BallRow& row) const {
  const double speed_a = norm(cluster_.velocity[cluster_place_[slot_of_[row.contact.body_a]]]);
  return speed_a + norm(row.contact.body_b != kNone
                            ? cluster_.velocity[cluster_place_[slot_of_[row.contact.body_b]]]
                            : surface_velocity(row.contact.shape));
}

void BallEngine::push(const BallRow& row, double impulse) {
  const Index a = slot_of_[row.contact.body_a];
  cluster_.velocity[cluster_place_[a]] += (impulse * records_[a].inverse_mass) * row.contact.normal;
  if (row.contact.body_b == kNone) return;
  const Index b = slot_of_[row.contact.body_b];
  cluster_.velocity[cluster_place_[b]] -= (impulse * records_[b].inverse_mass) * row.contact.normal;
}

// An operator leaves alone what closes more slowly than its tolerance; here it would close again at
// the same moment, for ever. What it takes to stop that is as small as the tolerance.
//
// The budget bounds the effort, not the outcome. A row that still closes by next to nothing then
// collides again at the same moment, and the next sweeps go on from there; whether that ends is the
// scheduler's to notice. False: one closes by more than that, so the answer is none.
bool BallEngine::stop_what_still_closes() {
  if (sweep_until_none_closes()) return true;
  // Sweeps creep where many rows lock each other.
  stop_all_at_once();
  if (sweep_until_none_closes()) return true;
  // Of the speeds: what locks may have none left.
  constexpr double kNextToNothing = 1e-9;
  double fastest = 0.0;
  for (const Vec3& velocity : velocity_before_) fastest = std::max(fastest, norm(velocity));
  for (const BallRow& row : cluster_.rows) {
    if (closing_speed(row) <= kNextToNothing * std::max(speeds_of(row), fastest)) continue;
    outcome_.bodies.push_back(row.contact.body_a);
    if (row.contact.body_b != kNone) outcome_.bodies.push_back(row.contact.body_b);
    if (row.contact.body_b == kNone) outcome_.shapes.push_back(row.contact.shape);
  }
  return outcome_.bodies.empty();
}

// The nearest velocities in which nothing closes.
void BallEngine::stop_all_at_once() {
  const auto size = static_cast<std::size_t>(world_->dimension);
  const auto numbers = [&](const Vec3& v) {
    const std::array<double, 3> all = {v.x, v.y, v.z};
    return Numbers(std::span<const double>(all.data(), size));
  };
  ImpactProblem problem;
  for (std::size_t k = 0; k < cluster_slots_.size(); ++k) {
    problem.add_body({.mass = 1.0 / records_[cluster_slots_[k]].inverse_mass,
                      .velocity = numbers(cluster_.velocity[k])});
  }
  for (const BallRow& row : cluster_.rows) {
    ContactDefinition contact;
    contact.body_a = cluster_place_[slot_of_[row.contact.body_a]];
    contact.normal = numbers(row.contact.normal);
    contact.restitution = 0.0;
    if (row.contact.body_b != kNone) {
      contact.body_b = cluster_place_[slot_of_[row.contact.body_b]];
    } else {
      contact.offset = dot(row.contact.normal, surface_velocity(row.contact.shape));
    }
    problem.add_contact(contact);
  }
  const ImpactResult result = resolve_impacts(problem, {.impact_operator = "lcp"});
  for (std::size_t k = 0; k < cluster_.rows.size(); ++k) {
    const double impulse = result.impulses[k];
    if (!(impulse > 0.0)) continue;
    cluster_.rows[k].normal += impulse;
    push(cluster_.rows[k], impulse);
  }
}

bool BallEngine::sweep_until_none_closes() {
  constexpr int kMostSweeps = 1000;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    bool changed = false;
    for (BallRow& row : cluster_.rows) {
      const double closing = closing_speed(row);
      // Well below what counts as an approach.
      if (closing <= 0.25 * speed_noise(speeds_of(row))) continue;
      double sum = records_[slot_of_[row.contact.body_a]].inverse_mass;
      if (row.contact.body_b != kNone) sum += records_[slot_of_[row.contact.body_b]].inverse_mass;
      row.normal += closing / sum;
      push(row, closing / sum);
      changed = true;
    }
    if (!changed) return true;
  }
  return false;
}

// The speed that keeps a ball that is pressed on a shape away from it for a contact duration; 0: it
// is not pressed.
double BallEngine::bounce_speed(Index slot, const Vec3& velocity, const BallRow& row) const {
  if (contact_duration_ == 0.0) return 0.0;
  BallFlight ball = flight_of(slot);
  ball.velocity = velocity;
  const PlacedShape& placed = world_->shapes[row.contact.shape];
  const double pressing = -gap_acceleration(placed, row.contact.normal, ball, scheduler_->time());
  return std::max(0.5 * pressing * contact_duration_, 0.0);
}

// What leaves with next to no speed would be back at the same moment.
void BallEngine::keep_bouncing() {
  for (BallRow& row : cluster_.rows) {
    if (row.contact.body_b != kNone) continue;
    const Index slot = slot_of_[row.contact.body_a];
    const Vec3& before = velocity_before_[cluster_place_[slot]];
    const double bounce = bounce_speed(slot, before, row);
    const double leaving = -closing_speed(row);
    if (leaving >= kAtRest * bounce) continue;
    const double closing = -dot(row.contact.normal, before - surface_velocity(row.contact.shape));
    const double wanted = std::clamp(closing, kLeastBounce * bounce, bounce);
    const double impulse = (wanted - leaving) / records_[slot].inverse_mass;
    row.normal += impulse;
    push(row, impulse);
  }
}

void BallEngine::finish_cluster(Index first, Index second) {
  double lost = 0.0;
  for (std::size_t k = 0; k < cluster_slots_.size(); ++k) {
    const Index slot = cluster_slots_[k];
    const Vec3 change = cluster_.velocity[k] - velocity_before_[k];
    lost -=
        0.5 * dot(change, cluster_.velocity[k] + velocity_before_[k]) / records_[slot].inverse_mass;
  }
  for (const BallRow& row : cluster_.rows) {
    const Index slot = slot_of_[row.contact.body_a];
    if (row.normal > 0.0) {
      ++counts_.collisions;
      records_[slot].last_collision = now();
      if (row.contact.body_b != kNone)
        records_[slot_of_[row.contact.body_b]].last_collision = now();
    }
    if (row.contact.body_b == kNone) {
      const double work = dot(surface_velocity(row.contact.shape),
                              row.normal * row.contact.normal + row.tangential);
      counts_.work += work;
      lost += work;
    }
    if (watching_ && (row.normal > 0.0 || row.tangential != Vec3{})) note(row, slot);
  }
  counts_.dissipated += lost;
  ++counts_.impacts;
  ++counts_.clusters;
  counts_.rows += cluster_.rows.size();
  counts_.largest_cluster =
      std::max(counts_.largest_cluster, static_cast<Index>(cluster_.rows.size()));
  for (std::size_t k = 0; k < cluster_slots_.size(); ++k) {
    const Index slot = cluster_slots_[k];
    const bool changed = cluster_.velocity[k] != velocity_before_[k];
    if (!changed && slot != first && slot != second) continue;
    bring_to_now(slot);
    balls_[slot].velocity = cluster_.velocity[k];
    ++records_[slot].version;
  }
  for (const Index slot : cluster_slots_) {
    if (balls_[slot].clock == now()) static_cast<void>(plan(slot, {}));
  }
}

// False: nothing but the pair touches, and it has no friction. Balls `first` and `second` (if there
// is one) are at now with the velocities before the impact.
bool BallEngine::resolve_cluster(Index first, Index second) {
  cluster_slots_.clear();
  gather(first, second);
  const auto has_friction = [&](const BallRow& row) {
    const Index other = row.contact.body_b != kNone
                            ? records_[slot_of_[row.contact.body_b]].material
                            : world_->shapes[row.contact.shape].material;
    return coefficients(records_[slot_of_[row.contact.body_a]].material, other).friction;
  };
  const bool alone = cluster_.rows.size() < 2 &&
                     !std::any_of(cluster_.rows.begin(), cluster_.rows.end(), has_friction);
  if (!alone) {
    if (!handler_->resolve(cluster_)) {
      outcome_.status = EventOutcome::Status::refused;
    } else if (!stop_what_still_closes()) {
      outcome_.status = EventOutcome::Status::unconverged;
    } else {
      keep_bouncing();
      finish_cluster(first, second);
    }
  }
  for (const Index slot : cluster_slots_) cluster_place_[slot] = kNone;
  return !alone;
}

}  // namespace carom::detail
