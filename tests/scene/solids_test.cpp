#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/geometry/mesh_generators.h"
#include "carom/scene/scene.h"
#include "carom/scene/write_scene.h"

namespace carom {
namespace {

const std::string kHead = R"(kind = "scene"
[world]
dimension = 3
)";

std::string fault_of(const std::string& text) {
  try {
    static_cast<void>(read_scene(text, "s.toml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string kAllTypes = kHead + R"(
[[solid]]
name = "ball"
type = "sphere"
radius = 0.5

[[solid]]
name = "brick"
type = "box"
size = [1, 2, 3]

[[solid]]
name = "pill"
type = "capsule"
radius = 0.25
length = 1

[[solid]]
name = "coin"
type = "cylinder"
radius = 1
length = 0.1

[[solid]]
name = "tetrahedron"
type = "hull"
points = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]

[[solid]]
name = "knot"
type = "mesh"
figure = "trefoil"
segments = 24
sides = 6

[[solid]]
name = "T"
type = "compound"
[[solid.part]]
solid = "brick"
[[solid.part]]
solid = "pill"
position = [0, 2, 0]
turned = { axis = [1, 0, 0], degrees = 90 }
density = 2

[[body]]
name = "plain"
radius = 0.5
position = [100, 0, 0]

[[line]]
solid = "brick"
count = 3
spacing = 5
density = 2
turned = { axis = [1, 2, 3], degrees = 30 }
angular_velocity = [1, 2, 3]

[[body]]
name = "t"
solid = "T"
position = [0, 50, 0]
orientation = [0.5, 0.5, 0.5, 0.5]

[[body]]
name = "knot"
solid = "knot"
origin = [0, -50, 0]

[[body]]
name = "marble"
radius = 0.3
turns = true
position = [0, 0, 70]
angular_velocity = [0, 0, 1]

[[body]]
name = "rock"
solid = "tetrahedron"
fixed = true
position = [0, 0, -50]

[[shape]]
name = "table"
type = "solid"
solid = "coin"
position = [0, 0, -90]
motion = { type = "constant", velocity = [0, 0, 1] }
)";

TEST(SceneSolids, EveryTypeIsRead) {
  const Scene scene = read_scene(kAllTypes);
  const Simulation& s = scene.simulation;
  ASSERT_EQ(s.world.bodies.size(), 7U);
  EXPECT_FALSE(s.world.bodies.turns(0));
  const auto body = [&](const std::string& name) {
    for (Index i = 0; i < s.world.bodies.size(); ++i) {
      if (s.world.bodies.name[i] == name) return i;
    }
    return kNone;
  };
  const Index brick = body("line-1");
  ASSERT_NE(brick, kNone);
  EXPECT_DOUBLE_EQ(s.world.bodies.mass[brick], 12.0);
  // a box of mass m: m (b^2 + c^2) / 12
  EXPECT_DOUBLE_EQ(s.world.bodies.moments(brick).x, 12.0 * (4 + 9) / 12.0);
  EXPECT_EQ(s.start.angular_velocity[brick], (Vec3{1, 2, 3}));
  EXPECT_DOUBLE_EQ(s.world.bodies.radius[brick], 0.5 * std::sqrt(14.0));
  EXPECT_TRUE(s.world.bodies.is_round(body("marble")));
  EXPECT_TRUE(s.world.bodies.turns(body("marble")));
  EXPECT_NEAR(s.start.position[body("knot")].y, -50.0, 1e-9);
  ASSERT_EQ(s.world.shapes.size(), 2U);
  EXPECT_EQ(shape_type_name(s.world.shapes[0].shape), "solid");
}

TEST(SceneSolids, AWrittenSceneReadsBackAsTheSame) {
  const Scene scene = read_scene(kAllTypes);
  const Scene again = read_scene(write_scene(scene));
  const Simulation& a = scene.simulation;
  const Simulation& b = again.simulation;
  ASSERT_EQ(a.world.bodies.name, b.world.bodies.name);
  for (Index i = 0; i < a.world.bodies.size(); ++i) {
    ASSERT_EQ(a.world.bodies.turns(i), b.world.bodies.turns(i)) << a.world.bodies.name[i];
    EXPECT_EQ(a.world.bodies.mass[i], b.world.bodies.mass[i]);
    EXPECT_EQ(a.world.bodies.radius[i], b.world.bodies.radius[i]) << a.world.bodies.name[i];
    EXPECT_EQ(a.start.position[i], b.start.position[i]);
    if (!a.world.bodies.turns(i)) continue;
    EXPECT_EQ(a.world.bodies.moments(i), b.world.bodies.moments(i)) << a.world.bodies.name[i];
    const Quaternion turn = a.start.orientation[i] * conjugate(b.start.orientation[i]);
    EXPECT_LT(norm(Vec3{turn.x, turn.y, turn.z}), 1e-15) << a.world.bodies.name[i];
  }
}

TEST(SceneSolids, ARecordingsTextHoldsTheMeshItself) {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / "carom-scene-solids";
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "tetra.obj")
      << "v 1 1 1\nv 1 -1 -1\nv -1 1 -1\nv -1 -1 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
  const std::string text = kHead + R"([[solid]]
name = "a"
type = "mesh"
file = "tetra.obj" # a comment
scale = 2

[[body]]
solid = "a"
position = [0, 0, 0]
)";
  std::ofstream(directory / "scene.toml") << text;
  const Scene scene = read_scene_file(directory / "scene.toml");
  std::filesystem::remove_all(directory);
  EXPECT_TRUE(has(scene.text, "vertices"));
  EXPECT_TRUE(has(scene.text, "# a comment"));
  const Scene again = read_scene(scene.text);
  EXPECT_EQ(again.simulation.world.bodies.moments(0), scene.simulation.world.bodies.moments(0));
  EXPECT_EQ(again.text, scene.text);
}

TEST(SceneSolids, FaultsAreNamedWithTheirPlace) {
  const auto solid = [](const std::string& keys) {
    return kHead + "[[solid]]\nname = \"a\"\n" + keys +
           "\n[[body]]\nsolid = \"a\"\nposition = [0, 0, 0]\n";
  };
  EXPECT_TRUE(has(fault_of(solid("type = \"bxo\"")), "did you mean 'box'"))
      << fault_of(solid("type = \"bxo\""));
  EXPECT_TRUE(has(fault_of(solid("type = \"box\"")), "s.toml:4"))
      << fault_of(solid("type = \"box\""));
  EXPECT_TRUE(has(fault_of(solid("type = \"box\"\nsize = [1, 0, 1]")), "size"));
  EXPECT_TRUE(has(fault_of(solid("type = \"sphere\"\nradius = 1\nlength = 2")), "length"));
  EXPECT_TRUE(has(fault_of(solid("type = \"hull\"\npoints = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]")),
                  "s.toml:4"))
      << fault_of(solid("type = \"hull\"\npoints = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]"));
  EXPECT_TRUE(has(fault_of(solid("type = \"mesh\"\nfile = \"missing.obj\"")), "missing.obj"));
  EXPECT_TRUE(has(fault_of(solid("type = \"mesh\"")), "file"));
  EXPECT_TRUE(
      has(fault_of(solid("type = \"mesh\"\nvertices = [[0, 0, 0]]\ntriangles = [[0, 1, 2]]")),
          "there is no vertex 1"));
  EXPECT_TRUE(has(
      fault_of(solid("type = \"mesh\"\nvertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]\n"
                     "triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3]]")),
      "s.toml:4"));
  EXPECT_TRUE(has(fault_of(kHead + "[[body]]\nsolid = \"b\"\nposition = [0, 0, 0]\n"), "solid"));
  EXPECT_TRUE(has(fault_of(kHead + "[[body]]\nradius = 1\nposition = [0, 0, 0]\n"
                                   "angular_velocity = [1, 0, 0]\n"),
                  "turns = true"));
  EXPECT_TRUE(has(fault_of(solid("type = \"sphere\"\nradius = 1") + "radius = 2\n"), "radius"));
  EXPECT_TRUE(has(fault_of(solid("type = \"sphere\"\nradius = 1") + "orientation = [1, 0, 0]\n"),
                  "quaternion"));
  EXPECT_TRUE(
      has(fault_of(solid("type = \"sphere\"\nradius = 1") + "turned = { degrees = 3 }\n"), "axis"));
}

TEST(SceneSolids, RandomBallsKeepClearOfObstacles) {
  const Scene scene = read_scene(kHead + R"([[solid]]
name = "rock"
type = "box"
size = [2, 2, 2]
[[shape]]
type = "solid"
solid = "rock"
position = [0, 0, 0]
[[random]]
name = "grain"
count = 200
radius = 0.1
region = { lower = [-1.5, -1.5, -1.5], upper = [1.5, 1.5, 1.5] }
)");
  ASSERT_EQ(scene.simulation.world.bodies.size(), 200U);
  for (const Vec3& q : scene.simulation.start.position) {
    EXPECT_GT(std::max({std::abs(q.x), std::abs(q.y), std::abs(q.z)}), 1.0);
  }
}

TEST(SceneSolids, InThePlaneASolidHasOneAngle) {
  const Scene scene = read_scene(R"(kind = "scene"
[[solid]]
name = "plank"
type = "box"
size = [2, 1]
[[body]]
solid = "plank"
position = [0, 0]
turned = { degrees = 90 }
angular_velocity = 3
density = 1
)");
  const Simulation& s = scene.simulation;
  EXPECT_DOUBLE_EQ(s.world.bodies.mass[0], 2.0);
  EXPECT_DOUBLE_EQ(s.world.bodies.moments(0).z, 2.0 * 5.0 / 12.0);
  EXPECT_EQ(s.start.angular_velocity[0], (Vec3{0, 0, 3}));
  EXPECT_DOUBLE_EQ(s.start.orientation[0].z, std::sqrt(0.5));
  EXPECT_TRUE(has(fault_of("kind = \"scene\"\n[[solid]]\nname = \"a\"\ntype = \"cylinder\"\n"),
                  "three dimensions"));
}

}  // namespace
}  // namespace carom
