#include "carom/collision/narrow_phase.h"

#include "carom/geometry/direction.h"

namespace carom {

BallPairGap ball_pair_contact(const Vec3& difference, double radius_a, double radius_b) {
  const Direction direction = direction_of(difference);
  return {direction.length - (radius_a + radius_b), direction.unit};
}

PathGap smallest_pair_gap(const Vec3& difference_begin, const Vec3& difference_end,
                          double radius_sum) {
  // A ball that passes a resting one of the sum of the radii.
  return smallest_gap_on_path(SphereOutside{{}, radius_sum}, 0, difference_begin, difference_end,
                              0.0);
}

}  // namespace carom
