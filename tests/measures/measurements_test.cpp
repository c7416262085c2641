#include "carom/measures/measurements.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/page/run_views.h"
#include "carom/runs/scene_run.h"

namespace carom {
namespace {

const MeasuredSeries& series_of(const std::vector<MeasuredSeries>& all, const std::string& begin) {
  for (const MeasuredSeries& series : all) {
    if (series.name.starts_with(begin)) return series;
  }
  ADD_FAILURE() << "no series " << begin;
  return all.front();
}

// Two balls that fly apart along x at +-3 and a third at rest: mean square about the mean 0 is
// (9 + 9 + 0) / 3, over two dimensions.
TEST(Measurements, TemperatureIsAboutTheMeanVelocity) {
  const std::vector<Vec3> velocity = {{3.0, 0.0, 0.0}, {-3.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  EXPECT_DOUBLE_EQ(granular_temperature(velocity, 2), 3.0);
  std::vector<Vec3> moving = velocity;
  for (Vec3& v : moving) v += {100.0, -7.0, 0.0};
  EXPECT_NEAR(granular_temperature(moving, 2), 3.0, 1e-11);
  EXPECT_DOUBLE_EQ(granular_temperature(velocity, 3), 2.0);
}

TEST(Measurements, LayersAreMarkedByHeightAndFollowed) {
  std::vector<Vec3> place;
  for (int k = 0; k < 12; ++k) place.push_back({0.1 * k, (k * 5) % 12 + 0.5, 0.0});
  const LayerMarkers markers(place, 3, {0.0, 9.81, 0.0}, 2);
  for (std::size_t k = 0; k < place.size(); ++k) {
    EXPECT_EQ(markers.layer_of()[k], static_cast<Index>(place[k].y / 4.0));
  }
  std::vector<Vec3> later = place;
  for (std::size_t k = 0; k < place.size(); ++k) later[k].y += 1.0 + markers.layer_of()[k];
  later[0].x += 5.0;
  const std::vector<double> risen = markers.risen(later);
  ASSERT_EQ(risen.size(), 3U);
  for (std::size_t layer = 0; layer < 3; ++layer) {
    EXPECT_NEAR(risen[layer], 1.0 + static_cast<double>(layer), 1e-14);
  }
}

constexpr const char* kBox = R"toml(
kind = "scene"
[world]
gravity = 10.0
[time]
step = 0.01
duration = 0.4
[record]
every = 5
[[body]]
name = "left"
position = [-1.0, 20.0]
radius = 0.1
[[body]]
name = "right"
position = [-0.5, 30.0]
radius = 0.1
velocity = [1.9, 0.0]
[measure]
temperature = true
sides = { axis = "x", at = 0.0 }
layers = { count = 2, from = 0.12 }
)toml";

// Both fall by g t^2 / 2; "right" crosses x = 0 after 0.263 s.
TEST(Measurements, OfARunAreThoseOfItsFrames) {
  const Scene scene = read_scene(kBox);
  const MemoryRun run = run_in_memory(scene);
  const std::vector<double>& times = run.record->frame_times();
  const std::vector<MeasuredSeries> all = measure_run(*run.record, scene);
  ASSERT_EQ(all.size(), 4U);
  const MeasuredSeries& temperature = series_of(all, "granular");
  const MeasuredSeries& share = series_of(all, "share");
  const MeasuredSeries& low = series_of(all, "layer 1");
  const MeasuredSeries& high = series_of(all, "layer 2");
  ASSERT_EQ(times.size(), 9U);
  for (std::size_t k = 0; k < times.size(); ++k) {
    SCOPED_TRACE(times[k]);
    EXPECT_NEAR(temperature.values[k], 0.95 * 0.95 / 2.0, 1e-12);  // +-0.95 about the mean
    EXPECT_EQ(share.values[k], times[k] > 0.263 ? 0.5 : 0.0);
    // Marked at the first frame from 0.12 s on, which is that at 0.15 s.
    const double fallen = times[k] < 0.15 - 1e-9 ? 0.0 : 5.0 * (times[k] * times[k] - 0.15 * 0.15);
    EXPECT_NEAR(low.values[k], -fallen, 1e-12);
    EXPECT_NEAR(high.values[k], -fallen, 1e-12);
  }
}

TEST(Measurements, ArePlottedAndShownInThePage) {
  const MemoryRun run = run_in_memory(read_scene(kBox));
  const std::vector<const RunRecord*> records = {run.record.get()};
  std::vector<std::string> titles;
  for (const PlotPanel& panel : run_figure(records).panels) titles.push_back(panel.title);
  for (const char* title : {"granular temperature", "sides", "layers"}) {
    EXPECT_TRUE(std::find(titles.begin(), titles.end(), title) != titles.end()) << title;
  }
  const PageRun page = page_run(*run.record);
  EXPECT_FALSE(page.heights.has_value());
  std::size_t at_frames = 0;
  for (const PageSeries& series : page.series) {
    EXPECT_EQ(series.times.size(), series.values.size()) << series.name;
    if (series.times.size() == page.times.size()) ++at_frames;
  }
  EXPECT_EQ(at_frames, 4U);
}

// Spheres on a lattice whose columns are heaped up in stripes along y, on a plate that has moved.
TEST(Measurements, HeightsAreMeasuredFromAPlateThatMoves) {
  std::string text = R"toml(
kind = "scene"
[world]
dimension = 3
gravity = [0, 0, -10]
periodic = { x = 32, y = 16 }
[time]
step = 1e-6
duration = 1e-6
[[shape]]
name = "plate"
type = "half_plane"
point = [0, 0, -1]
normal = [0, 0, 1]
motion = { type = "constant", velocity = [0, 0, -3e6] }
[measure]
heights = { cell = 2.0, depth = 4.0, floor = "plate" }
)toml";
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 8; ++j) {
      const double height = 5.0 + 1.5 * std::cos(2.0 * std::numbers::pi * 2.0 * (i + 0.5) / 16.0);
      text += "[[body]]\nposition = [" + std::to_string(2 * i + 1) + ", " +
              std::to_string(2 * j + 1) + ", " + std::to_string(height) + "]\nradius = 0.4\n";
    }
  }
  const Scene scene = read_scene(text);
  const MemoryRun run = run_in_memory(scene);
  const std::vector<MeasuredSeries> all = measure_run(*run.record, scene);
  // Twice the heights of the centres; the wave is 16 long, 4 depths.
  EXPECT_NEAR(series_of(all, "height").values.back(), 3.0 / std::sqrt(2.0), 1e-5);
  EXPECT_NEAR(series_of(all, "wavelength").values.back(), 4.0, 1e-9);
  EXPECT_NEAR(series_of(all, "twofold").values.back(), 1.0, 1e-9);
  const std::vector<Vec3>& start = scene.simulation.start.position;
  const HeightField before = measured_heights(scene, start, 0.0);
  const HeightField after = measured_heights(scene, start, 1e-6);
  ASSERT_EQ(before.height.size(), 16U * 8U);
  EXPECT_NEAR(before.height[0], 2.0 * (start[0].z + 1.0), 1e-12);
  EXPECT_NEAR(after.height[0], before.height[0] + 6.0, 1e-9);
  EXPECT_EQ(
      to_string(
          classify_pattern(spectrum_of(after), pattern_limits(*scene.measure.heights)).pattern),
      "stripes");
  HeightMap map = run_height_map(*run.record);
  EXPECT_EQ(map.field.height, measured_heights(scene, run.record->frame(1)).height);
  EXPECT_NE(map.caption.find("stripes"), std::string::npos) << map.caption;
  for (const Index copies : {1U, 3U}) {
    map.copies = copies;
    const std::string svg = height_map_svg(map);
    std::size_t cells = 0;
    for (std::size_t at = svg.find("crispEdges"); at != std::string::npos;
         at = svg.find("crispEdges", at + 1)) {
      ++cells;
    }
    constexpr std::size_t kBar = 64;  // pieces of the bar of colours
    EXPECT_EQ(cells, copies * copies * 16U * 8U + kBar);
  }
  EXPECT_TRUE(height_map_png(map).starts_with("\x89PNG"));
  // A wave of height 3 cos(k x), k = 2 of 32: half of it at k, half at -k, nothing elsewhere.
  const HeightMap spectrum = run_spectrum_map(*run.record);
  ASSERT_EQ(spectrum.field.columns, 15U);
  ASSERT_EQ(spectrum.field.rows, 7U);
  EXPECT_NEAR(spectrum.field.width, 15.0 * 2.0 * std::numbers::pi / 32.0, 1e-12);
  for (Index j = 0; j < 7; ++j) {
    for (Index i = 0; i < 15; ++i) {
      const bool peak = j == 3 && (i == 5 || i == 9);
      EXPECT_NEAR(spectrum.field.height[j * 15 + i], peak ? 1.5 : 0.0, 1e-5) << i << " " << j;
    }
  }
  EXPECT_NE(spectrum.caption.find("stripes; waves of 16 m"), std::string::npos) << spectrum.caption;
  const MemoryRun without = run_in_memory(read_scene(kBox));
  EXPECT_THROW(static_cast<void>(run_height_map(*without.record)), InputError);
  const PageRun page = page_run(*run.record);
  ASSERT_TRUE(page.heights.has_value());
  EXPECT_EQ(page.heights->floor, 0U);
  EXPECT_EQ(page.heights->length[0], 32.0);
}

}  // namespace
}  // namespace carom
