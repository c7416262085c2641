#pragma once

#include <vector>

#include "carom/bodies/world.h"
#include "carom/geometry/vec3.h"

namespace carom::detail {

/// How hard surfaces are pulled and how they lie on each other.
struct Tightness {
  double mean_stretch = 0.0;   ///< of all edges: length over that at rest, less 1
  double large_stretch = 0.0;  ///< the 95th percentile
  double most_stretch = 0.0;
  /// Of the vertices nearer to a face of another surface than `near`: their share of all vertices,
  /// and the diagonal of the box around them, m.
  double zone_share = 0.0;
  double zone_size = 0.0;
};

[[nodiscard]] Tightness tightness(const World& world, const std::vector<Vec3>& places, double near);

}  // namespace carom::detail
