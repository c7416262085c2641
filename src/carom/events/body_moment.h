#pragma once

#include "carom/geometry/rotation.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// A body at some moment.
struct BodyMoment {
  Vec3 position;
  Vec3 velocity;
  Quaternion orientation;  ///< of balls that do not turn always the same
  Vec3 angular_velocity;   ///< rad/s
};

}  // namespace carom
