#pragma once

#include <cstdint>

#include "carom/stepping/simulation.h"

namespace carom::test {

/// Equal elastic balls of radius 0.5 and mass 1 in a periodic box, at rest as a whole, with
/// Maxwell's velocities for kT = 1, on a lattice that collisions melt.
struct HardGas {
  int dimension = 3;
  Index cells = 10;  ///< along an edge: cells^3 spheres (a cubic lattice), 4 cells^2 discs
  /// Share of the volume (below 0.52) or of the area (below 0.9) that the balls fill.
  double packing = 0.3;
  std::uint64_t seed = 1;
};
/// Under `scheme = "events"`; nothing else is set.
[[nodiscard]] Simulation make_hard_gas(const HardGas& gas);

}  // namespace carom::test
