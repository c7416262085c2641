#pragma once

#include <vector>

#include "carom/core/random.h"
#include "carom/geometry/shape.h"

namespace carom::test {

// In the cube (in 2D: square) from -size to size.
[[nodiscard]] Vec3 random_place(Random& random, int dimension, double size);

// One random shape of every type, of size about 1.
[[nodiscard]] std::vector<Shape> random_shapes(Random& random, int dimension);

// The shape with every point and direction transformed; a box's corners are put in order again.
template <typename Transform>
[[nodiscard]] Shape transformed(const Shape& shape, const Transform& transform);

}  // namespace carom::test

template <typename Transform>
carom::Shape carom::test::transformed(const Shape& shape, const Transform& transform) {
  if (const auto* plane = std::get_if<HalfPlane>(&shape)) {
    return HalfPlane{transform(plane->point), transform(plane->normal)};
  }
  if (const auto* segment = std::get_if<Segment>(&shape)) {
    return Segment{transform(segment->a), transform(segment->b)};
  }
  if (const auto* drum = std::get_if<SphereInside>(&shape)) {
    return SphereInside{transform(drum->center), drum->radius};
  }
  if (const auto* obstacle = std::get_if<SphereOutside>(&shape)) {
    return SphereOutside{transform(obstacle->center), obstacle->radius};
  }
  const auto& box = std::get<BoxInside>(shape);
  const Vec3 a = transform(box.lower);
  const Vec3 b = transform(box.upper);
  return BoxInside{{std::fmin(a.x, b.x), std::fmin(a.y, b.y), std::fmin(a.z, b.z)},
                   {std::fmax(a.x, b.x), std::fmax(a.y, b.y), std::fmax(a.z, b.z)}};
}
