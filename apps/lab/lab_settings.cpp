// What the sliders of the lab say, and how it changes a simulation.

#include "lab_settings.h"

namespace carom::lab {

Settings settings_of(const Simulation& simulation) {
  return {simulation.impact.impact_operator, simulation.time.scheme, simulation.time.step,
          simulation.forces.gravity,         std::nullopt,           std::nullopt};
}

void set_materials(const Settings& settings, MaterialTable& materials) {
  const auto changed = [&](auto coefficients) {
    if (settings.restitution) {
      coefficients.restitution = *settings.restitution;
      coefficients.restitution_speed = 0.0;
    }
    if (settings.friction) coefficients.friction = *settings.friction;
    return coefficients;
  };
  for (Index i = 0; i < materials.size(); ++i) materials.replace(i, changed(materials.material(i)));
  const std::vector<MaterialTable::Pair> pairs = materials.pairs();
  for (const MaterialTable::Pair& pair : pairs) {
    materials.set_pair(pair.a, pair.b, changed(pair.coefficients));
  }
}

void set_impact(const Settings& settings, ImpactSettings& impact) {
  impact.impact_operator = settings.impact_operator;
  // Coefficients of friction mean something to a model only.
  const bool wants_friction = settings.friction && *settings.friction > 0.0;
  if (wants_friction && impact.friction_model == "none") impact.friction_model = "slip";
}

}  // namespace carom::lab
