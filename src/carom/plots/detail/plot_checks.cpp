// What a figure refuses.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/plots/detail/plot_axis.h"
#include "carom/plots/detail/plot_layout.h"

namespace carom::detail {
namespace {

[[noreturn]] void fail(const std::string& key, const std::string& message) {
  throw InputError({"", 0, 0, key}, message);
}

void check_between(const std::string& key, double value, double lower, double upper) {
  if (!(value >= lower && value <= upper)) {
    fail(key, fmt::format("expected {} to {} pixels, found {}", lower, upper, number_text(value)));
  }
}

void check_range(const std::string& key, const std::optional<PlotRange>& range, bool log) {
  if (!range) return;
  const double largest = std::max(std::abs(range->lower), std::abs(range->upper));
  const std::string found = number_text(range->lower) + " to " + number_text(range->upper);
  if (!(largest <= 1e300)) fail(key, "expected numbers up to 1e300, found " + found);
  if (!(range->upper - range->lower > 2.0 * kFlat * largest)) {
    fail(key, "expected a lower and a larger upper number, found " + found);
  }
  if (log && !(range->lower >= 1e-300)) {
    fail(key, "expected positive numbers for a logarithmic axis, found " + found);
  }
}

void check_series(const std::string& key, const PlotSeries& series) {
  if (series.x.size() != series.y.size()) {
    fail(key + ".y", fmt::format("expected one number per x, that is {}, found {}", series.x.size(),
                                 series.y.size()));
  }
  if (!(series.scale >= 0.0 && series.scale <= 1e300)) {
    fail(key + ".scale", "expected 0 or a positive number, found " + number_text(series.scale));
  }
}

}  // namespace

void check_figure(const Figure& figure) {
  check_between("width", figure.width, 300.0, 10000.0);
  check_between("panel_height", figure.panel_height, 60.0, 5000.0);
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const PlotPanel& panel = figure.panels[p];
    const std::string key = fmt::format("panels[{}]", p);
    check_range(key + ".x_range", panel.x_range, panel.log_x);
    check_range(key + ".y_range", panel.y_range, panel.log_y);
    for (std::size_t s = 0; s < panel.series.size(); ++s) {
      check_series(fmt::format("{}.series[{}]", key, s), panel.series[s]);
    }
  }
}

}  // namespace carom::detail
