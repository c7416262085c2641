#pragma once

#include "carom/geometry/direction.h"
#include "carom/geometry/shape.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// How two balls stand to each other.
struct BallPairGap {
  double gap = 0.0;  ///< distance of the surfaces; negative when they overlap
  Vec3 normal;       ///< unit, from b to a; zero when the centres coincide
};

/// `difference` is centre a minus centre b, in a periodic world of the nearest copies. Exchanging
/// the balls negates the normal and keeps the gap, bit for bit.
[[nodiscard]] inline BallPairGap ball_pair_contact(const Vec3& difference, double radius_a,
                                                   double radius_b) {
  const Direction direction = direction_of(difference);
  return {direction.length - (radius_a + radius_b), direction.unit};
}

/// The smallest gap while the difference of the centres goes straight from begin to end, and where
/// (0 begin, 1 end); the first such place. Never larger than the gaps at the two ends; exchanging
/// the balls (both differences negated) changes no bit.
[[nodiscard]] PathGap smallest_pair_gap(const Vec3& difference_begin, const Vec3& difference_end,
                                        double radius_sum);

}  // namespace carom
