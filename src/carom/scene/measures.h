#pragma once

#include <optional>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom {

// What a scene wants to know of its grains, over time: its table [measure]. "Up" is against
// gravity, and the last axis where there is none.

/// The share of the bodies whose coordinate is above a value.
struct SidesMeasure {
  int axis = 0;     ///< 0, 1, 2: x, y, z
  double at = 0.0;  ///< a length
};

/// How far layers have risen since they were marked: bodies are sorted by their height at the first
/// frame from a time on, and cut into layers of equal numbers, the lowest first.
struct LayersMeasure {
  Index count = 0;
  double from = 0.0;  ///< s
};

/// Heights over the x-y plane, and the pattern that they show.
struct HeightsMeasure {
  double cell = 0.0;    ///< edge of a cell, at most; a length
  Index floor = kNone;  ///< the shape that heights are measured from; kNone: z = 0
  Vec3 lower;           ///< of the window; x and y
  Vec3 length;
  double depth = 0.0;  ///< of the layer at rest: waves shorter than it are not a pattern's
};

/// When a run counts as settled: no place of any body faster than `speed`, for `time`.
struct SettledMeasure {
  double speed = 0.0;  ///< m/s
  double time = 0.0;   ///< s
};

struct MeasureSettings {
  bool temperature = false;  ///< mean square of a velocity component about the mean velocity
  std::optional<SidesMeasure> sides;
  std::optional<LayersMeasure> layers;
  std::optional<HeightsMeasure> heights;
  std::optional<SettledMeasure> settled;  ///< not a curve, one line of the report

  /// Whether there is something to draw.
  [[nodiscard]] bool any() const { return temperature || sides || layers || heights; }
};

}  // namespace carom
