#pragma once

#include "carom/collision/solid_contact.h"
#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// How something flies from now on.
struct Flight {
  Vec3 velocity;      ///< of its centre of mass, now
  Vec3 acceleration;  ///< constant
  /// No larger angular speed will be reached, rad/s: largest_turn_rate().
  double turn_rate = 0.0;
  /// Its centre may deviate from that flight by at most this speed times the time: shapes that
  /// swing.
  double further_speed = 0.0;
};

/// The largest angular speed of a free body that has the kinetic energy of this angular velocity:
/// as its moments m keep that energy, abs(omega)^2 <= sum m_k omega_k^2 / min m_k. Departs from the
/// paper, which uses the angular momentum, abs(I omega) / min m_k: never smaller.
/// `angular_velocity` in the principal axes.
[[nodiscard]] double largest_turn_rate(const Vec3& moments, const Vec3& angular_velocity);

struct FlyingSolid {
  PlacedSolid body;
  Flight flight;
};
/// A shape does not turn, or its turning does not move its surface.
struct FlyingShape {
  OffsetShape shape;
  Flight flight;
};

struct ImpactBound {
  double time = kInfinity;     ///< seconds from now
  double distance = 0.0;       ///< lower bound on the distance of the surfaces now; may be negative
  double meeting = kInfinity;  ///< the same as `time` for an envelope of 0: surfaces may touch
};

/// How exact, and how far ahead.
struct ImpactQuery {
  /// Bounds the time at which the distance may fall to this length.
  double envelope = 0.0;
  /// A bound at or beyond this is good enough: it need not be improved.
  double horizon = kInfinity;
};

/// A lower bound on the time of impact of two bodies in free flight [Mirtich1995, section 2.3].
///
/// Between two convex parts lies a slab of width d across a unit normal n. Whatever touches
/// whatever, both parts must together have crossed it first. Places of a part turn about the centre
/// of mass at a distance of at most r, so
///
///   (1)  d <= t (c + r_a omega_a + r_b omega_b) + t^2 g / 2
///
/// with c the closing speed and g the closing acceleration of the centres along n (0 where both
/// fall). Roundings do not turn: r of a ball is 0. Solids of several parts: the smallest of all
/// pairs. Meshes need not be convex; for them c and g are the whole relative speed and
/// acceleration, which holds for any surfaces, and d is found by cutting triangles. The bound is
/// never below the time at which the balls around the two bodies meet, which turning does not
/// change.
///
/// Never later than the impact, to round-off. It is 0 for bodies that touch (or are nearer than the
/// envelope), whether they part or not.
[[nodiscard]] ImpactBound bound_time_of_impact(const FlyingSolid& a, const FlyingSolid& b,
                                               const ImpactQuery& query = {});
/// The same against a shape. Walls and half-planes have a slab against any body, convex or not.
[[nodiscard]] ImpactBound bound_time_of_impact(const FlyingSolid& a, const FlyingShape& b,
                                               const ImpactQuery& query = {});

/// The first t >= 0 with speed t + acceleration t^2 / 2 >= distance; infinity if there is none.
[[nodiscard]] double time_to_cover(double distance, double speed, double acceleration);

}  // namespace carom
