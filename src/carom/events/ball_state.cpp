// Balls under events: the beginning, reports and checkpoints.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "carom/bodies/periods.h"
#include "carom/core/assert.h"
#include "carom/events/detail/ball_engine.h"
#include "carom/stepping/bytes.h"

// Beginning, reports and checkpoints.
namespace carom::detail {
namespace {

// Bits of three numbers below 1024, in turn: neighbours in space come near each other.
std::uint64_t interleaved(const std::array<std::uint64_t, 3>& cell) {
  std::uint64_t code = 0;
  for (unsigned bit = 0; bit < 10; ++bit) {
    for (unsigned axis = 0; axis < 3; ++axis) {
      code |= ((cell[axis] >> bit) & 1U) << (3 * bit + axis);
    }
  }
  return code;
}

double part_of(double value, double low, double high) {
  return high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0.0;
}

}  // namespace

BallEngine::BallEngine(const Simulation& simulation, const State& start, EventScheduler& scheduler,
                       BallImpactHandler& handler)
    : world_(&simulation.world),
      gravity_(simulation.forces.gravity),
      friction_(simulation.impact.friction_model != "none"),
      touch_(simulation.detection.activation),
      scheduler_(&scheduler),
      handler_(&handler),
      has_gravity_(gravity_ != Vec3{}),
      wraps_(world_->periodicity.any()) {
  const auto& settings = simulation.settings.of<EventSettings>();
  const MaterialTable& materials = world_->materials;
  for (Index a = 0; a < materials.size(); ++a) {
    for (Index b = 0; b < materials.size(); ++b) {
      const PairCoefficients pair = materials.coefficients(a, b);
      coefficients_.push_back(
          {pair.restitution, friction_ && pair.friction > 0.0, pair.restitution_speed});
      lossy_ = lossy_ || pair.restitution < 1.0;
    }
  }
  const Index count = world_->bodies.size();
  sort_slots(start);
  balls_.resize(count);
  records_.resize(count);
  cluster_place_.assign(count, kNone);
  NearLists::World near{world_->dimension, world_->periodicity, std::vector<double>(count), 0.0};
  std::vector<Vec3> references(count);
  for (Index slot = 0; slot < count; ++slot) {
    const Index body = body_of_[slot];
    Vec3 position = start.position[body];
    if (wraps_) position = wrapped(world_->periodicity, position);
    balls_[slot] = {position, start.velocity[body], 0.0, world_->bodies.radius[body]};
    records_[slot].inverse_mass = 1.0 / world_->bodies.mass[body];
    records_[slot].material = world_->bodies.material[body];
    near.radius[slot] = world_->bodies.radius[body];
    references[slot] = position;
  }
  choose_times(settings, start);
  scheduler_->begin_at(start.time);
  for (Ball& ball : balls_) ball.clock = now();
  near.skin = choose_skin(near, references);
  near_ = std::make_unique<NearLists>(near);
  near_->build(references);
  shapes_near_.reset(count, world_->shapes.empty() ? 0 : 4);
  for (Index slot = 0; slot < count; ++slot) list_shapes(slot);
  period_work_seen_ = work_along_periods(start.time);
  plan_all();
}

// In the order of a curve that visits the cells of a cube, so that balls that meet share memory.
void BallEngine::sort_slots(const State& start) {
  const std::vector<Vec3>& places = start.position;
  const auto count = static_cast<Index>(places.size());
  Vec3 low = places.empty() ? Vec3{} : places[0];
  Vec3 high = low;
  for (const Vec3& q : places) {
    low = {std::min(low.x, q.x), std::min(low.y, q.y), std::min(low.z, q.z)};
    high = {std::max(high.x, q.x), std::max(high.y, q.y), std::max(high.z, q.z)};
  }
  std::vector<std::uint64_t> codes(count);
  constexpr double kCells = 1023.0;
  for (Index i = 0; i < count; ++i) {
    const Vec3& q = places[i];
    codes[i] = interleaved({static_cast<std::uint64_t>(kCells * part_of(q.x, low.x, high.x)),
                            static_cast<std::uint64_t>(kCells * part_of(q.y, low.y, high.y)),
                            static_cast<std::uint64_t>(kCells * part_of(q.z, low.z, high.z))});
  }
  body_of_.resize(count);
  std::iota(body_of_.begin(), body_of_.end(), Index{0});
  std::sort(body_of_.begin(), body_of_.end(),
            [&](Index a, Index b) { return codes[a] != codes[b] ? codes[a] < codes[b] : a < b; });
  slot_of_.resize(count);
  for (Index slot = 0; slot < count; ++slot) slot_of_[body_of_[slot]] = slot;
}

void BallEngine::choose_times(const EventSettings& settings, const State& start) {
  double smallest = kInfinity;
  for (const double radius : world_->bodies.radius) smallest = std::min(smallest, radius);
  double fastest = 0.0;
  for (const Vec3& v : start.velocity) fastest = std::max(fastest, norm(v));
  for (const PlacedShape& placed : world_->shapes) {
    fastest = std::max(fastest, norm(velocity_at(placed.motion, start.time)));
  }
  const double gravity = norm(gravity_);
  const double falling = has_gravity_ ? std::sqrt(2.0 * smallest / gravity) : kInfinity;
  const double flying = fastest > 0.0 ? smallest / fastest : kInfinity;
  crossing_time_ = std::min(falling, flying);
  if (!std::isfinite(crossing_time_) || !(crossing_time_ > 0.0)) crossing_time_ = 1.0;
  constexpr double kEpoch = 64.0;  // crossing times
  scheduler_->set_epoch_length(std::exp2(std::ceil(std::log2(kEpoch * crossing_time_))));
  // A ball at rest then bounces as high as 2.5e-5 of its radius. Where nothing is lost hardly
  // anything rests, and energy is dear.
  const double of_falling = lossy_ || friction_ ? 1e-2 : 1e-4;
  constexpr double kOfFlying = 1e-3;
  contact_duration_ = settings.contact_duration;
  if (contact_duration_ < 0.0) {
    contact_duration_ = has_gravity_ ? of_falling * falling : kOfFlying * crossing_time_;
  }
}

void BallEngine::plan_all() {
  const auto count = static_cast<Index>(balls_.size());
  scheduler_->reset(count);
  // All balls may collide at one time, and some of them a few times.
  constexpr std::uint64_t kMostEvents = 1'000'000;
  constexpr std::uint64_t kEventsOfABall = 8;
  scheduler_->set_most_events(std::max(kMostEvents, kEventsOfABall * count));
  for (Index slot = 0; slot < balls_.size(); ++slot) static_cast<void>(plan(slot, {}));
}

Vec3 BallEngine::place_at(const Ball& ball, double time) const {
  const double passed = time - ball.clock;
  Vec3 place = ball.position + passed * ball.velocity;
  if (has_gravity_) place += (0.5 * passed * passed) * gravity_;
  return place;
}

void BallEngine::evaluate(double time, State& state) const {
  const double at = scheduler_->local(time);
  for (Index slot = 0; slot < balls_.size(); ++slot) {
    const Ball& ball = balls_[slot];
    const Vec3 place = place_at(ball, at);
    const Index body = body_of_[slot];
    state.position[body] = wraps_ ? wrapped(world_->periodicity, place) : place;
    state.velocity[body] = ball.velocity;
    if (has_gravity_) state.velocity[body] += (at - ball.clock) * gravity_;
  }
}

BodyMoment BallEngine::moment_of(Index body, double time) const {
  const Ball& ball = balls_[slot_of_[body]];
  const double at = scheduler_->local(time);
  BodyMoment moment = {place_at(ball, at), ball.velocity, {}, {}};
  if (wraps_) moment.position = wrapped(world_->periodicity, moment.position);
  if (has_gravity_) moment.velocity += (at - ball.clock) * gravity_;
  return moment;
}

void BallEngine::set_velocity(Index body, double time, const Vec3& velocity) {
  const Index slot = slot_of_[body];
  scheduler_->come_to(time, *this);
  bring_to_now(slot);
  Ball& ball = balls_[slot];
  counts_.work +=
      0.5 * (norm_squared(velocity) - norm_squared(ball.velocity)) / records_[slot].inverse_mass;
  ball.velocity = velocity;
  ++records_[slot].version;
  static_cast<void>(plan(slot, {}));
}

Penetration BallEngine::deepest_overlap(double time) const {
  const double at = scheduler_->local(time);
  Penetration deepest;
  const auto look = [&](double gap, double radius) {
    deepest.depth = std::max(deepest.depth, -gap);
    deepest.relative = std::max(deepest.relative, -gap / radius);
  };
  for (Index slot = 0; slot < balls_.size(); ++slot) {
    const Ball& ball = balls_[slot];
    const Vec3 place = place_at(ball, at);
    for (const Index other : near_->near(slot)) {
      if (other < slot) continue;
      const Ball& there = balls_[other];
      const double gap =
          norm(between(slot, other, place - place_at(there, at))) - (ball.radius + there.radius);
      if (gap < 0.0) look(gap, std::min(ball.radius, there.radius));
    }
    for (const Index packed : shapes_near_.of(slot)) {
      const PlacedShape& placed = world_->shapes[packed / kFeatures];
      const double gap = ball_contact(placed.shape, packed % kFeatures,
                                      place - offset_at(placed.motion, time), ball.radius)
                             .gap;
      if (gap < 0.0) look(gap, ball.radius);
    }
  }
  return deepest;
}

// What gravity has done along the periods since the beginning, up to a constant.
double BallEngine::work_along_periods(double time) const {
  const Vec3 along = along_periods(world_->periodicity, gravity_);
  if (along == Vec3{}) return 0.0;
  double work = period_work_;
  for (Index slot = 0; slot < balls_.size(); ++slot) {
    work +=
        dot(along, place_at(balls_[slot], scheduler_->local(time))) / records_[slot].inverse_mass;
  }
  return work;
}

EventCounts BallEngine::take_counts(double time) {
  const double work = work_along_periods(time);
  EventCounts counts = counts_;
  counts.work += work - period_work_seen_;
  period_work_seen_ = work;
  counts_ = EventCounts();
  return counts;
}

void BallEngine::save(std::string& bytes) const {
  put_number(bytes, period_work_);
  put_number(bytes, period_work_seen_);
  for (Index slot = 0; slot < balls_.size(); ++slot) {
    const Ball& ball = balls_[slot];
    const Record& record = records_[slot];
    put_vector(bytes, ball.position);
    put_vector(bytes, ball.velocity);
    put_number(bytes, ball.clock);
    put_vector(bytes, near_->reference(slot));
    put_number(bytes, record.last_collision);
    put_number(bytes, scheduler_->queue().time(slot));
    put_word(bytes, record.version);
    put_word(bytes, static_cast<std::uint64_t>(record.plan.kind));
    put_word(bytes, record.plan.partner);
    put_word(bytes, record.plan.version);
  }
}

bool BallEngine::load(std::string_view& bytes) {
  constexpr std::size_t kHead = 2;
  constexpr std::size_t kPerBall = 16;
  if (bytes.size() < 8 * (kHead + kPerBall * balls_.size())) return false;
  period_work_ = take_number(bytes);
  period_work_seen_ = take_number(bytes);
  std::vector<Vec3> references(balls_.size());
  std::vector<double> times(balls_.size());
  bool sound = true;
  for (Index slot = 0; slot < balls_.size(); ++slot) {
    Ball& ball = balls_[slot];
    Record& record = records_[slot];
    ball.position = take_vector(bytes);
    ball.velocity = take_vector(bytes);
    ball.clock = take_number(bytes);
    references[slot] = take_vector(bytes);
    record.last_collision = take_number(bytes);
    times[slot] = take_number(bytes);
    record.version = static_cast<std::uint32_t>(take_word(bytes));
    const std::uint64_t kind = take_word(bytes);
    record.plan = {static_cast<EventKind>(kind), static_cast<Index>(take_word(bytes)), 0};
    record.plan.version = static_cast<std::uint32_t>(take_word(bytes));
    sound = sound && is_finite(ball.position) && is_finite(ball.velocity) &&
            std::isfinite(ball.clock) && is_finite(references[slot]) && !std::isnan(times[slot]) &&
            kind <= static_cast<std::uint64_t>(EventKind::recheck);
    const Index partners = record.plan.kind == EventKind::pair
                               ? static_cast<Index>(balls_.size())
                               : pack(static_cast<Index>(world_->shapes.size()), 0);
    const bool has_partner =
        record.plan.kind == EventKind::pair || record.plan.kind == EventKind::shape;
    sound = sound && (!has_partner || record.plan.partner < partners);
  }
  if (!sound) return false;
  near_->build(references);
  for (Index slot = 0; slot < balls_.size(); ++slot) list_shapes(slot);
  scheduler_->queue().assign(times);
  counts_ = EventCounts();
  collisions_.clear();
  outcome_ = EventOutcome();
  return true;
}

}  // namespace carom::detail
