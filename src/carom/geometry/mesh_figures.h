#pragma once

#include "carom/core/types.h"
#include "carom/geometry/solid.h"

namespace carom {

// The figures of the papers' experiments that are made by formula. All are closed (check_mesh).
// Sizes that are not positive and finite, and counts that are too small, are InputErrors.

/// A tube around the trefoil knot
///   c(t) = (sin t + 2 sin 2t, cos t - 2 cos 2t, -sin 3t)
/// scaled to an outer radius of 1 (its curve then reaches from the axis 1/3 to 1). Its
/// cross-sections are fixed to the z axis, so that the third of a turn about z, and half turns
/// about three axes across it, map the mesh to itself to round-off.
struct TrefoilShape {
  double scale = 1.0;         ///< radius of the curve's farthest point from the z axis
  double tube_radius = 0.15;  ///< for a scale of 1; at most 0.2: strands meet at 0.202
  Index segments = 96;        ///< along the curve, a multiple of 6
  Index sides = 12;           ///< around it, an even number
};
[[nodiscard]] TriangleMesh trefoil_mesh(const TrefoilShape& shape);

/// A hollow wooden doll that stands on z = 0, axis along z: an outer and an inner surface of
/// revolution, the inner floor at z = wall. With the default wall a doll of 0.8 of the size fits
/// inside, standing on that floor.
struct DollShape {
  double height = 1.0;
  double wall = 0.025;  ///< thickness, at most a tenth of the height; a little more at the neck
  Index count = 32;     ///< vertices around
};
[[nodiscard]] TriangleMesh doll_mesh(const DollShape& shape);

/// A chess pawn that stands on z = 0, axis along z.
struct PawnShape {
  double height = 1.0;
  Index count = 32;  ///< vertices around
};
[[nodiscard]] TriangleMesh pawn_mesh(const PawnShape& shape);

/// An open surface made into a body: both sides moved out by half the thickness, along the vertex
/// normals but so far that faces keep the full thickness between them (up to edges of 120 degrees
/// between the normals), and closed along the rims. A closed surface becomes a hollow body. Throws
/// InputError where the surface has no side to move to: no triangles, edges of more than two
/// triangles or of triangles that face different sides.
[[nodiscard]] TriangleMesh shell_of(const TriangleMesh& surface, double thickness);

}  // namespace carom
