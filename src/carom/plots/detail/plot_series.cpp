// Series of points, thinned to what can be seen.
#include "carom/plots/detail/plot_series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "carom/plots/detail/plot_axis.h"
#include "carom/plots/detail/plot_text.h"

namespace carom::detail {
namespace {

// Sums and differences of what lies between stay finite and normal.
constexpr double kLargest = 1e300;
constexpr double kSmallest = 1e-300;

double without_tiny(double value) { return std::abs(value) < kSmallest ? 0.0 : value; }

bool usable(double value) { return std::abs(value) <= kLargest; }

void extend(std::optional<PlotRange>& range, double value) {
  if (!range) range = PlotRange{value, value};
  range->lower = std::min(range->lower, value);
  range->upper = std::max(range->upper, value);
}

// Values that differ by round-off become one value.
void flatten(ReadySeries& ready, std::size_t points, bool noted) {
  if (points < 2) return;
  const double spread = ready.y_points->upper - ready.y_points->lower;
  if (spread > kFlat * ready.scale) return;
  const double middle = ready.y_points->lower + spread / 2.0;
  for (SeriesRun& run : ready.runs) std::fill(run.y.begin(), run.y.end(), middle);
  ready.y_points = PlotRange{middle, middle};
  ready.end_y = middle;
  if (noted) {
    ready.note = spread > 0.0 ? "constant to " + bound_text(spread / ready.scale) : "constant";
  }
}

// Indices of the first and last points and of those that are extreme in x or y.
std::array<std::size_t, 6> extremes_of(std::span<const PlotPoint> points) {
  std::array<std::size_t, 6> found{};
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (points[k].x < points[found[1]].x) found[1] = k;
    if (points[k].x > points[found[2]].x) found[2] = k;
    if (points[k].y < points[found[3]].y) found[3] = k;
    if (points[k].y > points[found[4]].y) found[4] = k;
  }
  found[5] = points.size() - 1;
  std::sort(found.begin(), found.end());
  return found;
}

// First, lowest, highest and last of points[begin..end), in their order, without repetition.
void keep_column(std::span<const PlotPoint> points, std::size_t begin, std::size_t end,
                 std::vector<PlotPoint>& kept) {
  std::array<std::size_t, 4> chosen = {begin, begin, begin, end - 1};
  for (std::size_t k = begin; k < end; ++k) {
    if (points[k].y < points[chosen[1]].y) chosen[1] = k;
    if (points[k].y > points[chosen[2]].y) chosen[2] = k;
  }
  std::sort(chosen.begin(), chosen.end());
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (k == 0 || chosen[k] != chosen[k - 1]) kept.push_back(points[chosen[k]]);
  }
}

std::vector<PlotPoint> thinned_columns(std::span<const PlotPoint> points) {
  std::vector<PlotPoint> kept;
  std::size_t begin = 0;
  while (begin < points.size()) {
    const double column = std::floor(points[begin].x);
    std::size_t end = begin + 1;
    while (end < points.size() && std::floor(points[end].x) == column) ++end;
    keep_column(points, begin, end, kept);
    begin = end;
  }
  return kept;
}

// Points at least `distance` from the kept one before them, and the extremes.
std::vector<PlotPoint> thinned_by_distance(std::span<const PlotPoint> points, double distance) {
  const std::array<std::size_t, 6> extremes = extremes_of(points);
  std::vector<PlotPoint> kept;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const bool is_extreme = std::binary_search(extremes.begin(), extremes.end(), k);
    if (is_extreme ||
        std::hypot(points[k].x - kept.back().x, points[k].y - kept.back().y) >= distance) {
      kept.push_back(points[k]);
    }
  }
  return kept;
}

// The first point of each square cell of `size` pixels, and the extremes.
std::vector<PlotPoint> thinned_by_cells(std::span<const PlotPoint> points, double size) {
  using Cell = std::pair<std::int64_t, std::int64_t>;
  std::vector<std::pair<Cell, std::size_t>> entries;
  entries.reserve(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Cell cell = {static_cast<std::int64_t>(std::floor(points[k].x / size)),
                       static_cast<std::int64_t>(std::floor(points[k].y / size))};
    entries.emplace_back(cell, k);
  }
  std::sort(entries.begin(), entries.end());
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (k == 0 || entries[k].first != entries[k - 1].first) kept.push_back(entries[k].second);
  }
  for (const std::size_t k : extremes_of(points)) kept.push_back(k);
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  std::vector<PlotPoint> result;
  result.reserve(kept.size());
  for (const std::size_t k : kept) result.push_back(points[k]);
  return result;
}

}  // namespace

ReadySeries ready_series(const PlotSeries& series, bool log_x, bool log_y) {
  ReadySeries ready;
  ready.scale = without_tiny(series.scale);
  std::size_t points = 0;
  std::size_t left_out = 0;
  bool open = false;
  for (std::size_t k = 0; k < series.x.size(); ++k) {
    const double x = without_tiny(series.x[k]);
    const double y = without_tiny(series.y[k]);
    const bool finite = usable(x) && usable(y);
    const bool positive = (!log_x || x > 0.0) && (!log_y || y > 0.0);
    if (finite && !positive) ++left_out;
    if (!finite || !positive) {
      open = false;
      continue;
    }
    if (!open) ready.runs.emplace_back();
    open = true;
    ++points;
    ready.runs.back().x.push_back(x);
    ready.runs.back().y.push_back(y);
    extend(ready.x_points, x);
    extend(ready.y_points, y);
    if (x == ready.x_points->upper) {
      ready.end_x = x;
      ready.end_y = y;
    }
    ready.scale = std::max(ready.scale, std::abs(y));
  }
  flatten(ready, points, series.style != SeriesStyle::dashes);
  if (points == 0) ready.note = "no data";
  if (left_out > 0) {
    if (!ready.note.empty()) ready.note += ", ";
    ready.note += fmt::format("{} point{} \u2264 0 left out", left_out, left_out == 1 ? "" : "s");
  }
  return ready;
}

std::vector<PlotPoint> thinned_curve(std::span<const PlotPoint> points, std::size_t most) {
  const std::vector<PlotPoint> columns = thinned_columns(points);
  std::vector<PlotPoint> kept = columns;
  for (double distance = 0.25; kept.size() > std::max<std::size_t>(most, 6); distance *= 2.0) {
    kept = thinned_by_distance(columns, distance);
  }
  return kept;
}

std::vector<PlotPoint> thinned_dots(std::span<const PlotPoint> points, std::size_t most) {
  std::vector<PlotPoint> kept(points.begin(), points.end());
  for (double size = 0.25; kept.size() > std::max<std::size_t>(most, 6); size *= 2.0) {
    kept = thinned_by_cells(points, size);
  }
  return kept;
}

std::vector<PlotPoint> step_corners(std::span<const PlotPoint> points) {
  std::vector<PlotPoint> corners;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (k > 0) corners.push_back({points[k].x, points[k - 1].y});
    corners.push_back(points[k]);
  }
  return corners;
}

}  // namespace carom::detail
