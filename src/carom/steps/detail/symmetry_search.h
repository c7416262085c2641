#pragma once

#include "carom/contact/exact_symmetry.h"
#include "carom/stepping/simulation.h"

namespace carom::detail {

/// Finds those of the eight operations of the square, about one centre, that map a start onto
/// itself: bodies (place, velocity, mass, radius, material), shapes (with their motions and
/// materials), forces and periods.
///
/// Looks about the origin and about the middle of the bodies (along a period about its middle) and
/// takes what has more operations. Numbers may differ by the round-off of their computation.
/// Throws InputError where there is none but the identity, naming the nearest one and what has no
/// partner under it.
[[nodiscard]] SymmetryGroup find_symmetry(const Simulation& simulation);

}  // namespace carom::detail
