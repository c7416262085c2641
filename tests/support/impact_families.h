#pragma once

#include <cstdint>
#include <string>

#include "carom/core/random.h"
#include "carom/impact/problem.h"

#include "support/impact_problems.h"

namespace carom::test {

/// A random impact problem and what is known of it.
struct Instance {
  ImpactProblem problem;
  std::string family;
  bool redundant = false;    ///< rows are linearly dependent by construction
  bool near_locked = false;  ///< lineality, exact or up to a tiny bend
  bool scripted = false;     ///< touches a moving surface
};

struct FamilyLimits {
  int max_bodies = 12;
  double largest_mass_ratio = 1e6;
  /// Bends of the nearly locked ones are below or above this gap: between them an iteration is
  /// legal but takes of the order of 1/bend applications.
  double bend_below = 1e-8;
  double bend_above = 1e-2;
  double restitution = 1.0;  ///< of all rows; negative: a different one for each
  double friction = 0.0;
};

/// Chains, stars, racks, boxes on corners, stacks, random graphs in 1D, 2D and 3D, grids, wedges,
/// bent and exactly locked chains, moving containers; about half of all with repeated rows.
[[nodiscard]] Instance random_instance(std::uint64_t seed, const FamilyLimits& limits = {});

}  // namespace carom::test
