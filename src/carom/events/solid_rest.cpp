// Lasting contact of bodies that turn: what comes to rest, what hops on, and what sets bodies at
// rest going again.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "carom/events/detail/free_flight.h"
#include "carom/events/detail/pair_events.h"
#include "carom/events/detail/slow_impact.h"
#include "carom/events/settings.h"
#include "carom/events/solid_events.h"

namespace carom {
namespace {

// Contacts that go on hop with this part of the speed below which contact lasts: for a contact
// duration each time.
constexpr double kHop = 0.25;

}  // namespace

// Neither moves nor will.
bool SolidEventStepper::stands_still(Index shape) const {
  const PlacedShape& placed = simulation_->world.shapes[shape];
  return std::holds_alternative<std::monostate>(placed.motion) && placed.spin == Vec3{};
}

// Two bodies at rest, or one and a shape that stands still: they do not meet before one of them is
// set going. Until when that is known, or none.
std::optional<double> SolidEventStepper::rest_of(Index pair) const {
  const auto [a, b] = events_->bodies_of(pair);
  if (!flight_->is_at_rest(a)) return std::nullopt;
  if (b == kNone) {
    if (!stands_still(events_->shape_of(pair))) return std::nullopt;
    return rest_until_[a];
  }
  if (!flight_->is_at_rest(b)) return std::nullopt;
  return std::min(rest_until_[a], rest_until_[b]);
}

// Whatever rests beside a body no longer does.
void SolidEventStepper::set_going(Index body, double time) {
  if (!flight_->is_at_rest(body)) return;
  std::vector<Index> going = {body};
  flight_->set(body, time, flight_->start(body));
  for (std::size_t next = 0; next < going.size(); ++next) {
    for (const detail::PairEvents::Partner& partner : events_->near(going[next])) {
      if (!flight_->is_at_rest(partner.body)) continue;
      flight_->set(partner.body, time, flight_->start(partner.body));
      going.push_back(partner.body);
    }
  }
  for (const Index other : going) schedule_all(other, time);
}

bool SolidEventStepper::falls(Index body) const {
  return body != kNone && comes_to_rest_[body] == 0;
}

// Whether the impact at hand may leave bodies at rest: contacts are slow and would not bounce, nor
// lose nothing for ever, shapes stand still, and bodies are slow or at rest already.
bool SolidEventStepper::may_rest() const {
  bool any_rests = false;
  bool all_slow = true;
  for (const Index body : members_) {
    any_rests = any_rests || flight_->is_at_rest(body);
    const double turning = norm(angular_before_[body]) * simulation_->world.bodies.radius[body];
    all_slow = all_slow && norm(velocity_before_[body]) + turning < slow_;
  }
  if (!any_rests && !all_slow) return false;
  return std::all_of(rows_.begin(), rows_.end(), [&](const Row& row) {
    if (row.contact.body_b == kNone && !stands_still(row.contact.shape)) return false;
    const PairCoefficients pair = coefficients_of(row.contact);
    const bool loses = pair.restitution < 1.0;
    const double closing = std::max(-row.speed, 0.0);
    return loses && restitution_at(pair, closing) * closing <= kHop * slow_;
  });
}

// Whether a slow contact has sunk so far that it must be pushed out. Round bodies come down to the
// surface; on each other they need no push, because they fall alike.
bool SolidEventStepper::is_deep(const Row& row) const {
  const Contact& contact = row.contact;
  if (row.is_round) {
    const bool fall_alike = falls(contact.body_a) && falls(contact.body_b);
    return row.touches && !fall_alike && row.speed > -kHop * slow_;
  }
  double size = simulation_->world.bodies.extent(contact.body_a);
  if (contact.body_b != kNone) {
    size = std::min(size, simulation_->world.bodies.extent(contact.body_b));
  }
  return contact.gap < kDeep * simulation_->settings.of<EventSettings>().envelope * size &&
         row.speed > -kHop * slow_;
}

// Slow contacts lose speed as all do, but not below what keeps them hopping.
double SolidEventStepper::opening_speed(const Row& row) const {
  const double hop = kHop * slow_;
  if (is_deep(row)) return hop;
  const double closing = std::max(-row.speed, 0.0);
  const double restitution = restitution_at(coefficients_of(row.contact), closing);
  return std::max(restitution * closing, std::min(closing, hop));
}

// Lasting contact: what forces within Coulomb's cone can carry comes to rest, what is left hops.
void SolidEventStepper::resolve_slow() {
  ++counts_.slow;
  StepReport& sums = this->sums();
  ++sums.components;
  ++sums.applications_total;
  sums.applications = std::max<std::uint64_t>(sums.applications, 1);
  assembler_.assemble(last_impact().contacts, moment_before(), {});
  const ImpactProblem& problem = assembler_.problem();
  const detail::LastingContact lasting = {&problem, simulation_->impact.friction_model != "none"};
  detail::Rest rest;
  if (may_rest()) {
    rest = detail::find_rest(lasting, {simulation_->forces.gravity, contact_duration_});
    for (Index k = 0; k < problem.body_count(); ++k) {
      const Index body = assembler_.scene_bodies()[k];
      if (body == kNone || rest.is_still[k] == 0) continue;
      comes_to_rest_[body] = 1;
      rest_until_[body] = rest.all ? kInfinity : impact_time() + contact_duration_;
    }
  }
  std::optional<ImpactResult> result;
  if (rest.all) {
    result.emplace();
    result->velocities.assign(problem.velocities().begin(), problem.velocities().end());
    result->impulses = rest.impulses;
    result->friction_impulses = rest.tangent_impulses;
  } else {
    std::vector<detail::SlowContact> contacts;
    for (const Row& row : rows_) {
      // Bodies fall alike; shapes and what rests do not fall.
      const Vec3& gravity = simulation_->forces.gravity;
      Vec3 fall;
      if (falls(row.contact.body_a)) fall += gravity;
      if (falls(row.contact.body_b)) fall -= gravity;
      contacts.push_back({fall, opening_speed(row)});
    }
    result = detail::hold_contacts(lasting, contacts, rest.is_still);
  }
  if (!result.has_value()) {
    for (const Index body : members_) comes_to_rest_[body] = 0;
    resolve();
    return;
  }
  for (Index k = 0; k < problem.body_count(); ++k) {
    if (rest.is_still.empty() || rest.is_still[k] == 0) continue;
    const ImpactProblem::Body& body = problem.body(k);
    std::fill_n(result->velocities.begin() + body.dof, body.size, 0.0);
  }
  count(take(*result));
}

}  // namespace carom
