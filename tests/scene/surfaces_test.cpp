// [[surface]], [[lead]] and [[force]]: what is read, that it runs, and that it is written back.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "carom/asynchronous/stepper.h"
#include "carom/core/error.h"
#include "carom/scene/scene.h"
#include "carom/scene/write_scene.h"
#include "carom/schemes/registry.h"

namespace carom {
namespace {

const std::string kSpace = R"(kind = "scene"
[world]
dimension = 3
gravity = [0, 0, -10]
[time]
scheme = "asynchronous"
)";
const std::string kPlane = R"(kind = "scene"
[world]
gravity = 10
[time]
scheme = "asynchronous"
)";
const std::string kMade = R"(
thickness = 0.01
area_density = 0.2
stretching = 100
)";

Simulation read(const std::string& text) { return read_scene(text, "s.toml").simulation; }

double total_mass(const Simulation& s) {
  return std::accumulate(s.world.bodies.mass.begin(), s.world.bodies.mass.end(), 0.0);
}

std::set<Index> led_bodies(const Simulation& s) {
  std::set<Index> bodies;
  for (const LedBody& led : s.world.led) bodies.insert(led.body);
  return bodies;
}

TEST(SurfaceReader, ARectangleIsARunOfBodies) {
  const Simulation s = read(kSpace + R"(
[[body]]
name = "ball"
position = [0, 0, 5]
radius = 0.1

[[material]]
name = "cotton"

[[surface]]
name = "cloth"
material = "cotton"
type = "rectangle"
size = [2, 1]
counts = [4, 2]
position = [0, 0, 3]
velocity = [1, 2, 3])" + kMade);
  ASSERT_EQ(s.world.surfaces.size(), 1U);
  const Surface& cloth = s.world.surfaces[0];
  EXPECT_EQ(cloth.name, "cloth");
  EXPECT_EQ(cloth.first, 1U);
  ASSERT_EQ(cloth.size(), 15U);
  EXPECT_EQ(cloth.triangles.size(), 16U);
  EXPECT_EQ(s.world.bodies.size(), 16U);
  EXPECT_EQ(s.world.bodies.name[1], "cloth-0");
  EXPECT_EQ(s.world.bodies.name[15], "cloth-14");
  EXPECT_EQ(s.world.bodies.radius[7], 0.005);
  EXPECT_EQ(s.world.bodies.material[7], cloth.material);
  EXPECT_EQ(s.start.position[1], (Vec3{-1, -0.5, 3}));
  EXPECT_EQ(s.start.velocity[15], (Vec3{1, 2, 3}));
  EXPECT_EQ(cloth.rest[0], (Vec3{-1, -0.5, 0}));
  EXPECT_NEAR(total_mass(s), 1.0 + 0.2 * 2.0, 1e-14);
  ASSERT_EQ(s.forces.elasticity.size(), 1U);
  EXPECT_EQ(s.forces.elasticity[0].stretching, 100.0);
  EXPECT_EQ(s.forces.elasticity[0].stretch_model, StretchModel::triangles);
}

TEST(SurfaceReader, ElasticityIsReadAsItIsWritten) {
  const Simulation s = read(kSpace + R"(
[[surface]]
type = "disc"
radius = 1
rings = 3
thickness = 0.01
mass = 3
stretching = 1
stretching_damping = 2
stretch_model = "edges"
edge_law = "discrete_shells"
bending = 3
bending_damping = 4
bend_model = "angles"
yield = 0.5
flat_at_rest = true
stretch_limit = 0.02
compression_limit = 0.1
limit_stiffness = 70
limit_restitution = 0.5
)");
  const SurfaceElasticity& e = s.forces.elasticity.at(0);
  EXPECT_EQ(e.stretching, 1.0);
  EXPECT_EQ(e.stretching_damping, 2.0);
  EXPECT_EQ(e.stretch_model, StretchModel::edges);
  EXPECT_EQ(e.edge_law, EdgeLaw::discrete_shells);
  EXPECT_EQ(e.bending, 3.0);
  EXPECT_EQ(e.bending_damping, 4.0);
  EXPECT_EQ(e.bend_model, BendModel::angles);
  EXPECT_EQ(e.yield, 0.5);
  EXPECT_EQ(e.stretch_limit, 0.02);
  EXPECT_EQ(e.compression_limit, 0.1);
  EXPECT_EQ(e.limit_stiffness, 70.0);
  EXPECT_EQ(e.limit_restitution, 0.5);
  EXPECT_TRUE(e.is_flat_at_rest);
  EXPECT_EQ(s.world.surfaces[0].name, "surface-1");
  EXPECT_NEAR(total_mass(s), 3.0, 1e-14);
}

TEST(SurfaceReader, EveryTypeIsThere) {
  const auto vertices = [](const std::string& type) {
    return read(kSpace + "[[surface]]\n" + type + kMade).world.surfaces.at(0).size();
  };
  EXPECT_EQ(vertices("type = \"disc\"\nradius = 1\nrings = 2"), 19U);
  EXPECT_EQ(vertices("type = \"sphere\"\nradius = 1\nsubdivisions = 1"), 42U);
  EXPECT_EQ(vertices("type = \"tube\"\nradius = 1\nlength = 2\ncounts = [6, 3]"), 24U);
  EXPECT_EQ(vertices("type = \"rectangle\"\nsize = [1, 1]\ncounts = [2, 2]\nalternates = false"),
            9U);
  EXPECT_EQ(vertices("vertices = [[0,0,0],[1,0,0],[0,1,0]]\ntriangles = [[0,1,2]]"), 3U);
  EXPECT_EQ(vertices("type = \"mesh\"\nvertices = [[0,0,0],[1,0,0],[0,1,0],[0,2,0]]\n"
                     "triangles = [[0,1,2]]\nedges = [[2,3]]\nlength_density = 1"),
            4U);
}

TEST(SurfaceReader, ARibbonIsFlatAtRest) {
  const std::string ribbon = R"(
[[surface]]
type = "ribbon"
points = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]]
side = [0, 0, 1]
width = 0.2
across = 2
scale = 2)";
  const Simulation flat = read(kSpace + ribbon + kMade);
  for (const Vec3& place : flat.world.surfaces[0].rest) EXPECT_EQ(place.z, 0.0);
  EXPECT_NEAR(total_mass(flat), 0.2 * 6.0 * 0.4, 1e-12);
  const Simulation shape = read(kSpace + ribbon + kMade + "rest = \"shape\"\n");
  EXPECT_EQ(shape.world.surfaces[0].rest, shape.start.position);
}

TEST(SurfaceReader, ChainsAreThereInTwoDimensions) {
  const Simulation s = read(kPlane + R"(
[[surface]]
name = "a"
type = "chain"
from = [0, 1]
to = [0, 0]
count = 4
thickness = 0.01
length_density = 2
stretching = 1
edge_law = "per_strain"

[[surface]]
name = "b"
type = "chain"
points = [[1, 0], [2, 0], [2, 1]]
closed = true
thickness = 0.01
mass = 5
stretching = 1
)");
  ASSERT_EQ(s.world.surfaces.size(), 2U);
  const Surface& a = s.world.surfaces[0];
  EXPECT_EQ(a.size(), 5U);
  EXPECT_EQ(a.chain.size(), 4U);
  EXPECT_EQ(s.start.position[2], (Vec3{0, 0.5, 0}));
  EXPECT_EQ(s.start.position[4], (Vec3{0, 0, 0}));
  const Surface& b = s.world.surfaces[1];
  EXPECT_EQ(b.first, 5U);
  EXPECT_EQ(b.chain.size(), 3U);
  EXPECT_NEAR(total_mass(s), 7.0, 1e-14);
}

TEST(SurfaceReader, ItStartsAsARigidBody) {
  const Simulation s = read(kSpace + R"(
[[surface]]
type = "chain"
from = [-1, 0, 0]
to = [1, 0, 0]
count = 2
turned = { axis = [0, 0, 1], degrees = 90 }
position = [5, 5, 5]
scale = 2
velocity = [0, 0, 1]
angular_velocity = [0, 0, 3]
thickness = 0.01
length_density = 1
stretching = 1
)");
  EXPECT_NEAR(norm(s.start.position[0] - Vec3{5, 3, 5}), 0.0, 1e-14);
  EXPECT_NEAR(norm(s.start.position[2] - Vec3{5, 7, 5}), 0.0, 1e-14);
  EXPECT_NEAR(norm(s.start.velocity[0] - Vec3{6, 0, 1}), 0.0, 1e-13);
  EXPECT_NEAR(norm(s.start.velocity[1] - Vec3{0, 0, 1}), 0.0, 1e-13);
  EXPECT_EQ(s.world.surfaces[0].rest[0], (Vec3{-2, 0, 0}));
}

const std::string kSquare = R"(
[[surface]]
name = "cloth"
type = "rectangle"
size = [1, 1]
counts = [2, 2]
position = [0, 0, 2])" + kMade;

TEST(SurfaceLeads, AreChosenByNumberRegionOrCondition) {
  const auto led = [](const std::string& selection) {
    return led_bodies(read(kSpace + kSquare + "[[surface.lead]]\n" + selection));
  };
  EXPECT_EQ(led("vertices = [8, 0]"), (std::set<Index>{0, 8}));
  EXPECT_EQ(led("region = { lower = [-1, -1, 0], upper = [-0.5, 1, 2] }"),
            (std::set<Index>{0, 3, 6}));
  EXPECT_EQ(led("where = \"x < -0.4 && abs(y) > 0.4\""), (std::set<Index>{0, 6}));
  EXPECT_EQ(led("where = \"z == 2 && 0.4 < x\""), (std::set<Index>{2, 5, 8}));
  EXPECT_EQ(led("").size(), 9U);
}

TEST(SurfaceLeads, HaveTheMotionsOfShapes) {
  const Simulation s = read(kSpace + kSquare + R"(
[[surface.lead]]
vertices = [2]
motion = { type = "constant", velocity = [0, 0, 1] }
[[surface.lead]]
vertices = [0]
motion = { type = "table", times = [0, 1], offsets = [[0, 0, 0], [1, 0, 0]] }
[[surface.lead]]
vertices = [1]

[[body]]
name = "ball"
position = [0, 0, 9]
velocity = [5, 5, 5]
radius = 0.1
[[lead]]
body = "ball"
[[lead]]
bodies = ["cloth-7", "cloth-8"]
)");
  // In the order of their bodies: the ball, and then the cloth.
  ASSERT_EQ(s.world.led.size(), 6U);
  EXPECT_EQ(s.world.led[0].body, 0U);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(s.world.led[0].motion));
  EXPECT_EQ(s.start.velocity[0], (Vec3{}));
  EXPECT_TRUE(std::holds_alternative<TableMotion>(s.world.led[1].motion));
  EXPECT_EQ(s.start.velocity[1], (Vec3{1, 0, 0}));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(s.world.led[2].motion));
  EXPECT_EQ(s.start.velocity[3], (Vec3{0, 0, 1}));
  EXPECT_EQ(s.world.led[5].body, 9U);
}

TEST(SurfaceForces, AreEachOrShared) {
  const Simulation s = read(kSpace + kSquare + R"(
[[surface.force]]
where = "x > 0.4"
total = [3, 0, 0]
begin = 0.5
end = 1.5
[[surface.force]]
vertices = [0]
force = [0, 0, 7]

[[force]]
body = "cloth-4"
force = [0, 1, 0]
)");
  const std::vector<BodyForce>& forces = s.forces.prescribed;
  ASSERT_EQ(forces.size(), 5U);
  EXPECT_EQ(forces[0].body, 0U);
  EXPECT_EQ(forces[0].force, (Vec3{0, 0, 7}));
  EXPECT_EQ(forces[0].begin, 0.0);
  EXPECT_EQ(forces[0].end, kInfinity);
  EXPECT_EQ(forces[1].body, 2U);
  EXPECT_EQ(forces[1].force, (Vec3{1, 0, 0}));
  EXPECT_EQ(forces[1].begin, 0.5);
  EXPECT_EQ(forces[1].end, 1.5);
  EXPECT_EQ(forces[2].body, 4U);
}

// ----- Files
// --------------------------------------------------------------------------------------

class SurfaceFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(directory_);
    // A square that stands on edge, folded; its texture is flat.
    std::ofstream(directory_ / "folded.obj")
        << "o other\nv 9 9 9\nv 8 9 9\nv 9 8 9\nf 1 2 3\n"
           "o folded\nv 0 0 0\nv 100 0 0\nv 100 0 100\nv 0 60 80\n"
           "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 4/1 5/2 6/3\nf 4/1 6/3 7/4\n";
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  [[nodiscard]] Scene read_beside(const std::string& text,
                                  const std::vector<std::string>& overrides = {}) const {
    return read_scene(text, (directory_ / "scene.toml").string(), overrides);
  }

 private:
  std::filesystem::path directory_ =
      std::filesystem::path(::testing::TempDir()) /
      ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

const std::string kFolded = R"(
[[surface]]
name = "folded"
file = "folded.obj"
group = "folded"
scale = 0.01
rest = "texture"
rest_scale = [1.0, 1.25])" + kMade +
                            "bending = 1e-3\n";

TEST_F(SurfaceFiles, TextureIsTheRestShape) {
  const Simulation s = read_beside(kSpace + kFolded).simulation;
  const Surface& surface = s.world.surfaces.at(0);
  ASSERT_EQ(surface.size(), 4U);
  EXPECT_EQ(s.start.position[2], (Vec3{1, 0, 1}));
  EXPECT_EQ(surface.rest[2], (Vec3{1, 1.25, 0}));
  EXPECT_NEAR(total_mass(s), 0.2 * 1.25, 1e-15);
}

// Recordings hold the text: it must need no other file, wherever surfaces and solids stand in it.
TEST_F(SurfaceFiles, TheTextOfTheSceneHoldsTheMesh) {
  const std::string solid = R"(
[[solid]]
name = "rock"
type = "mesh"
file = "tetrahedron.obj"
[[body]]
name = "rock"
solid = "rock"
fixed = true
position = [0, 0, -50]
)";
  std::ofstream(std::filesystem::path(::testing::TempDir()) /
                "TheTextOfTheSceneHoldsTheMesh/tetrahedron.obj")
      << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  const Scene scene = read_beside(kSpace + kFolded + solid);
  const Scene again = read_scene(scene.text, "nowhere/scene.toml");
  EXPECT_EQ(again.simulation.start.position, scene.simulation.start.position);
  EXPECT_EQ(again.simulation.world.surfaces[0].rest, scene.simulation.world.surfaces[0].rest);
  EXPECT_EQ(again.simulation.world.bodies.mass, scene.simulation.world.bodies.mass);
  EXPECT_EQ(again.text, scene.text);
}

TEST_F(SurfaceFiles, AFileOfAnOverrideStaysInTheOverride) {
  std::string text = kSpace + kFolded;
  text.replace(text.find("folded.obj"), 10, "missing.obj");
  const std::vector<std::string> overrides = {"surface.folded.file=folded.obj"};
  const Scene scene = read_beside(text, overrides);
  EXPECT_EQ(scene.simulation.world.bodies.size(), 4U);
  EXPECT_NE(scene.text.find("surface.folded.file=folded.obj"), std::string::npos);
  EXPECT_EQ(read_beside(scene.text).simulation.start.position, scene.simulation.start.position);
}

// ----- Running, and writing
// -----------------------------------------------------------------------

void expect_same(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  ASSERT_EQ(a.size(), b.size());
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(bits(a[i].x) == bits(b[i].x) && bits(a[i].y) == bits(b[i].y) &&
                bits(a[i].z) == bits(b[i].z))
        << i;
  }
}

void expect_same_surfaces(const Simulation& a, const Simulation& b) {
  ASSERT_EQ(a.world.surfaces.size(), b.world.surfaces.size());
  for (std::size_t k = 0; k < a.world.surfaces.size(); ++k) {
    const Surface& p = a.world.surfaces[k];
    const Surface& q = b.world.surfaces[k];
    EXPECT_EQ(p.name, q.name);
    EXPECT_EQ(p.first, q.first);
    EXPECT_EQ(p.material, q.material);
    EXPECT_EQ(p.thickness, q.thickness);
    EXPECT_EQ(p.edges, q.edges);
    EXPECT_EQ(p.hinges, q.hinges);
    EXPECT_EQ(p.bends, q.bends);
    expect_same(p.rest, q.rest);
    const SurfaceElasticity& e = a.forces.elasticity[k];
    const SurfaceElasticity& f = b.forces.elasticity[k];
    EXPECT_EQ(e.stretch_model, f.stretch_model);
    EXPECT_EQ(e.edge_law, f.edge_law);
    EXPECT_EQ(e.stretching, f.stretching);
    EXPECT_EQ(e.stretching_damping, f.stretching_damping);
    EXPECT_EQ(e.poisson, f.poisson);
    EXPECT_EQ(e.bend_model, f.bend_model);
    EXPECT_EQ(e.bending, f.bending);
    EXPECT_EQ(e.bending_damping, f.bending_damping);
    EXPECT_EQ(e.yield, f.yield);
    EXPECT_EQ(e.is_flat_at_rest, f.is_flat_at_rest);
    EXPECT_EQ(e.stretch_limit, f.stretch_limit);
    EXPECT_EQ(e.compression_limit, f.compression_limit);
    EXPECT_EQ(e.limit_stiffness, f.limit_stiffness);
    EXPECT_EQ(e.limit_restitution, f.limit_restitution);
  }
}

void expect_same_leads(const Simulation& a, const Simulation& b) {
  ASSERT_EQ(a.world.led.size(), b.world.led.size());
  for (std::size_t k = 0; k < a.world.led.size(); ++k) {
    EXPECT_EQ(a.world.led[k].body, b.world.led[k].body);
    ASSERT_EQ(a.world.led[k].motion.index(), b.world.led[k].motion.index());
    for (const double time : {0.0, 0.3, 2.0}) {
      EXPECT_EQ(offset_at(a.world.led[k].motion, time), offset_at(b.world.led[k].motion, time));
    }
  }
  ASSERT_EQ(a.forces.prescribed.size(), b.forces.prescribed.size());
  for (std::size_t k = 0; k < a.forces.prescribed.size(); ++k) {
    EXPECT_EQ(a.forces.prescribed[k].body, b.forces.prescribed[k].body);
    EXPECT_EQ(a.forces.prescribed[k].force, b.forces.prescribed[k].force);
    EXPECT_EQ(a.forces.prescribed[k].begin, b.forces.prescribed[k].begin);
    EXPECT_EQ(a.forces.prescribed[k].end, b.forces.prescribed[k].end);
  }
}

std::uint64_t hash_after(const Simulation& simulation, int steps) {
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  for (int k = 0; k < steps; ++k) static_cast<void>(stepper->step());
  return state_hash(stepper->state());
}

// The scene that was written is the same, and runs to the same bits.
void expect_round_trip(const std::string& text) {
  const Scene scene = read_scene(text, "s.toml");
  const std::string written = write_scene(scene);
  const Scene again = read_scene(written, "written.toml");
  expect_same(again.simulation.start.position, scene.simulation.start.position);
  expect_same(again.simulation.start.velocity, scene.simulation.start.velocity);
  EXPECT_EQ(again.simulation.world.bodies.mass, scene.simulation.world.bodies.mass);
  EXPECT_EQ(again.simulation.world.bodies.radius, scene.simulation.world.bodies.radius);
  EXPECT_EQ(again.simulation.world.bodies.name, scene.simulation.world.bodies.name);
  EXPECT_EQ(again.simulation.world.bodies.material, scene.simulation.world.bodies.material);
  expect_same_surfaces(again.simulation, scene.simulation);
  expect_same_leads(again.simulation, scene.simulation);
  EXPECT_EQ(write_scene(again), written);
  EXPECT_EQ(hash_after(again.simulation, 3), hash_after(scene.simulation, 3));
}

TEST(SurfaceWriter, ClothReadsBackToTheSameBits) {
  expect_round_trip(kSpace + R"(
step = 0.002
[[material]]
name = "cotton"
friction = 0.3

[[body]]
name = "ball"
position = [0.1, 0.2, 2.3]
velocity = [0, 0, -1]
radius = 0.1

[[surface]]
name = "cloth"
material = "cotton"
type = "rectangle"
size = [1.1, 0.9]
counts = [4, 3]
turned = { axis = [1, 2, 3], degrees = 20 }
position = [0.1, 0.2, 1.7]
velocity = [0.1, 0.2, 0.3]
angular_velocity = [0, 1, 0]
thickness = 0.01
area_density = 0.2
stretching = 100
stretching_damping = 0.1
poisson = 0.2
bending = 1e-4
bend_model = "quadratic"
[[surface.lead]]
vertices = [0]
[[surface.lead]]
vertices = [4, 19]
motion = { type = "table", times = [0, 0.5], offsets = [[0, 0, 0], [0.1, 0, 0]] }
[[surface.force]]
where = "x > 0"
total = [0, 0, 1]
begin = 0.001
end = 0.01
[[surface.force]]
vertices = [7]
force = [0, 0, "-1/3"]

[[surface]]
name = "tail"
type = "chain"
points = [[3, 0, 0], [3.1, 0, 0.01], [3.2, 0.1, 0]]
closed = true
thickness = 0.02
mass = 0.1
stretching = 10
edge_law = "per_strain"
bending = 1e-5
yield = 0.4

[[lead]]
body = "ball"
motion = { type = "constant", velocity = [0, 0, -2] }
)");
}

TEST(SurfaceWriter, AFoldedRibbonReadsBackToTheSameBits) {
  expect_round_trip(kSpace + R"(
step = 0.001
[[surface]]
name = "ribbon"
type = "ribbon"
points = [[0, 0, 0], [0.1, 0, 0], [0.2, 0.01, 0], [0.3, 0.03, 0.02]]
side = [0, 0, 1]
width = 0.1
across = 2
thickness = 0.001
area_density = 0.2
stretch_model = "edges"
edge_law = "discrete_shells"
stretching = 100
bending = 1e-4
flat_at_rest = true
)");
}

TEST(SurfaceWriter, ChainsOfThePlaneReadBackToTheSameBits) {
  expect_round_trip(kPlane + R"(
step = 0.002
[[surface]]
name = "chain"
type = "chain"
from = [0, 1]
to = [0.1, 0]
count = 7
thickness = 0.02
length_density = 0.3
stretch_limit = 0.02
compression_limit = 0.03
limit_stiffness = 500
limit_restitution = 0.7
angular_velocity = 2
[[surface.lead]]
vertices = [0]
[[surface.force]]
vertices = [7]
force = [1, 0]

[[body]]
name = "ball"
position = [-0.1, 0.5]
velocity = [3, 0]
radius = 0.05
[[force]]
body = "ball"
force = [0, 1]
)");
}

// A chain of links that hardly stretch: what a step reports of its limits.
TEST(SurfaceScenes, AChainKeepsTheLimitOfItsLinks) {
  const std::string text = kPlane + R"(
step = 0.02
[asynchronous]
audit = "motion"
[[surface]]
name = "chain"
type = "chain"
from = [0, 1]
to = [0.5, 1]
count = 5
thickness = 0.02
length_density = 0.3
stretch_limit = 0.02
[[surface.lead]]
vertices = [0]
)";
  const Simulation s = read(text);
  const std::unique_ptr<Stepper> stepper = make_stepper(s);
  double used = 0.0;
  double stored = 0.0;
  for (int k = 0; k < 20; ++k) {
    const StepReport report = stepper->step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    used = report.own[asynchronous::OwnNumber::kLimitUsed];
    stored = std::max(stored, report.own[asynchronous::OwnNumber::kLimitEnergy]);
    for (Index i = 0; i < 5; ++i) {
      const std::vector<Vec3>& x = stepper->state().position;
      EXPECT_LT(norm(x[i + 1] - x[i]), 0.1 * 1.02);
    }
  }
  EXPECT_GT(used, 0.3);
  EXPECT_LT(used, 1.0);
  EXPECT_GT(stored, 0.0);
}

TEST(SurfaceScenes, AChainThatStartsTooLongIsRefused) {
  const std::string text = kPlane + R"(
[[surface]]
name = "chain"
type = "chain"
from = [0, 1]
to = [0.5, 1]
count = 5
rest = [[0, 0, 0], [0.08, 0, 0], [0.16, 0, 0], [0.24, 0, 0], [0.32, 0, 0], [0.4, 0, 0]]
thickness = 0.02
length_density = 0.3
stretch_limit = 0.02
)";
  try {
    read(text);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.message(),
              "the edge 'chain-0', 'chain-1' under time.scheme \"asynchronous\" must start within "
              "its limits: its length is 1.25 of that at rest, not below 1.02");
  }
}

// A cloth that hangs by two corners swings down and keeps to them.
TEST(SurfaceScenes, AClothHangsByItsCorners) {
  const Simulation s = read(kSpace + R"(
step = 0.02
[[surface]]
name = "cloth"
type = "rectangle"
size = [1, 1]
counts = [6, 6]
thickness = 0.01
area_density = 0.2
stretching = 50
stretching_damping = 0.1
[[surface.lead]]
where = "x < -0.49 && abs(y) > 0.49"
)");
  const std::unique_ptr<Stepper> stepper = make_stepper(s);
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(stepper->step().can_go_on());
  }
  const State& end = stepper->state();
  EXPECT_EQ(end.position[0], s.start.position[0]);
  EXPECT_EQ(end.position[42], s.start.position[42]);
  // The far corners have fallen about as far as they would freely in 0.2 s, 0.2 m.
  EXPECT_NEAR(end.position[6].z, -0.2, 0.1);
}

}  // namespace
}  // namespace carom
