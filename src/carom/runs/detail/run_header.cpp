// What a recording of a run says at its beginning.
#include "carom/runs/detail/run_header.h"

#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "carom/core/version.h"
#include "carom/runs/detail/run_sink.h"
#include "carom/schemes/registry.h"

namespace carom::detail {
namespace {

std::string build_text() {
#if defined(__clang__)
  std::string text = "clang ";
#else
  std::string text = "g++ ";
#endif
  text += __VERSION__;
#ifdef CAROM_ENABLE_ASSERTS
  text += ", asserts on";
#endif
  return text;
}

// Where viewers should know the places of moving shapes: at the frames, or evenly spread where
// there are very many.
std::vector<double> shape_times(const Scene& scene, std::uint64_t steps) {
  constexpr std::uint64_t kMost = 20000;
  const std::vector<PlacedShape>& shapes = scene.simulation.world.shapes;
  const bool moving = std::any_of(shapes.begin(), shapes.end(),
                                  [](const PlacedShape& s) { return is_moving(s.motion); });
  std::vector<double> times;
  if (!moving) return times;
  const std::uint64_t stride = std::max(scene.record.every, steps / kMost + 1);
  for (std::uint64_t step = 0; step <= steps; step += std::min(stride, steps - step + 1)) {
    times.push_back(static_cast<double>(step) * scene.simulation.time.step);
  }
  const double end = static_cast<double>(steps) * scene.simulation.time.step;
  if (times.back() < end) times.push_back(end);
  return times;
}

}  // namespace

DiagnosticTable table_of(const Scene& scene) {
  return DiagnosticTable(scheme_info(scene.simulation.time.scheme));
}

std::string settings_json(const Scene& scene, std::uint64_t steps) {
  return nlohmann::json(
             {{"file", scene.file}, {"steps", steps}, {"scheme", scene.simulation.time.scheme}})
      .dump();
}

RecordingHeader make_header(const Scene& scene, std::uint64_t steps) {
  const Simulation& simulation = scene.simulation;
  RecordingHeader header;
  header.scene_name = scene.title.empty() ? scene.file : scene.title;
  header.scene_text = scene.text;
  header.shapes_json = shapes_json(simulation, shape_times(scene, steps));
  header.settings_json = settings_json(scene, steps);
  header.carom_version = kVersion;
  header.build = build_text();
  header.impact_operator = simulation.impact.impact_operator;
  header.dimension = simulation.world.dimension;
  header.step = simulation.time.step;
  header.body_names = simulation.world.bodies.name;
  header.masses = simulation.world.bodies.mass;
  header.radii = simulation.world.bodies.radius;
  header.materials.assign(simulation.world.bodies.material.begin(),
                          simulation.world.bodies.material.end());
  header.solids.assign(simulation.world.bodies.solid.begin(), simulation.world.bodies.solid.end());
  if (simulation.world.bodies.any_turns()) {
    header.solids_json = solids_json(simulation.world.bodies.solids);
  }
  header.surfaces_json = surfaces_json(simulation);
  header.columns = table_of(scene).columns();
  for (const StepColumnText& column : scheme_info(simulation.time.scheme).body_columns) {
    header.body_columns.push_back({column.name, column.unit, column.description});
  }
  return header;
}

}  // namespace carom::detail
