#pragma once

#include <array>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/rotation.h"
#include "carom/geometry/solid.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// Throws InputError, with the number and the place of the first fault, unless the mesh encloses a
/// volume: some triangles, finite vertices that all belong to one, no triangle without area, every
/// edge between exactly two triangles that run along it in opposite directions, positive volume.
/// A hollow body is one mesh whose inner surface faces the hollow. Surfaces that cut through each
/// other are not looked for.
void check_mesh(const TriangleMesh& mesh);

/// The same for a surface that may be open: every edge between at most two triangles, and no volume
/// is asked for.
void check_surface(const TriangleMesh& mesh);

/// Vertices nearer to each other than the tolerance (a length; 0: in the same place), directly or
/// through others, become one: the lexicographically smallest of them, whatever their order.
/// Triangles that lose their area that way, and vertices that belong to no triangle, are left out.
/// Throws InputError on vertices that are not finite.
[[nodiscard]] TriangleMesh welded(const TriangleMesh& mesh, double tolerance = 0.0);

/// An edge with a single triangle, in the direction in which that triangle runs along it.
struct OpenEdge {
  Index begin = 0;
  Index end = 0;
  Index triangle = 0;
};
/// In the order of (begin, end).
[[nodiscard]] std::vector<OpenEdge> open_edges(const TriangleMesh& mesh);

/// The rims of an open surface: closed walks along its open edges, each starting at its smallest
/// vertex. Throws InputError where a rim passes a vertex twice.
[[nodiscard]] std::vector<std::vector<Index>> boundary_loops(const TriangleMesh& mesh);

/// Closes every rim by a fan of triangles around a new vertex at the mean of the rim's.
[[nodiscard]] TriangleMesh holes_filled(TriangleMesh mesh);

/// Unit normals of the vertices: the triangles' normals weighted with their angles there, which
/// does not depend on how a flat part is cut into triangles. Zero where they cancel.
[[nodiscard]] std::vector<Vec3> vertex_normals(const TriangleMesh& mesh);

/// The pieces that hang together by edges, each a mesh of its own, in the order of their first
/// triangles. Pieces that touch in a vertex only are separate.
[[nodiscard]] std::vector<TriangleMesh> connected_pieces(const TriangleMesh& mesh);

[[nodiscard]] TriangleMesh moved(TriangleMesh mesh, const Pose& pose);
[[nodiscard]] TriangleMesh scaled(TriangleMesh mesh, double factor);
/// Both surfaces as one mesh; where they overlap, volume counts twice.
[[nodiscard]] TriangleMesh joined(TriangleMesh a, const TriangleMesh& b);
/// The same surface seen from its other side.
[[nodiscard]] TriangleMesh inverted(TriangleMesh mesh);

[[nodiscard]] inline std::array<Index, 3> corners_of(const TriangleMesh::Triangle& t) {
  return {t.a, t.b, t.c};
}
/// Twice the area, along the outward normal.
[[nodiscard]] inline Vec3 doubled_area(const TriangleMesh& mesh, const TriangleMesh::Triangle& t) {
  const Vec3& a = mesh.vertices[t.a];
  return cross(mesh.vertices[t.b] - a, mesh.vertices[t.c] - a);
}

}  // namespace carom
