#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "carom/bodies/world.h"
#include "carom/contact/detection.h"
#include "carom/contact/impact_scene.h"
#include "carom/forces/force.h"
#include "carom/impact/resolve.h"
#include "carom/integrators/free_rotation.h"
#include "carom/stepping/scheme_settings.h"

namespace carom {

struct TimeSettings {
  std::string scheme = "steps";  ///< see schemes/registry.h
  /// h, s; > 0. Of schemes in which time does not go on in steps: how often the run is looked at.
  double step = 1e-2;
  double duration = 1.0;  ///< s; the number of steps is duration / step, rounded
  RotationScheme rotation = RotationScheme::moser_veselov_4;  ///< of bodies in 3D that turn
};

/// Everything that a run needs; plain data. `start` is the state that it begins with: at step 0, or
/// at a later one, whose number and time (step * time.step) it says.
struct Simulation {
  World world;
  ForceSet forces;
  TimeSettings time;
  ImpactSettings impact;
  DetectionSettings detection;
  SchemeSettings settings;  ///< those that only one scheme knows
  /// "none", or "exact": what maps the start onto itself among mirrors in the axes and diagonals,
  /// half and quarter turns of the plane is kept to the last bit (docs/stepping.md).
  std::string symmetry = "none";
  State start;
  unsigned threads = 1;  ///< 0: one for each core; the results are the same for any number
};

[[nodiscard]] std::vector<std::string> symmetry_names();
[[nodiscard]] std::uint64_t step_count(const TimeSettings& time);

/// What its impacts happen to, and how they are answered.
[[nodiscard]] inline ImpactScene impact_scene(const Simulation& simulation) {
  return {&simulation.world, &simulation.impact, simulation.detection.activation};
}

/// Whether bodies turn or shapes are solids.
[[nodiscard]] bool has_solids(const World& world);

/// Throws InputError on the first thing that no scheme can simulate: numbers that are not finite,
/// masses or radii that are not positive, names that occur twice, settings out of range. Bodies are
/// named.
void check_start(const Simulation& simulation);

/// Throws InputError on bodies that overlap or stand inside a wall by more than the activation
/// tolerance.
void check_overlaps(const Simulation& simulation);
/// The same of these bodies alone, with all others and with shapes.
void check_overlaps_of(const Simulation& simulation, std::span<const Index> bodies);

}  // namespace carom
