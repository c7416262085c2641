#include <cmath>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/scene/scene.h"
#include "carom/scene/settings.h"
#include "carom/scene/write_scene.h"

namespace carom {
namespace {

TEST(SceneReader, AFileOfOneBallHasTheDocumentedDefaults) {
  const Scene scene = read_scene(R"toml(
kind = "scene"
[[body]]
position = [1, 2]
radius = 0.5
)toml");
  const Simulation& simulation = scene.simulation;
  EXPECT_EQ(simulation.world.dimension, 2);
  EXPECT_EQ(simulation.forces.gravity, Vec3{});
  EXPECT_FALSE(simulation.world.periodicity.any());
  EXPECT_EQ(simulation.time.scheme, "steps");
  EXPECT_EQ(simulation.time.step, 1e-2);
  EXPECT_EQ(simulation.time.duration, 1.0);
  EXPECT_EQ(simulation.detection.activation, 1e-9);
  EXPECT_TRUE(simulation.detection.redetect);
  EXPECT_EQ(scene.operators, std::vector<std::string>{"gr"});
  EXPECT_EQ(scene.record.every, 1U);
  EXPECT_FALSE(scene.record.impulses);
  EXPECT_EQ(scene.record.checkpoint_every, 1000U);
  ASSERT_EQ(simulation.world.bodies.size(), 1U);
  EXPECT_EQ(simulation.world.bodies.name[0], "body-1");
  EXPECT_EQ(simulation.world.bodies.mass[0], 1.0);
  EXPECT_EQ(simulation.world.bodies.radius[0], 0.5);
  EXPECT_EQ(simulation.start.position[0], (Vec3{1.0, 2.0, 0.0}));
  EXPECT_EQ(simulation.start.velocity[0], Vec3{});
  EXPECT_EQ(simulation.world.materials.size(), 1U);
  ASSERT_EQ(scene.expectations.size(), 1U);
  EXPECT_TRUE(scene.expectations[0].empty());
}

TEST(SceneReader, ReadsTheWorld) {
  const Scene flat = read_scene(R"toml(
kind = "scene"
[world]
gravity = 9.81
drag = 0.25
periodic = { x = [-5, 5], y = 20 }
[[body]]
position = [0, 1]
radius = 0.5
)toml");
  EXPECT_EQ(flat.simulation.forces.gravity, (Vec3{0.0, -9.81, 0.0}));
  EXPECT_EQ(flat.simulation.forces.drag.coefficient, 0.25);
  EXPECT_EQ(flat.simulation.world.periodicity.lower, (Vec3{-5.0, 0.0, 0.0}));
  EXPECT_EQ(flat.simulation.world.periodicity.length, (Vec3{10.0, 20.0, 0.0}));
  EXPECT_EQ(flat.simulation.symmetry, "none");

  const Scene kept = read_scene(R"toml(
kind = "scene"
[world]
symmetry = "exact"
[[body]]
position = [0, 1]
radius = 0.5
)toml");
  EXPECT_EQ(kept.simulation.symmetry, "exact");

  const Scene deep = read_scene(R"toml(
kind = "scene"
[world]
dimension = 3
gravity = [0, 0, "-sqrt(2)"]
periodic = { z = { lower = 1, length = 7 } }
[[body]]
position = [0, 1, 2]
velocity = [3, 4, 5]
radius = 0.5
)toml");
  EXPECT_EQ(deep.simulation.world.dimension, 3);
  EXPECT_EQ(deep.simulation.forces.gravity, (Vec3{0.0, 0.0, -std::sqrt(2.0)}));
  EXPECT_EQ(deep.simulation.world.periodicity.lower.z, 1.0);
  EXPECT_EQ(deep.simulation.world.periodicity.length.z, 7.0);
  EXPECT_EQ(deep.simulation.start.velocity[0], (Vec3{3.0, 4.0, 5.0}));
}

TEST(SceneReader, ReadsTimeDetectionRecordAndImpact) {
  const Scene scene = read_scene(R"toml(
kind = "scene"
title = "t"
description = "d"
figure = "f"
[time]
scheme = "steps"
step = "1/1024"
duration = 3
[detection]
activation = 1e-7
redetect = false
redetect_rounds = 7
sweep = false
hold = false
halve = false
broad_phase = "brute_force"
[impact]
operators = ["gr", "gauss_seidel:order=random,seed=7"]
restitution_model = "propagated"
[record]
interval = 0.25
impulses = true
checkpoint_every = 50
[[body]]
position = [0, 0]
radius = 1
)toml");
  EXPECT_EQ(scene.title + scene.description + scene.figure, "tdf");
  EXPECT_EQ(scene.simulation.time.step, 0.0009765625);
  EXPECT_EQ(scene.simulation.time.duration, 3.0);
  EXPECT_EQ(scene.simulation.detection.activation, 1e-7);
  EXPECT_FALSE(scene.simulation.detection.redetect);
  EXPECT_EQ(scene.simulation.detection.redetect_rounds, 7U);
  EXPECT_FALSE(scene.simulation.detection.sweep);
  EXPECT_FALSE(scene.simulation.detection.hold);
  EXPECT_FALSE(scene.simulation.detection.halve);
  EXPECT_EQ(scene.simulation.detection.broad_phase, "brute_force");
  EXPECT_EQ(scene.operators.size(), 2U);
  EXPECT_EQ(scene.simulation.impact.impact_operator, "gr");
  EXPECT_EQ(scene.simulation.impact.restitution_model, "propagated");
  EXPECT_EQ(scene.record.every, 256U);
  EXPECT_TRUE(scene.record.impulses);
  EXPECT_EQ(scene.record.checkpoint_every, 50U);
}

TEST(SceneReader, MaterialsCombineByTableFirstAndThenByRule) {
  const Scene scene = read_scene(R"toml(
kind = "scene"
[[material]]
name = "default"
restitution = 0.9
friction = 0.5
[[material]]
name = "steel"
restitution = 0.8
friction = 0.125
stiffness = 4
[[material]]
name = "rubber"
restitution = 0.4
[combine]
restitution = "mean"
friction = "maximum"
[[pair]]
materials = ["rubber", "steel"]
friction = 0.75
[[body]]
position = [0, 0]
radius = 1
material = "rubber"
[[body]]
position = [0, 4]
radius = 1
)toml");
  const MaterialTable& materials = scene.simulation.world.materials;
  ASSERT_EQ(materials.size(), 3U);
  EXPECT_EQ(materials.material(0).restitution, 0.9);
  EXPECT_EQ(scene.simulation.world.bodies.material[0], 2U);
  EXPECT_EQ(scene.simulation.world.bodies.material[1], 0U);
  EXPECT_DOUBLE_EQ(materials.coefficients(0, 1).restitution, 0.85);
  EXPECT_EQ(materials.coefficients(0, 1).friction, 0.5);
  EXPECT_EQ(materials.coefficients(0, 1).stiffness, 2.0);
  EXPECT_EQ(materials.coefficients(1, 2).friction, 0.75);
  EXPECT_DOUBLE_EQ(materials.coefficients(2, 1).restitution, 0.6);  // of the rule
}

TEST(SceneReader, ReadsShapesAndTheirMotions) {
  const Scene scene = read_scene(R"toml(
kind = "scene"
[[material]]
name = "wall"
[[body]]
position = [0, 0]
radius = 0.1
[[body]]
name = "post"
position = [5, 5]
radius = 2
fixed = true
material = "wall"
[[shape]]
type = "half_plane"
point = [0, -3]
normal = [0, 2]
motion = { type = "sinusoid", amplitude = [0, 0.5], frequency = 3, phase = "90 deg" }
[[shape]]
name = "lid"
type = "segment"
a = [-1, 4]
b = [1, 4]
material = "wall"
motion = { type = "constant", velocity = [0, 1] }
[[shape]]
type = "sphere_inside"
center = [0, 0]
radius = 20
motion = { type = "table", times = [0, 1, 3], offsets = [[0, 0], [0, 1], [2, 0]] }
[[shape]]
type = "sphere_outside"
center = [-7, 0]
radius = 1
[[shape]]
type = "box_inside"
lower = [-30, -30]
upper = [30, 40]
)toml");
  const std::vector<PlacedShape>& shapes = scene.simulation.world.shapes;
  ASSERT_EQ(shapes.size(), 6U);
  EXPECT_EQ(scene.simulation.world.bodies.size(), 1U);
  EXPECT_EQ(shapes[0].name, "shape-1");
  EXPECT_EQ(std::get<HalfPlane>(shapes[0].shape).normal, (Vec3{0.0, 1.0, 0.0}));
  const auto& sinusoid = std::get<SinusoidMotion>(shapes[0].motion);
  EXPECT_EQ(sinusoid.amplitude.y, 0.5);
  EXPECT_EQ(sinusoid.frequency, 3.0);
  EXPECT_DOUBLE_EQ(sinusoid.phase, std::numbers::pi / 2);
  EXPECT_EQ(shapes[1].name, "lid");
  EXPECT_EQ(shapes[1].material, 1U);
  EXPECT_EQ(std::get<ConstantMotion>(shapes[1].motion).velocity.y, 1.0);
  EXPECT_EQ(std::get<Segment>(shapes[1].shape).b.x, 1.0);
  EXPECT_EQ(std::get<SphereInside>(shapes[2].shape).radius, 20.0);
  const auto& table = std::get<TableMotion>(shapes[2].motion);
  EXPECT_EQ(table.times, (std::vector<double>{0.0, 1.0, 3.0}));
  EXPECT_EQ(table.offsets[2], (Vec3{2.0, 0.0, 0.0}));
  EXPECT_EQ(std::get<SphereOutside>(shapes[3].shape).center.x, -7.0);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(shapes[3].motion));
  EXPECT_EQ(std::get<BoxInside>(shapes[4].shape).upper.y, 40.0);
  EXPECT_EQ(shapes[5].name, "post");  // fixed bodies come after the shapes
  EXPECT_EQ(std::get<SphereOutside>(shapes[5].shape).radius, 2.0);
  EXPECT_EQ(shapes[5].material, 1U);
}

TEST(SceneReader, DensityIsPerAreaInThePlaneAndPerVolumeInSpace) {
  const char* const ball = "[[body]]\nposition = %\nradius = 2\ndensity = 3\n";
  const auto mass = [&](const std::string& dimension, const std::string& position) {
    std::string text = "kind = \"scene\"\n[world]\ndimension = " + dimension + "\n" + ball;
    text.replace(text.find('%'), 1, position);
    return read_scene(text).simulation.world.bodies.mass[0];
  };
  EXPECT_DOUBLE_EQ(mass("2", "[0, 0]"), 12.0 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(mass("3", "[0, 0, 0]"), 32.0 * std::numbers::pi);
}

TEST(SceneReader, ReadsSpringsAndCentres) {
  const Scene scene = read_scene(R"toml(
kind = "scene"
[[body]]
name = "a"
position = [0, 0]
radius = 1
[[body]]
name = "b"
position = [3, 4]
radius = 1
[[spring]]
bodies = ["a", "b"]
stiffness = 10
[[spring]]
body = "b"
point = [3, 9]
stiffness = 2
length = 1.5
[[central]]
center = [1, 0]
strength = 5
exponent = 1
)toml");
  const ForceSet& forces = scene.simulation.forces;
  ASSERT_EQ(forces.springs.size(), 2U);
  EXPECT_EQ(forces.springs[0].body_a, 0U);
  EXPECT_EQ(forces.springs[0].body_b, 1U);
  EXPECT_EQ(forces.springs[0].length, 5.0);  // as long as at the start
  EXPECT_EQ(forces.springs[1].body_a, 1U);
  EXPECT_EQ(forces.springs[1].body_b, kNone);
  EXPECT_EQ(forces.springs[1].point.y, 9.0);
  EXPECT_EQ(forces.springs[1].length, 1.5);
  ASSERT_EQ(forces.centers.size(), 1U);
  EXPECT_EQ(forces.centers[0].strength, 5.0);
  EXPECT_EQ(forces.centers[0].exponent, 1.0);
}

TEST(SceneReader, AnOperatorsOwnExpectationsReplaceTheGeneralOnes) {
  const Scene scene = read_scene(R"toml(
kind = "scene"
[time]
duration = 2
[impact]
operators = ["gr", "gauss_seidel"]
[[body]]
name = "a"
position = [0, 0]
radius = 1
[[line]]
count = 2
center = [0, 9]
radius = 1
[expect]
status = "completed"
impact_status = "resolved"
energy_drift = 1e-10
momentum_drift = 1e-9
penetration = 1e-3
applications_at_most = 40
tolerance = 1e-6
velocity = { a = [1, 0], line-1 = [0, 0] }
position = { a = ["1/2", 0] }
[[expect.at]]
time = 1
velocity = { line-2 = [0, 1] }
[[expect.symmetry]]
mirror = "y"
error_at_most = 1e-8
[[expect.symmetry]]
rotation = "120 deg"
center = [1, 2]
error_at_most = 1e-8
whole_run = true
[expect.gauss_seidel]
energy_drift_at_least = 0.5
velocity = { a = [2, 0] }
[[expect.gauss_seidel.symmetry]]
mirror = [0, 3]
error_at_least = 0.1
time = 1.5
)toml");
  ASSERT_EQ(scene.expectations.size(), 2U);
  const SceneExpectation& gr = scene.expectations[0];
  const SceneExpectation& gs = scene.expectations[1];
  EXPECT_EQ(gr.status, "completed");
  EXPECT_EQ(gr.impact_status, ImpactStatus::resolved);
  EXPECT_EQ(gr.energy_drift, 1e-10);
  EXPECT_FALSE(gr.energy_drift_at_least);
  EXPECT_EQ(gr.momentum_drift, 1e-9);
  EXPECT_EQ(gr.penetration, 1e-3);
  EXPECT_EQ(gr.applications_at_most, 40U);
  ASSERT_EQ(gr.states.size(), 2U);
  EXPECT_FALSE(gr.states[0].time);
  EXPECT_EQ(gr.states[0].tolerance, 1e-6);
  ASSERT_EQ(gr.states[0].velocities.size(), 2U);
  EXPECT_EQ(gr.states[0].positions[0].value.x, 0.5);
  EXPECT_EQ(gr.states[1].time, 1.0);
  EXPECT_EQ(gr.states[1].velocities[0].body, 2U);
  EXPECT_EQ(gr.states[1].tolerance, 1e-6);
  ASSERT_EQ(gr.symmetries.size(), 2U);
  EXPECT_EQ(gr.symmetries[0].kind, SymmetryExpectation::Kind::mirror);
  EXPECT_EQ(gr.symmetries[0].axis, (Vec3{0.0, 1.0, 0.0}));
  EXPECT_EQ(gr.symmetries[1].kind, SymmetryExpectation::Kind::rotation);
  EXPECT_DOUBLE_EQ(gr.symmetries[1].angle, 2.0 * std::numbers::pi / 3.0);
  EXPECT_EQ(gr.symmetries[1].axis, (Vec3{0.0, 0.0, 1.0}));
  EXPECT_TRUE(gr.symmetries[1].whole_run);
  EXPECT_EQ(gs.energy_drift_at_least, 0.5);
  EXPECT_EQ(gs.energy_drift, 1e-10);
  ASSERT_EQ(gs.states.size(), 2U);
  for (const StateExpectation::Value& value : gs.states[0].velocities) {
    EXPECT_EQ(value.value.x, value.body == 0 ? 2.0 : 0.0);
  }
  ASSERT_EQ(gs.symmetries.size(), 1U);
  EXPECT_EQ(gs.symmetries[0].axis, (Vec3{0.0, 1.0, 0.0}));
  EXPECT_EQ(gs.symmetries[0].error_at_least, 0.1);
  EXPECT_FALSE(gs.symmetries[0].error_at_most);
  EXPECT_EQ(gs.symmetries[0].time, 1.5);
}

TEST(SceneReader, ACheckMayBringItsOwnBalls) {
  const Scene scene = read_scene(R"toml(
kind = "scene"
[check]
name = "sweep"
sizes = [1, 2]
[check.slow]
sizes = [1000]
)toml");
  EXPECT_EQ(scene.check, "sweep");
  EXPECT_EQ(scene.parameters.numbers("sizes").size(), 2U);
  EXPECT_EQ(scene.slow_parameters.numbers("sizes")[0], 1000.0);
}

TEST(SceneReader, KindsAreToldApart) {
  EXPECT_EQ(file_kind("kind = \"instant\"\n"), "instant");
  EXPECT_EQ(file_kind("title = \"x\"\nkind = \"scene\"\n"), "scene");
  EXPECT_THROW(static_cast<void>(file_kind("title = \"x\"\n")), InputError);
  EXPECT_THROW(static_cast<void>(file_kind("kind = \"scence\"\n")), InputError);
}

TEST(SceneReader, TheStarterSceneIsASymmetricBreak) {
  const std::string text = starter_scene();
  EXPECT_EQ(file_kind(text), "scene");
  const Scene scene = read_scene(text, "starter.toml");
  EXPECT_EQ(scene.text, text);
  EXPECT_EQ(scene.simulation.world.bodies.size(), 16U);
  EXPECT_EQ(scene.expectations[0].symmetries.size(), 1U);
}

TEST(SceneReader, RestitutionCanBeALaw) {
  const Scene scene = read_scene(
      "kind = \"scene\"\n[[material]]\nname = \"default\"\n"
      "restitution = { law = \"bizon\", least = 0.7, speed = \"sqrt(9.81 * 0.001)\" }\n"
      "[[body]]\nposition = [0, 0]\nradius = 1\n");
  const Material& material = scene.simulation.world.materials.material(0);
  EXPECT_EQ(material.restitution, 0.7);
  EXPECT_DOUBLE_EQ(material.restitution_speed, std::sqrt(9.81e-3));
  const Scene again = read_scene(write_scene(scene));
  EXPECT_EQ(again.simulation.world.materials.material(0).restitution, 0.7);
  EXPECT_EQ(again.simulation.world.materials.material(0).restitution_speed,
            material.restitution_speed);
}

// f* = f sqrt(H / g) and Gamma = 4 pi^2 A f^2 / g, upwards first.
TEST(SceneReader, APlateCanBeShakenByNumbersWithoutUnits) {
  const Scene scene = read_scene(
      "kind = \"scene\"\n[world]\ndimension = 3\ngravity = [0, 0, -9.81]\n[[shape]]\n"
      "type = \"half_plane\"\n"
      "point = [0, 0, 0]\nnormal = [0, 0, 1]\n"
      "motion = { type = \"shaken\", frequency = 0.38, acceleration = 4, depth = 0.005 }\n"
      "[[body]]\nposition = [0, 0, 5]\nradius = 1\n");
  const auto& motion = std::get<SinusoidMotion>(scene.simulation.world.shapes[0].motion);
  const double f = 0.38 / std::sqrt(0.005 / 9.81);
  EXPECT_DOUBLE_EQ(motion.frequency, f);
  const double turns = 2.0 * std::numbers::pi * f;
  EXPECT_NEAR(norm(motion.amplitude) * turns * turns / 9.81, 4.0, 1e-13);
  EXPECT_GT(dot(motion.amplitude, scene.simulation.forces.gravity) * -1.0, 0.0);
}

// amplitude (1 - cos(2 pi f (t - start))) / 2 for one period.
TEST(SceneReader, AShapeCanBeShakenOnce) {
  const Scene scene = read_scene(
      "kind = \"scene\"\n[[shape]]\ntype = \"half_plane\"\npoint = [0, 0]\nnormal = [0, 1]\n"
      "motion = { type = \"shake\", amplitude = [0, 3], frequency = 2, start = 1.5 }\n"
      "[[body]]\nposition = [0, 5]\nradius = 1\n");
  const Motion& motion = scene.simulation.world.shapes[0].motion;
  EXPECT_EQ(offset_at(motion, 1.0), Vec3{});
  EXPECT_EQ(offset_at(motion, 1.5), Vec3{});
  EXPECT_DOUBLE_EQ(offset_at(motion, 1.75).y, 3.0);
  for (int k = 0; k <= 38; ++k) {
    const double t = 1.5 + 0.013 * k;
    const double exact = 1.5 * (1.0 - std::cos(4.0 * std::numbers::pi * (t - 1.5)));
    EXPECT_NEAR(offset_at(motion, t).y, exact, 3.0 * 2e-4);
  }
  EXPECT_EQ(offset_at(motion, 2.0), Vec3{});
  EXPECT_EQ(offset_at(motion, 7.0), Vec3{});
  EXPECT_EQ(offset_at(read_scene(write_scene(scene)).simulation.world.shapes[0].motion, 1.7),
            offset_at(motion, 1.7));
}

constexpr const char* kMeasured =
    "kind = \"scene\"\n[world]\ndimension = 3\ngravity = [0, 0, -1]\n"
    "periodic = { x = [-4, 4], y = 6 }\n[[body]]\nposition = [0, 1, 5]\nradius = 0.5\n"
    "[[shape]]\nname = \"plate\"\ntype = \"half_plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n"
    "[measure]\ntemperature = true\nsides = { axis = \"z\", at = 2.5 }\n"
    "layers = { count = 7, from = 3 }\n"
    "heights = { cell = 0.5, depth = 2, floor = \"plate\" }\n";

TEST(SceneReader, MeasurementsAreReadAndWritten) {
  const Scene scene = read_scene(kMeasured);
  for (const Scene& one : {scene, read_scene(write_scene(scene))}) {
    const MeasureSettings& measure = one.measure;
    EXPECT_TRUE(measure.temperature);
    ASSERT_TRUE(measure.sides && measure.layers && measure.heights);
    EXPECT_EQ(measure.sides->axis, 2);
    EXPECT_EQ(measure.sides->at, 2.5);
    EXPECT_EQ(measure.layers->count, 7U);
    EXPECT_EQ(measure.layers->from, 3.0);
    EXPECT_EQ(measure.heights->floor, 0U);
    EXPECT_EQ(measure.heights->cell, 0.5);
    EXPECT_EQ(measure.heights->depth, 2.0);
    EXPECT_EQ(measure.heights->lower, (Vec3{-4.0, 0.0, 0.0}));
    EXPECT_EQ(measure.heights->length, (Vec3{8.0, 6.0, 0.0}));
  }
}

TEST(SceneReader, MeasurementsThatCannotBeMadeAreRefused) {
  const auto refused = [](const std::string& text, const std::string& word) {
    try {
      static_cast<void>(read_scene(text, "m.toml"));
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = kMeasured;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  refused(with("floor = \"plate\"", "floor = \"plaet\""), "plate");
  refused(with("axis = \"z\"", "axis = \"w\""), "axis");
  refused(with("count = 7", "count = 0"), "count");
  refused(with("cell = 0.5", "cell = 1e-9"), "million");
  refused(with("y = 6", "y = 0"), "periodic");
  refused(with("periodic = { x = [-4, 4], y = 6 }\n", ""), "window");
  refused(with("gravity = [0, 0, -1]", "gravity = [0, -1, 0]"), "gravity");
  refused(with("depth = 2, ", ""), "depth");
  refused(with("temperature = true", "temprature = true"), "temperature");
}

// A coefficient that nothing uses would be ignored in silence.
TEST(SceneReader, FrictionThatIsGivenActs) {
  const auto model_of = [](const std::string& impact, const std::string& friction) {
    return read_scene("kind = \"scene\"\n" + impact +
                          "[[material]]\nname = \"default\"\nfriction = " + friction +
                          "\n[[body]]\nradius = 1\nposition = [0, 0]\n",
                      "friction.toml")
        .simulation.impact.friction_model;
  };
  EXPECT_EQ(model_of("", "0.9"), "coulomb");
  EXPECT_EQ(model_of("[time]\nscheme = \"events\"\n", "0.9"), "slip");
  EXPECT_EQ(model_of("", "0.0"), "none");
  EXPECT_EQ(model_of("[impact]\nfriction_model = \"none\"\n", "0.9"), "none");
  EXPECT_EQ(model_of("[impact]\nfriction_model = \"box\"\n", "0.9"), "box");
  // What was written reads back, also where friction is not to act.
  const Scene frictionless = read_scene(
      "kind = \"scene\"\n[impact]\nfriction_model = \"none\"\n[[material]]\nname = \"default\"\n"
      "friction = 0.9\n[[body]]\nradius = 1\nposition = [0, 0]\n",
      "friction.toml");
  EXPECT_EQ(read_scene(write_scene(frictionless), "again.toml").simulation.impact.friction_model,
            "none");
}

}  // namespace
}  // namespace carom
