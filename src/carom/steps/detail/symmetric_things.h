#pragma once

#include <span>
#include <vector>

#include "carom/bodies/bodies.h"
#include "carom/core/types.h"
#include "carom/forces/force.h"
#include "carom/geometry/square_symmetry.h"

namespace carom::detail {

/// An operation about a centre, and how far places may miss each other.
struct Placement {
  SquareOperation operation = SquareOperation::identity;
  Vec3 center;
  double tolerance = 0.0;

  [[nodiscard]] Vec3 place(const Vec3& q) const { return center + image(operation, q - center); }
};

/// Whether the operation maps all of these onto each other. `images` gets the number of each
/// shape's image.
[[nodiscard]] bool match_shapes(std::span<const PlacedShape> shapes, const Placement& placement,
                                std::vector<Index>& images);
[[nodiscard]] bool match_springs(std::span<const SpringForce> springs, const Placement& placement,
                                 std::span<const Index> body_image);
[[nodiscard]] bool match_centers(std::span<const CentralForce> centers, const Placement& placement);

}  // namespace carom::detail
