#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carom/bodies/world.h"
#include "carom/contact/detection.h"
#include "carom/events/ball_events.h"
#include "carom/forces/force.h"
#include "carom/impact/resolve.h"
#include "carom/integrators/free_rotation.h"

namespace carom {

struct TimeSettings {
  std::string scheme = "steps";  ///< see scheme_names()
  /// h, s; > 0. Under "events" only how often the run is looked at.
  double step = 1e-2;
  double duration = 1.0;  ///< s; the number of steps is duration / step, rounded
  RotationScheme rotation = RotationScheme::moser_veselov_4;  ///< of bodies in 3D that turn
};

/// Everything that a run needs; plain data. `start` is the state at step 0.
struct Simulation {
  World world;
  ForceSet forces;
  TimeSettings time;
  ImpactSettings impact;
  DetectionSettings detection;
  EventSettings events;  ///< of the scheme "events"
  /// "none", or "exact": what maps the start onto itself among mirrors in the axes and diagonals,
  /// half and quarter turns of the plane is kept to the last bit (docs/stepping.md).
  std::string symmetry = "none";
  State start;
  unsigned threads = 1;  ///< 0: one for each core; the results are the same for any number
};

[[nodiscard]] std::vector<std::string> scheme_names();
[[nodiscard]] std::vector<std::string> symmetry_names();
[[nodiscard]] std::uint64_t step_count(const TimeSettings& time);

/// Throws InputError on the first thing that cannot be simulated: numbers that are not finite,
/// masses or radii that are not positive, balls that overlap or stand inside a wall (by more than
/// the activation tolerance), names that occur twice, settings out of range, a symmetry to be kept
/// that the start does not have. Bodies are named.
void check_simulation(const Simulation& simulation);

}  // namespace carom
