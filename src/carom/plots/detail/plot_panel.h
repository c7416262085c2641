#pragma once

#include <string>
#include <vector>

#include "carom/plots/detail/plot_axis.h"
#include "carom/plots/detail/plot_render.h"
#include "carom/plots/detail/plot_series.h"
#include "carom/plots/plot.h"

namespace carom::detail {

inline constexpr PlotColour kInk = {38, 38, 38};
inline constexpr PlotColour kPaleInk = {102, 102, 102};
inline constexpr PlotColour kGrid = {232, 232, 232};
inline constexpr PlotColour kFrame = {140, 140, 140};
inline constexpr PlotColour kPaper = {255, 255, 255};

inline constexpr TextStyle kTitleStyle = {17.0, true, kInk};
inline constexpr TextStyle kSubtitleStyle = {12.0, false, kPaleInk};
inline constexpr TextStyle kPanelTitleStyle = {12.5, true, kInk};
inline constexpr TextStyle kAxisStyle = {11.5, false, kInk};
inline constexpr TextStyle kTickStyle = {10.5, false, kPaleInk};
inline constexpr TextStyle kLegendStyle = {11.0, false, kInk};
inline constexpr TextStyle kNoteStyle = {9.5, false, kPaleInk};

/// From the baseline of a line of text to that of the next.
constexpr double line_height(const TextStyle& style) { return 1.3 * style.size; }

/// How a series looks: the same in every panel of a figure.
struct SeriesLook {
  PlotColour colour;
  bool dashed = false;
};

/// What stands beside the right end of a curve.
struct LegendEntry {
  std::vector<std::string> lines;
  std::string note;
  double width = 0.0;
  double height = 0.0;
};

/// A marker's line and the label beside its upper end.
struct MarkerPlace {
  double x = 0.0;
  double left = 0.0;    ///< of the label
  std::size_t row = 0;  ///< of the label, counted upwards from the panel
  std::string label;
};

/// A panel on its way to the paper. The layout fills it from above to below; every pass needs what
/// the one before has found for all panels.
struct PanelLayout {
  const PlotPanel* panel = nullptr;
  std::vector<ReadySeries> series;
  std::vector<SeriesLook> looks;
  std::vector<LegendEntry> legend;
  PlotRange x_range;
  PlotRange y_range;
  bool shows_x = true;  ///< numbers and label below; otherwise a panel further down has them
  bool is_empty = false;
  AxisTicks x_ticks;
  AxisTicks y_ticks;
  double y_tick_width = 0.0;
  std::vector<std::string> y_label_lines;
  double y_label_x = 0.0;  ///< baseline of the first of them
  std::vector<MarkerPlace> markers;
  std::size_t marker_rows = 0;
  PlotRectangle area;  ///< inside the axes
};

/// Appends the marks of a finished layout.
void draw_panel(const PanelLayout& layout, const TextRuler& ruler, Drawing& drawing);

/// Where the entries of the legend stand: each as near to the end of its curve as the others
/// permit, in the order of those ends. Tops, pixels.
[[nodiscard]] std::vector<double> place_legend(const PanelLayout& layout);

/// Height of the right end of a series; the middle of the panel where there is none.
[[nodiscard]] double curve_end(const PanelLayout& layout, std::size_t series);

}  // namespace carom::detail
