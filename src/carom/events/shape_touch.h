#pragma once

#include "carom/bodies/bodies.h"
#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// A ball in free flight at some moment.
struct BallFlight {
  Vec3 position;
  Vec3 velocity;
  Vec3 acceleration;
  double radius = 1.0;
};

/// Which stretch of time is looked at.
struct TouchWindow {
  double now = 0.0;            ///< s, on the clock of the shapes' motions
  double horizon = kInfinity;  ///< s from now
};

/// When a ball may touch a shape.
struct ShapeTouch {
  double time = kInfinity;  ///< from now
  /// False: until then it does not touch, and one has to look again.
  bool certain = true;
};

/// The first touch of a ball with one feature of a shape, up to the horizon (finite for shapes that
/// move along a sinusoid). Closed forms for shapes that stand still or move with a constant
/// velocity, piece by piece along a table; for a sinusoid the gap is bounded from below by a
/// parabola (its second derivative is bounded), the bound's root is a time before which nothing
/// happens, and so on from there: the steps come as near to the touch as round-off allows. Not for
/// solids.
[[nodiscard]] ShapeTouch first_touch(const PlacedShape& placed, Index feature,
                                     const BallFlight& ball, const TouchWindow& window);

/// Second derivative of the gap (m/s^2) for a ball that touches the feature; negative where it is
/// pressed on. Motions that are not uniform count with their acceleration at `now`.
[[nodiscard]] double gap_acceleration(const PlacedShape& placed, const Vec3& normal,
                                      const BallFlight& ball, double now);

}  // namespace carom
