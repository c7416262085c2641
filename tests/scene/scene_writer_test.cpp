// What is written reads back to the same bits.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/events/settings.h"
#include "carom/scene/scene.h"
#include "carom/scene/settings.h"
#include "carom/scene/write_scene.h"

namespace carom {
namespace {

void expect_same(double a, double b) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b)) << a << " " << b;
}
void expect_same(const Vec3& a, const Vec3& b) {
  expect_same(a.x, b.x);
  expect_same(a.y, b.y);
  expect_same(a.z, b.z);
}

void expect_same(const MaterialTable& a, const MaterialTable& b) {
  ASSERT_EQ(a.size(), b.size());
  for (Index i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a.material(i).name, b.material(i).name);
    expect_same(a.material(i).stiffness, b.material(i).stiffness);
    for (Index j = 0; j < a.size(); ++j) {
      expect_same(a.coefficients(i, j).restitution, b.coefficients(i, j).restitution);
      expect_same(a.coefficients(i, j).restitution_speed, b.coefficients(i, j).restitution_speed);
      expect_same(a.coefficients(i, j).friction, b.coefficients(i, j).friction);
      expect_same(a.coefficients(i, j).stiffness, b.coefficients(i, j).stiffness);
    }
  }
}

void expect_same(const Shape& a, const Shape& b) {
  ASSERT_EQ(a.index(), b.index());
  if (const auto* plane = std::get_if<HalfPlane>(&a)) {
    expect_same(plane->point, std::get<HalfPlane>(b).point);
    expect_same(plane->normal, std::get<HalfPlane>(b).normal);
  } else if (const auto* segment = std::get_if<Segment>(&a)) {
    expect_same(segment->a, std::get<Segment>(b).a);
    expect_same(segment->b, std::get<Segment>(b).b);
  } else if (const auto* inside = std::get_if<SphereInside>(&a)) {
    expect_same(inside->center, std::get<SphereInside>(b).center);
    expect_same(inside->radius, std::get<SphereInside>(b).radius);
  } else if (const auto* outside = std::get_if<SphereOutside>(&a)) {
    expect_same(outside->center, std::get<SphereOutside>(b).center);
    expect_same(outside->radius, std::get<SphereOutside>(b).radius);
  } else {
    expect_same(std::get<BoxInside>(a).lower, std::get<BoxInside>(b).lower);
    expect_same(std::get<BoxInside>(a).upper, std::get<BoxInside>(b).upper);
  }
}

void expect_same(const Motion& a, const Motion& b) {
  ASSERT_EQ(a.index(), b.index());
  for (const double time : {0.0, 0.3, 1.0, 7.7}) {
    expect_same(offset_at(a, time), offset_at(b, time));
  }
}

void expect_same(const ForceSet& a, const ForceSet& b) {
  expect_same(a.gravity, b.gravity);
  expect_same(a.drag.coefficient, b.drag.coefficient);
  ASSERT_EQ(a.springs.size(), b.springs.size());
  for (std::size_t i = 0; i < a.springs.size(); ++i) {
    EXPECT_EQ(a.springs[i].body_a, b.springs[i].body_a);
    EXPECT_EQ(a.springs[i].body_b, b.springs[i].body_b);
    expect_same(a.springs[i].point, b.springs[i].point);
    expect_same(a.springs[i].stiffness, b.springs[i].stiffness);
    expect_same(a.springs[i].length, b.springs[i].length);
  }
  ASSERT_EQ(a.centers.size(), b.centers.size());
  for (std::size_t i = 0; i < a.centers.size(); ++i) {
    expect_same(a.centers[i].center, b.centers[i].center);
    expect_same(a.centers[i].strength, b.centers[i].strength);
    expect_same(a.centers[i].exponent, b.centers[i].exponent);
  }
}

void expect_same(const Simulation& a, const Simulation& b) {
  EXPECT_EQ(a.world.dimension, b.world.dimension);
  expect_same(a.world.periodicity.lower, b.world.periodicity.lower);
  expect_same(a.world.periodicity.length, b.world.periodicity.length);
  EXPECT_EQ(a.symmetry, b.symmetry);
  ASSERT_EQ(a.world.bodies.size(), b.world.bodies.size());
  EXPECT_EQ(a.world.bodies.name, b.world.bodies.name);
  EXPECT_EQ(a.world.bodies.material, b.world.bodies.material);
  for (Index i = 0; i < a.world.bodies.size(); ++i) {
    expect_same(a.world.bodies.mass[i], b.world.bodies.mass[i]);
    expect_same(a.world.bodies.radius[i], b.world.bodies.radius[i]);
    expect_same(a.start.position[i], b.start.position[i]);
    expect_same(a.start.velocity[i], b.start.velocity[i]);
  }
  ASSERT_EQ(a.world.shapes.size(), b.world.shapes.size());
  for (std::size_t i = 0; i < a.world.shapes.size(); ++i) {
    EXPECT_EQ(a.world.shapes[i].name, b.world.shapes[i].name);
    EXPECT_EQ(a.world.shapes[i].material, b.world.shapes[i].material);
    expect_same(a.world.shapes[i].shape, b.world.shapes[i].shape);
    expect_same(a.world.shapes[i].motion, b.world.shapes[i].motion);
  }
  expect_same(a.world.materials, b.world.materials);
  expect_same(a.forces, b.forces);
  EXPECT_EQ(a.time.scheme, b.time.scheme);
  expect_same(a.time.step, b.time.step);
  expect_same(a.time.duration, b.time.duration);
  for (const ImpactSettingInfo& info : impact_setting_registry()) {
    EXPECT_EQ(impact_setting_text(a.impact, info.key), impact_setting_text(b.impact, info.key));
  }
  expect_same(a.detection.activation, b.detection.activation);
  EXPECT_EQ(a.detection.redetect, b.detection.redetect);
  EXPECT_EQ(a.detection.redetect_rounds, b.detection.redetect_rounds);
  EXPECT_EQ(a.detection.sweep, b.detection.sweep);
  EXPECT_EQ(a.detection.hold, b.detection.hold);
  EXPECT_EQ(a.detection.halve, b.detection.halve);
  EXPECT_EQ(a.detection.broad_phase, b.detection.broad_phase);
}

// Numbers of very different sizes, -0 among them.
double any_number(Random& random) {
  switch (random.below(6)) {
    case 0:
      return 0.0;
    case 1:
      return -0.0;
    case 2:
      return std::ldexp(random.uniform(-1.0, 1.0), static_cast<int>(random.below(40)) - 60);
    default:
      return random.uniform(-1.0, 1.0);
  }
}

Vec3 any_vector(Random& random, int dimension) {
  const double x = any_number(random);
  const double y = any_number(random);
  return {x, y, dimension == 3 ? any_number(random) : 0.0};
}

Motion any_motion(Random& random, int dimension) {
  switch (random.below(4)) {
    case 0:
      return {};
    case 1:
      return ConstantMotion{any_vector(random, dimension)};
    case 2:
      return SinusoidMotion{any_vector(random, dimension), random.uniform(), random.uniform()};
    default:
      return TableMotion{{any_number(random), 2.0, 3.0 + random.uniform()},
                         {any_vector(random, dimension), any_vector(random, dimension),
                          any_vector(random, dimension)}};
  }
}

// Far below all balls, so that nothing overlaps.
Shape any_shape(Random& random, int dimension) {
  const Vec3 far = {0.0, -1e6, 0.0};
  switch (random.below(5)) {
    case 0: {
      const double angle = random.uniform(1.0, 2.0);
      return HalfPlane{far + any_vector(random, dimension),
                       {std::cos(angle), std::sin(angle), 0.0}};
    }
    case 1:
      return Segment{far + any_vector(random, dimension), far - Vec3{2.0, 0.0, 0.0}};
    case 2:
      return SphereInside{any_vector(random, dimension), 1e7 + random.uniform()};
    case 3:
      return SphereOutside{far + any_vector(random, dimension), random.uniform() + 0.1};
    default: {
      const double size = 1e7 + random.uniform();
      return BoxInside{{-size, -size, dimension == 3 ? -size : 0.0},
                       {size, size, dimension == 3 ? size : 0.0}};
    }
  }
}

void add_balls(Random& random, Simulation& simulation) {
  for (Index i = 0; i < 1 + random.below(6); ++i) {
    simulation.world.bodies.mass.push_back(std::abs(any_number(random)) + 1e-30);
    simulation.world.bodies.radius.push_back(random.uniform() + 1e-9);
    simulation.world.bodies.material.push_back(random.below(simulation.world.materials.size()));
    simulation.world.bodies.name.push_back("ball \"" + std::to_string(i) + "\"");
    Vec3 place = any_vector(random, simulation.world.dimension);
    place.x += 10.0 * i;
    simulation.start.position.push_back(place);
    simulation.start.velocity.push_back(any_vector(random, simulation.world.dimension));
  }
}

void add_materials(Random& random, MaterialTable& materials) {
  materials.replace(0, {"default", random.uniform(), random.uniform(), random.uniform() + 0.1});
  static_cast<void>(materials.add({"steel", random.uniform(), 0.0, 5.0}));
  static_cast<void>(materials.add({"r\\ubber", random.uniform(), 0.5, 0.1}));
  materials.set_rules(CombineRule::product, CombineRule::mean, CombineRule::maximum);
  materials.set_pair(2, 1, {random.uniform(), random.uniform(), random.uniform() + 0.1});
}

void add_forces(Random& random, Simulation& simulation) {
  const int dimension = simulation.world.dimension;
  simulation.forces.gravity = any_vector(random, dimension);
  simulation.forces.drag.coefficient = random.uniform();
  simulation.forces.springs.push_back(
      {0, kNone, any_vector(random, dimension), random.uniform(), random.uniform()});
  if (simulation.world.bodies.size() > 1) {
    simulation.forces.springs.push_back({1, 0, {}, random.uniform(), random.uniform()});
  }
  if (!simulation.world.periodicity.any()) {
    simulation.forces.centers.push_back(
        {any_vector(random, dimension), any_number(random), any_number(random)});
  }
}

TEST(SceneWriter, RandomScenesComeBackToTheLastBit) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Scene scene;
    Simulation& simulation = scene.simulation;
    simulation.world.dimension = 2 + static_cast<int>(random.below(2));
    add_materials(random, simulation.world.materials);
    add_balls(random, simulation);
    if (random.below(3) == 0) {
      simulation.world.periodicity.lower.x = any_number(random);
      simulation.world.periodicity.length.x = 100.0 + random.uniform();
    } else {
      for (Index i = 0; i < random.below(4); ++i) {
        Motion motion = any_motion(random, simulation.world.dimension);
        simulation.world.shapes.push_back({any_shape(random, simulation.world.dimension), motion,
                                           random.below(3), "shape " + std::to_string(i)});
      }
    }
    add_forces(random, simulation);
    simulation.time.step = random.uniform() + 1e-3;
    simulation.time.duration = random.uniform();
    simulation.detection = {1e-8, false, 9, false, false, false, "brute_force"};
    simulation.impact.tolerance = 1e-9;
    simulation.impact.anti_locking = AntiLocking::off;
    scene.record = {3, true, 17};
    const Scene back = read_scene(write_scene(scene), "written");
    expect_same(simulation, back.simulation);
    EXPECT_EQ(back.record.every, 3U);
    EXPECT_TRUE(back.record.impulses);
    EXPECT_EQ(back.record.checkpoint_every, 17U);
    EXPECT_EQ(write_scene(back), write_scene(scene));
  }
}

TEST(SceneWriter, SpinsAndTheEnvelopeComeBack) {
  const Scene scene = read_scene(
      "kind = \"scene\"\n[world]\ndimension = 3\n[time]\nscheme = \"events\"\n"
      "[events]\nenvelope = 0.003\ncontact_duration = 0.001\n"
      "[[shape]]\nname = \"platter\"\ntype = \"half_plane\"\npoint = [0, 0, 0]\n"
      "normal = [0, 0, 1]\nspin = [0, 0, 2.5]\n"
      "[[body]]\nname = \"ball\"\nradius = 0.1\nturns = true\nposition = [0, 0, 1]\n");
  const Scene again = read_scene(write_scene(scene));
  expect_same(again.simulation.world.shapes.at(0).spin, {0.0, 0.0, 2.5});
  expect_same(again.simulation.settings.of<EventSettings>().envelope, 0.003);
  expect_same(again.simulation.settings.of<EventSettings>().contact_duration, 0.001);
}

TEST(SceneWriter, EventSettingsComeBack) {
  const Scene scene = read_scene(
      "kind = \"scene\"\n[time]\nscheme = \"events\"\n[events]\nqueue = \"heap\"\n"
      "contact_duration = 0.001\n[[body]]\nposition = [0, 0]\nradius = 1\n",
      "events.toml");
  EXPECT_EQ(scene.simulation.settings.of<EventSettings>().queue, "heap");
  EXPECT_EQ(scene.simulation.settings.of<EventSettings>().contact_duration, 0.001);
  const Scene again = read_scene(write_scene(scene), "again.toml");
  EXPECT_EQ(again.simulation.time.scheme, "events");
  EXPECT_EQ(again.simulation.settings.of<EventSettings>().queue, "heap");
  EXPECT_EQ(again.simulation.settings.of<EventSettings>().contact_duration, 0.001);
}

TEST(SceneWriter, ASymmetryToBeKeptComesBack) {
  Scene scene = read_scene("kind = \"scene\"\n[[body]]\nposition = [0, 1]\nradius = 0.5\n");
  scene.simulation.symmetry = "exact";
  EXPECT_EQ(read_scene(write_scene(scene)).simulation.symmetry, "exact");
}

TEST(SceneWriter, GeneratedScenesComeBackToTheLastBit) {
  const Scene scene = read_scene(R"toml(
kind = "scene"
title = "quotes \" and \\ and \n lines"
description = "d"
figure = "GR Fig. 5"
[impact]
operators = ["qce", "gauss_seidel:order=worst"]
[[rack]]
rows = 10
radius = 0.3
direction = [1, 0.1]
[[ring]]
count = 7
ring_radius = 50
radius = 0.1
phase = 0.3
[[body]]
name = "post"
fixed = true
position = [-9, 1]
radius = 1
)toml");
  const Scene back = read_scene(write_scene(scene));
  expect_same(scene.simulation, back.simulation);
  EXPECT_EQ(back.title, scene.title);
  EXPECT_EQ(back.description, "d");
  EXPECT_EQ(back.figure, "GR Fig. 5");
  EXPECT_EQ(back.operators, scene.operators);
}

}  // namespace
}  // namespace carom
