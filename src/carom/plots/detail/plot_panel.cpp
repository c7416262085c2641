// One panel of a figure: its axes, series and words.
#include "carom/plots/detail/plot_panel.h"

#include <algorithm>
#include <cmath>

#include "carom/plots/detail/plot_text.h"

namespace carom::detail {
namespace {

constexpr double kCurveWidth = 1.6;
constexpr double kDotWidth = 4.0;
constexpr std::size_t kMostCurvePoints = 20000;
constexpr std::size_t kMostDots = 20000;
// Room for half a line outside the axes, so that a curve along an axis is seen whole.
constexpr double kClipMargin = 1.5;
constexpr double kConnector = 16.0;

/// Lines of one pixel are sharp when they lie on its middle.
double sharp(double pixel) { return std::floor(pixel) + 0.5; }

class PanelPainter {
 public:
  PanelPainter(const PanelLayout& layout, const TextRuler& ruler, Drawing& drawing)
      : layout_(layout),
        panel_(*layout.panel),
        area_(layout.area),
        ruler_(ruler),
        drawing_(drawing),
        x_(layout.x_range, panel_.log_x, area_.left, area_.right),
        y_(layout.y_range, panel_.log_y, area_.bottom, area_.top) {}

  void paint() {
    paint_grid();
    paint_axes();
    paint_markers();
    for (std::size_t k = 0; k < layout_.series.size(); ++k) paint_series(k);
    paint_titles();
    paint_legend();
    if (layout_.is_empty) {
      add_text({(area_.left + area_.right) / 2.0, (area_.top + area_.bottom) / 2.0}, "no data",
               kNoteStyle, TextAnchor::middle);
    }
  }

 private:
  void add_text(PlotPoint at, const std::string& text, const TextStyle& style, TextAnchor anchor) {
    if (!text.empty()) drawing_.marks.emplace_back(TextMark{at, text, style, anchor});
  }

  void paint_grid() {
    StrokeMark grid{{}, kGrid, 1.0, {}, {}};
    StrokeMark zero{{}, kFrame, 0.7, {}, {}};
    for (const AxisTick& tick : layout_.x_ticks.ticks) {
      const double x = sharp(x_.pixel(tick.value));
      if (!tick.label.empty()) grid.lines.push_back({{x, area_.top}, {x, area_.bottom}});
    }
    for (const AxisTick& tick : layout_.y_ticks.ticks) {
      const double y = sharp(y_.pixel(tick.value));
      if (tick.label.empty()) continue;
      StrokeMark& mark = tick.value == 0.0 ? zero : grid;
      mark.lines.push_back({{area_.left, y}, {area_.right, y}});
    }
    drawing_.marks.emplace_back(std::move(grid));
    drawing_.marks.emplace_back(std::move(zero));
  }

  void paint_markers() {
    StrokeMark lines{{}, kFrame, 1.0, {3.0, 3.0}, {}};
    for (const MarkerPlace& marker : layout_.markers) {
      const double x = sharp(marker.x);
      const double height = line_height(kNoteStyle) * static_cast<double>(marker.row);
      const double baseline = area_.top - 4.0 - height;
      const bool beside = !marker.label.empty() && marker.left > x;
      const double top = beside ? baseline - 0.7 * kNoteStyle.size : baseline + 4.0;
      lines.lines.push_back({{x, area_.bottom}, {x, top}});
      add_text({marker.left, baseline}, marker.label, kNoteStyle, TextAnchor::start);
    }
    drawing_.marks.emplace_back(std::move(lines));
  }

  // A gap that begins and ends in one column of pixels cannot be seen, and is none.
  std::vector<std::vector<PlotPoint>> pixels_of(const ReadySeries& series) const {
    std::vector<std::vector<PlotPoint>> runs;
    for (const SeriesRun& run : series.runs) {
      const double first = x_.pixel(run.x.front());
      if (runs.empty() || std::floor(runs.back().back().x) != std::floor(first)) {
        runs.emplace_back();
      }
      for (std::size_t k = 0; k < run.x.size(); ++k) {
        runs.back().push_back({x_.pixel(run.x[k]), y_.pixel(run.y[k])});
      }
    }
    return runs;
  }

  void paint_series(std::size_t index) {
    const SeriesStyle style = panel_.series[index].style;
    const SeriesLook& look = layout_.looks[index];
    StrokeMark curve{{}, look.colour, kCurveWidth, {}, clip(kClipMargin)};
    if (look.dashed) curve.dashes = {5.0, 3.5};
    std::vector<PlotPoint> dots;
    for (const std::vector<PlotPoint>& run : pixels_of(layout_.series[index])) {
      if (run.size() == 1 || style == SeriesStyle::points) {
        dots.insert(dots.end(), run.begin(), run.end());
        continue;
      }
      if (style == SeriesStyle::marked) dots.insert(dots.end(), run.begin(), run.end());
      std::vector<PlotPoint> thinned = thinned_curve(run, kMostCurvePoints);
      curve.lines.push_back(style == SeriesStyle::steps ? step_corners(thinned)
                                                        : std::move(thinned));
    }
    drawing_.marks.emplace_back(std::move(curve));
    StrokeMark dot_mark{{}, look.colour, kDotWidth, {}, clip(kDotWidth)};
    if (!dots.empty()) {
      for (const PlotPoint& dot : thinned_dots(dots, kMostDots)) dot_mark.lines.push_back({dot});
    }
    drawing_.marks.emplace_back(std::move(dot_mark));
  }

  [[nodiscard]] PlotRectangle clip(double margin) const {
    return {area_.left - margin, area_.top - margin, area_.right + margin, area_.bottom + margin};
  }

  void paint_axes() {
    StrokeMark frame{{}, kFrame, 1.0, {}, {}};
    const double left = sharp(area_.left);
    const double bottom = sharp(area_.bottom);
    frame.lines.push_back({{left, area_.top}, {left, bottom}, {area_.right, bottom}});
    for (const AxisTick& tick : layout_.x_ticks.ticks) {
      const double x = sharp(x_.pixel(tick.value));
      frame.lines.push_back({{x, bottom}, {x, bottom + (tick.label.empty() ? 2.0 : 4.0)}});
      if (layout_.shows_x) {
        add_text({x, bottom + 16.0}, tick.label, kTickStyle, TextAnchor::middle);
      }
    }
    for (const AxisTick& tick : layout_.y_ticks.ticks) {
      const double y = y_.pixel(tick.value);
      frame.lines.push_back(
          {{left, sharp(y)}, {left - (tick.label.empty() ? 2.0 : 4.0), sharp(y)}});
      add_text({left - 7.0, y + 0.36 * kTickStyle.size}, tick.label, kTickStyle, TextAnchor::end);
    }
    drawing_.marks.emplace_back(std::move(frame));
  }

  void paint_titles() {
    double y = area_.top - 9.0 - line_height(kNoteStyle) * static_cast<double>(layout_.marker_rows);
    if (!layout_.y_ticks.factor.empty()) {
      add_text({area_.left - 7.0 - layout_.y_tick_width, y}, layout_.y_ticks.factor, kTickStyle,
               TextAnchor::start);
      y -= line_height(kTickStyle) + 2.0;
    }
    for (const std::string& line : wrapped_text(ruler_, clean_text(panel_.title), kPanelTitleStyle,
                                                drawing_.width - area_.left - 18.0, 1)) {
      add_text({area_.left, y}, line, kPanelTitleStyle, TextAnchor::start);
    }
    paint_y_label();
    if (layout_.shows_x) paint_x_label();
  }

  void paint_y_label() {
    double x = layout_.y_label_x;
    for (const std::string& line : layout_.y_label_lines) {
      drawing_.marks.emplace_back(TextMark{
          {x, (area_.top + area_.bottom) / 2.0}, line, kAxisStyle, TextAnchor::middle, true});
      x += line_height(kAxisStyle);
    }
  }

  void paint_x_label() {
    const double y = area_.bottom + 34.0;
    const std::string& factor = layout_.x_ticks.factor;
    add_text({area_.right, y}, factor, kTickStyle, TextAnchor::end);
    const double free =
        area_.width() - (factor.empty() ? 0.0 : 2.0 * (ruler_.width(factor, kTickStyle) + 12.0));
    for (const std::string& line :
         wrapped_text(ruler_, clean_text(panel_.x_label), kAxisStyle, free, 1)) {
      add_text({(area_.left + area_.right) / 2.0, y}, line, kAxisStyle, TextAnchor::middle);
    }
  }

  // The connector leads from the end of a curve that reaches the right edge to its label.
  void paint_legend() {
    const std::vector<double> tops = place_legend(layout_);
    for (std::size_t k = 0; k < layout_.legend.size(); ++k) {
      const LegendEntry& entry = layout_.legend[k];
      if (entry.lines.empty() && entry.note.empty()) continue;
      const double middle = tops[k] + line_height(kLegendStyle) / 2.0;
      paint_key(k, middle);
      double y = tops[k] + 0.5 * line_height(kLegendStyle) + 0.36 * kLegendStyle.size;
      const double x = area_.right + kConnector + 12.0;
      for (const std::string& line : entry.lines) {
        add_text({x, y}, line, kLegendStyle, TextAnchor::start);
        y += line_height(kLegendStyle);
      }
      add_text({x, y - 1.0}, entry.note, kNoteStyle, TextAnchor::start);
    }
  }

  void paint_key(std::size_t index, double y) {
    const SeriesLook& look = layout_.looks[index];
    const double right = area_.right + kConnector + 8.0;
    if (panel_.series[index].style == SeriesStyle::points) {
      drawing_.marks.emplace_back(
          StrokeMark{{{{right - 5.0, y}}}, look.colour, kDotWidth + 1.0, {}, {}});
      return;
    }
    if (panel_.series[index].style == SeriesStyle::marked) {
      drawing_.marks.emplace_back(
          StrokeMark{{{{right - 7.0, y}}}, look.colour, kDotWidth + 0.5, {}, {}});
    }
    StrokeMark key{{}, look.colour, kCurveWidth, {}, {}};
    if (look.dashed) key.dashes = {4.0, 3.0};
    const ReadySeries& series = layout_.series[index];
    const double end = curve_end(layout_, index);
    const bool reaches = !series.runs.empty() && x_.pixel(series.end_x) > area_.right - 2.0 &&
                         end >= area_.top && end <= area_.bottom;
    if (reaches) {
      key.lines.push_back({{area_.right + 3.0, end}, {right - 7.0, y}, {right, y}});
    } else {
      key.lines.push_back({{right - 14.0, y}, {right, y}});
    }
    drawing_.marks.emplace_back(std::move(key));
  }

  const PanelLayout& layout_;
  const PlotPanel& panel_;
  const PlotRectangle& area_;
  const TextRuler& ruler_;
  Drawing& drawing_;
  AxisMap x_;
  AxisMap y_;
};

}  // namespace

void draw_panel(const PanelLayout& layout, const TextRuler& ruler, Drawing& drawing) {
  PanelPainter(layout, ruler, drawing).paint();
}

double curve_end(const PanelLayout& layout, std::size_t series) {
  if (layout.series[series].runs.empty()) return (layout.area.top + layout.area.bottom) / 2.0;
  const AxisMap y(layout.y_range, layout.panel->log_y, layout.area.bottom, layout.area.top);
  return y.pixel(layout.series[series].end_y);
}

std::vector<double> place_legend(const PanelLayout& layout) {
  struct Place {
    std::size_t series;
    double top;
  };
  std::vector<Place> places;
  for (std::size_t k = 0; k < layout.legend.size(); ++k) {
    places.push_back({k, curve_end(layout, k) - line_height(kLegendStyle) / 2.0});
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const Place& a, const Place& b) { return a.top < b.top; });
  // Downwards until none overlaps the one above, then upwards until the last is inside again.
  double free = layout.area.top - line_height(kLegendStyle) / 2.0;
  for (Place& place : places) {
    place.top = std::max(place.top, free);
    free = place.top + layout.legend[place.series].height;
  }
  free = layout.area.bottom + line_height(kLegendStyle) / 2.0;
  std::reverse(places.begin(), places.end());
  for (Place& place : places) {
    place.top = std::min(place.top, free - layout.legend[place.series].height);
    free = place.top;
  }
  std::vector<double> tops(layout.legend.size());
  for (const Place& place : places) tops[place.series] = place.top;
  return tops;
}

}  // namespace carom::detail
