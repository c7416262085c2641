// [measure]: what a scene wants to know of its grains.

#include <algorithm>
#include <string>
#include <vector>

#include "carom/core/names.h"
#include "carom/scene/detail/scene_parts.h"

namespace carom::detail {
namespace {

SidesMeasure read_sides(TableReader& table, const SceneBuilder& builder) {
  std::vector<std::string> names = {"x", "y", "z"};
  names.resize(static_cast<std::size_t>(builder.dimension()));
  SidesMeasure sides;
  const std::string axis = table.text("axis").value_or("x");
  const auto found = std::find(names.begin(), names.end(), axis);
  if (found == names.end()) {
    table.refuse("axis", unknown_name_message("axis", printable(axis), names));
  }
  sides.axis = static_cast<int>(found - names.begin());
  sides.at = table.number("at").value_or(0.0);
  table.finish();
  return sides;
}

LayersMeasure read_layers(TableReader& table) {
  constexpr std::uint64_t kMost = 100;  // more than a plot can show
  LayersMeasure layers;
  const std::optional<std::uint64_t> count = table.count("count");
  if (!count) table.refuse_missing("count", "how many layers");
  if (*count == 0 || *count > kMost) {
    table.refuse("count", "must be between 1 and 100, found " + std::to_string(*count));
  }
  layers.count = static_cast<Index>(*count);
  layers.from = read_not_negative(table, "from").value_or(0.0);
  table.finish();
  return layers;
}

Index read_floor(TableReader& table, const SceneBuilder& builder) {
  const std::optional<std::string> name = table.text("floor");
  if (!name) return kNone;
  std::vector<std::string> names;
  const std::vector<PlacedShape>& shapes = builder.scene.simulation.world.shapes;
  for (Index i = 0; i < shapes.size(); ++i) {
    if (shapes[i].name == *name) return i;
    names.push_back(shapes[i].name);
  }
  table.refuse("floor", unknown_name_message("shape", printable(*name), names));
}

// The window is the period where the world has one; `lower` and `upper` say where it has none.
HeightsMeasure read_heights(TableReader& table, const SceneBuilder& builder) {
  const Simulation& simulation = builder.scene.simulation;
  if (builder.dimension() != 3) table.refuse("cell", "heights need a world of three dimensions");
  const Vec3& gravity = simulation.forces.gravity;
  if (gravity.x != 0.0 || gravity.y != 0.0) {
    table.refuse("cell", "heights are along z, and gravity is not");
  }
  HeightsMeasure heights;
  const std::optional<double> cell = read_positive(table, "cell");
  if (!cell) table.refuse_missing("cell", "the edge of a cell of the height map, a length");
  heights.cell = *cell;
  const std::optional<double> depth = read_positive(table, "depth");
  if (!depth) table.refuse_missing("depth", "the depth of the layer at rest, a length");
  heights.depth = *depth;
  heights.floor = read_floor(table, builder);
  heights.lower = simulation.world.periodicity.lower;
  heights.length = simulation.world.periodicity.length;
  const std::optional<Vec3> lower = read_vector(table, "lower", builder);
  const std::optional<Vec3> upper = read_vector(table, "upper", builder);
  if (lower.has_value() != upper.has_value()) {
    table.refuse_missing(lower ? "upper" : "lower", "both corners of the window, or neither");
  }
  if (lower) {
    heights.lower = *lower;
    heights.length = *upper - *lower;
  }
  heights.lower.z = 0.0;
  heights.length.z = 0.0;
  if (!(heights.length.x > 0.0) || !(heights.length.y > 0.0)) {
    table.refuse(lower ? "upper" : "cell",
                 "the window needs an extent along x and y: periods of the world, or lower and "
                 "upper");
  }
  constexpr double kMostCells = 1e6;
  const double cells = heights.length.x / heights.cell * (heights.length.y / heights.cell);
  if (!(cells <= kMostCells)) table.refuse("cell", "there would be more than a million cells");
  table.finish();
  return heights;
}

SettledMeasure read_settled(TableReader& table) {
  const std::optional<double> speed = read_positive(table, "speed");
  if (!speed) table.refuse_missing("speed", "what every place of every body must stay below");
  const std::optional<double> time = read_not_negative(table, "time");
  if (!time) table.refuse_missing("time", "for how long, to the end of the run");
  table.finish();
  return {*speed, *time};
}

}  // namespace

void read_measures(TableReader& root, SceneBuilder& builder) {
  std::optional<TableReader> section = root.subtable("measure");
  if (!section) return;
  MeasureSettings& measure = builder.scene.measure;
  measure.temperature = section->boolean("temperature").value_or(false);
  if (auto table = section->subtable("sides")) measure.sides = read_sides(*table, builder);
  if (auto table = section->subtable("layers")) measure.layers = read_layers(*table);
  if (auto table = section->subtable("heights")) measure.heights = read_heights(*table, builder);
  if (auto table = section->subtable("settled")) measure.settled = read_settled(*table);
  section->finish();
}

}  // namespace carom::detail
