#pragma once

#include <cmath>
#include <span>

#include "carom/bodies/bodies.h"
#include "carom/forces/force.h"
#include "carom/geometry/vec3.h"

namespace carom::detail {

// The formulas that a ForceSet and the families of its kinds have in common.

/// From a spring's other end to body a.
[[nodiscard]] inline Vec3 spring_line(const SpringForce& spring, const Periodicity& periodicity,
                                      std::span<const Vec3> position) {
  const Vec3& other = spring.body_b == kNone ? spring.point : position[spring.body_b];
  return nearest_image(periodicity, position[spring.body_a] - other);
}

/// Force along the line, over its length. A spring of no length pulls along the line itself; any
/// other has no direction at distance 0.
[[nodiscard]] inline double spring_tension(const SpringForce& spring, double distance) {
  return spring.length == 0.0 ? spring.stiffness
         : distance > 0.0     ? spring.stiffness * (distance - spring.length) / distance
                              : 0.0;
}

[[nodiscard]] inline double spring_potential(const SpringForce& spring, double distance) {
  const double stretch = distance - spring.length;
  return 0.5 * spring.stiffness * stretch * stretch;
}

/// Acceleration along the line from a centre, over its length.
[[nodiscard]] inline double center_pull(const CentralForce& force, double distance) {
  return force.strength * std::pow(distance, force.exponent - 1.0);
}

/// Per unit of mass; its derivative along r is strength * r^exponent.
[[nodiscard]] inline double center_potential(const CentralForce& force, double distance) {
  if (force.exponent == -1.0) return force.strength * std::log(distance);
  return force.strength * std::pow(distance, force.exponent + 1.0) / (force.exponent + 1.0);
}

/// The part of a uniform field that has a potential: none along a periodic axis.
[[nodiscard]] inline Vec3 field_with_potential(const Vec3& field, const Periodicity& periodicity) {
  const Vec3& length = periodicity.length;
  return {length.x > 0.0 ? 0.0 : field.x, length.y > 0.0 ? 0.0 : field.y,
          length.z > 0.0 ? 0.0 : field.z};
}

}  // namespace carom::detail
