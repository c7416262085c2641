#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/geometry/solid.h"

namespace carom::detail {

/// Triangles as graphics cards want them: a vertex for each corner with a normal of its own.
struct DrawnMesh {
  std::vector<std::array<float, 3>> positions;
  std::vector<std::array<float, 3>> normals;  ///< one per position, unit
  std::vector<std::uint32_t> corners;         ///< three per triangle
};

/// Smooth where triangles meet at less than 30 degrees, as on round parts, with sharp edges
/// elsewhere.
[[nodiscard]] DrawnMesh drawn_mesh(const TriangleMesh& surface);

/// The eighths of a ball whose coordinates have a product of this sign: two colours of them show
/// how a ball turns.
[[nodiscard]] DrawnMesh ball_octants(double radius, bool positive);

}  // namespace carom::detail
