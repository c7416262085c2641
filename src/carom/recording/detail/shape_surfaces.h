#pragma once

#include <cstddef>
#include <vector>

#include "carom/recording/reader.h"
#include "carom/recording/solids.h"

namespace carom::detail {

/// A shape as exports draw it: triangles.
struct DrawnShape {
  RecordedObstacle obstacle;
  std::size_t number = 0;  ///< among the shapes of the recording
  /// A wall: its triangles face the side on which bodies are.
  bool is_wall = false;
};

/// All shapes of a recording, in their order; those of types that are not known are left out. What
/// has no bounds, a half-plane, is cut to a square that all bodies of every n-th frame stand on.
/// Walls in the plane are as deep as the largest body, rods in space thin beside the scene. Throws
/// InputError where a shape is not what recordings hold.
[[nodiscard]] std::vector<DrawnShape> drawn_shapes(const RecordingReader& recording,
                                                   std::size_t every);

/// What is added to the position of an obstacle at a time, s.
[[nodiscard]] Vec3 offset_of(const RecordedObstacle& obstacle, double time);

}  // namespace carom::detail
