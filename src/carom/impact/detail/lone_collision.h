#pragma once

#include <vector>

#include "carom/impact/collision_law.h"
#include "carom/impact/resolve.h"
#include "carom/impact/system.h"

namespace carom {

/// Whether a component is one contact that `friction_model = "collision"` speaks of: one row that
/// rubs, and that does not stand for several.
[[nodiscard]] bool is_lone_collision(const ComponentSystem& system, const ImpactSettings& settings);

/// The outcome of such a component by collide(), in its own units and numbering.
struct LoneCollision {
  std::vector<double> velocity;
  double lambda = 0.0;  ///< of the scaled row
  std::vector<double> tangential;
  CollisionOutcome outcome;
};
[[nodiscard]] LoneCollision resolve_lone_collision(const ComponentSystem& system,
                                                   const ImpactSettings& settings);

}  // namespace carom
