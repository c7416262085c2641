#pragma once

#include <cmath>

#include "carom/collision/narrow_phase.h"
#include "carom/contact/detection.h"
#include "carom/core/two.h"

namespace carom::detail {

/// Centre a minus centre b on their way through a step.
struct PairMotion {
  Vec3 begin;
  Vec3 end;
};

/// One ball on its way.
struct BallMotion {
  BallMotion(const StepMotion& motion, Index ball)
      : BallMotion(motion.begin[ball], motion.end[ball]) {}
  BallMotion(const Vec3& from, const Vec3& to) : begin(from), moved(to - from) {}

  Vec3 begin;
  Vec3 moved;
};

/// `periodicity` may be null. The copy that is nearest at the beginning stays the partner for the
/// whole step.
[[nodiscard]] inline PairMotion pair_motion(const BallMotion& a, const BallMotion& b,
                                            const Periodicity* periodicity) {
  Vec3 begin = a.begin - b.begin;
  if (periodicity != nullptr) begin = nearest_image(*periodicity, begin);
  return {begin, begin + (a.moved - b.moved)};
}

/// Where a ball meets another, or a shape, at the beginning of a step: half way between two balls,
/// so that it does not matter which one is the first; on the surface of a ball beside a shape.
[[nodiscard]] inline Vec3 ball_place(const StepMotion& motion, const BodySet& bodies,
                                     const Contact& contact) {
  const double half = contact.body_b != kNone ? 0.5 * contact.gap : 0.0;
  return motion.begin[contact.body_a] - (bodies.radius[contact.body_a] + half) * contact.normal;
}

/// False only where two balls cannot be active: a quick look without a root. `reach` is the
/// distance of the centres at which they would be; with `sweep` the way counts, otherwise its end.
[[nodiscard]] inline bool may_be_active(const PairMotion& pair, double reach, bool sweep) {
  constexpr double kRounding = 1.0 + 1e-12;
  const double limit = reach * reach * kRounding;
  if (!(norm_squared(pair.end) > limit)) return true;
  if (!sweep) return false;
  // The way of the difference passes the origin at |begin|^2 - (begin.moved)^2 / |moved|^2.
  const Vec3 moved = pair.end - pair.begin;
  const double approach = -dot(pair.begin, moved);
  const double length = norm_squared(moved);
  if (approach <= 0.0 || approach >= length) return false;
  return !(norm_squared(pair.begin) * length - approach * approach > limit * length);
}

/// Whether two that hardly move against each other end within `reach`.
[[nodiscard]] inline bool rests_near(double gap_begin, double gap_end, double reach) {
  return gap_end < reach && std::abs(gap_end - gap_begin) < reach;
}

/// Both ends of a pair's way.
struct PairGaps {
  BallPairGap begin;
  double end = 0.0;
};

/// What ball_pair_contact gives at the two ends, to the same bits, at once.
[[nodiscard]] inline PairGaps pair_gaps(const PairMotion& pair, double radius_a, double radius_b) {
  const double begin = norm_squared(pair.begin);
  const double end = norm_squared(pair.end);
  if (!is_safe_square(begin) || !is_safe_square(end)) {
    return {ball_pair_contact(pair.begin, radius_a, radius_b),
            ball_pair_contact(pair.end, radius_a, radius_b).gap};
  }
  const Two length = square_roots(Two::of(begin, end));
  const Two normal = Two::of(pair.begin.x, pair.begin.y) / Two::of(length.first());
  // In two dimensions the quotient of a zero is the zero.
  const double z = pair.begin.z == 0.0 ? pair.begin.z : pair.begin.z / length.first();
  const double radii = radius_a + radius_b;
  return {{length.first() - radii, {normal.first(), normal.second(), z}}, length.second() - radii};
}

}  // namespace carom::detail
