#pragma once

#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::asynchronous::detail {

/// The vertices in parts of about a thousand that lie together at the start: halves of halves along
/// the longest axis. Few elements of a mesh join two of them, so the parts can be worked on at the
/// same time. They follow from the places alone, never from the number of threads.
struct VertexParts {
  explicit VertexParts(const std::vector<Vec3>& position);

  Index count = 1;
  std::vector<Index> part;                  ///< of each vertex
  std::vector<std::vector<Index>> members;  ///< of each part, in their order
};

}  // namespace carom::asynchronous::detail
