#pragma once

#include "carom/geometry/vec3.h"

namespace carom {

/// A vector as length and unit vector. The unit vector is zero where it is not defined: for the
/// zero vector, and for one that is not finite.
struct Direction {
  double length = 0.0;
  Vec3 unit;
};

/// Also right where the squares of the components would overflow or vanish. Mirroring an axis,
/// exchanging x and y, and negating the vector do the same to the unit vector, bit for bit.
[[nodiscard]] Direction direction_of(const Vec3& vector);

/// Where (0 begin, 1 end) the straight way from `begin` to `end` is nearest to the origin. 0 on a
/// way without length.
[[nodiscard]] double where_nearest_to_origin(const Vec3& begin, const Vec3& end);

/// The place on the straight way; `end` itself at 1.
[[nodiscard]] inline Vec3 place_on_path(const Vec3& begin, const Vec3& end, double where) {
  return where == 1.0 ? end : begin + where * (end - begin);
}

}  // namespace carom
