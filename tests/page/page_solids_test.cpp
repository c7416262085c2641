#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/core/random.h"
#include "carom/geometry/rotation.h"
#include "carom/page/page.h"
#include "carom/page/run_views.h"
#include "carom/recording/recording.h"
#include "carom/runs/scene_run.h"
#include "carom/scene/scene.h"

#include "page/page_reader.h"

namespace carom::page_test {
namespace {

using nlohmann::json;

// A tetrahedron, a ball that turns and one that does not; signs of quaternions change at random.
PageRun turning_run(int dimension, std::size_t frames) {
  PageRun run = random_run(3, frames, dimension, 23);
  run.solids_json = R"([{"type": "sphere", "radius": 0.1}, {"type": "hull", "surface": {
    "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.5]],
    "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}}])";
  run.solids = {1, 0, kNoSolid};
  Random random(29);
  for (std::size_t frame = 0; frame < frames; ++frame) {
    std::vector<double>& turns = run.orientations.emplace_back();
    for (std::size_t body = 0; body < 3; ++body) {
      const Vec3 axis =
          dimension == 3 ? Vec3{1.0, random.uniform(-1.0, 1.0), 0.3} : Vec3{0.0, 0.0, 1.0};
      const Quaternion q = rotation_about(axis, random.uniform(-9.0, 9.0));
      const double sign = random.below(2) == 0 ? 1.0 : -1.0;
      turns.insert(turns.end(), {sign * q.w, sign * q.x, sign * q.y, sign * q.z});
    }
  }
  return run;
}

TEST(PageOfSolids, ShowsEveryOrientationWithinTheStatedError) {
  for (const int dimension : {2, 3}) {
    const PageRun run = turning_run(dimension, 300);
    const PageResult page = page_of(run);
    const json data = data_of(page)["runs"][0];
    EXPECT_EQ(data_of(page)["orientationError"], page.orientation_error);
    const std::size_t components = dimension == 3 ? 4 : 2;
    const std::vector<std::vector<std::int32_t>> stored =
        whole_numbers_of(data["orientations"], 3 * components);
    ASSERT_EQ(stored.size(), 300U);
    double worst = 0.0;
    for (std::size_t frame = 0; frame < 300; ++frame) {
      for (std::size_t body = 0; body < 3; ++body) {
        const std::int32_t* k = &stored[frame][components * body];
        const double* given = &run.orientations[frame][4 * body];
        Quaternion shown = {static_cast<double>(k[0]), 0.0, 0.0, static_cast<double>(k[1])};
        if (dimension == 3) {
          shown = {static_cast<double>(k[0]), static_cast<double>(k[1]), static_cast<double>(k[2]),
                   static_cast<double>(k[3])};
        }
        const Quaternion between =
            conjugate(normalized(shown)) * Quaternion{given[0], given[1], given[2], given[3]};
        worst = std::max(worst, 2.0 * std::asin(std::hypot(between.x, between.y, between.z)));
        if (frame == 0) continue;
        std::int64_t nearness = 0;
        for (std::size_t c = 0; c < components; ++c) {
          nearness += std::int64_t{k[c]} * stored[frame - 1][components * body + c];
        }
        EXPECT_GE(nearness, -100000) << "the nearer sign, to a quantum";
      }
    }
    EXPECT_LE(worst, page.orientation_error);
    EXPECT_GE(worst, 0.5 * page.orientation_error) << "the bound is not a loose one";
    EXPECT_LT(page.orientation_error, 1e-4);
  }
}

TEST(PageOfSolids, HoldsTheSurfacesOfSolidsAndObstacles) {
  PageRun run = turning_run(3, 2);
  run.shapes_json = R"([{"type": "half_plane", "point": [0, 0, 0], "normal": [0, 1, 0]},
    {"type": "solid", "name": "stone", "position": [1, 2, 3], "orientation": [1, 0, 0, 0],
     "surface": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0.5]], "triangles": [[0, 1, 2]]}}])";
  const json data = data_of(page_of(run))["runs"][0];
  EXPECT_EQ(numbers_of<std::uint32_t>(data["solidOf"]), run.solids);
  ASSERT_EQ(data["solids"].size(), 2U);
  EXPECT_EQ(data["solids"][0], (json{{"type", "sphere"}, {"radius", 0.1}}));
  const json surface = data["solids"][1]["surface"];
  EXPECT_EQ(numbers_of<float>(surface["vertices"]),
            (std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1.5F}));
  EXPECT_EQ(numbers_of<std::uint32_t>(surface["triangles"]),
            (std::vector<std::uint32_t>{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}));
  const json stone = data["shapes"][1];
  EXPECT_EQ(stone["position"], (json{1, 2, 3}));
  EXPECT_EQ(numbers_of<float>(stone["surface"]["vertices"]),
            (std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0.5F}));
}

TEST(PageOfSolids, SaysWhichPartOfASolidDoesNotFit) {
  const auto expect_part = [](const std::string& part, auto&& change) {
    PageRun run = turning_run(3, 3);
    change(run);
    EXPECT_NE(message_of(run).find(part), std::string::npos) << part << ": " << message_of(run);
  };
  expect_part("no error", [](PageRun&) {});
  expect_part("runs[0].solids:", [](PageRun& run) { run.solids.pop_back(); });
  expect_part("runs[0].solids[1]: there is no solid 2", [](PageRun& run) { run.solids[1] = 2; });
  expect_part("runs[0].orientations:", [](PageRun& run) { run.orientations.pop_back(); });
  expect_part("runs[0].orientations[1]:", [](PageRun& run) { run.orientations[1].pop_back(); });
  expect_part("runs[0].orientations[2][4]: expected a quaternion of length 1", [](PageRun& run) {
    for (std::size_t k = 4; k < 8; ++k) run.orientations[2][k] = 0.0;
  });
  expect_part("runs[0].solids_json: expected a JSON array",
              [](PageRun& run) { run.solids_json = "{"; });
  expect_part("runs[0].solids_json[0].surface", [](PageRun& run) {
    run.solids_json = R"([{"type": "box"}, {"type": "sphere", "radius": 1}])";
  });
  expect_part("runs[0].solids_json[0].surface.triangles[0]", [](PageRun& run) {
    run.solids_json = R"([{"type": "box", "surface": {"vertices": [[0, 0, 0]],
                           "triangles": [[0, 0, 1]]}}])";
  });
  expect_part("runs[0].solids_json[0].radius",
              [](PageRun& run) { run.solids_json = R"([{"type": "sphere", "radius": -1}])"; });
  expect_part("runs[0].shapes_json[0].orientation", [](PageRun& run) {
    run.shapes_json = R"([{"type": "solid", "position": [0, 0, 0], "surface":
      {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]}}])";
  });
}

constexpr const char* kBoxesScene = R"toml(
kind = "scene"
[world]
dimension = 3
gravity = [0, 0, -9.81]
[time]
step = 0.01
duration = 0.5
[[material]]
name = "default"
restitution = 0.5
friction = 0.3
[[solid]]
name = "brick"
type = "box"
size = [1, 0.6, 0.4]
[[shape]]
name = "floor"
type = "half_plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[[shape]]
name = "step"
type = "solid"
solid = "brick"
position = [0, 0, 0.3]
[[grid]]
name = "bricks"
solid = "brick"
counts = [2, 1, 1]
spacing = 1.2
center = [0, 0, 1.2]
random_orientation = true
density = 1
[record]
every = 1
impulses = true
)toml";

TEST(PageOfSolids, ARecordedRunKeepsItsPosesFormsAndContacts) {
  const MemoryRun outcome = run_in_memory(read_scene(kBoxesScene, "boxes.toml"));
  const RunRecord& record = *outcome.record;
  const PageRun run = page_run(record);
  ASSERT_EQ(run.orientations.size(), record.frame_times().size());
  ASSERT_GT(run.orientations.size(), 40U);
  for (std::size_t frame = 0; frame < run.orientations.size(); ++frame) {
    EXPECT_EQ(run.orientations[frame], record.frame(frame).orientations);
  }
  EXPECT_EQ(run.solids, record.header().solids);
  const std::vector<ContactEvent> events = record.events();
  ASSERT_FALSE(events.empty());
  ASSERT_EQ(run.arrows.size(), events.size());
  for (std::size_t k = 0; k < events.size(); ++k) {
    EXPECT_EQ(run.arrows[k].normal, events[k].normal);
    EXPECT_EQ(run.arrows[k].point, events[k].point);
  }
  const json data = data_of(page_of(run))["runs"][0];
  EXPECT_EQ(numbers_of<float>(data["solids"][0]["surface"]["vertices"]).size(), 24U);
  EXPECT_EQ(data["shapes"][1]["type"], "solid");
}

}  // namespace
}  // namespace carom::page_test
