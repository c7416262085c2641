#pragma once

#include "carom/geometry/vec3.h"

namespace carom::detail {

// On which side a point lies, without error whatever the coordinates (as long as no product of
// three of them overflows or vanishes): rounded arithmetic where its error bound decides, otherwise
// exact sums of doubles. Combinatorial algorithms built on these cannot contradict themselves.

/// The sign of ((b - a) x (c - a)) . (d - a): 1 where d is on the side from which a, b, c run
/// counterclockwise, 0 in their plane.
[[nodiscard]] int side_of_plane(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// In the plane z = 0: 1 where c is to the left of the line from a to b, 0 on it.
[[nodiscard]] int side_of_line(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace carom::detail
