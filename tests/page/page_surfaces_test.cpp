// From a run with deformable surfaces to its record, its page and the plots of its ledger.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/core/error.h"
#include "carom/geometry/sheet_generators.h"
#include "carom/page/page.h"
#include "carom/page/run_views.h"
#include "carom/recording/reader.h"
#include "carom/recording/surfaces.h"
#include "carom/runs/scene_run.h"
#include "carom/scene/scene.h"

#include "page/page_reader.h"

namespace carom::page_test {
namespace {

using nlohmann::json;

constexpr const char* kBallScene = R"toml(
kind = "scene"
title = "A cloth falls on a ball"
[world]
dimension = 3
gravity = [0, 0, -9.81]
[time]
scheme = "asynchronous"
step = 0.01
duration = 0.2
[[material]]
name = "default"
restitution = 0.5
friction = 0.3
[[body]]
name = "ball"
position = [0, 0, 0]
radius = 0.3
[record]
every = 2
)toml";

// The ball is held; behind it stand the vertices of a square cloth, a tenth of a metre above it.
Scene cloth_scene() {
  Scene scene = read_scene(kBallScene, "cloth.toml");
  Simulation& simulation = scene.simulation;
  simulation.world.led.push_back({0, {}});
  const TriangleMesh sheet = grid_sheet(1.0, 1.0, {5, 5});
  SurfaceDefinition cloth;
  cloth.name = "cloth";
  cloth.first = 1;
  cloth.rest = sheet.vertices;
  cloth.triangles = sheet.triangles;
  cloth.thickness = 0.02;
  const Surface surface = make_surface(cloth);
  const std::vector<double> masses = vertex_masses(surface, {.area = 0.3});
  BodySet& bodies = simulation.world.bodies;
  for (Index k = 0; k < surface.size(); ++k) {
    bodies.mass.push_back(masses[k]);
    bodies.radius.push_back(0.01);
    bodies.material.push_back(0);
    bodies.name.push_back("cloth " + std::to_string(k));
    simulation.start.position.push_back(surface.rest[k] + Vec3{0.0, 0.0, 0.35});
    simulation.start.velocity.push_back({});
  }
  simulation.world.surfaces.push_back(surface);
  SurfaceElasticity elasticity;
  elasticity.stretching = 50.0;
  elasticity.stretching_damping = 0.05;
  elasticity.bending = 1e-4;
  simulation.forces.elasticity.push_back(elasticity);
  return scene;
}

std::vector<std::string> names_in(const PageRun& run, const std::string& plot) {
  std::vector<std::string> names;
  for (const PageSeries& series : run.series) {
    if (series.plot == plot) names.push_back(series.name);
  }
  return names;
}

const PageSeries& series_named(const PageRun& run, const std::string& name) {
  for (const PageSeries& series : run.series) {
    if (series.name == name) return series;
  }
  throw InputError({}, "there is no series " + name);
}

class PageOfSurfaces : public testing::Test {
 protected:
  static void SetUpTestSuite() { outcome_ = new MemoryRun(run_in_memory(cloth_scene())); }
  static void TearDownTestSuite() {
    delete outcome_;
    outcome_ = nullptr;
  }
  [[nodiscard]] static const RunRecord& record() { return *outcome_->record; }

 private:
  static MemoryRun* outcome_;
};
MemoryRun* PageOfSurfaces::outcome_ = nullptr;

TEST_F(PageOfSurfaces, TheRecordHasTheScenesSurfaces) {
  const Surface given = cloth_scene().simulation.world.surfaces[0];
  const std::vector<RecordedSurface> surfaces = recorded_surfaces(record().header());
  ASSERT_EQ(surfaces.size(), 1U);
  EXPECT_EQ(surfaces[0].name, "cloth");
  EXPECT_EQ(surfaces[0].first, 1U);
  EXPECT_EQ(surfaces[0].count, 36U);
  EXPECT_EQ(surfaces[0].triangles, given.triangles);
  EXPECT_EQ(surfaces[0].edges, given.edges);
  EXPECT_EQ(surfaces[0].thickness, 0.02);
  EXPECT_TRUE(chain_of(surfaces[0]).empty());
}

TEST_F(PageOfSurfaces, AFileHoldsTheSameAsMemory) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "cloth_page.h5";
  static_cast<void>(record_scene(cloth_scene(), path));
  const RecordingReader file = open_recording(path);
  EXPECT_EQ(file.header(), record().header());
  EXPECT_EQ(file.frame(5).positions, record().frame(5).positions);
}

// The deepest layers as differences from frame to frame, and how steps are distributed [Harmon2009,
// Fig. 2].
TEST_F(PageOfSurfaces, ThePageHasDepthsAndStepSizes) {
  const PageRun run = page_run(record());
  const std::size_t bodies = run.radii.size();
  const std::size_t frames = run.times.size();
  const std::vector<std::int64_t> differences =
      differences_of(data_of(page_of(run))["runs"][0]["layers"]);
  ASSERT_EQ(differences.size(), frames * bodies);
  double deepest = 0.0;
  std::vector<std::int64_t> sums(bodies, 0);
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const RecordedFrame recorded = record().frame(frame);
    const std::vector<double> layers = body_column(record().header(), recorded, "layer");
    for (std::size_t body = 0; body < bodies; ++body) {
      sums[body] += differences[frame * bodies + body];
      ASSERT_EQ(static_cast<double>(sums[body]), layers[body]);
      deepest = std::max(deepest, layers[body]);
    }
    const std::vector<double> steps = body_column(record().header(), recorded, "shortest_step");
    const auto [shortest, longest] = std::ranges::minmax(steps);
    EXPECT_EQ(series_named(run, "shortest").values[frame], shortest);
    EXPECT_EQ(series_named(run, "longest").values[frame], longest);
    const double median = series_named(run, "median").values[frame];
    EXPECT_GE(2 * std::ranges::count_if(steps, [&](double h) { return h <= median; }),
              static_cast<std::ptrdiff_t>(bodies));
    EXPECT_GE(2 * std::ranges::count_if(steps, [&](double h) { return h >= median; }),
              static_cast<std::ptrdiff_t>(bodies));
  }
  EXPECT_GT(deepest, 0.0);
  EXPECT_EQ(names_in(run, "steps of the bodies").size(), 5U);
  EXPECT_EQ(page_run(record(), 3).layers.size(), page_run(record(), 3).times.size());
  PageRun broken = run;
  broken.layers[2].pop_back();
  EXPECT_NE(message_of(broken).find("layers[2]"), std::string::npos) << message_of(broken);
}

TEST_F(PageOfSurfaces, ThePageHasItsTrianglesAndVertices) {
  const PageRun run = page_run(record());
  EXPECT_EQ(run.surfaces_json, record().header().surfaces_json);
  const json surface = data_of(page_of(run))["runs"][0]["surfaces"][0];
  const RecordedSurface given = recorded_surfaces(record().header())[0];
  EXPECT_EQ(surface["name"], "cloth");
  EXPECT_EQ(surface["first"], 1);
  EXPECT_EQ(surface["count"], 36);
  const auto corners = numbers_of<std::uint32_t>(surface["triangles"]);
  ASSERT_EQ(corners.size(), 3 * given.triangles.size());
  EXPECT_EQ(corners[4], given.triangles[1].b);
  const auto ends = numbers_of<std::uint32_t>(surface["edges"]);
  ASSERT_EQ(ends.size(), 2 * given.edges.size());
  EXPECT_EQ(ends[3], given.edges[1][1]);
  EXPECT_EQ(surface["chain"], "");
}

TEST_F(PageOfSurfaces, TheSchemeAndItsContactStandInPlaceOfAnOperator) {
  const json data = data_of(page_of(page_run(record())))["runs"][0];
  EXPECT_EQ(data["operator"], "");
  EXPECT_EQ(data["method"], "asynchronous, harmon layers, anchored friction");
}

TEST_F(PageOfSurfaces, TheLedgerIsSummedUpStepByStep) {
  const PageRun run = page_run(record());
  EXPECT_EQ(names_in(run, "ledger"),
            (std::vector<std::string>{"contact energy", "lost to restitution", "lost to friction",
                                      "lost to damping", "work of led bodies", "work of forces"}));
  EXPECT_EQ(names_in(run, "smallest gap").size(), 1U);
  EXPECT_EQ(names_in(run, "deepest layer").size(), 1U);
  EXPECT_TRUE(names_in(run, "contacts").empty());
  const std::vector<double> steps = record().real_column("lost_to_damping");
  const PageSeries& lost = series_named(run, "lost to damping");
  double sum = 0.0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    sum += steps[k];
    EXPECT_EQ(lost.values[k], sum);
  }
  EXPECT_GT(sum, 0.0);
  // The cloth has reached the ball, and nothing passed through anything.
  const std::vector<double>& gaps = series_named(run, "smallest gap").values;
  EXPECT_TRUE(std::isnan(gaps.front()));
  EXPECT_GT(gaps.back(), 0.0);
  EXPECT_LT(gaps.back(), 0.31);
  EXPECT_GE(series_named(run, "deepest layer").values.back(), 1.0);
}

TEST_F(PageOfSurfaces, RunsOfOtherSchemesHaveNoLedger) {
  const std::vector<std::string> overrides = {"time.scheme=\"steps\""};
  const Scene scene = read_scene(kBallScene, "ball.toml", overrides);
  const PageRun run = page_run(*run_in_memory(scene).record);
  EXPECT_TRUE(names_in(run, "ledger").empty());
  EXPECT_EQ(names_in(run, "contacts").size(), 1U);
  EXPECT_EQ(run.impact_operator, "gr");
  EXPECT_EQ(run.method, "");
  EXPECT_FALSE(data_of(page_of(run))["runs"][0].contains("surfaces"));
}

TEST_F(PageOfSurfaces, DamagedSurfacesAreRefusedWithTheirPlace) {
  PageRun run = page_run(record());
  run.surfaces_json = R"([{"name": "a", "first": 36, "count": 2}])";
  try {
    static_cast<void>(page_of(run));
    ADD_FAILURE() << "was taken";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().key, "runs[0].surfaces_json[0].count");
  }
}

TEST_F(PageOfSurfaces, OnlyVerticesMayHaveNoRadius) {
  PageRun run = page_run(record());
  run.radii[3] = 0.0;
  EXPECT_NO_THROW(static_cast<void>(page_of(run)));
  run.surfaces_json.clear();
  EXPECT_THROW(static_cast<void>(page_of(run)), InputError);
}

}  // namespace
}  // namespace carom::page_test
