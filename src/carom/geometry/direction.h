#pragma once

#include <cmath>

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
[[nodiscard]] inline Direction direction_of(const Vec3& vector);

namespace detail {
/// Where the square of the length cannot be trusted.
[[nodiscard]] Direction direction_of_extreme(const Vec3& vector);
}  // namespace detail

/// Whether a sum of squares has lost nothing to underflow and not overflowed.
[[nodiscard]] inline bool is_safe_square(double squared) {
  constexpr double kSmallestSafeSquare = 0x1.0p-900;
  constexpr double kLargestSafeSquare = 0x1.0p+1000;
  return squared > kSmallestSafeSquare && squared < kLargestSafeSquare;
}

inline Direction direction_of(const Vec3& vector) {
  const double squared = norm_squared(vector);
  if (is_safe_square(squared)) {
    const double length = std::sqrt(squared);
    return {length, {vector.x / length, vector.y / length, vector.z / length}};
  }
  return detail::direction_of_extreme(vector);
}

/// Where (0 begin, 1 end) the straight way from `begin` to `end` is nearest to the origin. 0 on a
/// way without length.
[[nodiscard]] double where_nearest_to_origin(const Vec3& begin, const Vec3& end);

/// The place on the straight way; `end` itself at 1.
[[nodiscard]] inline Vec3 place_on_path(const Vec3& begin, const Vec3& end, double where) {
  return where == 1.0 ? end : begin + where * (end - begin);
}

}  // namespace carom
