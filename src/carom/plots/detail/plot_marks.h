#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace carom::detail {

/// Pixels from the left and from the top of the figure.
struct PlotPoint {
  double x = 0.0;
  double y = 0.0;
};

struct PlotRectangle {
  double left = 0.0;
  double top = 0.0;
  double right = 0.0;
  double bottom = 0.0;

  [[nodiscard]] double width() const { return right - left; }
  [[nodiscard]] double height() const { return bottom - top; }
};

struct PlotColour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
};

/// Polylines with round ends and joints; a polyline of one point is a round dot.
struct StrokeMark {
  std::vector<std::vector<PlotPoint>> lines;
  PlotColour colour;
  double width = 1.0;
  std::vector<double> dashes;         ///< lengths on, off, on, ...; empty: a whole line
  std::optional<PlotRectangle> clip;  ///< nothing is drawn outside
};

enum class TextAnchor { start, middle, end };

struct TextStyle {
  double size = 11.0;
  bool bold = false;
  PlotColour colour;
};

struct TextMark {
  PlotPoint at;  ///< on the baseline
  std::string text;
  TextStyle style;
  TextAnchor anchor = TextAnchor::start;
  bool upwards = false;  ///< turned by a quarter, to be read from below to above
};

/// A rectangle of one colour.
struct FillMark {
  PlotRectangle area;
  PlotColour colour;
};

using PlotMark = std::variant<StrokeMark, TextMark, FillMark>;

/// A figure as marks in the order in which they are painted.
struct Drawing {
  double width = 0.0;
  double height = 0.0;
  std::string title;  ///< what a reader that cannot see is told
  PlotColour paper;
  std::vector<PlotMark> marks;
};

}  // namespace carom::detail
