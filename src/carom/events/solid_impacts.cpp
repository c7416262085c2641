// Bodies that turn, under events: all that is in touch with what collides, as one impact.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "carom/contact/squeeze.h"
#include "carom/core/stopwatch.h"
#include "carom/events/detail/free_flight.h"
#include "carom/events/detail/pair_events.h"
#include "carom/events/solid_events.h"

// All that is in touch with what collides, as one impact.
namespace carom {
namespace {

// Of an operator, for rows that touch at their own moment.
constexpr double kTightTolerance = 1e-12;

}  // namespace

ImpactMoment SolidEventStepper::moment_before() const {
  ImpactMoment moment;
  moment.time = impact_time();
  moment.position = position_;
  moment.velocity = velocity_before_;
  moment.orientation = orientation_;
  moment.angular_velocity = angular_before_;
  moment.places = last_impact().places;
  if (wraps_) moment.periodicity = &simulation_->world.periodicity;
  return moment;
}

// Of the rows from `first` on: round ones that do not touch, unless they are lasting contact, which
// hops within the envelope.
void SolidEventStepper::drop_what_flies(std::size_t first) {
  const auto flies = [&](const Row& row) {
    return row.is_round && !row.touches && std::abs(row.speed) >= slow_;
  };
  const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(first);
  rows_.erase(std::remove_if(begin, rows_.end(), flies), rows_.end());
}

// All that is in touch with what collides, from one body to the next.
void SolidEventStepper::gather(Index pair, double time) {
  rows_.clear();
  members_.clear();
  is_gathered_.resize(events_->number_count(), 0);
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
      drop_what_flies(before);
      if (rows_.size() > before) join(other);
    };
    for (const detail::PairEvents::Partner& partner : events_->near(body)) {
      consider(partner.pair, partner.body);
    }
    for (Index shape = 0; shape < simulation_->world.shapes.size(); ++shape) {
      consider(events_->pair_with_shape(body, shape), kNone);
    }
  }
  for (const Index candidate : gathered) is_gathered_[candidate] = 0;
  for (const Index body : members_) is_member_[body] = 0;
  std::sort(members_.begin(), members_.end());
  std::sort(rows_.begin(), rows_.end(),
            [](const Row& left, const Row& right) { return left.contact.before(right.contact); });
}

bool SolidEventStepper::is_slow() const {
  return std::all_of(rows_.begin(), rows_.end(),
                     [&](const Row& row) { return row.speed >= -slow_; });
}

void SolidEventStepper::collide(Index pair, double time) {
  ++counts_.impacts;
  answered_.clear();
  gather(pair, time);
  ImpactRecord& last = last_impact();
  last = ImpactRecord();
  last.time = time;
  for (const Row& row : rows_) {
    last.contacts.push_back(row.contact);
    last.places.push_back(row.place);
  }
  last.bodies = members_;
  for (const Index body : members_) {
    const BodyMoment& now = flight_->at(body, time);
    last.moments.push_back(now);
    position_[body] = now.position;
    velocity_[body] = now.velocity;
    orientation_[body] = now.orientation;
    angular_velocity_[body] = now.angular_velocity;
    velocity_before_[body] = now.velocity;
    angular_before_[body] = now.angular_velocity;
    comes_to_rest_[body] = 0;
  }
  if (is_lone_and_round()) {
    resolve_alone();  // sooner than a clock is read
  } else {
    const Stopwatch watch(sums().impact);
    if (is_slow()) {
      resolve_slow();
    } else {
      resolve();
    }
  }
  for (const Index body : members_) {
    const BodyMoment moment = {position_[body], velocity_[body], orientation_[body],
                               angular_velocity_[body]};
    if (comes_to_rest_[body] != 0) {
      flight_->rest(body, time, moment);
    } else {
      flight_->set(body, time, moment);
    }
  }
  for (const Index body : members_) schedule_all(body, time);
}

PairCoefficients SolidEventStepper::coefficients_of(const Contact& contact) const {
  const BodySet& bodies = simulation_->world.bodies;
  const Index other = contact.body_b != kNone ? bodies.material[contact.body_b]
                                              : simulation_->world.shapes[contact.shape].material;
  return simulation_->world.materials.coefficients(bodies.material[contact.body_a], other);
}

// One contact of round bodies without friction that does not last.
bool SolidEventStepper::is_lone_and_round() const {
  if (rows_.size() != 1 || !rows_[0].is_round || rows_[0].speed >= -slow_) return false;
  return simulation_->impact.friction_model == "none" ||
         coefficients_of(rows_[0].contact).friction == 0.0;
}

// All operators and restitution models have the same answer, as for balls that do not turn.
void SolidEventStepper::resolve_alone() {
  const Row& row = rows_[0];
  const Contact& contact = row.contact;
  const BodySet& bodies = simulation_->world.bodies;
  const double closing = -row.speed;
  const double restitution = restitution_at(coefficients_of(contact), closing);
  double inverse_mass = 1.0 / bodies.mass[contact.body_a];
  if (contact.body_b != kNone) inverse_mass += 1.0 / bodies.mass[contact.body_b];
  const double impulse = (1.0 + restitution) * closing / inverse_mass;
  velocity_[contact.body_a] += (impulse / bodies.mass[contact.body_a]) * contact.normal;
  if (contact.body_b != kNone) {
    velocity_[contact.body_b] -= (impulse / bodies.mass[contact.body_b]) * contact.normal;
  }
  impulses_.assign(1, impulse);
  friction_.assign(1, Vec3{});
  work_ = 0.0;
  if (contact.body_b == kNone) {
    work_ =
        impulse * dot(contact.normal,
                      velocity_at(simulation_->world.shapes[contact.shape].motion, impact_time()));
  }
  StepReport& sums = this->sums();
  ++sums.components;
  ++sums.applications_total;
  sums.applications = std::max<std::uint64_t>(sums.applications, 1);
  count(-0.5 * (1.0 - restitution * restitution) * closing * closing / inverse_mass);
}

void SolidEventStepper::resolve() {
  assembler_.assemble(last_impact().contacts, moment_before(), {});
  ImpactSettings settings = simulation_->impact;
  settings.pool = &pool();
  if (settings.friction_model == "coulomb") settings.friction_model = "collision";  // what bounces
  // What closes still would collide at the same moment again.
  const bool all_round =
      std::all_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.is_round; });
  if (all_round) settings.tolerance = std::min(settings.tolerance, kTightTolerance);
  const ImpactResult result = resolve_impacts(assembler_.problem(), settings);
  StepReport& sums = this->sums();
  sums.status = std::max(sums.status, result.status);
  sums.components += static_cast<Index>(result.report.components.size());
  sums.applications = std::max(sums.applications, result.report.applications);
  sums.applications_total += result.report.applications_total;
  if (result.status == ImpactStatus::infeasible) {
    std::vector<std::string> names;
    for (const ComponentReport& component : result.report.components) {
      if (component.status != ImpactStatus::infeasible) continue;
      const std::vector<std::string> some = squeezed_names(
          simulation_->world, component, last_impact().contacts, assembler_.scene_bodies());
      names.insert(names.end(), some.begin(), some.end());
    }
    sums.message = squeeze_text(names);
    return;
  }
  count(take(result));
}

double SolidEventStepper::kinetic_energy() const {
  const BodySet& bodies = simulation_->world.bodies;
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
    if (simulation_->world.bodies.turns(body)) angular_velocity_[body] = after.angular;
  }
  impulses_ = result.impulses;
  friction_.clear();
  work_ = 0.0;
  for (Index row = 0; row < rows_.size(); ++row) {
    friction_.push_back(friction_on_a(result, problem, row));
    if (rows_[row].contact.body_b != kNone) continue;
    work_ += dot(impulses_[row] * rows_[row].contact.normal + friction_[row],
                 surface_velocity(rows_[row].contact.shape, rows_[row].place, impact_time()));
  }
  return kinetic_energy() - before - work_;
}

void SolidEventStepper::count(double gained) {
  StepReport& sums = this->sums();
  sums.external_work += work_;
  sums.dissipated -= gained;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    ++sums.rows;
    if (impulses_[k] == 0.0) continue;
    ++sums.impulses;
    if (!watched_) continue;
    answered_.push_back(
        {rows_[k].contact, impulses_[k], friction_[k], rows_[k].place, impact_time()});
  }
}

}  // namespace carom
