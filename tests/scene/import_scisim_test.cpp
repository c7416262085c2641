// Scenes of SCISim: each element becomes what it means, and what cannot be had is named.

#include "carom/scene/import_scisim.h"

#include <clocale>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/scene/write_scene.h"

namespace carom {
namespace {

// A scene with `middle` between its integrator and its ball.
std::string scene_with(const std::string& middle) {
  return "<ball2d_scene>\n<integrator type=\"verlet\" dt=\"0.1\"/>\n" + middle +
         "\n<ball x=\"0\" y=\"0\" vx=\"1\" vy=\"0\" m=\"1\" r=\"0.5\" fixed=\"0\"/>\n"
         "</ball2d_scene>\n";
}
const std::string kOperator =
    "<impact_operator type=\"gr\" CoR=\"1.0\" v_tol=\"1.0e-9\" cache_impulses=\"0\">"
    "<solver name=\"apgd\" tol=\"1e-12\" max_iters=\"5000\"/></impact_operator>";

std::string fault_of(const std::string& xml) {
  try {
    static_cast<void>(import_scisim(xml, "s.xml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ScisimImport, ReadsEveryElementOfABallScene) {
  const Scene scene = import_scisim(R"xml(<?xml version="1.0"?>
<!-- a comment with <ball/> in it -->
<ball2d_scene>
  <camera cx="0" cy="0" scale_factor="3" fps="10" render_at_fps="0" locked="0"/>
  <integrator type="verlet" dt="1/128"/>
  <end_time t="2.5"/>
  <impact_operator type="grr" CoR="0.75" cache_impulses="0">
    <elastic_operator type="gauss_seidel" v_tol="1.0e-9"/>
    <inelastic_operator type="lcp"><solver name="ipopt" tol="1e-12"/></inelastic_operator>
  </impact_operator>
  <gravity fx="0.5" fy="-10.0"/>
  <gravity fx="0" fy="1"/>
  <static_plane x="0 -8" n="0 2"/>
  <static_drum x="1" y="2" r="20"/>
  <static_drum_renderer drum="0" r="0.2" color="0 0 0"/>
  <ball x="-2." y="+0." vx="+2." vy="1e-3" m="1.5" r="0.5" fixed="0"/>
  <ball x="+3." y="+0." vx="0" vy="0" m="1.0" r="0.25" fixed="1"></ball>
  <ball x='6' y="+0." vx="0" vy="0" m="1.0" r="0.25" fixed="0"/>
</ball2d_scene>
)xml",
                                    "dir/three balls.xml");
  const Simulation& simulation = scene.simulation;
  EXPECT_EQ(scene.title, "three balls");
  EXPECT_EQ(simulation.time.step, 0.0078125);
  EXPECT_EQ(simulation.time.duration, 2.5);
  EXPECT_EQ(scene.operators, std::vector<std::string>{"gauss_seidel"});
  EXPECT_EQ(simulation.impact.impact_operator, "gauss_seidel");
  EXPECT_EQ(simulation.impact.restitution_model, "interpolated");
  EXPECT_EQ(simulation.world.materials.coefficients(0, 0).restitution, 0.75);
  EXPECT_EQ(simulation.forces.gravity, (Vec3{0.5, -9.0, 0.0}));
  ASSERT_EQ(simulation.world.bodies.size(), 2U);
  EXPECT_EQ(simulation.world.bodies.name, (std::vector<std::string>{"ball-1", "ball-3"}));
  EXPECT_EQ(simulation.start.position[0], (Vec3{-2.0, 0.0, 0.0}));
  EXPECT_EQ(simulation.start.velocity[0], (Vec3{2.0, 1e-3, 0.0}));
  EXPECT_EQ(simulation.world.bodies.mass[0], 1.5);
  ASSERT_EQ(simulation.world.shapes.size(), 3U);
  EXPECT_EQ(std::get<HalfPlane>(simulation.world.shapes[0].shape).point.y, -8.0);
  EXPECT_EQ(std::get<HalfPlane>(simulation.world.shapes[0].shape).normal, (Vec3{0.0, 1.0, 0.0}));
  EXPECT_EQ(std::get<SphereInside>(simulation.world.shapes[1].shape).radius, 20.0);
  EXPECT_EQ(std::get<SphereOutside>(simulation.world.shapes[2].shape).center.x, 3.0);
  EXPECT_EQ(simulation.world.shapes[2].name, "ball-2");
}

TEST(ScisimImport, ItsTextIsASceneFile) {
  const Scene scene = import_scisim(scene_with(kOperator), "s.xml");
  const Scene back = read_scene(scene.text, "written.toml");
  EXPECT_EQ(write_scene(back), scene.text);
  EXPECT_EQ(back.simulation.time.step, 0.1);
  EXPECT_EQ(back.simulation.time.duration, 10.0);
  EXPECT_EQ(back.simulation.start.velocity[0].x, 1.0);
}

TEST(ScisimImport, OperatorsKeepTheirNamesAndTheirRestitution) {
  for (const std::string name : {"gr", "lcp", "gauss_seidel", "jacobi"}) {
    const std::string begin = "<impact_operator type=\"" + name + "\" v_tol=\"1e-9\" CoR=";
    const Scene elastic = import_scisim(scene_with(begin + "\"1\"/>"));
    EXPECT_EQ(elastic.operators.front(), name);
    EXPECT_EQ(elastic.simulation.impact.restitution_model, "interpolated");
    const Scene lossy = import_scisim(scene_with(begin + "\"0.5\"/>"));
    EXPECT_EQ(lossy.simulation.impact.restitution_model, "propagated");
    EXPECT_EQ(lossy.simulation.world.materials.material(0).restitution, 0.5);
  }
}

// The published racks have radius 0.500001 at a distance of 1, so that neighbours touch.
TEST(ScisimImport, BallsThatOverlapALittleTouch) {
  const std::string neighbour =
      "<ball x=\"1\" y=\"0\" vx=\"0\" vy=\"0\" m=\"1\" r=\"0.500001\" fixed=\"0\"/>";
  const std::string far_neighbour =
      "<ball x=\"1.5\" y=\"0\" vx=\"0\" vy=\"0\" m=\"1\" r=\"0.500001\" fixed=\"0\"/>";
  const Scene rack = import_scisim(scene_with(kOperator + neighbour));
  EXPECT_NEAR(rack.simulation.detection.activation, 4e-6, 1e-9);
  EXPECT_NE(rack.description.find("overlap"), std::string::npos);
  EXPECT_EQ(import_scisim(scene_with(kOperator + far_neighbour)).simulation.detection.activation,
            1e-9);
  const std::string deep =
      "<ball x=\"0.9\" y=\"0\" vx=\"0\" vy=\"0\" m=\"1\" r=\"0.5\" fixed=\"0\"/>";
  EXPECT_EQ(fault_of(scene_with(kOperator + deep)).substr(0, 54),
            "s.xml:4:1: ball: body 'ball-2' overlaps body 'ball-1',");
}

TEST(ScisimImport, FixedBallsMayOverlapEachOther) {
  const std::string posts =
      "<ball x=\"9\" y=\"0\" vx=\"0\" vy=\"0\" m=\"1\" r=\"1\" fixed=\"1\"/>"
      "<ball x=\"9.5\" y=\"0\" vx=\"0\" vy=\"0\" m=\"1\" r=\"1\" fixed=\"1\"/>";
  EXPECT_EQ(import_scisim(scene_with(kOperator + posts)).simulation.world.shapes.size(), 2U);
}

TEST(ScisimImport, NumbersDoNotDependOnTheLocale) {
  const std::string old = std::setlocale(LC_ALL, nullptr);
  // Where the machine has such a locale, 0.1 would be read as 0.
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  }
  EXPECT_EQ(import_scisim(scene_with(kOperator)).simulation.time.step, 0.1);
  std::setlocale(LC_ALL, old.c_str());
}

TEST(ScisimImport, WhatScisimDoesNotHaveIsNamed) {
  const auto fault_with = [](const std::string& element) {
    return fault_of(scene_with(kOperator + "\n" + element));
  };
  EXPECT_EQ(fault_with("<gravity fx=\"0\" fy=\"-1\" fz=\"2\"/>"),
            "s.xml:4:25: gravity.fz: unknown attribute 'fz'; did you mean 'fx'? Known: fx, fy");
  EXPECT_EQ(fault_with("<ball x=\"5\" y=\"0\" vx=\"0\" vy=\"0\" m=\"1\" r=\"1\" fixed=\"0\" "
                       "mass=\"2\"/>")
                .substr(0, 46),
            "s.xml:4:55: ball.mass: unknown attribute 'mass");
  EXPECT_EQ(fault_with("<end_time t=\"1\"><t/></end_time>"),
            "s.xml:4:17: t: end_time holds no further elements");
  EXPECT_EQ(fault_with("<camera cx=\"0\" zoom=\"2\"/>").substr(0, 30),
            "s.xml:4:16: camera.zoom: unkno");
  EXPECT_EQ(fault_of("<ball2d_scene version=\"2\"></ball2d_scene>"),
            "s.xml:1:15: ball2d_scene.version: ball2d_scene has no attributes");
  const std::string restitution =
      "<impact_operator type=\"grr\" CoR=\"0.5\"><elastic_operator type=\"gr\" v_tl=\"1\"/>"
      "<inelastic_operator type=\"lcp\"/></impact_operator>";
  EXPECT_EQ(fault_of(scene_with(restitution)),
            "s.xml:3:67: elastic_operator.v_tl: unknown attribute 'v_tl'; did you mean 'v_tol'? "
            "Known: type, v_tol, CoR");
  // Of no consequence for the motion.
  EXPECT_EQ(fault_with("<static_plane_renderer plane=\"0\" any=\"1\"/>"), "accepted");
}

TEST(ScisimImport, WhatCaromDoesNotHaveIsNamed) {
  const auto fault_with = [](const std::string& element) {
    return fault_of(scene_with(kOperator + "\n  " + element));
  };
  EXPECT_EQ(fault_with("<planar_portal planeA=\"0\" planeB=\"1\"/>"),
            "s.xml:4:18: planar_portal.planeA: expected the number of a static_plane, from 0");
  EXPECT_EQ(
      fault_with("<planar_portal planeA=\"0\" planeB=\"1\" multiplier=\"1 2\"/>").substr(0, 60),
      "s.xml:4:40: planar_portal.multiplier: portals that change wh");
  EXPECT_EQ(fault_with("<lees_edwards_portal planeA=\"0\"/>").substr(0, 68),
            "s.xml:4:3: lees_edwards_portal: Carom does not have Lees-Edwards por");
  EXPECT_EQ(fault_with("<penalty stiffness=\"1\"/>").substr(0, 53),
            "s.xml:4:3: penalty: Carom does not have penalty force");
  EXPECT_EQ(fault_with("<scripting callback=\"a\"/>").substr(0, 45),
            "s.xml:4:3: scripting: Carom does not have scr");
  EXPECT_EQ(fault_with("<sobogus_friction_solver mu=\"0.5\" CoR=\"0\"/>"),
            "s.xml:4:3: sobogus_friction_solver: the scene has an 'impact_operator' already");
  EXPECT_EQ(fault_with("<bal x=\"1\"/>").substr(0, 58),
            "s.xml:4:3: bal: unknown element 'bal'; did you mean 'ball'");
}

TEST(ScisimImport, FaultsAreToldAtTheirPlace) {
  EXPECT_EQ(fault_of("<rigidbody_scene/>"),
            "s.xml:1:1: rigidbody_scene: expected the root ball2d_scene, rigidbody2d_scene or "
            "rigidbody3d_scene of a scene of SCISim");
  EXPECT_EQ(fault_of("<rigidbody2d_scene/>"),
            "s.xml:1:1: rigidbody2d_scene.integrator: is missing");
  EXPECT_EQ(fault_of(scene_with("")), "s.xml:1:1: ball2d_scene.impact_operator: is missing");
  EXPECT_EQ(fault_of(scene_with(kOperator + kOperator)).substr(0, 9), "s.xml:3:1");
  EXPECT_EQ(fault_of(scene_with("<impact_operator type=\"grx\" CoR=\"1\"/>")),
            "s.xml:3:18: impact_operator.type: unknown impact operator 'grx'; did you mean 'gr'? "
            "Known: gr, lcp, gauss_seidel, jacobi, grr");
  EXPECT_EQ(fault_of(scene_with("<impact_operator type=\"gr\" CoR=\"2\"/>")),
            "s.xml:3:28: impact_operator.CoR: must be between 0 and 1, found 2");
  EXPECT_EQ(fault_of(scene_with("<impact_operator type=\"gr\" CoR=\"1,0\"/>")),
            "s.xml:3:28: impact_operator.CoR: expected a number, found \"1,0\"");
  EXPECT_EQ(fault_of(scene_with("<impact_operator type=\"grr\" CoR=\"1\"/>")),
            "s.xml:3:1: impact_operator: grr holds an elastic_operator and an inelastic_operator");
  EXPECT_EQ(fault_of(scene_with(kOperator + "\n<static_plane x=\"0\" n=\"0 1\"/>")),
            "s.xml:4:15: static_plane.x: expected two numbers with a space between them, found "
            "\"0\"");
  EXPECT_EQ(fault_of(scene_with(kOperator + "\n<static_plane x=\"0 0\" n=\"0 0\"/>")),
            "s.xml:4:23: static_plane.n: has no length");
  EXPECT_EQ(fault_of(scene_with(kOperator + "\n<static_drum x=\"0\" y=\"0\" r=\"-1\"/>")),
            "s.xml:4:26: static_drum.r: must be positive, found -1");
  EXPECT_EQ(fault_of(scene_with(kOperator + "\n<end_time t=\"inf\"/>")),
            "s.xml:4:11: end_time.t: expected a number, found \"inf\"");
  EXPECT_EQ(fault_of(scene_with(kOperator + "\n<ball x=\"1\"/>")), "s.xml:4:1: ball.y: is missing");
  EXPECT_EQ(fault_of("<ball2d_scene><integrator type=\"verlet\" dt=\"1/0\"/></ball2d_scene>"),
            "s.xml:1:41: integrator.dt: expected a positive number such as 0.01 or 1/100, found "
            "\"1/0\"");
  EXPECT_EQ(
      fault_of("<ball2d_scene><integrator type=\"rk4\" dt=\"1\"/></ball2d_scene>").substr(0, 60),
      "s.xml:1:27: integrator.type: unknown integrator 'rk4'; known");
}

TEST(ScisimImport, OtherIntegratorsAreTold) {
  const std::string euler =
      "<ball2d_scene><integrator type=\"symplectic_euler\" dt=\"1\"/>" + kOperator +
      "<gravity fx=\"0\" fy=\"-1\"/>"
      "<ball x=\"0\" y=\"0\" vx=\"1\" vy=\"0\" m=\"1\" r=\"0.5\" fixed=\"0\"/></ball2d_scene>";
  const Scene scene = import_scisim(euler);
  EXPECT_EQ(scene.simulation.time.step, 1.0);
  EXPECT_NE(scene.description.find("SCISim moves it by symplectic_euler, Carom by Verlet"),
            std::string::npos);
}

// What is written reads back to the same scene.
void expect_round_trip(const Scene& scene) {
  const Scene back = read_scene(scene.text, "written.toml");
  EXPECT_EQ(write_scene(back), scene.text);
}

std::string rigid_scene(int dimension, const std::string& middle) {
  const std::string root = "rigidbody" + std::to_string(dimension) + "d_scene";
  const std::string integrator = dimension == 2 ? "verlet" : "dmv";
  return "<" + root + "><integrator type=\"" + integrator + "\" dt=\"1/100\"/>\n" + middle +
         "\n</" + root + ">";
}
const std::string kFriction =
    "<sobogus_friction_solver mu=\"0.5\" CoR=\"0.25\" max_iters=\"500\" tol=\"1e-9\" "
    "eval_every=\"1\" "
    "staggering=\"geometric\"/>";

TEST(ScisimImport, ReadsRigidBodiesInSpace) {
  const Scene scene = import_scisim(rigid_scene(3, kFriction + R"xml(
  <camera_perspective theta="1" phi="1" rho="9" lookat="0 0 0" up="0 1 0" fps="50" render_at_fps="0" locked="0"/>
  <near_earth_gravity f="0 -9.81 0"/>
  <static_plane x="0 -1 0" n="0 2 0"/>
  <static_plane_renderer plane="0" r="5 5"/>
  <geometry type="sphere" r="0.5"/>
  <geometry type="box" r="0.3 0.2 0.1"/>
  <rigid_body_with_density x="0 5 0" v="1 0 0" omega="0 0 3" rho="2" fixed="0" geo_idx="0"/>
  <rigid_body_with_density x="4  5 0" R="0 0 1.5707963267948966" v="0 0 0" omega="0 0 0" rho="1" fixed="0" geo_idx="1"/>
  <rigid_body_with_density x="8 0 0" v="0 0 0" omega="0 0 0" rho="1" fixed="1" geo_idx="0"/>
  <rigid_body_with_density x="12 0 0" v="0 0 0" omega="0 0 0" rho="1" fixed="1" geo_idx="1"/>)xml"),
                                    "bodies.xml");
  const Simulation& simulation = scene.simulation;
  EXPECT_EQ(simulation.world.dimension, 3);
  EXPECT_EQ(simulation.impact.friction_model, "coulomb");
  EXPECT_EQ(simulation.world.materials.material(0).friction, 0.5);
  EXPECT_EQ(simulation.world.materials.material(0).restitution, 0.25);
  EXPECT_NE(scene.description.find("sobogus_friction_solver became"), std::string::npos);
  ASSERT_EQ(simulation.world.bodies.size(), 2U);
  EXPECT_NEAR(simulation.world.bodies.mass[0], 2.0 * 4.0 / 3.0 * std::numbers::pi * 0.125, 1e-12);
  EXPECT_NEAR(simulation.world.bodies.mass[1], 8.0 * 0.3 * 0.2 * 0.1, 1e-15);
  EXPECT_EQ(simulation.start.angular_velocity[0], (Vec3{0, 0, 3}));
  EXPECT_EQ(simulation.start.position[1], (Vec3{4, 5, 0}));
  // A corner of the turned box: its longest half-edge points along y.
  const Solid& box = simulation.world.bodies.solid_of(1);
  const Pose pose = {{}, matrix_of(simulation.start.orientation[1])};
  double highest = 0.0;
  for (const Vec3& vertex : box.surface().vertices) {
    highest = std::max(highest, pose.to_world(vertex).y);
  }
  EXPECT_NEAR(highest, 0.3, 1e-12);
  ASSERT_EQ(simulation.world.shapes.size(), 3U);
  EXPECT_EQ(std::get<HalfPlane>(simulation.world.shapes[0].shape).normal, (Vec3{0, 1, 0}));
  EXPECT_EQ(std::get<SphereOutside>(simulation.world.shapes[1].shape).center, (Vec3{8, 0, 0}));
  EXPECT_EQ(std::get<SolidObstacle>(simulation.world.shapes[2].shape).pose.position,
            (Vec3{12, 0, 0}));
  expect_round_trip(scene);
}

TEST(ScisimImport, ReadsRigidBodiesInThePlane) {
  const Scene scene = import_scisim(rigid_scene(2, kOperator + R"xml(
  <near_earth_gravity f="0 -10"/>
  <geometry type="circle" r="0.5"/>
  <geometry type="box" r="0.3 0.2"/>
  <rigid_body x="0 5" theta="0" v="1 0" omega="3" rho="2" geo_idx="0"/>
  <rigid_body x="4 5" theta="0.5" v="0 0" omega="0" rho="1" geo_idx="1" fixed="0"/>)xml"));
  const Simulation& simulation = scene.simulation;
  EXPECT_EQ(simulation.forces.gravity, (Vec3{0, -10, 0}));
  ASSERT_EQ(simulation.world.bodies.size(), 2U);
  EXPECT_NEAR(simulation.world.bodies.mass[0], 2.0 * std::numbers::pi * 0.25, 1e-13);
  EXPECT_NEAR(simulation.world.bodies.mass[1], 4.0 * 0.3 * 0.2, 1e-15);
  EXPECT_EQ(simulation.start.angular_velocity[0].z, 3.0);
  EXPECT_NEAR(simulation.start.orientation[1].z, std::sin(0.25), 1e-15);
  expect_round_trip(scene);
}

TEST(ScisimImport, ReadsMeshesThatAreFiles) {
  const std::filesystem::path directory =
      std::filesystem::path(::testing::TempDir()) / "carom_scisim_mesh";
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "tetrahedron.obj")
      << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const auto with = [&](const std::string& name) {
    return rigid_scene(3,
                       kOperator + "<geometry type=\"mesh\" filename=\"" + name +
                           "\"/><rigid_body_with_density x=\"1 2 3\" v=\"0 0 0\" omega=\"0 0 0\" "
                           "rho=\"6\" fixed=\"0\" geo_idx=\"0\"/>");
  };
  const Scene scene = import_scisim(with("tetrahedron.obj"), (directory / "s.xml").string());
  // x is where the mesh's origin is; the centre of mass lies a quarter inside.
  EXPECT_NEAR(scene.simulation.world.bodies.mass[0], 1.0, 1e-12);
  EXPECT_NEAR(norm(scene.simulation.start.position[0] - Vec3{1.25, 2.25, 3.25}), 0.0, 1e-12);
  expect_round_trip(scene);
  EXPECT_NE(fault_of(with("none.obj")).find("none.obj"), std::string::npos);
  EXPECT_NE(fault_of(with("dragon.h5")).find("SCISim's own HDF5 files"), std::string::npos);
}

TEST(ScisimImport, ACylinderIsAPrismThatTouchesIt) {
  const Scene scene = import_scisim(rigid_scene(3, kOperator + R"xml(
  <static_cylinder x="1 2 0" axis="0 0 2" R="4"/>
  <static_cylinder_renderer cylinder_idx="0" L="1"/>
  <geometry type="sphere" r="0.5"/>
  <rigid_body_with_density x="1 2 0" v="1 0 0" omega="0 0 0" rho="1" fixed="0" geo_idx="0"/>)xml"));
  ASSERT_EQ(scene.simulation.world.shapes.size(), 128U);
  for (const PlacedShape& placed : scene.simulation.world.shapes) {
    const auto& plane = std::get<HalfPlane>(placed.shape);
    EXPECT_NEAR(norm(plane.point - Vec3{1, 2, 0}), 4.0, 1e-12);
    EXPECT_NEAR(dot(plane.normal, plane.point - Vec3{1, 2, 0}), -4.0, 1e-12);
    EXPECT_NEAR(plane.normal.z, 0.0, 1e-15);
  }
  EXPECT_NE(scene.description.find("a prism of 128 half-planes"), std::string::npos);
  expect_round_trip(scene);
}

TEST(ScisimImport, FrictionSolversWithoutFrictionAreTheOperatorAlone) {
  const std::string none =
      "<sobogus_friction_solver mu=\"0\" CoR=\"0.5\" max_iters=\"1\" tol=\"1\" "
      "eval_every=\"1\" staggering=\"geometric\" cache_impulses=\"none\"/>";
  const Scene scene = import_scisim(scene_with(none));
  EXPECT_EQ(scene.simulation.impact.friction_model, "none");
  EXPECT_EQ(scene.operators.front(), "gr");
  EXPECT_EQ(scene.simulation.world.materials.material(0).restitution, 0.5);
  const std::string staggered =
      "<staggered_projections_friction_solver mu=\"2\" CoR=\"0.8\" max_iters=\"5\" tol=\"1e-8\" "
      "staggering=\"geometric\" internal_warm_start_alpha=\"1\" internal_warm_start_beta=\"1\">"
      "<lcp_impact_solver name=\"ipopt\"/><mdp_friction_solver name=\"ipopt\"/>"
      "</staggered_projections_friction_solver>";
  EXPECT_EQ(import_scisim(scene_with(staggered)).simulation.impact.friction_model, "coulomb");
  EXPECT_EQ(fault_of(scene_with("<sobogus_friction_solver mu=\"-1\" CoR=\"0\"/>")),
            "s.xml:3:26: sobogus_friction_solver.mu: must not be negative, found -1");
}

TEST(ScisimImport, PartsOfGrrMaySayTheirCoefficients) {
  const auto with = [](const std::string& elastic) {
    return scene_with(
        "<impact_operator type=\"grr\" CoR=\"0.5\"><elastic_operator type=\"gr\" CoR=\"" + elastic +
        "\"/><inelastic_operator type=\"lcp\" CoR=\"0.0\"/></impact_operator>");
  };
  const Scene scene = import_scisim(with("1.0"));
  EXPECT_EQ(scene.simulation.world.materials.material(0).restitution, 0.5);
  EXPECT_EQ(
      fault_of(with("0.9")),
      "s.xml:3:67: elastic_operator.CoR: must be 1 for the elastic_operator of grr, whose own "
      "CoR is the coefficient");
}

TEST(ScisimImport, PortalsAcrossAnAxisAreAPeriodicWorld) {
  const Scene scene = import_scisim(
      scene_with(kOperator +
                 "<static_plane x=\"3 0\" n=\"-1 0\"/><static_plane x=\"0 -4\" n=\"0 1\"/>"
                 "<static_plane x=\"-2 0\" n=\"1 0\"/><planar_portal planeA=\"0\" planeB=\"2\"/>"));
  const Periodicity& periodicity = scene.simulation.world.periodicity;
  EXPECT_EQ(periodicity.length, (Vec3{5, 0, 0}));
  EXPECT_EQ(periodicity.lower.x, -2.0);
  ASSERT_EQ(scene.simulation.world.shapes.size(), 1U);
  EXPECT_EQ(scene.simulation.world.shapes[0].name, "plane-2");
  expect_round_trip(scene);
  const std::string tilted =
      "<static_plane x=\"3 0\" n=\"-1 0.1\"/><static_plane x=\"-2 0\" n=\"1 -0.1\"/>"
      "<planar_portal planeA=\"0\" planeB=\"1\"/>";
  EXPECT_NE(fault_of(scene_with(kOperator + tilted)).find("only portals between two planes across"),
            std::string::npos);
}

TEST(ScisimImport, FaultsOfRigidBodiesAreToldAtTheirPlace) {
  const auto fault_with = [](const std::string& middle) {
    return fault_of(rigid_scene(3, kOperator + "\n" + middle));
  };
  const std::string ball = "<geometry type=\"sphere\" r=\"1\"/>";
  const auto body = [](const std::string& rest) {
    return "<rigid_body_with_density x=\"0 0 0\" v=\"1 0 0\" omega=\"0 0 0\" rho=\"1\" " + rest +
           "/>";
  };
  EXPECT_EQ(fault_with(ball + body("fixed=\"0\" geo_idx=\"1\"")).substr(0, 78),
            "s.xml:3:109: rigid_body_with_density.geo_idx: expected the number of a geometr");
  EXPECT_NE(fault_with(ball + body("fixed=\"0\" geo_idx=\"-1\"")).find("found -1"),
            std::string::npos);
  EXPECT_NE(
      fault_with(ball + body("fixed=\"1\" geo_idx=\"0\"")).find("a fixed body with a velocity"),
      std::string::npos);
  EXPECT_NE(fault_with("<geometry type=\"staple\" w=\"1\" l=\"1\" D=\"0.1\"/>").find("staples"),
            std::string::npos);
  EXPECT_NE(fault_with("<geometry type=\"torus\"/>").find("unknown geometry 'torus'"),
            std::string::npos);
  EXPECT_NE(fault_with("<geometry type=\"box\" r=\"1 2\"/>").find("expected three numbers"),
            std::string::npos);
  EXPECT_NE(fault_with(ball).find("expected a body that moves"), std::string::npos);
}

TEST(ScisimImport, MalformedXmlIsRefusedAtItsPlace) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "s.xml:1:1: not valid XML: no element"},
      {"text", "s.xml:1:1: not valid XML: text between elements"},
      {"<a", "s.xml:1:2: not valid XML: a tag without a name"},
      {"<a>\n", "s.xml:1:4: not valid XML: an element that is not closed by its own end tag"},
      {"<a></b>", "s.xml:1:6: not valid XML: an element that is not closed by its own end tag"},
      {"<a b></a>",
       "s.xml:1:6: not valid XML: an attribute that is not of the form name=\"value\""},
      {"<a b=1/>", "s.xml:1:6: not valid XML: an attribute that is not of the form name=\"value\""},
      {"<a b=\"1/>",
       "s.xml:1:7: not valid XML: an attribute that is not of the form name=\"value\""},
      {"<a b=\"1\" b=\"2\"/>", "s.xml:1:10: a.b: is given twice"},
      {"<a/><b/>", "s.xml:1:5: not valid XML: a second root element"},
      {"<!-- <a/>", "s.xml:1:9: not valid XML: a comment that does not end with '-->'"},
      {"<!DOCTYPE a><a/>", "s.xml:1:11: not valid XML: document types and CDATA are not read"},
      {"<a>word</a>", "s.xml:1:4: not valid XML: text between elements"},
      {"<a><![CDATA[word]]></a>",
       "s.xml:1:13: not valid XML: document types and CDATA are not read"},
      {std::string("<a\0/>", 5), "s.xml:1:3: not valid XML: it holds a zero byte"},
      {"\xef\xbb\xbf<a b=\"1\" b=\"2\"/>", "s.xml:1:10: a.b: is given twice"},
  };
  for (const auto& [xml, fault] : cases) EXPECT_EQ(fault_of(xml), fault);
  std::string deep;
  for (int k = 0; k < 100000; ++k) deep += "<a>";
  for (int k = 0; k < 100000; ++k) deep += "</a>";
  EXPECT_NE(fault_of(deep).find("nested too deeply"), std::string::npos);
}

}  // namespace
}  // namespace carom
