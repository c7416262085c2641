#pragma once

#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/solid.h"
#include "carom/geometry/vec3.h"

namespace carom {

// Meshes made by formula: closed (check_mesh) unless said otherwise, about the origin. Sizes that
// are not positive and finite, and counts that are too small, are InputErrors.

/// Points of the unit circle at k / count of a turn. Mirror images, half, quarter and eighth turns
/// of each other (where the count allows them) agree bit for bit.
[[nodiscard]] std::vector<Vec3> circle_points(Index count);

/// Twelve triangles; diagonals chosen so that half turns about the axes map it to itself.
[[nodiscard]] TriangleMesh box_mesh(const Vec3& half);

/// An icosahedron whose triangles are quartered so many times; vertices on the sphere.
[[nodiscard]] TriangleMesh icosphere(double radius, int subdivisions);

/// A profile (x: distance from the z axis, y: height along it) turned about the z axis in `count`
/// steps. It runs from the axis to the axis (first and last x are 0, all others positive), upward
/// on the outside: then triangles face outward.
[[nodiscard]] TriangleMesh surface_of_revolution(const std::vector<Vec3>& profile, Index count);

/// A tube that follows a closed curve; each cross-section (in the same order around it) is a ring
/// of the same number of places, counterclockwise seen against the direction of the walk.
[[nodiscard]] TriangleMesh closed_tube(const std::vector<std::vector<Vec3>>& rings);

/// A cylinder along z with round caps, or without.
[[nodiscard]] TriangleMesh capsule_mesh(double radius, double half_length, Index count);
[[nodiscard]] TriangleMesh cylinder_mesh(double radius, double half_length, Index count);

}  // namespace carom
