#pragma once

#include <span>

#include "carom/impact/detail/vector3.h"
#include "carom/impact/system.h"

namespace carom {

/// Momentum of a free component, in its units, and what it is to be compared with. Angular
/// momentum is about the mean of the positions.
struct Momentum {
  Vector3 linear{};
  Vector3 angular{};
  double linear_size = 0.0;
  double angular_size = 0.0;
};
[[nodiscard]] Momentum momentum_of(const ComponentSystem& system, std::span<const double> velocity);

/// Angular momentum is judged where every position is known and every impulse that acted has no
/// torque of its own: balls that do not turn cannot take the torque of friction, nor that of a
/// normal that is not along the line of centres. `tangential`: impulses, two per row, or none.
[[nodiscard]] bool angular_is_defined(const ComponentSystem& system,
                                      std::span<const double> tangential);

/// Gives the bodies of a free component that the impact moved the linear and angular momentum back
/// that they had, by a rigid motion. Impulses act and react, so what is taken back is the round-off
/// of their application: without this it has a direction wherever the same contacts press step
/// after step, and adds up. Only for components with a body that turns; others are left alone, and
/// so is every body that kept its velocity.
void restore_momentum(const ComponentSystem& system, std::span<const double> tangential,
                      std::span<double> velocity);

}  // namespace carom
