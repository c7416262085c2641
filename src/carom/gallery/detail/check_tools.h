#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "carom/gallery/gallery.h"
#include "carom/geometry/vec3.h"
#include "carom/runs/scene_run.h"

// What several checks of scenes need.
namespace carom::detail {

[[nodiscard]] MemoryRun run_with(const Scene& scene, const std::string& impact_operator);

/// The scene, with the overrides that the check's `set` gives: slow runs are larger.
[[nodiscard]] Scene chosen_scene(const CheckInput& input);

/// Of a frame's numbers, three for each body.
[[nodiscard]] Vec3 vector_at(const std::vector<double>& numbers, std::size_t body);

/// Two columns of a table as a curve.
[[nodiscard]] PlotSeries table_series(const DataTable& table, std::size_t x, std::size_t y,
                                      std::string label);
[[nodiscard]] double largest_in(const DataTable& table, std::size_t column);

}  // namespace carom::detail
