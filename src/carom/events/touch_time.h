#pragma once

#include <array>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom {

// When things that fly freely touch. Times count from now; every function gives the first time >= 0
// at which the gap is 0 or less while it is falling, or infinity.
//
// Round-off leaves pairs that have just collided at gaps of some 1e-16, of either sign. They are
// not judged by that but by the sign of their approach: what parts is left alone until it comes
// back, what approaches touches now. An approach slower than `noise` (a speed that round-off makes)
// is none; then the acceleration decides.

/// c[0] + c[1] t + ... + c[4] t^4
using Quartic = std::array<double, 5>;

/// The first time in [0, horizon] at which the polynomial is 0 or less and falling. The times at
/// which it turns come from its derivative's roots, and those from the roots of the derivatives
/// above: between two of them it is monotone, so that no root is missed, and a root is found from
/// the side where the polynomial is still positive. `horizon` may be infinite.
[[nodiscard]] double first_fall(const Quartic& polynomial, double horizon);

/// gap + speed t + acceleration t^2 / 2
struct StraightGap {
  double gap = 0.0;
  double speed = 0.0;  ///< of the gap; negative: approaching
  double acceleration = 0.0;
};
[[nodiscard]] double time_to_touch(const StraightGap& motion, double noise);

/// A point that flies relative to another: place + velocity t + acceleration t^2 / 2
struct RelativeFlight {
  Vec3 place;
  Vec3 velocity;
  Vec3 acceleration;
};
/// Until the point comes as near to the origin as `distance`, from outside.
[[nodiscard]] double time_to_come_near(const RelativeFlight& flight, double distance,
                                       double horizon, double noise);
/// Until it is as far from the origin as `distance`, from inside.
[[nodiscard]] double time_to_go_far(const RelativeFlight& flight, double distance, double horizon,
                                    double noise);

/// The speed that round-off makes of speeds as large as this one.
[[nodiscard]] inline double speed_noise(double speed) { return 8.0 * kRoundOff * speed; }

}  // namespace carom
