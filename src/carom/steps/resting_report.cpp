// What steps with resting contact report.
#include <algorithm>
#include <utility>

#include "carom/contact/assemble.h"
#include "carom/steps/resting.h"

namespace carom {

void RestingStepper::report_impact(const Outcome& outcome, StepReport& report) const {
  report.rows = static_cast<Index>(rows_.size());
  report.components = outcome.rest.components;
  report.applications = outcome.bounce.applications;
  report.applications_total = outcome.bounce.applications_total;
  report.lineality_energy = outcome.bounce.lineality_energy;
  report.redetections = outcome.looks_again;
  report.redetect_exhausted = outcome.exhausted;
  if (outcome.rest.unsolved > 0) {
    report.status = std::max(report.status, ImpactStatus::budget_exhausted);
  }
  for (const detail::RestRow& row : rows_) {
    const bool carries = row.impulse[0] > 0.0;
    if (carries || row.bounce != Vec3{}) ++report.impulses;
    if (carries) ++report.held_rows;
  }
  Penetration deepest;
  for (const NearPair& pair : near_.pairs()) {
    if (!(pair.smallest_gap < 0.0)) continue;
    deepest.depth = std::max(deepest.depth, -pair.smallest_gap);
    deepest.relative = std::max(deepest.relative, -pair.smallest_gap / near_.extent(pair));
  }
  report.penetration = deepest;
  report.own[0] = outcome.rest.residual;
  report.own[1] = static_cast<double>(outcome.rest.iterations);
  report.own[2] = static_cast<double>(outcome.rest.unsolved);
  report.own[3] = static_cast<double>(outcome.rest.guarded);
  report.own[4] = outcome.rest.given_up;
}

std::vector<StepColumn> rest_columns() {
  const auto own = [](std::size_t k, StepColumnText text, Merge merge) {
    return step_column(
        std::move(text), merge, [k](auto& r) -> auto& { return r.own[k]; });
  };
  return {
      own(0, {"rest_residual", "", "of the program of resting contacts, in g h"}, Merge::maximum),
      own(1, {"rest_iterations", "", "of that program, the most of any component"}, Merge::sum),
      own(2, {"rest_unsolved", "", "components that stayed above its tolerance"}, Merge::sum),
      own(3, {"rest_guarded", "", "components whose impulses were made smaller to keep the energy"},
          Merge::sum),
      own(4, {"rest_given_up", "m", "how far that may have let bodies sink"}, Merge::maximum),
  };
}

std::vector<ContactImpulse> RestingStepper::impulses() const {
  std::vector<ContactImpulse> list;
  for (const detail::RestRow& row : rows_) {
    const Vec3 all = row.bounce + detail::world_impulse(row);
    if (all == Vec3{}) continue;
    const double normal = dot(all, row.contact.normal);
    list.push_back(
        {row.contact, normal, all - normal * row.contact.normal, row.place, state_.time});
  }
  return list;
}

ImpactProblem RestingStepper::resolved_problem() const {
  std::vector<Contact> contacts;
  std::vector<Vec3> places;
  for (const detail::RestRow& row : rows_) {
    contacts.push_back(row.contact);
    places.push_back(row.place);
  }
  ImpactMoment impact{state_.time, simulation_->time.step, state_.position, before_.linear};
  if (!before_.angular.empty()) {
    impact.orientation = state_.orientation;
    impact.angular_velocity = before_.angular;
    impact.places = places;
  }
  impact.periodicity = simulation_->world.periods();
  ContactAssembler assembler(simulation_->world);
  assembler.assemble(contacts, impact, {true, {}});
  return assembler.problem();
}

}  // namespace carom
