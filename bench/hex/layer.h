#pragma once

#include <string>

#include "carom/stepping/simulation.h"
#include "carom/study/patterns.h"

namespace carom::bench {

/// A layer of grains on a shaken plate, with the parameters of Bizon1998: six grains for each
/// square diameter (5.4 diameters deep when packed to 58%), friction 0.5, restitution falling to
/// 0.7 at sqrt(g d). They have no units; the diameter d = 0.66 mm says what a step is: 2e-4 s moves
/// the plate by at most a tenth of it, and 1e-3 s by half of it.
struct LayerOptions {
  double width = 100.0;  ///< of the square of the same area, in diameters; 100 are 60,000 grains
  /// Along x, in diameters; the area stays. What repeats itself sideways has room
  /// only for some waves, and few directions of them: a narrow plate is soon full of one pattern.
  double across = 100.0;
  double frequency = 0.38;
  double acceleration = 4.0;
  double step = 2e-4;  ///< s
  std::string impact_operator = "gr";
  std::string friction_model = "slip";
  Index rounds = 1;  ///< of re-detection; 0: as printed in the papers
};

/// The numbers of the plate that stand for squares, stripes and hexagons, and a plate on which they
/// have been seen: a square one, two and four waves across. Throws InputError on another name.
void set_pattern(const std::string& name, LayerOptions& options);

struct Layer {
  Simulation simulation;
  double diameter = 0.0;
  double depth = 0.0;   ///< H
  double period = 0.0;  ///< of the plate, s

  [[nodiscard]] HeightField heights(const State& state) const;
  /// Of what counts as a pattern of these heights.
  [[nodiscard]] PatternLimits limits() const;
};

[[nodiscard]] Layer make_layer(const LayerOptions& options);

}  // namespace carom::bench
