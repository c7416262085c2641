// Gaps of two balls, or of a ball and a shape, at a place and on a way.
#include "carom/collision/narrow_phase.h"

namespace carom {

PathGap smallest_pair_gap(const Vec3& difference_begin, const Vec3& difference_end,
                          double radius_sum) {
  // A ball that passes a resting one of the sum of the radii.
  return smallest_gap_on_path(SphereOutside{{}, radius_sum}, 0, difference_begin, difference_end,
                              0.0);
}

}  // namespace carom
