// Lengths and directions of vectors without overflow or underflow.
#include "carom/geometry/direction.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

Vec3 divided(const Vec3& vector, double divisor) {
  return {vector.x / divisor, vector.y / divisor, vector.z / divisor};
}

Vec3 times_power_of_two(const Vec3& vector, int exponent) {
  return {std::ldexp(vector.x, exponent), std::ldexp(vector.y, exponent),
          std::ldexp(vector.z, exponent)};
}

}  // namespace

Direction detail::direction_of_extreme(const Vec3& vector) {
  if (!is_finite(vector)) return {norm_squared(vector), {}};
  const double largest = std::max({std::abs(vector.x), std::abs(vector.y), std::abs(vector.z)});
  if (largest == 0.0) return {};
  const int exponent = std::ilogb(largest);
  const Vec3 scaled = times_power_of_two(vector, -exponent);
  const double length = norm(scaled);
  return {std::ldexp(length, exponent), divided(scaled, length)};
}

double where_nearest_to_origin(const Vec3& begin, const Vec3& end) {
  // |begin + t (end - begin)|^2 is a parabola in t.
  const Direction way = direction_of(end - begin);
  const double along = -dot(begin, way.unit);
  if (!(along > 0.0)) return 0.0;
  return along < way.length ? along / way.length : 1.0;
}

}  // namespace carom
