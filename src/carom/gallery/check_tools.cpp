// What checks of the gallery share: runs with other settings, and what was recorded of them.
#include "carom/gallery/detail/check_tools.h"

#include <algorithm>

namespace carom::detail {

MemoryRun run_with(const Scene& scene, const std::string& impact_operator) {
  RunOptions options;
  options.impact_operator = impact_operator;
  return run_in_memory(scene, options);
}

Scene chosen_scene(const CheckInput& input) {
  const Scene& scene = *input.scene;
  if (!input.parameters.has("set")) return scene;
  return read_scene(scene.text, scene.file, input.parameters.texts("set"));
}

Vec3 vector_at(const std::vector<double>& numbers, std::size_t body) {
  return {numbers[3 * body], numbers[3 * body + 1], numbers[3 * body + 2]};
}

PlotSeries table_series(const DataTable& table, std::size_t x, std::size_t y, std::string label) {
  PlotSeries series;
  series.label = std::move(label);
  for (const std::vector<double>& row : table.rows) {
    series.x.push_back(row[x]);
    series.y.push_back(row[y]);
  }
  return series;
}

double largest_in(const DataTable& table, std::size_t column) {
  double largest = 0.0;
  for (const std::vector<double>& row : table.rows) largest = std::max(largest, row[column]);
  return largest;
}

}  // namespace carom::detail
