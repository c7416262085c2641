#include <algorithm>
#include <cmath>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/core/types.h"
#include "carom/plots/detail/plot_axis.h"
#include "carom/plots/detail/plot_series.h"
#include "carom/plots/detail/plot_text.h"

namespace carom {
namespace {

std::vector<std::string> labels_of(const detail::AxisTicks& ticks) {
  std::vector<std::string> labels;
  for (const detail::AxisTick& tick : ticks.ticks) {
    if (!tick.label.empty()) labels.push_back(tick.label);
  }
  return labels;
}

using Labels = std::vector<std::string>;

double number_of(const std::string& label) {
  return std::stod(std::regex_replace(label, std::regex("\u2212"), "-"));
}

// ---- axes

TEST(PlotAxis, LabelsAreShortAndExact) {
  EXPECT_EQ(labels_of(detail::make_ticks({0.0, 1.0}, false, 5)),
            (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels_of(detail::make_ticks({-10.0, 10.0}, false, 4)),
            (Labels{"\u221210", "\u22125", "0", "5", "10"}));
  const detail::AxisTicks large = detail::make_ticks({0.0, 2.5e6}, false, 5);
  EXPECT_EQ(labels_of(large), (Labels{"0.0", "0.5", "1.0", "1.5", "2.0", "2.5"}));
  EXPECT_EQ(large.factor, "\u00D710\u2076");
  const detail::AxisTicks small = detail::make_ticks({0.0, 4e-5}, false, 4);
  EXPECT_EQ(labels_of(small), (Labels{"0", "10", "20", "30", "40"}));
  EXPECT_EQ(small.factor, "\u00D710\u207B\u2076");
}

TEST(PlotAxis, NearlyEqualNumbersAreDifferencesFromARoundOne) {
  const detail::AxisTicks below = detail::make_ticks({1.0 - 4e-8, 1.0}, false, 4);
  EXPECT_EQ(below.factor, "\u00D710\u207B\u2079 + 1");
  EXPECT_EQ(labels_of(below), (Labels{"\u221240", "\u221230", "\u221220", "\u221210", "0"}));
  const detail::AxisTicks negative = detail::make_ticks({-1000.002, -1000.0}, false, 2);
  EXPECT_EQ(negative.factor, "\u2212 1000");
  EXPECT_EQ(labels_of(negative), (Labels{"\u22120.002", "\u22120.001", "0.000"}));
}

// The labels, read as a person would, are the values; ticks lie inside and are evenly spaced.
TEST(PlotAxis, LabelsTimesTheFactorAreTheValues) {
  Random random(29);
  for (int trial = 0; trial < 2000; ++trial) {
    const double size = std::pow(10.0, random.uniform(-30.0, 30.0));
    const double middle = random.below(3) == 0 ? 0.0 : size * random.uniform(-1.0, 1.0);
    const double width = size * std::pow(10.0, random.uniform(-8.5, 0.5));
    const PlotRange range = {middle - width, middle + width};
    const detail::AxisTicks ticks = detail::make_ticks(range, false, 6);
    ASSERT_GE(ticks.ticks.size(), 2U) << range.lower << " " << range.upper;
    EXPECT_LE(ticks.ticks.size(), 7U);
    const double step = ticks.ticks[1].value - ticks.ticks[0].value;
    double unit = 0.0;
    for (std::size_t k = 0; k < ticks.ticks.size(); ++k) {
      const detail::AxisTick& tick = ticks.ticks[k];
      EXPECT_GE(tick.value, range.lower - 1e-5 * width);
      EXPECT_LE(tick.value, range.upper + 1e-5 * width);
      EXPECT_LE(tick.label.size(), 10U) << tick.label;
      const double number = number_of(tick.label);
      const double first = number_of(ticks.ticks[0].label);
      if (k == 1) unit = number - first;
      if (k > 1) {
        EXPECT_NEAR(number - first, unit * static_cast<double>(k), 1e-6 * unit);
        EXPECT_NEAR(tick.value - ticks.ticks[0].value, step * static_cast<double>(k), 1e-6 * width);
      }
    }
  }
}

TEST(PlotAxis, LogarithmicTicksAreDecadesOrFiner) {
  EXPECT_EQ(labels_of(detail::make_ticks({0.5, 2000.0}, true, 8)),
            (Labels{"1", "10", "100", "1000"}));
  EXPECT_EQ(labels_of(detail::make_ticks({1e-12, 1.0}, true, 6)).back(), "10\u2070");
  EXPECT_LE(labels_of(detail::make_ticks({1e-300, 1e300}, true, 6)).size(), 8U);
  EXPECT_EQ(labels_of(detail::make_ticks({1.5, 12.0}, true, 8)), (Labels{"2", "5", "10"}));
  EXPECT_EQ(labels_of(detail::make_ticks({3.0, 4.5}, true, 4)),
            (Labels{"3.0", "3.5", "4.0", "4.5"}));
}

TEST(PlotAxis, RangesStartAtZeroWherePointsComeNear) {
  EXPECT_EQ(detail::linear_range({1.0, 10.0}, 0.0, 0.06).lower, 0.0);
  EXPECT_LT(detail::linear_range({5.0, 10.0}, 0.0, 0.06).lower, 5.0);
  EXPECT_GT(detail::linear_range({5.0, 10.0}, 0.0, 0.06).lower, 4.0);
  EXPECT_EQ(detail::linear_range({-10.0, -1.0}, 0.0, 0.06).upper, 0.0);
  EXPECT_EQ(detail::linear_range({1.0, 10.0}, 0.0, 0.0).lower, 1.0);
}

// ---- thinning

TEST(PlotAxis, CountsHaveWholeNumbersOnly) {
  for (const PlotRange points : {PlotRange{0.0, 0.0},
                                 {0.0, 1.0},
                                 {1.0, 1.0},
                                 {0.0, 2.0},
                                 {3.0, 5.0},
                                 {0.0, 317.0},
                                 {1000.0, 1001.0}}) {
    const PlotRange range = detail::whole_range(points, 0.06);
    EXPECT_GE(range.lower, 0.0);
    EXPECT_GE(range.upper - range.lower, 1.0);
    EXPECT_LE(range.lower, points.lower);
    EXPECT_GE(range.upper, points.upper);
    const detail::AxisTicks ticks = detail::make_whole_ticks(range, 8);
    ASSERT_FALSE(ticks.ticks.empty());
    for (const detail::AxisTick& tick : ticks.ticks) {
      EXPECT_EQ(tick.value, std::round(tick.value)) << points.lower << " to " << points.upper;
      EXPECT_EQ(tick.label.find('.'), std::string::npos) << tick.label;
    }
  }
}

TEST(PlotSeries, ThinningKeepsTheExtremesOfEveryColumn) {
  Random random(7);
  std::vector<detail::PlotPoint> points;
  for (int k = 0; k < 100000; ++k) points.push_back({k * 0.005, random.uniform(-1.0, 1.0)});
  const std::vector<detail::PlotPoint> kept = detail::thinned_curve(points, 100000);
  EXPECT_LE(kept.size(), 4U * 500U);
  const auto extremes = [](const std::vector<detail::PlotPoint>& some) {
    std::vector<std::pair<double, double>> columns(500, {kInfinity, -kInfinity});
    for (const detail::PlotPoint& point : some) {
      auto& column = columns[static_cast<std::size_t>(point.x)];
      column.first = std::min(column.first, point.y);
      column.second = std::max(column.second, point.y);
    }
    return columns;
  };
  EXPECT_EQ(extremes(points), extremes(kept));
  EXPECT_EQ(kept.front().x, points.front().x);
  EXPECT_EQ(kept.back().x, points.back().x);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end(),
                             [](const auto& a, const auto& b) { return a.x < b.x; }));
}

TEST(PlotSeries, FewPointsStayAsTheyAre) {
  const std::vector<detail::PlotPoint> points = {{0.0, 1.0}, {2.0, 3.0}, {1.0, 5.0}, {9.0, 2.0}};
  EXPECT_EQ(detail::thinned_curve(points, 100).size(), 4U);
  EXPECT_EQ(detail::thinned_dots(points, 100).size(), 4U);
  EXPECT_EQ(detail::step_corners(points).size(), 7U);
}

// ---- texts

TEST(PlotText, BoundsAreRoundedUpToOneDigit) {
  EXPECT_EQ(detail::bound_text(2.1e-15), "3e-15");
  EXPECT_EQ(detail::bound_text(3e-15), "3e-15");
  EXPECT_EQ(detail::bound_text(9.5e-10), "1e-9");
  EXPECT_EQ(detail::bound_text(1e-12), "1e-12");
}

TEST(PlotText, OnlyValidCharactersPass) {
  EXPECT_EQ(detail::clean_text("pl\u00E4in \u2264 \U0001F600"), "pl\u00E4in \u2264 \U0001F600");
  EXPECT_EQ(detail::clean_text("a\x01z\x7f"), "a z ");
  // Overlong, a surrogate, beyond the last character, cut off, no character of XML.
  for (const char* bad :
       {"\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x89", "\xEF\xBF\xBF"}) {
    const std::string clean = detail::clean_text(bad);
    EXPECT_EQ(clean.substr(0, 3), "\uFFFD") << bad;
    EXPECT_EQ(clean.find(bad), std::string::npos);
  }
}

TEST(PlotText, LongTextsAreWrappedAndEndInAnEllipsis) {
  const detail::TextRuler ruler;
  const detail::TextStyle style{11.0, false, {}};
  const std::string text = "one two three four five six seven";
  const double width = ruler.width("one two three", style) + 0.1;
  const auto lines = detail::wrapped_text(ruler, text, style, width, 2);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "one two three");
  EXPECT_EQ(lines[1].find("four five"), 0U);
  EXPECT_NE(lines[1].find("\u2026"), std::string::npos);
  for (const std::string& line : lines) EXPECT_LE(ruler.width(line, style), width);
}

}  // namespace
}  // namespace carom
