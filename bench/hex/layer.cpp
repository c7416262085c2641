#include "hex/layer.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "carom/core/error.h"
#include "carom/core/names.h"

namespace carom::bench {
namespace {

constexpr double kSpacing = 1.08;  // of the grains at the start, in diameters

std::filesystem::path scene_file() { return CAROM_SOURCE_DIR "/gallery/G15-patterns.toml"; }

// What the gallery's large layers change for a pattern.
std::vector<std::string> pattern_overrides(const std::string& pattern) {
  const Scene scene = read_scene_file(scene_file());
  const std::vector<std::string> known = scene.slow_parameters.texts("patterns");
  if (std::ranges::find(known, pattern) == known.end()) {
    throw InputError({}, unknown_name_message("pattern", pattern, known));
  }
  return scene.slow_parameters.texts("set_" + pattern);
}

void set_plate(const LayerOptions& options, const Scene& scene, double diameter,
               std::vector<std::string>& overrides) {
  if (options.width <= 0.0 && options.across <= 0.0) return;
  const Vec3& usual = scene.simulation.world.periodicity.length;
  const double area = options.width > 0.0 ? options.width * options.width
                                          : usual.x * usual.y / (diameter * diameter);
  const double across = options.across > 0.0 ? options.across : usual.x / diameter;
  const double columns = std::round(across / kSpacing);
  const double rows = std::round(area / (across * kSpacing));
  overrides.push_back(fmt::format("grid[0].counts=[{}, {}, 7]", columns, rows));
  overrides.push_back(fmt::format("world.periodic.x={}", columns * kSpacing * diameter));
  overrides.push_back(fmt::format("world.periodic.y={}", rows * kSpacing * diameter));
}

}  // namespace

Layer make_layer(const LayerOptions& options) {
  std::vector<std::string> overrides = pattern_overrides(options.pattern);
  Layer layer;
  layer.scene = read_scene_file(scene_file(), overrides);
  layer.diameter = 2.0 * layer.scene.simulation.world.bodies.radius.front();
  set_plate(options, layer.scene, layer.diameter, overrides);
  if (options.acceleration > 0.0) {
    overrides.push_back(fmt::format("shape.plate.motion.acceleration={}", options.acceleration));
  }
  overrides.push_back(fmt::format("grid[0].seed={}", options.seed));
  overrides.push_back(fmt::format("time.step={}", options.step));
  overrides.push_back("impact.friction_model=" + options.friction_model);
  layer.scene = read_scene_file(scene_file(), overrides);
  Simulation& s = layer.scene.simulation;
  s.impact.impact_operator = options.impact_operator;
  s.detection.redetect = options.rounds > 0;
  s.detection.redetect_rounds = options.rounds;
  layer.depth = layer.scene.measure.heights->depth;
  layer.period = 1.0 / std::get<SinusoidMotion>(s.world.shapes.front().motion).frequency;
  return layer;
}

}  // namespace carom::bench
