#pragma once

#include <cstdint>

#include "carom/stepping/simulation.h"

namespace carom::test {

/// Equal elastic balls of radius 0.5 and mass 1 in a periodic box, at rest as a whole, with
/// Maxwell's velocities for kT = 1, on a crystal lattice that collisions melt.
struct HardGas {
  int dimension = 3;
  Index cells = 10;      ///< along an edge: 4 cells^3 spheres (face-centred), 4 cells^2 discs
  double packing = 0.3;  ///< share of the volume (area) that the balls fill
  std::uint64_t seed = 1;
};
/// Under `scheme = "events"`; nothing else is set.
[[nodiscard]] Simulation make_hard_gas(const HardGas& gas);

}  // namespace carom::test
