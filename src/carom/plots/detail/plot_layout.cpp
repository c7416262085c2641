// Where the parts of a figure stand.
#include "carom/plots/detail/plot_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "carom/plots/detail/plot_panel.h"
#include "carom/plots/detail/plot_text.h"

namespace carom::detail {
namespace {

constexpr double kMargin = 18.0;      // around the whole figure, pixels
constexpr double kKeyWidth = 28.0;    // from the axes to the legend's text
constexpr double kPadding = 0.06;     // share of the y range that is free above and below
constexpr double kLegendShare = 0.3;  // most of the figure's width that legends take

// Okabe and Ito's colours, which the colour-blind can tell apart, without the yellow, which is too
// pale for lines on white.
constexpr std::array<PlotColour, 7> kPalette = {{{0, 114, 178},
                                                 {213, 94, 0},
                                                 {0, 158, 115},
                                                 {204, 121, 167},
                                                 {230, 159, 0},
                                                 {86, 180, 233},
                                                 {70, 70, 70}}};

void join(std::optional<PlotRange>& range, const std::optional<PlotRange>& other) {
  if (!other) return;
  if (!range) range = other;
  range->lower = std::min(range->lower, other->lower);
  range->upper = std::max(range->upper, other->upper);
}

class FigureLayout {
 public:
  explicit FigureLayout(const Figure& figure) : figure_(figure) {
    drawing_.width = figure.width;
    drawing_.paper = kPaper;
    drawing_.title = clean_text(figure.title);
  }

  Drawing draw() {
    prepare_series();
    choose_looks();
    for (PanelLayout& layout : panels_) choose_y_range(layout);
    choose_x_ranges();
    set_margins();
    const double top = place_titles();
    place_panels(top);
    for (const PanelLayout& layout : panels_) draw_panel(layout, ruler_, drawing_);
    return std::move(drawing_);
  }

 private:
  void prepare_series() {
    for (const PlotPanel& panel : figure_.panels) {
      PanelLayout layout;
      layout.panel = &panel;
      layout.is_empty = true;
      for (const PlotSeries& series : panel.series) {
        layout.series.push_back(ready_series(series, panel.log_x, panel.log_y));
        layout.is_empty = layout.is_empty && layout.series.back().runs.empty();
        layout.legend.push_back(legend_entry(series, layout.series.back()));
      }
      panels_.push_back(std::move(layout));
    }
  }

  [[nodiscard]] LegendEntry legend_entry(const PlotSeries& series, const ReadySeries& ready) const {
    const double width = kLegendShare * figure_.width - kKeyWidth;
    LegendEntry entry;
    entry.lines = wrapped_text(ruler_, clean_text(series.label), kLegendStyle, width, 3);
    entry.note = ready.note;
    for (const std::string& line : entry.lines) {
      entry.width = std::max(entry.width, ruler_.width(line, kLegendStyle));
    }
    entry.width = std::max(entry.width, ruler_.width(entry.note, kNoteStyle));
    entry.height = static_cast<double>(entry.lines.size()) * line_height(kLegendStyle);
    if (!entry.note.empty()) entry.height += line_height(kNoteStyle) + 2.0;
    return entry;
  }

  // A label keeps the look of its first panel; a new one gets the first look that its panel does
  // not use yet. After the palette's colours come the same ones dashed.
  void choose_looks() {
    std::map<std::string, std::size_t> known;
    for (PanelLayout& layout : panels_) {
      std::vector<std::size_t> used;
      for (const PlotSeries& series : layout.panel->series) {
        const auto found = known.find(series.label);
        if (found != known.end()) used.push_back(found->second);
      }
      for (const PlotSeries& series : layout.panel->series) {
        const auto found = known.find(series.label);
        std::size_t look = 0;
        if (found != known.end() && !series.label.empty()) {
          look = found->second;
        } else {
          while (std::find(used.begin(), used.end(), look) != used.end()) ++look;
          used.push_back(look);
          if (!series.label.empty()) known.emplace(series.label, look);
        }
        const bool dashed = series.style == SeriesStyle::dashes || look >= kPalette.size();
        layout.looks.push_back({kPalette[look % kPalette.size()], dashed});
      }
    }
  }

  static void choose_y_range(PanelLayout& layout) {
    const PlotPanel& panel = *layout.panel;
    std::optional<PlotRange> points;
    double scale = 0.0;
    for (const ReadySeries& series : layout.series) {
      join(points, series.y_points);
      if (series.y_points) scale = std::max(scale, series.scale);
    }
    if (panel.y_range) {
      layout.y_range = *panel.y_range;
    } else if (!points) {
      layout.y_range = panel.log_y ? PlotRange{1.0, 10.0} : PlotRange{0.0, 1.0};
    } else if (panel.log_y) {
      layout.y_range = log_range(*points, kPadding);
    } else {
      layout.y_range =
          panel.whole_y ? whole_range(*points, kPadding) : linear_range(*points, scale, kPadding);
    }
  }

  [[nodiscard]] bool shares_x(std::size_t a, std::size_t b) const {
    const PlotPanel& first = figure_.panels[a];
    const PlotPanel& second = figure_.panels[b];
    return first.x_label == second.x_label && first.log_x == second.log_x && !first.x_range &&
           !second.x_range;
  }

  void choose_x_ranges() {
    std::size_t begin = 0;
    while (begin < panels_.size()) {
      std::size_t end = begin + 1;
      while (end < panels_.size() && shares_x(begin, end)) ++end;
      const PlotRange range = common_x_range(begin, end);
      for (std::size_t k = begin; k < end; ++k) {
        panels_[k].x_range = range;
        panels_[k].shows_x = k + 1 == end;
      }
      begin = end;
    }
  }

  // Curves run from edge to edge; dots keep away from the edges.
  [[nodiscard]] PlotRange common_x_range(std::size_t begin, std::size_t end) const {
    const PlotPanel& first = figure_.panels[begin];
    if (first.x_range) return *first.x_range;
    std::optional<PlotRange> points;
    double padding = 0.0;
    for (std::size_t k = begin; k < end; ++k) {
      for (const ReadySeries& series : panels_[k].series) join(points, series.x_points);
      for (const PlotSeries& series : figure_.panels[k].series) {
        if (series.style == SeriesStyle::points || series.style == SeriesStyle::marked) {
          padding = 0.02;
        }
      }
    }
    if (!points) return first.log_x ? PlotRange{1.0, 10.0} : PlotRange{0.0, 1.0};
    if (first.log_x) return log_range(*points, padding);
    // Zero is no special place of x, so that padding is added here.
    const double space = padding * (points->upper - points->lower);
    return linear_range({points->lower - space, points->upper + space}, 0.0, 0.0);
  }

  // The same margins for all panels, so that their axes stand below each other.
  void set_margins() {
    double left = 0.0;
    double legend = 0.0;
    for (PanelLayout& layout : panels_) {
      for (const LegendEntry& entry : layout.legend) legend = std::max(legend, entry.width);
      layout.area.bottom = std::max(figure_.panel_height, legend_height(layout));
      const int most = std::clamp(static_cast<int>(layout.area.bottom / 28.0), 2, 12);
      if (!layout.is_empty || layout.panel->y_range) {
        const bool whole = layout.panel->whole_y && !layout.panel->log_y;
        layout.y_ticks = whole ? make_whole_ticks(layout.y_range, most)
                               : make_ticks(layout.y_range, layout.panel->log_y, most);
      }
      for (const AxisTick& tick : layout.y_ticks.ticks) {
        layout.y_tick_width = std::max(layout.y_tick_width, ruler_.width(tick.label, kTickStyle));
      }
      layout.y_label_lines = wrapped_text(ruler_, clean_text(layout.panel->y_label), kAxisStyle,
                                          layout.area.bottom + 10.0, 2);
      left = std::max(
          left, layout.y_tick_width + 10.0 +
                    line_height(kAxisStyle) * static_cast<double>(layout.y_label_lines.size()));
    }
    for (PanelLayout& layout : panels_) layout.y_label_x = kMargin + 0.8 * kAxisStyle.size;
    left_ = kMargin + left + 4.0;
    // However long the texts are, something is left for the curves.
    right_ =
        std::max(figure_.width - kMargin - (legend > 0.0 ? legend + kKeyWidth : 0.0), left_ + 50.0);
  }

  static double legend_height(const PanelLayout& layout) {
    double height = 0.0;
    for (const LegendEntry& entry : layout.legend) height += entry.height;
    return height - line_height(kLegendStyle);
  }

  double place_titles() {
    double y = kMargin;
    const double width = figure_.width - 2.0 * kMargin;
    const auto add = [&](const std::string& text, const TextStyle& style, std::size_t most) {
      for (const std::string& line : wrapped_text(ruler_, clean_text(text), style, width, most)) {
        y += line_height(style) + (y > kMargin ? 1.0 : 0.0);
        drawing_.marks.emplace_back(
            TextMark{{kMargin, y - 0.3 * style.size}, line, style, TextAnchor::start});
      }
    };
    add(figure_.title, kTitleStyle, 3);
    add(figure_.subtitle, kSubtitleStyle, 4);
    return y > kMargin ? y + 6.0 : y - 6.0;
  }

  // From right to left, because a line passes the labels of those to its right: labels that would
  // touch go to the next row, and where no row is free a line stays without.
  void place_markers(PanelLayout& layout) const {
    const AxisMap map(layout.x_range, layout.panel->log_x, left_, right_);
    for (const PlotMarker& marker : layout.panel->markers) {
      if (!(marker.x >= layout.x_range.lower && marker.x <= layout.x_range.upper)) continue;
      layout.markers.push_back({map.pixel(marker.x), 0.0, 0, clean_text(marker.label)});
    }
    std::stable_sort(layout.markers.begin(), layout.markers.end(),
                     [](const MarkerPlace& a, const MarkerPlace& b) { return a.x > b.x; });
    std::array<double, 3> row_begins{};
    row_begins.fill(figure_.width - kMargin);
    for (MarkerPlace& marker : layout.markers) {
      if (marker.label.empty()) continue;
      const double width = ruler_.width(marker.label, kNoteStyle);
      marker.left = std::min(marker.x + 4.0, figure_.width - kMargin - width);
      while (marker.row < row_begins.size() && marker.left + width > row_begins[marker.row]) {
        ++marker.row;
      }
      if (marker.row == row_begins.size()) {
        marker.row = 0;
        marker.label.clear();
        continue;
      }
      row_begins[marker.row] = marker.left - 6.0;
      layout.marker_rows = std::max(layout.marker_rows, marker.row + 1);
    }
  }

  void place_panels(double top) {
    for (PanelLayout& layout : panels_) {
      place_markers(layout);
      top += 14.0 + line_height(kNoteStyle) * static_cast<double>(layout.marker_rows);
      if (!layout.panel->title.empty()) top += line_height(kPanelTitleStyle) + 2.0;
      if (!layout.y_ticks.factor.empty()) top += line_height(kTickStyle) + 2.0;
      const double height = layout.area.bottom;
      layout.area = {left_, top, right_, top + height};
      if (!layout.is_empty || layout.panel->x_range) choose_x_ticks(layout);
      top += height + 2.0;
      if (layout.shows_x) top += layout.panel->x_label.empty() ? 22.0 : 40.0;
      if (layout.shows_x && layout.panel->x_label.empty() && !layout.x_ticks.factor.empty()) {
        top += 18.0;
      }
    }
    drawing_.height = std::ceil(top + kMargin - 4.0);
  }

  // As many ticks as have room for their labels.
  void choose_x_ticks(PanelLayout& layout) const {
    const bool log = layout.panel->log_x;
    const AxisMap map(layout.x_range, log, layout.area.left, layout.area.right);
    for (int most = std::max(2, static_cast<int>(layout.area.width() / 70.0)); most >= 1; --most) {
      layout.x_ticks = make_ticks(layout.x_range, log, most);
      double free = -1e9;
      bool fits = true;
      for (const AxisTick& tick : layout.x_ticks.ticks) {
        if (tick.label.empty()) continue;
        const double half = ruler_.width(tick.label, kTickStyle) / 2.0 + 6.0;
        fits = fits && map.pixel(tick.value) - half >= free;
        free = map.pixel(tick.value) + half;
      }
      if (fits) return;
    }
  }

  const Figure& figure_;
  TextRuler ruler_;
  Drawing drawing_;
  std::vector<PanelLayout> panels_;
  double left_ = 0.0;
  double right_ = 0.0;
};

}  // namespace

Drawing draw_figure(const Figure& figure) { return FigureLayout(figure).draw(); }

}  // namespace carom::detail
