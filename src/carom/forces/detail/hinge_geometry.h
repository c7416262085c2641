#pragma once

#include <array>
#include <cmath>
#include <span>

#include "carom/core/types.h"
#include "carom/forces/detail/lanes.h"
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

/// The edge and the normals of bend_hinges.h, these with the length of twice the areas, and the
/// angle (2); of one hinge (Number = double) or of four.
template <class Number>
struct HingePose {
  LaneVector<Number> e, to_a, to_b;  ///< from vertex 0 to 1, 2 and 3
  LaneVector<Number> n_a, n_b;
  Number square{};  ///< |e|^2
  Number length{};  ///< |e|
  Number theta{};
};

/// body(k): the vertices of the hinge in lane k.
template <class Number, class Body>
CAROM_INLINE void set_pose(const Body& body, const Vec3* position, HingePose<Number>& pose) {
  std::array<LaneVector<Number>, 4> x;
  for (std::size_t i = 0; i < 4; ++i) {
    fill(x[i], [&](std::size_t k) -> const Vec3& { return position[body(k)[i]]; });
  }
  subtract(x[1], x[0], pose.e);
  subtract(x[2], x[0], pose.to_a);
  subtract(x[3], x[0], pose.to_b);
  cross(pose.e, pose.to_a, pose.n_a);
  cross(pose.to_b, pose.e, pose.n_b);
  dot(pose.e, pose.e, pose.square);
  square_root(pose.square, pose.length);
  LaneVector<Number> turn;
  cross(pose.n_a, pose.n_b, turn);
  Number along;
  dot(turn, pose.e, along);
  Number across;
  dot(pose.n_a, pose.n_b, across);
  across = pose.length * across;
  angle_of(along, across, pose.theta);
}

/// (2) of bend_hinges.h.
[[nodiscard]] inline double hinge_angle(const std::array<Index, 4>& body,
                                        std::span<const Vec3> position) {
  HingePose<double> pose;
  set_pose([&](std::size_t) -> const std::array<Index, 4>& { return body; }, position.data(), pose);
  return pose.theta;
}

}  // namespace carom::detail
