#pragma once

#include <optional>
#include <string>

#include "carom/stepping/simulation.h"

namespace carom::lab {

/// What the sliders of the lab say. Each is applied to the simulation as it is and to every one
/// that it begins again as.
struct Settings {
  std::string impact_operator;
  std::string scheme;
  double step = 1e-2;  ///< s
  Vec3 gravity;        ///< m/s^2
  /// Of all materials alike; nothing: as the scene has them.
  std::optional<double> restitution;
  std::optional<double> friction;
};

/// What the sliders show of a scene as it is.
[[nodiscard]] Settings settings_of(const Simulation& simulation);

/// The coefficients of all materials and pairs of materials, as far as the settings name them.
void set_materials(const Settings& settings, MaterialTable& materials);
/// The operator, and a model of friction where the settings ask for friction and there is none.
void set_impact(const Settings& settings, ImpactSettings& impact);

}  // namespace carom::lab
