#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "carom/scene/detail/scene_parts.h"

namespace carom::detail {

/// What the source of a surface's geometry gives, in coordinates of its own.
struct SurfaceSource {
  std::vector<Vec3> vertices;
  std::vector<TriangleMesh::Triangle> triangles;
  std::vector<std::array<Index, 2>> edges;  ///< of chains
  std::vector<Vec3> flat;                   ///< of ribbons: the strip they were cut from
  std::vector<Vec3> texture;                ///< of files that were asked for it
};

/// file, or type with its sizes and counts, or vertices.
[[nodiscard]] SurfaceSource read_surface_source(TableReader& table, SceneBuilder& builder);

/// Two numbers.
[[nodiscard]] std::array<double, 2> required_pair(TableReader& table, std::string_view key,
                                                  const std::string& what);

/// A list of places with as many numbers as the world has dimensions.
[[nodiscard]] std::optional<std::vector<Vec3>> read_places(TableReader& table, std::string_view key,
                                                           const SceneBuilder& builder);

}  // namespace carom::detail
