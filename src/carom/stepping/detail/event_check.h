#pragma once

#include "carom/stepping/simulation.h"

namespace carom::detail {

/// Whether bodies turn or shapes are solids: then SolidEventStepper runs the scheme "events".
[[nodiscard]] bool has_solids(const Simulation& simulation);

/// Throws InputError on a shape that spins although its surface would move, or where nothing that
/// turns could feel it.
void check_spins(const Simulation& simulation);

/// Throws InputError on what the scheme "events" cannot run: forces other than uniform gravity,
/// exact symmetry, periods shorter than two and a half diameters of the largest ball, with solids
/// four and a quarter.
void check_events(const Simulation& simulation);

}  // namespace carom::detail
