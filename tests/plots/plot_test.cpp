#include "carom/plots/plot.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <regex>
#include <sstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/core/types.h"
#include "carom/plots/detail/plot_marks.h"

namespace carom {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

PlotSeries series_of(const std::string& label, std::vector<double> x, std::vector<double> y) {
  PlotSeries series;
  series.label = label;
  series.x = std::move(x);
  series.y = std::move(y);
  return series;
}

template <typename Function>
PlotSeries sampled(const std::string& label, std::size_t count, Function&& value) {
  PlotSeries series;
  series.label = label;
  for (std::size_t k = 0; k < count; ++k) {
    series.x.push_back(static_cast<double>(k) / static_cast<double>(count));
    series.y.push_back(value(series.x.back()));
  }
  return series;
}

Figure figure_with(std::vector<PlotSeries> series) {
  Figure figure;
  figure.title = "Newton's cradle";
  PlotPanel panel;
  panel.title = "Energy";
  panel.x_label = "time (s)";
  panel.y_label = "energy (J)";
  panel.series = std::move(series);
  figure.panels.push_back(std::move(panel));
  return figure;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The texts of an SVG file that stand in <text> elements.
std::vector<std::string> texts_of(const std::string& svg) {
  static const std::regex pattern("<text [^>]*>([^<]*)</text>");
  std::vector<std::string> texts;
  for (std::sregex_iterator found(svg.begin(), svg.end(), pattern), end; found != end; ++found) {
    texts.push_back((*found)[1]);
  }
  return texts;
}

bool shows(const std::string& svg, const std::string& text) {
  const std::vector<std::string> texts = texts_of(svg);
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// The polylines of the one series of a figure, which are those of the first colour with a clip.
std::vector<std::vector<detail::PlotPoint>> lines_of(const std::string& svg, double width) {
  std::ostringstream start;
  start << "<path fill=\"none\" stroke=\"#0072b2\" stroke-width=\"" << width << "\"";
  std::vector<std::vector<detail::PlotPoint>> lines;
  for (std::size_t at = svg.find(start.str()); at != std::string::npos;
       at = svg.find(start.str(), at + 1)) {
    const std::size_t begin = svg.find(" d=\"", at) + 4;
    if (!contains(svg.substr(at, begin - at), "clip-path")) continue;
    std::string path = svg.substr(begin, svg.find('"', begin) - begin);
    std::istringstream stream(path);
    for (std::string line; std::getline(stream, line);) {
      std::replace_if(
          line.begin(), line.end(), [](char c) { return c == 'L' || c == 'h'; }, ' ');
      std::istringstream numbers(line.substr(1));
      lines.emplace_back();
      for (detail::PlotPoint point; numbers >> point.x >> point.y;) lines.back().push_back(point);
    }
  }
  return lines;
}

constexpr double kCurve = 1.6;
constexpr double kDots = 4.0;

// One call for all: Python takes its time to start.
void expect_well_formed(const std::vector<std::string>& svgs) {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() /
      ("carom_plot_test_well_formed_" + std::to_string(::getpid()));
  std::filesystem::create_directory(directory);
  std::string command =
      "python3 -c 'import sys, xml.dom.minidom as m\n"
      "for file in sys.argv[1:]: m.parse(file)'";
  for (std::size_t k = 0; k < svgs.size(); ++k) {
    const std::filesystem::path file = directory / (std::to_string(k) + ".svg");
    std::ofstream(file, std::ios::binary) << svgs[k];
    command += " '" + file.string() + "'";
  }
  EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
  std::filesystem::remove_all(directory);
}

// A whole number of four bytes, highest first, as PNG has them.
std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    value = value * 256U + static_cast<unsigned char>(bytes.at(at + k));
  }
  return value;
}

std::string message_of(const Figure& figure) {
  try {
    static_cast<void>(figure_svg(figure));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Plot, SameFigureGivesSameBytes) {
  const auto make = [] {
    Random random(5);
    return figure_with({sampled("a", 5000, [&](double) { return random.uniform(0.0, 1.0); }),
                        sampled("b", 50, [](double t) { return t * t; })});
  };
  EXPECT_EQ(figure_svg(make()), figure_svg(make()));
  EXPECT_EQ(figure_png(make()), figure_png(make()));
  Figure other = make();
  other.panels[0].series[1].y[20] += 0.1;
  EXPECT_NE(figure_svg(make()), figure_svg(other));
  EXPECT_NE(figure_png(make()), figure_png(other));
}

TEST(Plot, PngHasTheSizeOfTheSvgTimesItsScale) {
  const Figure figure = figure_with({sampled("a", 50, [](double t) { return t; })});
  const std::string svg = figure_svg(figure);
  const std::regex pattern(R"re(<svg [^>]*width="(\d+)" height="(\d+)")re");
  std::smatch size;
  ASSERT_TRUE(std::regex_search(svg, size, pattern));
  EXPECT_EQ(size[1], "900");
  for (const double scale : {1.0, 2.0, 3.0}) {
    const std::string png = figure_png(figure, scale);
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(png.substr(12, 4), "IHDR");
    EXPECT_EQ(number_at(png, 16), scale * std::stod(size[1]));
    EXPECT_EQ(number_at(png, 20), scale * std::stod(size[2]));
    EXPECT_EQ(png.substr(png.size() - 8, 4), "IEND");
  }
}

TEST(Plot, SvgIsWellFormedAndShowsItsTexts) {
  Figure figure = figure_with({sampled("kinetic & <potential>", 50, [](double t) { return t; })});
  figure.subtitle = "quoted \"text\", a bad byte \xff and a\nnew line";
  figure.panels[0].markers = {{0.5, "impact"}, {7.0, "far away"}};
  const std::string svg = figure_svg(figure);
  expect_well_formed({svg});
  for (const char* text :
       {"Newton's cradle", "Energy", "time (s)", "energy (J)", "kinetic &amp; &lt;potential&gt;",
        "impact", "0.4", "quoted &quot;text&quot;, a bad byte \uFFFD and a new line"}) {
    EXPECT_TRUE(shows(svg, text)) << text;
  }
  EXPECT_FALSE(contains(svg, "far away"));
}

TEST(Plot, AMillionPointsStaySmallAndKeepTheirExtremes) {
  for (const SeriesStyle style : {SeriesStyle::line, SeriesStyle::steps, SeriesStyle::points}) {
    Random random(11);
    PlotSeries series = sampled("a", 1000000, [&](double) { return random.uniform(-1.0, 1.0); });
    series.y[314159] = 10.0;
    series.y[777777] = -10.0;
    series.style = style;
    Figure figure = figure_with({series});
    figure.panels[0].y_range = PlotRange{-10.0, 10.0};
    const std::string svg = figure_svg(figure);
    EXPECT_LT(svg.size(), 1000000U);
    double lowest = -kInfinity;
    double highest = kInfinity;
    double x_of_highest = 0.0;
    double left = kInfinity;
    double right = 0.0;
    for (const auto& line : lines_of(svg, style == SeriesStyle::points ? kDots : kCurve)) {
      for (const detail::PlotPoint& point : line) {
        if (point.y < highest) x_of_highest = point.x;
        highest = std::min(highest, point.y);
        lowest = std::max(lowest, point.y);
        left = std::min(left, point.x);
        right = std::max(right, point.x);
      }
    }
    EXPECT_NEAR(lowest - highest, figure.panel_height, 0.02);
    EXPECT_NEAR((x_of_highest - left) / (right - left), 0.314159, 1e-4);
  }
}

TEST(Plot, ACurveThatRunsToAndFroIsThinnedToo) {
  Random random(11);
  PlotSeries series = sampled("a", 300000, [&](double) { return random.uniform(-1.0, 1.0); });
  for (double& x : series.x) x = random.uniform(0.0, 1.0);
  EXPECT_LT(figure_svg(figure_with({series})).size(), 1000000U);
}

TEST(Plot, AGapInEveryThirdPointIsThinnedToo) {
  PlotSeries series = sampled("a", 1000000, [](double t) { return t; });
  for (std::size_t k = 0; k < series.y.size(); k += 3) series.y[k] = kNan;
  EXPECT_LT(figure_svg(figure_with({series})).size(), 1000000U);
}

TEST(Plot, RoundOffIsDrawnAsAFlatLineWithANote) {
  Random random(3);
  const PlotSeries noise =
      sampled("total", 1000, [&](double) { return 12.5 + random.uniform(-1.0, 1.0) * 1.8e-14; });
  const std::string svg = figure_svg(figure_with({noise}));
  EXPECT_TRUE(shows(svg, "constant to 3e-15"));
  EXPECT_TRUE(shows(svg, "12.4")) << "the axis spans a sensible range around the value";
  EXPECT_FALSE(contains(svg, "\u00D7")) << "and needs no power of ten";
  const auto lines = lines_of(svg, kCurve);
  ASSERT_EQ(lines.size(), 1U);
  for (const detail::PlotPoint& point : lines[0]) EXPECT_EQ(point.y, lines[0][0].y);
}

TEST(Plot, VariationAboveTheBoundIsACurve) {
  for (const double variation : {0.9e-9, 1.1e-9}) {
    const PlotSeries series = sampled(
        "total", 1000, [&](double t) { return 7.0 * (1.0 + variation * t * 1000.0 / 999.0); });
    const std::string svg = figure_svg(figure_with({series}));
    EXPECT_EQ(contains(svg, "constant to"), variation < 1e-9);
    // The first line has points on every height, or on one.
    std::vector<double> heights;
    for (const auto& line : lines_of(svg, kCurve)) {
      for (const detail::PlotPoint& point : line) heights.push_back(point.y);
    }
    const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
    EXPECT_EQ(*high - *low > 100.0, variation > 1e-9);
  }
}

TEST(Plot, RoundOffIsFlatEvenOnANarrowAxis) {
  Figure figure = figure_with({sampled("a", 100, [](double t) { return 1.0 + 5e-10 * t; })});
  figure.panels[0].y_range = PlotRange{1.0 - 2e-9, 1.0 + 2e-9};
  const std::string svg = figure_svg(figure);
  EXPECT_TRUE(shows(svg, "constant to 5e-10"));
  for (const auto& line : lines_of(svg, kCurve)) {
    for (const detail::PlotPoint& point : line) EXPECT_EQ(point.y, line[0].y);
  }
}

TEST(Plot, NoiseAroundZeroIsMeasuredAgainstTheScale) {
  Random random(3);
  PlotSeries noise = sampled("p", 100, [&](double) { return random.uniform(-1.0, 1.0) * 1e-16; });
  EXPECT_FALSE(contains(figure_svg(figure_with({noise})), "constant"));
  noise.scale = 2.0;
  EXPECT_TRUE(shows(figure_svg(figure_with({noise})), "constant to 1e-16"));
}

TEST(Plot, ConstantAndSingleValuesHaveARangeAroundThem) {
  std::vector<std::string> svgs;
  for (const double value : {0.0, 1.0, -3.0, 1e-200, 1e200}) {
    for (const std::size_t count : {1U, 2U, 100U}) {
      const std::string svg =
          figure_svg(figure_with({sampled("a", count, [&](double) { return value; })}));
      svgs.push_back(svg);
      EXPECT_EQ(shows(svg, "constant"), count > 1) << value;
      EXPECT_EQ(lines_of(svg, kDots).size(), count == 1 ? 1U : 0U) << value;
    }
  }
  expect_well_formed(svgs);
}

TEST(Plot, NonFiniteValuesLeaveGapsAndLonePointsAreDots) {
  const PlotSeries series = series_of("a", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
                                      {0, 1, kNan, 3, kInfinity, 5, 6, -kInfinity, 1.1e300, 9});
  const std::string svg = figure_svg(figure_with({series}));
  EXPECT_EQ(lines_of(svg, kCurve).size(), 2U);
  EXPECT_EQ(lines_of(svg, kDots).size(), 2U);
  EXPECT_FALSE(contains(svg, "nan"));
  EXPECT_FALSE(contains(svg, "inf"));
}

TEST(Plot, EmptySeriesPanelsAndFiguresSaySo) {
  EXPECT_TRUE(shows(figure_svg(figure_with({})), "no data"));
  EXPECT_TRUE(shows(figure_svg(figure_with({series_of("nothing", {}, {})})), "no data"));
  EXPECT_TRUE(shows(figure_svg(figure_with({series_of("gap", {1.0}, {kNan})})), "no data"));
  expect_well_formed({figure_svg(Figure{})});
  EXPECT_FALSE(figure_png(Figure{}).empty());
}

TEST(Plot, LogarithmicAxesLeaveOutWhatIsNotPositive) {
  Figure figure = figure_with({series_of("a", {-1, 0, 1, 10, 100, 1000}, {1, 1, 1, 0, 100, 1000})});
  figure.panels[0].log_x = true;
  figure.panels[0].log_y = true;
  const std::string svg = figure_svg(figure);
  EXPECT_TRUE(shows(svg, "3 points \u2264 0 left out"));
  EXPECT_EQ(lines_of(svg, kDots).size(), 1U) << "the point (1, 1)";
  const auto lines = lines_of(svg, kCurve);
  ASSERT_EQ(lines.size(), 1U);
  ASSERT_EQ(lines[0].size(), 2U);
  // Equal ratios are equal lengths.
  const detail::PlotPoint dot = lines_of(svg, kDots)[0][0];
  EXPECT_NEAR(lines[0][0].x - dot.x, 2.0 * (lines[0][1].x - lines[0][0].x), 0.03);
  EXPECT_NEAR(lines[0][0].y - dot.y, 2.0 * (lines[0][1].y - lines[0][0].y), 0.03);
}

TEST(Plot, NeighboursWithTheSameXShareTheirAxis) {
  Figure figure = figure_with({sampled("a", 50, [](double t) { return t; })});
  figure.panels.push_back(figure.panels[0]);
  figure.panels[1].series[0].x.back() = 40.0;
  const auto count = [](const std::string& svg, const std::string& text) {
    const std::vector<std::string> texts = texts_of(svg);
    return std::count(texts.begin(), texts.end(), text);
  };
  EXPECT_EQ(count(figure_svg(figure), "time (s)"), 1);
  EXPECT_EQ(count(figure_svg(figure), "40"), 1) << "the wider range is that of both";
  figure.panels[1].x_label = "steps";
  EXPECT_EQ(count(figure_svg(figure), "time (s)"), 1);
  EXPECT_EQ(count(figure_svg(figure), "steps"), 1);
  EXPECT_EQ(count(figure_svg(figure), "0.4"), 3) << "both y axes and the upper x axis";
}

TEST(Plot, EqualLabelsHaveEqualColours) {
  Figure figure = figure_with({sampled("gr", 50, [](double t) { return t; }),
                               sampled("lcp", 50, [](double t) { return 2.0 * t; })});
  figure.panels.push_back(figure.panels[0]);
  std::swap(figure.panels[1].series[0], figure.panels[1].series[1]);
  const std::string svg = figure_svg(figure);
  const std::regex pattern(R"re(stroke="(#\w+)"[^>]*clip-path)re");
  std::vector<std::string> colours;
  for (std::sregex_iterator found(svg.begin(), svg.end(), pattern), end; found != end; ++found) {
    colours.push_back((*found)[1]);
  }
  EXPECT_EQ(colours, (std::vector<std::string>{"#0072b2", "#d55e00", "#d55e00", "#0072b2"}));
}

TEST(Plot, SaysWhatIsWrongWithAFigure) {
  const Figure good = figure_with({sampled("a", 5, [](double t) { return t; })});
  EXPECT_EQ(message_of(good), "no error");
  const auto expect_part = [&](const std::string& part, auto&& change) {
    Figure figure = good;
    change(figure);
    EXPECT_TRUE(contains(message_of(figure), part)) << message_of(figure);
  };
  expect_part("panels[0].series[0].y", [](Figure& f) { f.panels[0].series[0].y.pop_back(); });
  expect_part("panels[0].series[0].scale", [](Figure& f) { f.panels[0].series[0].scale = kNan; });
  expect_part("panels[0].y_range", [](Figure& f) { f.panels[0].y_range = PlotRange{1.0, 1.0}; });
  expect_part("panels[0].x_range", [](Figure& f) {
    f.panels[0].x_range = PlotRange{0.0, 1.0};
    f.panels[0].log_x = true;
  });
  expect_part("width", [](Figure& f) { f.width = 10.0; });
  expect_part("panel_height", [](Figure& f) { f.panel_height = kNan; });
  EXPECT_THROW(static_cast<void>(figure_png(good, 0.0)), InputError);
  EXPECT_THROW(static_cast<void>(figure_png(good, 1000.0)), InputError);
}

TEST(Plot, WritesOneFileOrBoth) {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("carom_plot_test_" + std::to_string(::getpid()));
  std::filesystem::create_directory(directory);
  const Figure figure = figure_with({sampled("a", 5, [](double t) { return t; })});
  const auto bytes_of = [](const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const auto both = write_figure(figure, directory / "e-0.5");
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0], directory / "e-0.5.svg");
  EXPECT_EQ(both[1], directory / "e-0.5.png");
  EXPECT_EQ(bytes_of(both[0]), figure_svg(figure));
  EXPECT_EQ(bytes_of(both[1]), figure_png(figure));
  const auto one = write_figure(figure, directory / "one.png");
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(bytes_of(directory / "one.png"), figure_png(figure));
  EXPECT_FALSE(std::filesystem::exists(directory / "one.svg"));
  EXPECT_THROW(write_figure(figure, directory / "one.pdf"), InputError);
  try {
    write_figure(figure, directory / "missing" / "one.svg");
    ADD_FAILURE() << "the directory does not exist";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().file, (directory / "missing" / "one.svg").string());
  }
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace carom
