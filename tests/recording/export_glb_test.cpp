// The glTF export, read back by a few lines that know the format. The tests of the viewer hand such
// files to the format's own validator and to three.js.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "carom/core/error.h"
#include "carom/geometry/rotation.h"
#include "carom/recording/export.h"
#include "carom/recording/solids.h"

#include "recording/sample_run.h"
#include "support/scratch.h"

namespace carom::test {
namespace {

using nlohmann::json;

struct Glb {
  json document;
  std::string binary;
};

std::uint32_t number_at(const std::string& bytes, std::size_t place) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + place, sizeof number);
  return number;
}

Glb read_glb(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(number_at(bytes, 4), 2U);
  EXPECT_EQ(number_at(bytes, 8), bytes.size());
  const std::uint32_t text = number_at(bytes, 12);
  EXPECT_EQ(bytes.substr(16, 4), "JSON");
  EXPECT_EQ(text % 4, 0U);
  EXPECT_EQ(bytes.substr(24 + text, 4), std::string("BIN\0", 4));
  EXPECT_EQ(number_at(bytes, 20 + text), bytes.size() - 28 - text);
  return {json::parse(bytes.substr(20, text)), bytes.substr(28 + text)};
}

std::vector<float> floats_of(const Glb& glb, const json& accessor_number) {
  const json& accessor = glb.document["accessors"][accessor_number.get<std::size_t>()];
  const json& view = glb.document["bufferViews"][accessor["bufferView"].get<std::size_t>()];
  std::vector<float> numbers(view["byteLength"].get<std::size_t>() / sizeof(float));
  std::memcpy(numbers.data(), glb.binary.data() + view["byteOffset"].get<std::size_t>(),
              view["byteLength"].get<std::size_t>());
  return numbers;
}

// The sampler that moves a node along a path, or null.
json sampler_of(const Glb& glb, std::size_t node, const std::string& path) {
  if (!glb.document.contains("animations")) return nullptr;
  const json& animation = glb.document["animations"][0];
  for (const json& channel : animation["channels"]) {
    if (channel["target"] == json{{"node", node}, {"path", path}}) {
      return animation["samplers"][channel["sampler"].get<std::size_t>()];
    }
  }
  return nullptr;
}

class GlbExport : public testing::Test {
 protected:
  Glb exported(const std::string& name) {
    options.directory = scratch.path();
    options.prefix = "out";
    const RecordingReader recording = open_recording(scratch / name);
    return read_glb(read_all(export_glb(recording, options).front()));
  }

  const ScratchDirectory scratch;
  ExportOptions options;
};

TEST_F(GlbExport, HoldsThePosesOfEveryNthFrame) {
  const SampleRun run{.turns = true};
  record_sample(run, scratch / "run.h5", 20);
  options.every = 4;
  const Glb glb = exported("run.h5");
  ASSERT_EQ(glb.document["nodes"].size(), 1 + run.bodies + 2) << "the root, the floor, the stone";
  for (std::size_t body = 0; body < run.bodies; ++body) {
    EXPECT_EQ(glb.document["nodes"][1 + body]["name"], sample_header(run).body_names[body]);
    const json moves = sampler_of(glb, 1 + body, "translation");
    ASSERT_TRUE(moves.is_object());
    const std::vector<float> times = floats_of(glb, moves["input"]);
    const std::vector<float> places = floats_of(glb, moves["output"]);
    ASSERT_EQ(times.size(), 6U);
    ASSERT_EQ(places.size(), 18U);
    const json turns = sampler_of(glb, 1 + body, "rotation");
    EXPECT_EQ(turns.is_object(), body > 0) << "body 0 does not turn";
    for (std::size_t k = 0; k < 6; ++k) {
      const RecordedFrame frame = sample_frame(run, 4 * k);
      EXPECT_EQ(times[k], static_cast<float>(frame.time));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(places[3 * k + axis], static_cast<float>(frame.positions[3 * body + axis]));
      }
      if (body == 0) continue;
      const std::vector<float> rotations = floats_of(glb, turns["output"]);
      for (std::size_t c = 0; c < 4; ++c) {  // x, y, z, w against w, x, y, z
        EXPECT_FLOAT_EQ(rotations[4 * k + c],
                        static_cast<float>(frame.orientations[4 * body + (c + 1) % 4]));
      }
    }
  }
}

TEST_F(GlbExport, BallsThatDoNotTurnShareAMeshPerMaterial) {
  const SampleRun run;
  record_sample(run, scratch / "run.h5", 3);
  const Glb glb = exported("run.h5");
  EXPECT_EQ(glb.document["meshes"].size(), 2U);
  for (std::size_t body = 0; body < run.bodies; ++body) {
    const json& node = glb.document["nodes"][1 + body];
    EXPECT_EQ(node["mesh"], body % 2);
    EXPECT_EQ(node["scale"][1], sample_header(run).radii[body]);
  }
  const json& part = glb.document["meshes"][0]["primitives"][0];
  const std::vector<float> points = floats_of(glb, part["attributes"]["POSITION"]);
  for (std::size_t k = 0; k < points.size(); k += 3) {
    EXPECT_NEAR(std::hypot(points[k], points[k + 1], points[k + 2]), 1.0, 1e-6);
  }
}

TEST_F(GlbExport, TurnsWhatIsUpToY) {
  record_sample({}, scratch / "run.h5", 1);
  const std::vector<std::array<double, 3>> ups = {
      {0.0, 0.0, 9.81}, {0.0, -2.0, 0.0}, {1.0, 2.0, -3.0}, {0.0, 1.0, 0.0}};
  for (const std::array<double, 3>& up : ups) {
    options.up = up;
    const json q = exported("run.h5").document["nodes"][0]["rotation"];
    const Mat3 turn = matrix_of(Quaternion{q[3], q[0], q[1], q[2]});
    const double length = std::hypot(up[0], up[1], up[2]);
    const Vec3 shown = turn * Vec3{up[0] / length, up[1] / length, up[2] / length};
    EXPECT_NEAR(shown.y, 1.0, 1e-15) << up[0] << " " << up[1] << " " << up[2];
  }
  options.up = {};
  EXPECT_EQ(exported("run.h5").document["nodes"][0]["rotation"], (json{0.0, 0.0, 0.0, 1.0}));
}

RecordingHeader header_of_a_ball(const std::string& shapes) {
  RecordingHeader header;
  header.body_names = {"ball"};
  header.masses = {1.0};
  header.radii = {0.5};
  header.materials = {0};
  header.shapes_json = shapes;
  return header;
}

// A recording of one ball with these times; it moves.
void record_times(const std::filesystem::path& path, const std::vector<double>& times,
                  const std::string& shapes) {
  RecordingWriter writer = RecordingWriter::create(path, header_of_a_ball(shapes));
  for (std::size_t k = 0; k < times.size(); ++k) {
    const std::vector<double> q = {static_cast<double>(k), 0.0, 0.0};
    writer.append_frame({k, times[k], q, q});
  }
  writer.finish({});
}

TEST_F(GlbExport, TimesStartAtZeroAndGrow) {
  record_times(scratch / "run.h5", {1e6, 1e6 + 1e-3, 1e6 + 1.0, 1e6 + 1.0 + 1e-9}, "[]");
  const Glb glb = exported("run.h5");
  const json moves = sampler_of(glb, 1, "translation");
  EXPECT_EQ(floats_of(glb, moves["input"]), (std::vector<float>{0.0F, 1e-3F, 1.0F}));
  EXPECT_EQ(floats_of(glb, moves["output"]).size(), 9U);
}

TEST_F(GlbExport, ObstaclesFollowTheirMotion) {
  record_times(scratch / "run.h5", {0.0, 1.0}, R"([{"type": "solid", "name": "lift",
    "position": [1, 2, 3], "orientation": [1, 0, 0, 0],
    "surface": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]},
    "motion": {"times": [0, 0.5, 1], "offsets": [[0, 0, 0], [0, 0, 1], [0, 4, 0]]}}])");
  const Glb glb = exported("run.h5");
  const json moves = sampler_of(glb, 2, "translation");
  EXPECT_EQ(floats_of(glb, moves["input"]), (std::vector<float>{0.0F, 0.5F, 1.0F}));
  EXPECT_EQ(floats_of(glb, moves["output"]),
            (std::vector<float>{1.0F, 2.0F, 3.0F, 1.0F, 2.0F, 4.0F, 1.0F, 6.0F, 3.0F}));
  EXPECT_EQ(glb.document["nodes"][2]["name"], "lift");
}

// A mesh of the file, its vertices and twice the area of each triangle along its normal.
struct Surface {
  std::vector<Vec3> vertices;
  std::vector<Vec3> middles;
  std::vector<Vec3> areas;
};

Surface surface_of(const Glb& glb, std::size_t node) {
  const json& at = glb.document["nodes"][node];
  const Vec3 place = {at["translation"][0], at["translation"][1], at["translation"][2]};
  const json& q = at["rotation"];
  const Mat3 turn = matrix_of(Quaternion{q[3], q[0], q[1], q[2]});
  const json& part = glb.document["meshes"][at["mesh"].get<std::size_t>()]["primitives"][0];
  const std::vector<float> numbers = floats_of(glb, part["attributes"]["POSITION"]);
  Surface surface;
  for (std::size_t k = 0; k < numbers.size(); k += 3) {
    surface.vertices.push_back(place + turn * Vec3{numbers[k], numbers[k + 1], numbers[k + 2]});
  }
  const json& accessor = glb.document["accessors"][part["indices"].get<std::size_t>()];
  const json& view = glb.document["bufferViews"][accessor["bufferView"].get<std::size_t>()];
  for (std::size_t k = 0; k < accessor["count"].get<std::size_t>(); k += 3) {
    const auto corner = [&](std::size_t c) {
      const std::size_t at_byte = view["byteOffset"].get<std::size_t>() + 4 * (k + c);
      return surface.vertices[number_at(glb.binary, at_byte)];
    };
    surface.middles.push_back((1.0 / 3.0) * (corner(0) + corner(1) + corner(2)));
    surface.areas.push_back(cross(corner(1) - corner(0), corner(2) - corner(0)));
  }
  return surface;
}

bool is_seen_from_behind(const Glb& glb, std::size_t node) {
  const std::size_t mesh = glb.document["nodes"][node]["mesh"];
  const std::size_t material = glb.document["meshes"][mesh]["primitives"][0]["material"];
  return glb.document["materials"][material]["doubleSided"];
}

TEST_F(GlbExport, HalfPlanesAreSquaresBelowAllBodies) {
  // The ball flies from x = 0 to 3, with radius 0.5.
  record_times(
      scratch / "run.h5", {0.0, 1.0, 2.0, 3.0},
      R"([{"type": "half_plane", "name": "floor", "point": [7, -1, 2], "normal": [0, 1, 0]},
                   {"type": "half_plane", "point": [0, -1, 0], "normal": [1, 2, 3]},
                   {"type": "marvel"}])");
  const Glb glb = exported("run.h5");
  ASSERT_EQ(glb.document["nodes"].size(), 4U) << "root, ball, two planes";
  EXPECT_EQ(glb.document["nodes"][2]["name"], "floor");
  const Surface floor = surface_of(glb, 2);
  Vec3 lower = floor.vertices.front();
  Vec3 upper = lower;
  for (const Vec3& v : floor.vertices) {
    EXPECT_NEAR(v.y, -1.0, 1e-6);
    lower = {std::min(lower.x, v.x), -1.0, std::min(lower.z, v.z)};
    upper = {std::max(upper.x, v.x), -1.0, std::max(upper.z, v.z)};
  }
  EXPECT_LT(lower.x, -0.5);
  EXPECT_GT(upper.x, 3.5);
  EXPECT_LT(lower.z, -0.5);
  EXPECT_GT(upper.z, 0.5);
  for (const Vec3& area : floor.areas) EXPECT_GT(area.y, 0.0) << "faces the ball";
  EXPECT_FALSE(is_seen_from_behind(glb, 2));
  const Surface tilted = surface_of(glb, 3);
  for (const Vec3& v : tilted.vertices) {
    EXPECT_NEAR(dot(v - Vec3{0, -1, 0}, {1, 2, 3}), 0.0, 1e-5);
  }
  for (const Vec3& area : tilted.areas) EXPECT_GT(dot(area, {1, 2, 3}), 0.0);
}

TEST_F(GlbExport, WallsFaceWhatTheyHoldAndObstaclesAreSeenFromAllSides) {
  record_times(scratch / "run.h5", {0.0}, R"([
    {"type": "box_inside", "lower": [-2, -3, -4], "upper": [4, 3, 2]},
    {"type": "sphere_inside", "center": [1, 0, -1], "radius": 9},
    {"type": "sphere_outside", "center": [1, 0, -1], "radius": 0.25},
    {"type": "segment", "a": [0, 2, 0], "b": [2, 0, 1]}])");
  const Glb glb = exported("run.h5");
  ASSERT_EQ(glb.document["nodes"].size(), 6U);
  const Vec3 middle = {1, 0, -1};
  const std::array<double, 3> inward = {1.0, 1.0, -1.0};
  for (std::size_t k = 0; k < 3; ++k) {
    const Surface surface = surface_of(glb, 2 + k);
    for (std::size_t t = 0; t < surface.areas.size(); ++t) {
      EXPECT_GT(inward[k] * dot(surface.areas[t], middle - surface.middles[t]), 0.0) << k;
    }
    EXPECT_EQ(is_seen_from_behind(glb, 2 + k), k == 2);
  }
  for (const Vec3& v : surface_of(glb, 2).vertices) {
    EXPECT_NEAR(std::abs(v.x - 1.0), 3.0, 1e-6);
    EXPECT_NEAR(std::abs(v.y), 3.0, 1e-6);
    EXPECT_NEAR(std::abs(v.z + 1.0), 3.0, 1e-6);
  }
  const Vec3 along = (1.0 / 3.0) * Vec3{2, -2, 1};
  for (const Vec3& v : surface_of(glb, 5).vertices) {
    EXPECT_LT(norm(cross(v - Vec3{0, 2, 0}, along)), 0.05) << "thin";
    EXPECT_GT(dot(v - Vec3{0, 2, 0}, along), -1e-6);
    EXPECT_LT(dot(v - Vec3{0, 2, 0}, along), 3.0 + 1e-6);
  }
}

TEST_F(GlbExport, WallsInThePlaneStandUpright) {
  RecordingHeader header = header_of_a_ball(R"([
    {"type": "half_plane", "point": [0, -2, 0], "normal": [0, 1, 0]},
    {"type": "box_inside", "lower": [-5, -4, 0], "upper": [5, 6, 0]},
    {"type": "sphere_inside", "center": [0, 1, 0], "radius": 8},
    {"type": "sphere_outside", "center": [0, 1, 0], "radius": 8},
    {"type": "segment", "a": [-1, 0, 0], "b": [1, 0, 0]}])");
  header.dimension = 2;
  RecordingWriter writer = RecordingWriter::create(scratch / "run.h5", header);
  writer.append_frame({0, 0.0, std::vector<double>(3, 0.0), std::vector<double>(3, 0.0)});
  writer.finish({});
  const Glb glb = exported("run.h5");
  ASSERT_EQ(glb.document["nodes"].size(), 7U);
  for (std::size_t node = 2; node < 7; ++node) {
    const Surface surface = surface_of(glb, node);
    for (const Vec3& v : surface.vertices) EXPECT_NEAR(std::abs(v.z), 0.5, 1e-6) << "as the ball";
    if (node == 6) continue;  // seen from both sides
    for (std::size_t t = 0; t < surface.areas.size(); ++t) {
      const Vec3 to_ball = Vec3{0.0, 1.0, 0.0} - surface.middles[t];
      EXPECT_NEAR(surface.areas[t].z, 0.0, 1e-5);
      EXPECT_GT((node == 5 ? -1.0 : 1.0) * dot(surface.areas[t], to_ball), 0.0) << node;
    }
  }
}

TEST_F(GlbExport, EdgesAreSharpAndRoundPartsSmooth) {
  // The faces of a cube share no vertex; the surface of a capsule is one piece.
  const Solid cube(BoxSolid{{1.0, 1.0, 1.0}}, 3);
  const Solid capsule(CapsuleSolid{0.5, 1.0}, 3);
  const auto surface = [](const TriangleMesh& mesh) {
    json vertices = json::array();
    json triangles = json::array();
    for (const Vec3& v : mesh.vertices) vertices.push_back({v.x, v.y, v.z});
    for (const TriangleMesh::Triangle& t : mesh.triangles) triangles.push_back({t.a, t.b, t.c});
    return json{{"vertices", vertices}, {"triangles", triangles}};
  };
  json shapes = json::array();
  for (const Solid* solid : {&cube, &capsule}) {
    shapes.push_back({{"type", "solid"},
                      {"surface", surface(solid->surface())},
                      {"position", {0, 0, 0}},
                      {"orientation", {1, 0, 0, 0}}});
  }
  record_times(scratch / "run.h5", {0.0}, shapes.dump());
  const Glb glb = exported("run.h5");
  const auto vertex_count = [&](std::size_t mesh) {
    const json& attributes = glb.document["meshes"][mesh]["primitives"][0]["attributes"];
    return floats_of(glb, attributes["POSITION"]).size() / 3;
  };
  EXPECT_EQ(vertex_count(1), 24U);
  EXPECT_EQ(vertex_count(2), capsule.surface().vertices.size());
  EXPECT_FALSE(glb.document.contains("animations")) << "nothing moves in one frame";
}

}  // namespace
}  // namespace carom::test
