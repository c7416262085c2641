#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "carom/scene/detail/scene_parts.h"

namespace carom::detail {

/// Where the vertices of a surface are at the start and at rest, and how they hang together.
struct SurfaceGeometry {
  std::vector<Vec3> vertices;  ///< at the start, in the world
  std::vector<Vec3> rest;      ///< the same number
  std::vector<TriangleMesh::Triangle> triangles;
  std::vector<std::array<Index, 2>> edges;  ///< of chains
};

/// One source of geometry of a [[surface]], its rest shape, and where it is put: file or type or
/// vertices; rest and rest_scale; scale, orientation or turned, and position.
[[nodiscard]] SurfaceGeometry read_surface_geometry(TableReader& table, SceneBuilder& builder);

/// The place in `names` of what the key says, or of `otherwise`; refuses others with the nearest.
[[nodiscard]] std::size_t read_choice(TableReader& table, std::string_view key,
                                      const std::vector<std::string>& names, std::size_t otherwise);

}  // namespace carom::detail
