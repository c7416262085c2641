#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "carom/plots/detail/plot_marks.h"
#include "carom/plots/plot.h"

namespace carom::detail {

/// Points without a gap between them.
struct SeriesRun {
  std::vector<double> x;
  std::vector<double> y;
};

/// The points of a series that can be drawn.
struct ReadySeries {
  std::vector<SeriesRun> runs;
  std::optional<PlotRange> x_points;  ///< smallest and largest; none: there is no point
  std::optional<PlotRange> y_points;
  double end_x = 0.0;  ///< the last of the points with the largest x
  double end_y = 0.0;
  double scale = 0.0;  ///< what variation is measured against
  std::string note;    ///< "constant to 3e-15", "2 values \u2264 0 left out"; mostly empty
};
[[nodiscard]] ReadySeries ready_series(const PlotSeries& series, bool log_x, bool log_y);

/// The points of a curve that its image needs. Of neighbours in one column of pixels the first, the
/// lowest, the highest and the last stay, in their order; a curve that still has more than `most`
/// points loses those that are nearest to their predecessors, but never an extreme.
[[nodiscard]] std::vector<PlotPoint> thinned_curve(std::span<const PlotPoint> points,
                                                   std::size_t most);

/// At most about `most` dots of those that would cover each other; extremes stay.
[[nodiscard]] std::vector<PlotPoint> thinned_dots(std::span<const PlotPoint> points,
                                                  std::size_t most);

/// A step curve as the corners of a line.
[[nodiscard]] std::vector<PlotPoint> step_corners(std::span<const PlotPoint> points);

}  // namespace carom::detail
