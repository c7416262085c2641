#pragma once

#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/square_symmetry.h"
#include "carom/stepping/simulation.h"

namespace carom::detail {

/// Those of the eight operations of the square, about one centre, that map a start onto itself:
/// bodies (place, velocity, mass, radius, material), shapes (with their motions and materials),
/// forces and periods.
struct SymmetryGroup {
  Vec3 center;
  /// Places are multiples of this, a power of two near the last digit of the farthest coordinate:
  /// on such a grid `center + R (q - center)` is exact. 0 where the centre is the origin: nothing
  /// is rounded there anyway.
  double grid = 0.0;
  std::vector<SquareOperation> operations;      ///< closed under products; the identity first
  std::vector<std::vector<Index>> body_image;   ///< per operation, per body
  std::vector<std::vector<Index>> shape_image;  ///< per operation, per shape
};

/// Looks about the origin and about the middle of the bodies (along a period about its middle) and
/// takes what has more operations. Numbers may differ by the round-off of their computation.
/// Throws InputError where there is none but the identity, naming the nearest one and what has no
/// partner under it.
[[nodiscard]] SymmetryGroup find_symmetry(const Simulation& simulation);

}  // namespace carom::detail
