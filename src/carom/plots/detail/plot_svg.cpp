// A drawing as SVG.
#include <string_view>

#include <fmt/format.h>

#include "carom/plots/detail/plot_render.h"
#include "carom/recording/place.h"

namespace carom::detail {
namespace {

// A hundredth of a pixel, without the zeros at the end.
std::string coordinate(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string colour_text(const PlotColour& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string rectangle_attributes(const PlotRectangle& area) {
  return fmt::format(R"(x="{}" y="{}" width="{}" height="{}")", coordinate(area.left),
                     coordinate(area.top), coordinate(area.width()), coordinate(area.height()));
}

class SvgWriter {
 public:
  explicit SvgWriter(const Drawing& drawing) {
    const std::string width = coordinate(drawing.width);
    const std::string height = coordinate(drawing.height);
    text_ = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- {} -->\n", kMadeByCarom);
    text_ += fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" )"
                         R"(viewBox="0 0 {0} {1}" role="img" )",
                         width, height);
    text_ += "font-family=\"'DejaVu Sans', Verdana, 'Helvetica Neue', Arial, sans-serif\">\n";
    text_ += fmt::format("<title>{}</title>\n", escaped(drawing.title));
    text_ += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", width, height,
                         colour_text(drawing.paper));
    for (const PlotMark& mark : drawing.marks) {
      std::visit([this](const auto& some) { add(some); }, mark);
    }
    text_ += "</svg>\n";
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void add(const StrokeMark& mark) {
    if (mark.lines.empty()) return;
    std::string attributes;
    if (mark.clip) {
      text_ += fmt::format("<clipPath id=\"clip{}\"><rect {}/></clipPath>\n", clips_,
                           rectangle_attributes(*mark.clip));
      attributes += fmt::format(" clip-path=\"url(#clip{})\"", clips_++);
    }
    if (!mark.dashes.empty()) {
      attributes += " stroke-dasharray=\"";
      for (const double length : mark.dashes) attributes += coordinate(length) + " ";
      attributes.back() = '"';
    }
    text_ += fmt::format(R"(<path fill="none" stroke="{}" stroke-width="{}" )"
                         R"(stroke-linecap="round" stroke-linejoin="round"{} d=")",
                         colour_text(mark.colour), coordinate(mark.width), attributes);
    for (const std::vector<PlotPoint>& line : mark.lines) add_line(line);
    text_ += "\"/>\n";
  }

  void add_line(const std::vector<PlotPoint>& line) {
    char command = 'M';
    for (const PlotPoint& point : line) {
      text_ += command + coordinate(point.x) + " " + coordinate(point.y);
      command = 'L';
    }
    if (line.size() == 1) text_ += "h0";
    text_ += "\n";
  }

  void add(const TextMark& mark) {
    const std::string x = coordinate(mark.at.x);
    const std::string y = coordinate(mark.at.y);
    text_ += fmt::format(R"(<text x="{}" y="{}" font-size="{}" fill="{}")", x, y,
                         coordinate(mark.style.size), colour_text(mark.style.colour));
    if (mark.style.bold) text_ += " font-weight=\"bold\"";
    if (mark.anchor == TextAnchor::middle) text_ += " text-anchor=\"middle\"";
    if (mark.anchor == TextAnchor::end) text_ += " text-anchor=\"end\"";

    if (mark.upwards) text_ += fmt::format(" transform=\"rotate(-90 {} {})\"", x, y);
    text_ += fmt::format(">{}</text>\n", escaped(mark.text));
  }

  void add(const FillMark& mark) {
    text_ += fmt::format("<rect {} fill=\"{}\" shape-rendering=\"crispEdges\"/>\n",
                         rectangle_attributes(mark.area), colour_text(mark.colour));
  }

  std::string text_;
  int clips_ = 0;
};

}  // namespace

std::string drawing_svg(const Drawing& drawing) { return SvgWriter(drawing).take(); }

}  // namespace carom::detail
