// Heights and waves as pictures seen from above.
#include "carom/plots/height_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "carom/core/assert.h"
#include "carom/plots/detail/plot_files.h"
#include "carom/plots/detail/plot_render.h"

namespace carom {
namespace {

using detail::PlotColour;

// From violet through green to yellow, lightness rising evenly.
PlotColour map_colour(double share) {
  constexpr std::array<std::array<double, 3>, 5> kStops = {
      {{60, 20, 80}, {58, 76, 138}, {34, 136, 140}, {96, 196, 98}, {250, 230, 60}}};
  const double place = std::clamp(share, 0.0, 1.0) * (kStops.size() - 1);
  const auto first = std::min<std::size_t>(static_cast<std::size_t>(place), kStops.size() - 2);
  const double rest = place - static_cast<double>(first);
  const auto channel = [&](std::size_t c) {
    const double value = kStops[first][c] + rest * (kStops[first + 1][c] - kStops[first][c]);
    return static_cast<std::uint8_t>(std::lround(value));
  };
  return {channel(0), channel(1), channel(2)};
}

struct Range {
  double least = 0.0;
  double most = 0.0;
};

// What the colours mean: from the least value below to the largest above.
void add_bar(const detail::PlotRectangle& area, const Range& range, const std::string& unit,
             detail::Drawing& drawing) {
  constexpr int kPieces = 64;
  constexpr int kNumbers = 4;
  const PlotColour ink = {29, 36, 44};
  const bool is_flat = !(range.most > range.least);
  const auto down = [&](double share) { return area.bottom - share * area.height(); };
  for (int k = 0; k < kPieces; ++k) {
    const double low = static_cast<double>(k) / kPieces;
    const double high = static_cast<double>(k + 1) / kPieces;
    drawing.marks.emplace_back(
        detail::FillMark{{area.left, down(high), area.right, down(low)},
                         map_colour(is_flat ? 0.5 : static_cast<double>(k) / (kPieces - 1))});
  }
  for (int k = is_flat ? kNumbers : 0; k <= kNumbers; ++k) {
    const double share = static_cast<double>(k) / kNumbers;
    std::string text = fmt::format("{:.3g}", range.least + share * (range.most - range.least));
    if (k == kNumbers && !unit.empty()) text += " " + unit;
    const double middle = is_flat ? 0.5 : share;
    drawing.marks.emplace_back(
        detail::TextMark{{area.right + 5.0, std::max(down(middle) + 3.5, area.top + 7.0)},
                         text,
                         {10.0, false, ink}});
  }
}

detail::Drawing drawing_of(const HeightMap& map) {
  constexpr double kMargin = 16.0;
  constexpr double kTitle = 28.0;
  constexpr double kCaption = 22.0;
  constexpr double kBarRoom = 76.0;
  const HeightField& field = map.field;
  CAROM_DEMAND(field.height.size() == std::size_t{field.columns} * field.rows && map.copies > 0);
  const Index columns = map.copies * field.columns;
  const Index rows = map.copies * field.rows;
  const double height = map.width * field.depth / field.width;
  detail::Drawing drawing;
  drawing.width = map.width + kBarRoom + 2.0 * kMargin;
  drawing.height = kTitle + height + kCaption + kMargin;
  drawing.title = map.title;
  drawing.paper = {255, 255, 255};
  const PlotColour ink = {29, 36, 44};
  drawing.marks.emplace_back(
      detail::TextMark{{kMargin, kTitle - 9.0}, map.title, {13.0, true, ink}});
  const auto [least, most] = std::minmax_element(field.height.begin(), field.height.end());
  const double range = *most - *least;
  for (Index j = 0; j < rows; ++j) {
    for (Index i = 0; i < columns; ++i) {
      const auto across = [&](Index k) { return kMargin + map.width * k / columns; };
      const auto down = [&](Index k) { return kTitle + height * (rows - k) / rows; };
      const double value =
          field.height[std::size_t{j % field.rows} * field.columns + i % field.columns];
      drawing.marks.emplace_back(
          detail::FillMark{{across(i), down(j + 1), across(i + 1), down(j)},
                           map_colour(range > 0.0 ? (value - *least) / range : 0.5)});
    }
  }
  const double left = kMargin + map.width + 12.0;
  add_bar({left, kTitle, left + 12.0, kTitle + height}, {*least, *most}, map.unit, drawing);
  drawing.marks.emplace_back(detail::TextMark{
      {kMargin, kTitle + height + kCaption - 6.0}, map.caption, {11.0, false, ink}});
  return drawing;
}

// How many waves of at least the shortest length go into a side, at most half of its cells.
Index waves_within(double side, double shortest, Index cells) {
  const Index most = (cells - 1) / 2;
  if (!(shortest > 0.0)) return most;
  return std::min(most, static_cast<Index>(std::floor(side / shortest)));
}

// Wave numbers (rad/m) in the place of lengths.
HeightField wave_field(const Spectrum& spectrum, double shortest) {
  const Index across = waves_within(spectrum.width, shortest, spectrum.columns);
  const Index along = waves_within(spectrum.depth, shortest, spectrum.rows);
  constexpr double kTurn = 2.0 * std::numbers::pi;
  HeightField field;
  field.columns = 2 * across + 1;
  field.rows = 2 * along + 1;
  field.width = kTurn / spectrum.width * field.columns;
  field.depth = kTurn / spectrum.depth * field.rows;
  for (Index j = 0; j < field.rows; ++j) {
    const Index row = (j + spectrum.rows - along) % spectrum.rows;
    for (Index i = 0; i < field.columns; ++i) {
      const Index column = (i + spectrum.columns - across) % spectrum.columns;
      field.height.push_back(
          std::sqrt(spectrum.power[std::size_t{row} * spectrum.columns + column]));
    }
  }
  return field;
}

}  // namespace

HeightMap height_map_of(const HeightField& field, const LayerLabel& label) {
  HeightMap map;
  map.unit = "m";
  map.field = field;
  map.title = label.title;
  const PatternReport seen = classify_pattern(spectrum_of(field), label.limits);
  const auto [least, most] = std::minmax_element(field.height.begin(), field.height.end());
  map.caption = fmt::format("{}, t = {:.3g} s: {}; {:.3g} by {:.3g} m, {:.2g} to {:.2g} m high",
                            label.impact_operator, label.time, to_string(seen.pattern), field.width,
                            field.depth, *least, *most);
  return map;
}

HeightMap spectrum_map_of(const Spectrum& spectrum, const PatternReport& seen,
                          const LayerLabel& label) {
  HeightMap map;
  map.unit = "m";
  map.field = wave_field(spectrum, label.limits.shortest);
  map.title = label.title;
  map.caption = fmt::format("{}, t = {:.3g} s: {}; waves of {:.3g} m; to {:.3g}, {:.3g} rad/m",
                            label.impact_operator, label.time, to_string(seen.pattern),
                            seen.wavelength, 0.5 * map.field.width, 0.5 * map.field.depth);
  return map;
}

std::string height_map_svg(const HeightMap& map) { return detail::drawing_svg(drawing_of(map)); }

std::string height_map_png(const HeightMap& map, double scale) {
  return detail::drawing_png(drawing_of(map), scale);
}

std::vector<std::filesystem::path> write_height_map(const HeightMap& map,
                                                    const std::filesystem::path& path) {
  return detail::write_pictures(
      path, [&] { return height_map_svg(map); }, [&] { return height_map_png(map); });
}

}  // namespace carom
