#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace carom {

enum class SeriesStyle {
  line,
  dashes,  ///< a line too; for theory and for values read off a paper
  points,
  steps,   ///< each value holds until the next x
  marked,  ///< a line with a dot at each point: the points were computed, the line was not
};

/// Values over x. A point that is not finite (or beyond 1e300) leaves a gap; on a logarithmic axis
/// so does one that is not positive, and the legend counts those.
///
/// Values that vary by less than 1e-9 of the larger of `scale` and their largest |y| are drawn as
/// one flat line with the note "constant to 3e-15": round-off is not a curve.
struct PlotSeries {
  std::string label;      ///< stands at the right end of the curve; may be empty
  std::vector<double> x;  ///< in the order in which the points are joined
  std::vector<double> y;  ///< one per x
  SeriesStyle style = SeriesStyle::line;
  double scale = 0.0;  ///< what variation is measured against, e.g. the sum of |p| for a momentum
};

/// A vertical line, e.g. the time of an impact. Not drawn where it lies outside the panel.
struct PlotMarker {
  double x = 0.0;
  std::string label;
};

struct PlotRange {
  double lower = 0.0;
  double upper = 1.0;
};

/// One pair of axes.
struct PlotPanel {
  std::string title;
  std::string x_label;  ///< with its unit: "time (s)"
  std::string y_label;
  std::vector<PlotSeries> series;
  bool log_x = false;
  bool log_y = false;
  bool whole_y = false;              ///< y counts something: the axis shows whole numbers only
  std::optional<PlotRange> x_range;  ///< none: that of the points
  std::optional<PlotRange> y_range;  ///< none: that of the points, with a little space around them
  std::vector<PlotMarker> markers;
};

/// Panels below each other. Neighbours with the same x label and kind of x axis share the axis: one
/// range, and numbers below the last of them. Series with the same label have the same colour.
struct Figure {
  std::string title;
  std::string subtitle;
  std::vector<PlotPanel> panels;
  double width = 900.0;         ///< of the whole figure, pixels at scale 1; 300 to 10000
  double panel_height = 220.0;  ///< of the area inside a panel's axes, pixels; 60 to 5000
};

/// Both are drawn from one list of marks and depend on nothing but the figure (and the installed
/// font): same figure, same bytes. Series of any length are thinned to what the pixels can show;
/// extremes stay. Throws InputError where a figure's parts do not fit together.
[[nodiscard]] std::string figure_svg(const Figure& figure);
/// The bytes of a PNG file with `scale` pixels for each of the figure's.
[[nodiscard]] std::string figure_png(const Figure& figure, double scale = 2.0);

/// Writes `path` if it ends in .svg or .png, otherwise both `path`.svg and `path`.png, and says
/// what was written. Throws InputError naming the file that cannot be opened, RecordingError when
/// there is no room.
std::vector<std::filesystem::path> write_figure(const Figure& figure,
                                                const std::filesystem::path& path);

}  // namespace carom
