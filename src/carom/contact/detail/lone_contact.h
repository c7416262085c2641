#pragma once

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::detail {

/// An elastic, smooth contact whose bodies touch nothing else.
struct LoneContact {
  Vec3 normal;  ///< from the other side to a
  double mass_a = 1.0;
  double mass_b = 0.0;  ///< 0: the other side is a wall
  Vec3 velocity_a;
  Vec3 velocity_b;      ///< of a wall: not asked for
  double offset = 0.0;  ///< the normal speed of a wall
};

struct LoneResponse {
  double impulse = 0.0;
  Vec3 velocity_a;
  Vec3 velocity_b;
};

/// The reflection of one row,
///   p = -2 b / (n'n (1/m_a + 1/m_b)),   b = n . (v_a - v_b) < 0,
/// in the frame of the centre of mass, where |b| counts. To the bit what PointResolver makes of a
/// component of one row, whatever the operator.
[[nodiscard]] LoneResponse respond_alone(const LoneContact& contact, double tolerance);

}  // namespace carom::detail
