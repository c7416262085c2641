#pragma once

#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/solid.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// A curve about the z axis, from (radius, 0, 0) anticlockwise seen from above:
///   c(t) = (radius cos t, radius sin t, slope t),   0 <= t <= end
struct Helix {
  double radius = 1.0;
  double slope = 0.0;  ///< what it rises by in one radian, m
  double end = 1.0;    ///< radians, > 0

  [[nodiscard]] Vec3 place(double angle) const;
  /// Unit, onward.
  [[nodiscard]] Vec3 direction(double angle) const;
};

/// A place of a helix that is nearer to a given one than all places beside it.
struct NearOnHelix {
  double angle = 0.0;
  double distance = 0.0;
  Vec3 outward;    ///< unit, from the helix to the given place; zero where they coincide
  Index turn = 0;  ///< names the turn on which it lies
};

/// All such places nearer than `within`, by their angle; exact to round-off. With the given place
/// at the distance rho from the axis, at the angle phi and the height z, and u = t - phi, half the
/// squared distance has the derivative
///   g(u) = rho radius sin u - slope (z - slope t)                                            (1)
/// which rises with u exactly where cos u > -slope^2 / (rho radius). Each such interval has at most
/// one minimum, and nothing between them has any.
void find_nearest(const Helix& helix, const Vec3& from, double within,
                  std::vector<NearOnHelix>& found);

/// The middle line of the rod.
[[nodiscard]] Helix helix_of(const HelixSolid& rod);
/// Its surface: rings of places about the middle line, and round ends. Its volume is what the
/// solid's mass goes by; it is 2% less than that of the rod.
[[nodiscard]] TriangleMesh helix_mesh(const HelixSolid& rod);

}  // namespace carom
