// Contacts that bounce before those that rest are solved.
#include "carom/steps/detail/bounce.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/squeeze.h"

namespace carom::detail {

Bounce::Bounce(const World& world, const ImpactSettings& settings, double activation)
    : world_(&world), settings_(settings), activation_(activation), assembler_(world) {
  settings_.friction_model = "collision";
  settings_.work = nullptr;  // these few rows are not worth a stop
}

// Gravity alone closes a contact at rest by g h / 2, and g h is what it gives in a step: whatever
// comes faster has fallen from somewhere.
bool Bounce::closes_fast(const RestMoment& moment, const RestRow& row,
                         const BodyVelocities& velocities, const BodyVelocities& middle) const {
  if (!(row.restitution > 0.0)) return false;
  const double closing = -relative_velocity(row, velocities)[0];
  double kick = norm(moment.flight->middle_of(row.contact.body_a, {}));
  double speed = norm(velocities.linear[row.contact.body_a]);
  if (row.contact.body_b != kNone) {
    kick = std::max(kick, norm(moment.flight->middle_of(row.contact.body_b, {})));
    speed = std::max(speed, norm(velocities.linear[row.contact.body_b]));
  }
  const double least = std::max(2.0 * kick, settings_.tolerance * (speed + norm(row.surface)));
  if (!(closing > least)) return false;
  const double end = row.contact.gap + moment.step * relative_velocity(row, middle)[0];
  return std::min(row.contact.gap, end) < activation_ * row.size;
}

BounceSummary Bounce::run(const RestMoment& moment, Index most_rounds, std::vector<RestRow>& rows,
                          BodyVelocities& velocities) {
  BounceSummary summary;
  const BodyVelocities before = velocities;
  BodyVelocities middle;
  std::vector<bool> joined(rows.size(), false);
  std::vector<Contact> contacts;
  std::vector<Vec3> places;
  std::vector<std::uint32_t> numbers;
  for (Index round = 0; round <= most_rounds; ++round) {
    middle_velocities(moment, velocities, middle);
    bool any = false;
    for (std::uint32_t k = 0; k < rows.size(); ++k) {
      if (joined[k] || !closes_fast(moment, rows[k], velocities, middle)) continue;
      joined[k] = true;
      any = true;
    }
    if (!any) break;
    contacts.clear();
    places.clear();
    numbers.clear();
    for (std::uint32_t k = 0; k < rows.size(); ++k) {
      if (!joined[k]) continue;
      contacts.push_back(rows[k].contact);
      places.push_back(rows[k].place);
      numbers.push_back(k);
    }
    // All that bounce, from the velocities before: coefficients speak of those.
    ImpactMoment impact{moment.time, moment.step, moment.position, before.linear};
    if (!before.angular.empty()) {
      impact.orientation = moment.orientation;
      impact.angular_velocity = before.angular;
      impact.places = places;
    }
    impact.periodicity = world_->periods();
    assembler_.assemble(contacts, impact, {});
    const ImpactProblem& problem = assembler_.problem();
    const ImpactResult result = resolve_impacts(problem, settings_);
    summary.status = result.status;
    summary.rows = static_cast<Index>(contacts.size());
    summary.applications = result.report.applications;
    summary.applications_total = result.report.applications_total;
    summary.lineality_energy = result.report.lineality_energy;
    if (result.status == ImpactStatus::infeasible) {
      std::vector<std::string> names;
      for (const ComponentReport& component : result.report.components) {
        if (component.status != ImpactStatus::infeasible) continue;
        for (std::string& name :
             squeezed_names(*world_, component, contacts, assembler_.scene_bodies())) {
          names.push_back(std::move(name));
        }
      }
      summary.message = squeeze_text(names);
      return summary;
    }
    if (result.status == ImpactStatus::diverged) {
      summary.message = "the operator gains energy without end";
      return summary;
    }
    velocities = before;
    for (Index b = 0; b < assembler_.scene_bodies().size(); ++b) {
      const Index body = assembler_.scene_bodies()[b];
      if (body == kNone) continue;
      const LinearAndAngular v =
          linear_and_angular(problem.body(b).kind, result.velocity(problem, b));
      velocities.linear[body] = v.linear;
      if (world_->bodies.turns(body)) velocities.angular[body] = v.angular;
    }
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      rows[numbers[k]].bounce = result.impulses[k] * contacts[k].normal +
                                friction_on_a(result, problem, static_cast<Index>(k));
    }
  }
  return summary;
}

}  // namespace carom::detail
