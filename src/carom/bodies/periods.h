#pragma once

#include <cmath>

#include "carom/bodies/bodies.h"

namespace carom {

/// Whole periods by which a place must be shifted to come next to another that is `difference` away
/// from it; 0 along axes that do not repeat. nearest_image() of the difference is what is left.
[[nodiscard]] inline Vec3 periods_between(const Periodicity& periodicity, const Vec3& difference) {
  const auto along = [](double d, double length) {
    return length > 0.0 ? length * std::nearbyint(d / length) : 0.0;
  };
  const Vec3& length = periodicity.length;
  return {along(difference.x, length.x), along(difference.y, length.y),
          along(difference.z, length.z)};
}

/// What is left of a vector without its components along axes that do not repeat.
[[nodiscard]] inline Vec3 along_periods(const Periodicity& periodicity, const Vec3& v) {
  const Vec3& length = periodicity.length;
  return {length.x > 0.0 ? v.x : 0.0, length.y > 0.0 ? v.y : 0.0, length.z > 0.0 ? v.z : 0.0};
}

}  // namespace carom
