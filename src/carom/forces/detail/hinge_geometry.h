#pragma once

#include <array>
#include <cmath>
#include <span>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::detail {

/// A pair of triangles (0, 1, 2) and (1, 0, 3) with the edge e from 0 to 1, as lengths alone: for
/// the vertices 2 and 3 the height above the edge and where its foot is along it.
struct HingeLengths {
  double edge = 0.0;
  double area = 0.0;  ///< of both
  std::array<double, 2> height{};
  std::array<double, 2> foot{};  ///< 0 at vertex 0, 1 at vertex 1
};

[[nodiscard]] inline HingeLengths hinge_lengths(const std::array<Vec3, 4>& x) {
  const Vec3 e = x[1] - x[0];
  const double edge = norm(e);
  HingeLengths hinge;
  hinge.edge = edge;
  for (std::size_t k = 0; k < 2; ++k) {
    const Vec3 side = x[2 + k] - x[0];
    hinge.height[k] = norm(cross(e, side)) / edge;
    hinge.foot[k] = dot(side, e) / (edge * edge);
    hinge.area += 0.5 * edge * hinge.height[k];
  }
  return hinge;
}

/// Bounds on the squares |g_i|^2 of bend_hinges.h, equation (6).
[[nodiscard]] inline std::array<double, 4> steepness_of(const HingeLengths& hinge) {
  const auto& [h_a, h_b] = hinge.height;
  const auto& [s_a, s_b] = hinge.foot;
  const double g_0 = std::abs(1.0 - s_a) / h_a + std::abs(1.0 - s_b) / h_b;
  const double g_1 = std::abs(s_a) / h_a + std::abs(s_b) / h_b;
  return {g_0 * g_0, g_1 * g_1, 1.0 / (h_a * h_a), 1.0 / (h_b * h_b)};
}

/// The normals of bend_hinges.h, with the length of twice the areas.
struct HingeNormals {
  Vec3 e;
  Vec3 n_a;
  Vec3 n_b;
};

[[nodiscard]] inline HingeNormals hinge_normals(const std::array<Index, 4>& body,
                                                std::span<const Vec3> position) {
  const Vec3& x_0 = position[body[0]];
  const Vec3 e = position[body[1]] - x_0;
  return {e, cross(e, position[body[2]] - x_0), cross(position[body[3]] - x_0, e)};
}

/// (2) of bend_hinges.h.
[[nodiscard]] inline double theta_of(const HingeNormals& normals) {
  const double along = dot(cross(normals.n_a, normals.n_b), normals.e);
  return std::atan2(along, norm(normals.e) * dot(normals.n_a, normals.n_b));
}

}  // namespace carom::detail
