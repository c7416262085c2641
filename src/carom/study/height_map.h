#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "carom/study/patterns.h"

namespace carom {

/// A height field as a picture, seen from above: x to the right, y upwards, low is dark.
struct HeightMap {
  std::string title;
  std::string caption;  ///< below the map; may be empty
  HeightField field;
  double width = 420.0;  ///< of the map, pixels at scale 1
};

[[nodiscard]] std::string height_map_svg(const HeightMap& map);
/// The bytes of a PNG file.
[[nodiscard]] std::string height_map_png(const HeightMap& map, double scale = 1.0);

/// Writes `path` if it ends in .svg or .png, otherwise both, and says what was written. Throws as
/// write_figure does.
std::vector<std::filesystem::path> write_height_map(const HeightMap& map,
                                                    const std::filesystem::path& path);

}  // namespace carom
