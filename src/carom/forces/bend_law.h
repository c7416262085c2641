#pragma once

#include <cmath>
#include <numbers>

#include "carom/core/types.h"

namespace carom {

/// How an angle resists, of hinges and of chains: V = c (theta - rest)^2.
struct BendLaw {
  double stiffness = 0.0;    ///< c, J/rad^2
  double damping = 0.0;      ///< the same against the angle's rate: torque 2 damping dtheta/dt, J s
  double yield = kInfinity;  ///< rad; where theta is farther from its rest, the rest follows
  double rest = 0.0;         ///< rad, at the start
};

/// What a bend remembers from kick to kick, in this order: the last angle, whole turns counted, and
/// the rest angle.
inline constexpr Index kBendMemory = 2;

namespace detail {

/// Of an angle known up to whole turns the one that is nearest to another.
[[nodiscard]] inline double nearest_turn(double angle, double other) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  if (std::abs(angle - other) <= std::numbers::pi) return angle;
  return angle - kTurn * std::nearbyint((angle - other) / kTurn);
}

/// The potential with the rest angle of the memory, where there is one.
[[nodiscard]] inline double bend_potential(const BendLaw& law, double angle, const double* memory) {
  const double from_rest = memory == nullptr ? nearest_turn(angle, law.rest) - law.rest
                                             : nearest_turn(angle, memory[0]) - memory[1];
  return law.stiffness * from_rest * from_rest;
}

/// The impulse of one kick against the angle; the bodies get -impulse * gradient of the angle.
/// Ideal plasticity comes first: the rest angle follows where theta is farther than `yield` away,
/// and the potential that this loses is taken. Damping is d 2 (theta - last) over a step h and
/// takes 2 d (theta - last)^2 / h.
[[nodiscard]] inline double bend_impulse(const BendLaw& law, double step, double angle,
                                         double* memory, double& taken) {
  angle = nearest_turn(angle, memory[0]);
  double from_rest = angle - memory[1];
  if (std::abs(from_rest) > law.yield) {
    const double kept = std::copysign(law.yield, from_rest);
    taken += law.stiffness * (from_rest * from_rest - kept * kept);
    from_rest = kept;
    memory[1] = angle - kept;
  }
  const double change = angle - memory[0];
  memory[0] = angle;
  if (law.damping > 0.0) taken += 2.0 * law.damping * change * change / step;
  return 2.0 * (step * law.stiffness * from_rest + law.damping * change);
}

}  // namespace detail
}  // namespace carom
