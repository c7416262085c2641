#pragma once

#include <cmath>
#include <vector>

#include "carom/collision/broad_phase.h"
#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::detail {

/// The box along the axes that a ball stays in on its way, a few units of round-off larger, so that
/// boxes which overlap in exact arithmetic do so in ours. Along periodic axes `lower` is measured
/// from the beginning of the first copy and lies in it. In two dimensions z is 0.
struct SweptBox {
  Vec3 lower;
  Vec3 extent;
  Index ball = 0;
};

/// False for a box so far away or so large that differences of such numbers overflow, or that came
/// from numbers which are not finite. Nothing is known about where its ball is, so that it counts
/// as near to every other.
[[nodiscard]] inline bool is_known(const SweptBox& box) {
  constexpr double kFarthest = 0x1.0p+1020;
  const auto known = [](double lower, double extent) {
    return std::abs(lower) < kFarthest && extent < kFarthest;
  };
  return known(box.lower.x, box.extent.x) && known(box.lower.y, box.extent.y) &&
         known(box.lower.z, box.extent.z);
}

/// Whether intervals [lower, lower + extent], or copies of them, overlap. An infinite period is
/// none.
[[nodiscard]] inline bool intervals_overlap(double lower_a, double extent_a, double lower_b,
                                            double extent_b, double period) {
  const double ahead = lower_b - lower_a;
  if (ahead <= extent_a && -ahead <= extent_b) return true;
  return ahead > 0.0 ? period - ahead <= extent_b : period + ahead <= extent_a;
}

[[nodiscard]] inline bool known_boxes_overlap(const SweptBox& a, const SweptBox& b,
                                              const Vec3& period) {
  return intervals_overlap(a.lower.x, a.extent.x, b.lower.x, b.extent.x, period.x) &&
         intervals_overlap(a.lower.y, a.extent.y, b.lower.y, b.extent.y, period.y) &&
         intervals_overlap(a.lower.z, a.extent.z, b.lower.z, b.extent.z, period.z);
}

/// The period along each axis; infinite where the world does not repeat.
[[nodiscard]] Vec3 period_of(const BallSweep& sweep);

/// One box per ball, in their order.
void compute_swept_boxes(const BallSweep& sweep, std::vector<SweptBox>& boxes);

}  // namespace carom::detail
