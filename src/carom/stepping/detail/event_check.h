#pragma once

#include "carom/stepping/simulation.h"

namespace carom::detail {

/// Throws InputError on what the scheme "events" cannot run: forces other than uniform gravity,
/// bodies that turn, solid obstacles, exact symmetry, periods shorter than two and a half diameters
/// of the largest ball.
void check_events(const Simulation& simulation);

}  // namespace carom::detail
