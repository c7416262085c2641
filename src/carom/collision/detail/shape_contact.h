#pragma once

#include <vector>

#include "carom/collision/detail/part_contact.h"
#include "carom/geometry/shape.h"

namespace carom::detail {

/// A shape in the coordinates of a query.
struct PlacedShape {
  const Shape& shape;
  Vec3 offset;
};

/// False only if a ball of this radius about the origin of the query does not reach the shape.
[[nodiscard]] bool may_touch(const PlacedShape& shape, double radius, int dimension);

/// Adds the contacts of a part (a) with a shape (b).
///
/// Half-planes, walls of boxes and insides of spheres leave a convex space free, so bodies touch
/// them with vertices: all whose gap is below the margin are given. A sphere from outside is met as
/// a ball, a segment as a line without thickness; in two dimensions a part that overlaps a segment
/// is pushed to the side on which the origin of the query (the solid's centre of mass) lies.
void add_shape_contacts(const PlacedPart& part, const PlacedShape& shape, const ContactQuery& query,
                        std::vector<PartContact>& contacts);

}  // namespace carom::detail
