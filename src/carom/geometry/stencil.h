#pragma once

#include <array>

#include "carom/geometry/vec3.h"

namespace carom {

/// Two primitives (vertices, edges, faces) as contact sees them at one moment: their distance as a
/// function of at most four vertices x_i,
///   d(x) = min |a - b| over a in A, b in B = | sum_i c_i x_i |,                              (1)
///   normal n = (a - b) / d from B to A,   grad_i d = c_i n.                                  (2)
/// The coefficients c_i are the weights of the closest points, >= 0 and of sum 1 on A's vertices,
/// <= 0 and of sum -1 on B's. The closest points may lie anywhere on the primitives, ends and
/// corners included, so that d is their true distance.
///
/// Guarantees: the distance is exact up to some units of round-off of the largest difference of
/// coordinates, also for parallel edges, for edges without length and for faces without area, and
/// continuous; where the closest points are not unique (parallel edges) one of them is chosen.
/// Where the primitives meet the distance is 0 and the normal is zero.
struct Stencil {
  double distance = 0.0;
  Vec3 normal;
  std::array<double, 4> coefficient{};  ///< of A's vertices, then of B's; 0 behind the last one
};

/// Vertex a against vertex b.
[[nodiscard]] Stencil vertex_vertex(const Vec3& a, const Vec3& b);
/// Vertex p against the edge from a to b, in the plane or in space.
[[nodiscard]] Stencil vertex_edge(const Vec3& p, const Vec3& a, const Vec3& b);
/// Vertex p against the face a, b, c.
[[nodiscard]] Stencil vertex_face(const Vec3& p, const std::array<Vec3, 3>& face);
/// The edge from p[0] to p[1] against the edge from q[0] to q[1].
[[nodiscard]] Stencil edge_edge(const std::array<Vec3, 2>& p, const std::array<Vec3, 2>& q);

}  // namespace carom
