#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/solid.h"
#include "carom/recording/recording.h"

namespace carom {

// Deformable surfaces and chains, as recordings hold them (docs/recording-format.md): a text in
// JSON that every program reads. Where their vertices are is in the frames, since vertices are
// bodies.

/// One entry of RecordingHeader::surfaces_json. Vertices are counted from 0; vertex i is body
/// first + i.
struct RecordedSurface {
  std::string name;
  Index first = 0;
  Index count = 0;  ///< of vertices
  std::vector<TriangleMesh::Triangle> triangles;
  /// Sides of triangles and edges of chains, each once.
  std::vector<std::array<Index, 2>> edges;
  double thickness = 0.0;  ///< m, >= 0
  Index material = 0;

  friend bool operator==(const RecordedSurface&, const RecordedSurface&) = default;
};

[[nodiscard]] std::string write_surfaces(std::span<const RecordedSurface> surfaces);

/// "" is an empty list. Throws InputError where the text is not such a list, a vertex is not there,
/// or two surfaces share a body; `key` names the text, `bodies` is the number of bodies.
[[nodiscard]] std::vector<RecordedSurface> read_surfaces(std::string_view text,
                                                         const std::string& key,
                                                         std::size_t bodies);

/// Those of a recording; throws InputError likewise.
[[nodiscard]] std::vector<RecordedSurface> recorded_surfaces(const RecordingHeader& header);

/// The edges that are sides of no triangle, in their order.
[[nodiscard]] std::vector<std::array<Index, 2>> chain_of(const RecordedSurface& surface);

/// The triangles with their vertices where they are in a frame.
[[nodiscard]] TriangleMesh mesh_in(const RecordedSurface& surface, const RecordedFrame& frame);

/// For each body whether it is a vertex of a surface.
[[nodiscard]] std::vector<bool> vertices_among(std::span<const RecordedSurface> surfaces,
                                               std::size_t bodies);

}  // namespace carom
