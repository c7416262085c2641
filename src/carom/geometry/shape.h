#pragma once

#include <memory>
#include <string_view>
#include <variant>

#include "carom/core/types.h"
#include "carom/geometry/solid.h"
#include "carom/geometry/vec3.h"

namespace carom {

// Shapes that balls bounce off and that no impulse moves. Each works in two and in three
// dimensions; lengths in metres or any consistent unit.

/// The free side is where the normal points. In 3D a plane.
struct HalfPlane {
  Vec3 point;
  Vec3 normal;  ///< unit length
};

/// A straight wall without thickness, seen from both sides. In 3D a thin rod.
struct Segment {
  Vec3 a;
  Vec3 b;
};

/// A drum (2D) or a hollow sphere (3D): balls are inside.
struct SphereInside {
  Vec3 center;
  double radius = 1.0;
};

/// A round obstacle: balls are outside.
struct SphereOutside {
  Vec3 center;
  double radius = 1.0;
};

/// Walls along the axes: balls are inside. In 2D a rectangle; z is ignored.
struct BoxInside {
  Vec3 lower;
  Vec3 upper;
};

/// Any solid that stands where it is: a table, a step, a mould.
struct SolidObstacle {
  std::shared_ptr<const Solid> solid;
  Pose pose;  ///< of its centre of mass and principal axes
  /// As a file gave it, the definition's coordinates to the world's; not used otherwise.
  Quaternion orientation = {};
};

using Shape =
    std::variant<HalfPlane, Segment, SphereInside, SphereOutside, BoxInside, SolidObstacle>;

/// "half_plane", "segment", "sphere_inside", "sphere_outside", "box_inside", "solid"
[[nodiscard]] std::string_view shape_type_name(const Shape& shape);

/// In how many independent ways a ball can touch the shape: a box has one for each wall, in the
/// order lower x, upper x, lower y, upper y, lower z, upper z.
[[nodiscard]] Index feature_count(const Shape& shape, int dimension);

/// How a ball stands to one feature of a shape.
struct SurfaceContact {
  double gap = 0.0;  ///< distance from the ball's surface; negative when it is inside the wall
  Vec3 normal;       ///< unit, from the wall to the ball; zero where it is not defined
};

/// The gap and normal of a ball, exact to round-off. Mirroring an axis or exchanging x and y, of
/// shape and ball, does the same to the normal, bit for bit, and nothing to the gap.
/// Not for solids: collision/solid_contact.h.
[[nodiscard]] SurfaceContact ball_contact(const Shape& shape, Index feature, const Vec3& center,
                                          double radius);

/// The smallest gap on the straight way of the centre from `begin` to `end`, and where on it
/// (0 begin, 1 end); the first such place. Never larger than the gaps at the two ends.
struct PathGap {
  double gap = 0.0;
  double where = 0.0;
};
[[nodiscard]] PathGap smallest_gap_on_path(const Shape& shape, Index feature, const Vec3& begin,
                                           const Vec3& end, double radius);

}  // namespace carom
