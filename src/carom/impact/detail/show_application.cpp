// An application of an operator, as an observer of the whole problem sees it.
#include "carom/impact/detail/show_application.h"

#include <algorithm>
#include <vector>

namespace carom {

bool show_application(const ShownComponent& shown, const IterationEvent& event) {
  const ComponentSystem& system = *shown.system;
  const UnlockedComponent* unlocked = shown.unlocked;
  // Rows and velocities of the working coordinates, as the problem numbers them.
  const auto given = [&](Index row) { return unlocked != nullptr ? unlocked->row_of[row] : row; };
  std::vector<Index> violated;
  for (const Index row : event.violated) violated.push_back(system.row_ids[given(row)]);
  std::sort(violated.begin(), violated.end());
  std::vector<Index> rows;
  std::vector<double> values;
  for (std::size_t k = 0; k < event.impulses->rows.size(); ++k) {
    if (event.impulses->values[k] == 0.0) continue;
    const Index row = event.impulses->rows[k];
    const double scale = unlocked != nullptr ? shown.work->scale[row] : system.scale[row];
    rows.push_back(system.row_ids[given(row)]);
    values.push_back(event.impulses->values[k] * scale * system.impulse_unit());
  }
  std::vector<double> velocity(event.velocity.begin(), event.velocity.end());
  if (unlocked != nullptr) unlocked->to_velocity(event.velocity, velocity);
  std::vector<double> all(system.problem->velocities().begin(), system.problem->velocities().end());
  system.write(velocity, all);
  ImpactObserver::Event told;
  told.component = shown.number;
  told.application = event.application;
  told.restarted_without_lineality = unlocked != nullptr;
  told.violated_rows = violated;
  told.impulse_rows = rows;
  told.impulses = values;
  told.bodies = system.bodies;
  told.velocities = all;
  return shown.settings->observer->on_application(told);
}

}  // namespace carom
