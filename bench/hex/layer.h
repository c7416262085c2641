#pragma once

#include <cstdint>
#include <string>

#include "carom/scene/scene.h"

namespace carom::bench {

/// What differs from the scene of gallery G15, which says what the grains and the plate are.
struct LayerOptions {
  std::string pattern = "hexagons";  ///< squares, stripes or hexagons
  /// Of the square of the same area, in diameters; 100 are 60,000 grains. 0: the gallery's plate.
  double width = 0.0;
  /// Along x, in diameters; the area stays. What repeats itself sideways has room
  /// only for some waves, and few directions of them: a narrow plate is soon full of one pattern.
  /// 0: as the gallery's plate.
  double across = 0.0;
  double acceleration = 0.0;  ///< Gamma; 0: that of the pattern
  std::uint64_t seed = 1;     ///< of the grains' places and velocities
  double step = 2e-4;         ///< s
  std::string impact_operator = "gr";
  std::string friction_model = "slip";
  Index rounds = 1;  ///< of re-detection; 0: as printed in the papers
};

struct Layer {
  Scene scene;
  double diameter = 0.0;
  double depth = 0.0;   ///< H
  double period = 0.0;  ///< of the plate, s
};

/// Throws InputError on a pattern that the gallery does not have.
[[nodiscard]] Layer make_layer(const LayerOptions& options);

}  // namespace carom::bench
