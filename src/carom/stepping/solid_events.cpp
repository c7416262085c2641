#include "carom/stepping/solid_events.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "carom/collision/solid_contact.h"
#include "carom/collision/time_of_impact.h"
#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/geometry/bytes.h"
#include "carom/stepping/detail/free_flight.h"
#include "carom/stepping/detail/pair_events.h"
#include "carom/stepping/detail/slow_impact.h"
#include "carom/stepping/detail/stopwatch.h"

namespace carom {
namespace {

using detail::BodyMoment;
using detail::FreeFlight;
using detail::PairEvents;

// Events aim at this part of the envelope, so that looks do not creep up to its edge.
constexpr double kAim = 0.8;
// Below this part of the envelope a slow contact is pushed out.
constexpr double kDeep = 0.25;
// Contacts at rest hop with this part of the speed below which contact lasts: for a contact
// duration each time.
constexpr double kHop = 0.25;
// Between two looks at a pair in touch: at least this part of the contact duration.
constexpr double kShortest = 0.05;
// Bounds beyond so many contact durations need not be better than those of balls.
constexpr double kHorizon = 16.0;
// Looks within one contact duration that no scene needs, per pair: the run does not go on.
constexpr std::uint64_t kRunaway = 2000;

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
      state_(simulation.start),
      is_member_(simulation.bodies.size(), 0),
      is_gathered_(events_->pair_count(), 0),
      position_(simulation.start.position),
      velocity_(simulation.start.velocity) {
  orientation_.resize(simulation.bodies.size());
  angular_velocity_.resize(simulation.bodies.size());
  velocity_before_ = velocity_;
  angular_before_ = angular_velocity_;
  choose_durations();
  for (Index pair = 0; pair < events_->pair_count(); ++pair) {
    schedule(pair, 0.0);
  }
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

Index SolidEventStepper::shape_of(Index pair) const { return events_->shape_of(pair); }

double SolidEventStepper::envelope_of(Index pair) const {
  const auto [a, b] = events_->bodies_of(pair);
  const double size_a = simulation_->bodies.extent(a);
  const double size = b == kNone ? size_a : std::min(size_a, simulation_->bodies.extent(b));
  return simulation_->events.envelope * size;
}

Vec3 SolidEventStepper::surface_velocity(Index shape, const Vec3& place, double time) const {
  return velocity_of_surface(simulation_->shapes[shape], place, time);
}

// The next look at a pair: when it may come into the envelope; of a pair that is there, when its
// surfaces may meet, and at the latest after a contact duration.
void SolidEventStepper::schedule(Index pair, double time) {
  const auto [a, b] = events_->bodies_of(pair);
  const Index other = b;
  const FlyingSolid first = flight_->flying(a, time);
  const auto bound_to = [&](double distance) {
    const ImpactQuery query{distance, kHorizon * contact_duration_};
    if (other != kNone) return bound_time_of_impact(first, flight_->flying(other, time), query);
    return bound_time_of_impact(first, flying_shape(simulation_->shapes[shape_of(pair)], time),
                                query);
  };
  const double envelope = envelope_of(pair);
  const ImpactBound enters = bound_to(kAim * envelope);
  if (enters.distance > envelope) {
    events_->set(pair, time + enters.time);
    return;
  }
  // Where there is hardly room left the bound says nothing.
  const double shortest = enters.distance < kDeep * envelope ? kShortest * contact_duration_ : 0.0;
  events_->set(pair, time + std::clamp(bound_to(0.0).time, shortest, contact_duration_));
}

void SolidEventStepper::find_rows(Index pair, double time, std::vector<Row>& rows) {
  thread_local std::vector<SolidContact> found;
  const auto [a, b] = events_->bodies_of(pair);
  const Index shape = shape_of(pair);
  const double margin = envelope_of(pair);
  const PlacedSolid placed = flight_->flying(a, time).body;
  if (b != kNone) {
    find_solid_contacts(placed, flight_->flying(b, time).body, margin, found);
  } else {
    const PlacedShape& other = simulation_->shapes[shape];
    find_solid_contacts(placed, OffsetShape{&other.shape, offset_at(other.motion, time)}, margin,
                        found);
  }
  const auto material_velocity = [&](Index body, const Vec3& place) {
    const BodyMoment& now = flight_->at(body, time);
    return now.velocity + cross(now.angular_velocity, place - now.position);
  };
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
    const Vec3 other =
        b != kNone ? material_velocity(b, row.place) : surface_velocity(shape, row.place, time);
    row.speed = dot(contact.normal, material_velocity(a, row.place) - other);
    rows.push_back(row);
  }
}

void SolidEventStepper::look(Index pair, double time) {
  ++counts_.looks;
  thread_local std::vector<Row> rows;
  rows.clear();
  if (may_touch(pair, time)) find_rows(pair, time, rows);
  const double closing = -1e-6 * slow_;
  const bool closes =
      std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.speed < closing; });
  if (closes) {
    collide(pair, time);
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

// All that is in touch with what collides, from one body to the next.
void SolidEventStepper::gather(Index pair, double time) {
  rows_.clear();
  members_.clear();
  const auto join = [&](Index body) {
    if (body == kNone || is_member_[body] != 0) return;
    is_member_[body] = 1;
    members_.push_back(body);
  };
  const auto [a, b] = events_->bodies_of(pair);
  join(a);
  join(b);
  std::vector<Index> gathered;
  std::size_t next = 0;  // members join meanwhile
  while (next < members_.size()) {
    const Index body = members_[next++];
    const auto consider = [&](Index candidate, Index other) {
      if (is_gathered_[candidate] != 0 || !may_touch(candidate, time)) return;
      is_gathered_[candidate] = 1;
      gathered.push_back(candidate);
      const std::size_t before = rows_.size();
      find_rows(candidate, time, rows_);
      if (rows_.size() > before) join(other);
    };
    for (Index other = 0; other < flight_->size(); ++other) {
      if (other != body) consider(events_->pair_of(body, other), other);
    }
    for (Index shape = 0; shape < simulation_->shapes.size(); ++shape) {
      consider(events_->pair_with_shape(body, shape), kNone);
    }
  }
  for (const Index candidate : gathered) is_gathered_[candidate] = 0;
  for (const Index body : members_) is_member_[body] = 0;
  std::sort(members_.begin(), members_.end());
  std::sort(rows_.begin(), rows_.end(),
            [](const Row& left, const Row& right) { return left.contact.before(right.contact); });
}

ImpactMoment SolidEventStepper::moment_before() const {
  ImpactMoment moment;
  moment.time = impact_time_;
  moment.position = position_;
  moment.velocity = velocity_before_;
  moment.orientation = orientation_;
  moment.angular_velocity = angular_before_;
  moment.places = places_;
  return moment;
}

bool SolidEventStepper::is_slow() const {
  return std::all_of(rows_.begin(), rows_.end(),
                     [&](const Row& row) { return row.speed >= -slow_; });
}

void SolidEventStepper::collide(Index pair, double time) {
  const Stopwatch watch(sums_.impact);
  ++counts_.impacts;
  impact_time_ = time;
  gather(pair, time);
  contacts_.clear();
  places_.clear();
  for (const Row& row : rows_) {
    contacts_.push_back(row.contact);
    places_.push_back(row.place);
  }
  for (const Index body : members_) {
    const BodyMoment& now = flight_->at(body, time);
    position_[body] = now.position;
    velocity_[body] = now.velocity;
    orientation_[body] = now.orientation;
    angular_velocity_[body] = now.angular_velocity;
    velocity_before_[body] = now.velocity;
    angular_before_[body] = now.angular_velocity;
  }
  if (is_slow()) {
    resolve_slow();
  } else {
    resolve();
  }
  for (const Index body : members_) {
    flight_->set(body, time,
                 {position_[body], velocity_[body], orientation_[body], angular_velocity_[body]});
  }
  for (const Index body : members_) {
    for (Index other = 0; other < flight_->size(); ++other) {
      if (other != body) schedule(events_->pair_of(body, other), time);
    }
    for (Index shape = 0; shape < simulation_->shapes.size(); ++shape) {
      schedule(events_->pair_with_shape(body, shape), time);
    }
  }
}

void SolidEventStepper::resolve() {
  assembler_.assemble(contacts_, moment_before(), {});
  ImpactSettings settings = simulation_->impact;
  settings.pool = &pool_;
  const ImpactResult result = resolve_impacts(assembler_.problem(), settings);
  sums_.status = std::max(sums_.status, result.status);
  sums_.components += static_cast<Index>(result.report.components.size());
  sums_.applications = std::max(sums_.applications, result.report.applications);
  sums_.applications_total += result.report.applications_total;
  if (result.status == ImpactStatus::infeasible) {
    sums_.message = "moving shapes squeeze what cannot yield, at time " + number_text(impact_time_);
    return;
  }
  sum_up(take(result));
}

// Whether a slow contact has sunk so far that it must be pushed out.
bool SolidEventStepper::is_deep(const Row& row) const {
  const Contact& contact = row.contact;
  double size = simulation_->bodies.extent(contact.body_a);
  if (contact.body_b != kNone) size = std::min(size, simulation_->bodies.extent(contact.body_b));
  return contact.gap < kDeep * simulation_->events.envelope * size && row.speed > -kHop * slow_;
}

// Slow contacts lose speed as all do, but not below what keeps them hopping.
double SolidEventStepper::opening_speed(const Row& row) const {
  const double hop = kHop * slow_;
  if (is_deep(row)) return hop;
  const Contact& contact = row.contact;
  const BodySet& bodies = simulation_->bodies;
  const Index other = contact.body_b != kNone ? bodies.material[contact.body_b]
                                              : simulation_->shapes[contact.shape].material;
  const double restitution =
      simulation_->materials.coefficients(bodies.material[contact.body_a], other).restitution;
  const double closing = std::max(-row.speed, 0.0);
  return std::max(restitution * closing, std::min(closing, hop));
}

// Lasting contact.
void SolidEventStepper::resolve_slow() {
  ++counts_.slow;
  ++sums_.components;
  ++sums_.applications_total;
  sums_.applications = std::max<std::uint64_t>(sums_.applications, 1);
  std::vector<detail::SlowContact> contacts;
  for (const Row& row : rows_) {
    // Bodies fall alike; shapes do not fall.
    const Vec3 fall = row.contact.body_b == kNone ? simulation_->forces.gravity : Vec3{};
    contacts.push_back({fall, opening_speed(row)});
  }
  assembler_.assemble(contacts_, moment_before(), {});
  if (const std::optional<ImpactResult> held =
          detail::hold_contacts(assembler_.problem(), contacts)) {
    sum_up(take(*held));
  } else {
    resolve();
  }
}

double SolidEventStepper::kinetic_energy() const {
  const BodySet& bodies = simulation_->bodies;
  double sum = 0.0;
  for (const Index body : members_) {
    sum += 0.5 * bodies.mass[body] * norm_squared(velocity_[body]);
    if (!bodies.turns(body)) continue;
    const Vec3& w = angular_velocity_[body];
    sum += 0.5 * dot(w, world_inertia(bodies, body, orientation_[body]) * w);
  }
  return sum;
}

// Velocities after the impact; returns the energy that was gained beyond the work of shapes.
double SolidEventStepper::take(const ImpactResult& result) {
  const ImpactProblem& problem = assembler_.problem();
  for (const Index body : members_) {
    velocity_[body] = velocity_before_[body];
    angular_velocity_[body] = angular_before_[body];
  }
  const double before = kinetic_energy();
  const std::span<const Index> scene_bodies = assembler_.scene_bodies();
  for (Index k = 0; k < scene_bodies.size(); ++k) {
    const Index body = scene_bodies[k];
    if (body == kNone) continue;
    const LinearAndAngular after =
        linear_and_angular(problem.body(k).kind, result.velocity(problem, k));
    velocity_[body] = after.linear;
    if (simulation_->bodies.turns(body)) angular_velocity_[body] = after.angular;
  }
  impulses_ = result.impulses;
  friction_.clear();
  work_ = 0.0;
  for (Index row = 0; row < rows_.size(); ++row) {
    friction_.push_back(friction_on_a(result, problem, row));
    if (rows_[row].contact.body_b != kNone) continue;
    work_ += dot(impulses_[row] * rows_[row].contact.normal + friction_[row],
                 surface_velocity(rows_[row].contact.shape, rows_[row].place, impact_time_));
  }
  return kinetic_energy() - before - work_;
}

void SolidEventStepper::sum_up(double gained) {
  sums_.external_work += work_;
  sums_.dissipated -= gained;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    ++sums_.rows;
    if (impulses_[k] == 0.0) continue;
    ++sums_.impulses;
    if (notes_) {
      noted_.push_back(
          {rows_[k].contact, impulses_[k], friction_[k], rows_[k].place, impact_time_});
    }
  }
}

StepReport SolidEventStepper::step() {
  sums_ = StepReport();
  noted_.clear();
  StepReport report;
  const double end = static_cast<double>(state_.step + 1) * simulation_->time.step;
  PhaseTime all;
  {
    const Stopwatch watch(all);
    std::uint64_t looks = 0;
    double since = 0.0;
    while (sums_.message.empty() && events_->next_time() <= end) {
      const double time = events_->next_time();
      const Index pair = events_->pop();
      if (time > since + contact_duration_) {
        since = time;
        looks = 0;
      }
      if (++looks > kRunaway * (events_->pair_count() + 1)) {
        sums_.status = ImpactStatus::diverged;
        const auto [a, b] = events_->bodies_of(pair);
        sums_.message =
            "events pile up at time " + number_text(time) + " without end, among " +
            simulation_->bodies.name[a] + " and " +
            (b != kNone ? simulation_->bodies.name[b] : simulation_->shapes[shape_of(pair)].name);
        break;
      }
      look(pair, time);
    }
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

ImpactProblem SolidEventStepper::resolved_problem() const {
  ContactAssembler assembler(world_, simulation_->materials);
  assembler.assemble(contacts_, moment_before(), {true, {}});
  return assembler.problem();
}

}  // namespace carom
