#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "carom/measures/patterns.h"

namespace carom {

/// A height field, or the strength of its waves, as a picture seen from above: x to the right, y
/// upwards, low is dark.
struct HeightMap {
  std::string title;
  std::string caption;  ///< below the map; may be empty
  std::string unit;     ///< of the values, for the bar of colours beside the map
  HeightField field;
  double width = 420.0;  ///< of the map, pixels at scale 1
  /// Along each axis, of a field that repeats itself: its pattern is seen best among its copies.
  Index copies = 1;
};

/// What stands around a map of a layer.
struct LayerLabel {
  std::string title;
  std::string impact_operator;
  double time = 0.0;  ///< s
  PatternLimits limits;
};

/// A layer's heights, with the pattern that they show.
[[nodiscard]] HeightMap height_map_of(const HeightField& field, const LayerLabel& label);
/// A layer's waves, with what they are `seen` to be: amplitudes over wave numbers, the mean height
/// in the middle. Those shorter than the limits' shortest along an axis are left out.
[[nodiscard]] HeightMap spectrum_map_of(const Spectrum& spectrum, const PatternReport& seen,
                                        const LayerLabel& label);

[[nodiscard]] std::string height_map_svg(const HeightMap& map);
/// The bytes of a PNG file.
[[nodiscard]] std::string height_map_png(const HeightMap& map, double scale = 1.0);

/// Writes `path` if it ends in .svg or .png, otherwise both, and says what was written. Throws as
/// write_figure does.
std::vector<std::filesystem::path> write_height_map(const HeightMap& map,
                                                    const std::filesystem::path& path);

}  // namespace carom
