#pragma once

#include <memory>
#include <span>
#include <vector>

#include "carom/bodies/bodies.h"
#include "carom/forces/elasticity.h"
#include "carom/forces/position_force.h"

namespace carom {

// Forces on balls. Positions in, forces and potential energy out.

/// -stiffness (distance - length) along the line between two bodies, or between a body and a point.
struct SpringForce {
  Index body_a = kNone;
  Index body_b = kNone;  ///< kNone: the other end is `point`
  Vec3 point;
  double stiffness = 1.0;  ///< N/m
  double length = 0.0;     ///< rest length
};

/// Attraction of every body to a point: magnitude strength * m * r^exponent (exponent -2: gravity,
/// 1: harmonic). Nonlinear unless the exponent is 1: Verlet keeps its energy only nearly.
struct CentralForce {
  Vec3 center;
  double strength = 1.0;
  double exponent = -2.0;
};

/// -coefficient * v on every body, in kg/s.
struct LinearDrag {
  double coefficient = 0.0;
};

/// A force on one body from one time to another, whatever happens.
struct BodyForce {
  Index body = 0;
  Vec3 force;          ///< N
  double begin = 0.0;  ///< s
  double end = kInfinity;
};

struct ForceSet {
  Vec3 gravity;  ///< m/s^2
  std::vector<SpringForce> springs;
  std::vector<CentralForce> centers;
  LinearDrag drag;
  std::vector<BodyForce> prescribed;
  std::vector<SurfaceElasticity> elasticity;  ///< of each of the world's surfaces
  /// Of the program itself; no file can hold them. None of them null.
  std::vector<std::shared_ptr<const PositionForce>> functions;
};

/// Gravity, springs and centres, as accelerations; not `functions`, which are asked for forces.
void accelerations(const ForceSet& forces, const BodySet& bodies, const Periodicity& periodicity,
                   std::span<const Vec3> position, std::span<Vec3> out);
/// Of gravity, springs, centres, and functions that have a potential.
[[nodiscard]] double potential_energy(const ForceSet& forces, const BodySet& bodies,
                                      const Periodicity& periodicity,
                                      std::span<const Vec3> position);
/// False where the acceleration is the same everywhere, so that it need not be computed again.
[[nodiscard]] bool depends_on_position(const ForceSet& forces);

}  // namespace carom
