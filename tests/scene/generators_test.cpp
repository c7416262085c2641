// Where generators put balls: the documented places, and mirrored ones to the last bit.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/scene/scene.h"

namespace carom {
namespace {

Simulation read(const std::string& text) {
  return read_scene("kind = \"scene\"\n" + text).simulation;
}

Index find(const Simulation& simulation, const std::string& name) {
  const auto& names = simulation.world.bodies.name;
  const auto found = std::find(names.begin(), names.end(), name);
  EXPECT_NE(found, names.end()) << name;
  return static_cast<Index>(found - names.begin());
}

Vec3 place(const Simulation& simulation, const std::string& name) {
  return simulation.start.position[find(simulation, name)];
}

// Every ball's image is the place of a ball, with the same bits (and its velocity's image with it).
void expect_exact_symmetry(const Simulation& simulation, const std::function<Vec3(Vec3)>& map) {
  for (Index i = 0; i < simulation.world.bodies.size(); ++i) {
    const Vec3 image = map(simulation.start.position[i]);
    bool found = false;
    for (Index j = 0; j < simulation.world.bodies.size() && !found; ++j) {
      found = simulation.start.position[j] == image &&
              simulation.start.velocity[j] == map(simulation.start.velocity[i]);
    }
    EXPECT_TRUE(found) << simulation.world.bodies.name[i];
  }
}

Vec3 mirror_x(const Vec3& v) { return Vec3{-v.x, v.y, v.z}; }
Vec3 mirror_y(const Vec3& v) { return Vec3{v.x, -v.y, v.z}; }
Vec3 mirror_z(const Vec3& v) { return Vec3{v.x, v.y, -v.z}; }
Vec3 quarter_turn(const Vec3& v) { return Vec3{-v.y, v.x, v.z}; }

TEST(GridGenerator, PlacesBallsAroundItsCentre) {
  const Simulation grid = read(R"toml(
[[grid]]
counts = [3, 2]
spacing = [2, 5]
center = [10, 0]
radius = 1
mass = 7
velocity = [0, -1]
)toml");
  ASSERT_EQ(grid.world.bodies.size(), 6U);
  EXPECT_EQ(place(grid, "grid-1-1"), (Vec3{8.0, -2.5, 0.0}));
  EXPECT_EQ(place(grid, "grid-3-2"), (Vec3{12.0, 2.5, 0.0}));
  EXPECT_EQ(grid.world.bodies.name[1], "grid-2-1");
  EXPECT_EQ(grid.world.bodies.mass[5], 7.0);
  EXPECT_EQ(grid.start.velocity[5], (Vec3{0.0, -1.0, 0.0}));
}

TEST(GridGenerator, StartsAtAnOrigin) {
  const Simulation grid = read(R"toml(
[world]
dimension = 3
[[grid]]
name = "box"
counts = [2, 1, 3]
origin = [1, 2, 3]
radius = 0.5
)toml");
  ASSERT_EQ(grid.world.bodies.size(), 6U);
  EXPECT_EQ(place(grid, "box-1-1-1"), (Vec3{1.0, 2.0, 3.0}));
  EXPECT_EQ(place(grid, "box-2-1-3"), (Vec3{2.0, 2.0, 5.0}));
}

TEST(GridGenerator, IsSymmetricToTheLastBit) {
  // 0.1 and 0.3 are no binary fractions, so that a sloppy sum would show.
  const Simulation flat = read("[[grid]]\ncounts = [9, 6]\nspacing = [0.3, 0.7]\nradius = 0.1\n");
  expect_exact_symmetry(flat, mirror_x);
  expect_exact_symmetry(flat, mirror_y);
  const Simulation deep =
      read("[world]\ndimension = 3\n[[grid]]\ncounts = [4, 5, 6]\nspacing = 0.3\nradius = 0.1\n");
  expect_exact_symmetry(deep, mirror_x);
  expect_exact_symmetry(deep, mirror_y);
  expect_exact_symmetry(deep, mirror_z);
}

TEST(GridGenerator, JitterAndRandomVelocitiesStayWithinTheirBoundsAndFollowTheSeed) {
  const std::string text =
      "[[grid]]\ncounts = [9, 9]\nspacing = 1\nradius = 0.25\njitter = 0.125\n"
      "velocity = [10, 0]\nvelocity_random = 2\nseed = ";
  const Simulation grid = read(text + "5\n");
  const Simulation regular = read("[[grid]]\ncounts = [9, 9]\nspacing = 1\nradius = 0.25\n");
  double largest = 0.0;
  for (Index i = 0; i < grid.world.bodies.size(); ++i) {
    const double moved = norm(grid.start.position[i] - regular.start.position[i]);
    EXPECT_LE(moved, 0.125);
    EXPECT_LE(norm(grid.start.velocity[i] - Vec3{10.0, 0.0, 0.0}), 2.0 + 1e-12);
    largest = std::max(largest, moved);
  }
  EXPECT_GT(largest, 0.1);
  EXPECT_EQ(grid.start.position, read(text + "5\n").start.position);
  EXPECT_EQ(grid.start.velocity, read(text + "5\n").start.velocity);
  EXPECT_NE(grid.start.position, read(text + "6\n").start.position);
}

TEST(RackGenerator, IsATriangleOfTouchingBalls) {
  const Simulation rack = read("[[rack]]\nrows = 10\napex = [1, 0]\nradius = 0.3\n");
  ASSERT_EQ(rack.world.bodies.size(), 55U);
  EXPECT_EQ(place(rack, "rack-1-1"), (Vec3{1.0, 0.0, 0.0}));
  int touching = 0;
  for (Index i = 0; i < rack.world.bodies.size(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const double gap = norm(rack.start.position[i] - rack.start.position[j]) - 0.6;
      EXPECT_GT(gap, -1e-14);
      if (gap < 1e-14) ++touching;
    }
  }
  EXPECT_EQ(touching, 135);  // 3 n (n - 1) / 2 sides of the small triangles
  expect_exact_symmetry(rack, mirror_y);
}

TEST(RackGenerator, PointsWhereItIsTold) {
  const Simulation up =
      read("[[rack]]\nname = \"r\"\nrows = 5\ndirection = [0, 7]\nradius = 0.3\nspacing = 0.7\n");
  EXPECT_EQ(place(up, "r-1-1"), Vec3{});
  EXPECT_DOUBLE_EQ(place(up, "r-3-1").y, 0.7 * std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(place(up, "r-3-1").x, 0.7);  // to the left, seen along the direction, is last
  EXPECT_DOUBLE_EQ(place(up, "r-3-3").x, -0.7);
  expect_exact_symmetry(up, mirror_x);
}

TEST(LineGenerator, PlacesBallsAlongADirection) {
  const Simulation line = read(R"toml(
[[line]]
count = 5
center = [0, 1]
direction = [0, -2]
radius = 0.1
spacing = 0.3
)toml");
  ASSERT_EQ(line.world.bodies.size(), 5U);
  EXPECT_EQ(place(line, "line-3"), (Vec3{0.0, 1.0, 0.0}));
  EXPECT_DOUBLE_EQ(place(line, "line-1").y, 1.6);
  const Simulation level = read("[[line]]\ncount = 6\nradius = 0.1\nspacing = 0.3\n");
  expect_exact_symmetry(level, mirror_x);
  const Simulation from = read("[[line]]\ncount = 2\norigin = [4, 0]\nradius = 0.5\n");
  EXPECT_EQ(place(from, "line-2"), (Vec3{5.0, 0.0, 0.0}));
}

TEST(RingGenerator, PlacesBallsOnACircle) {
  for (const int count : {1, 2, 3, 5, 7, 8, 12, 24, 100}) {
    for (const double phase : {0.0, 0.5, -1.25, 100.0}) {
      const Simulation ring =
          read("[[ring]]\ncount = " + std::to_string(count) + "\nring_radius = 50\nradius = 0.1\n" +
               "phase = " + std::to_string(phase) + "\n");
      ASSERT_EQ(ring.world.bodies.size(), static_cast<Index>(count));
      for (int k = 0; k < count; ++k) {
        const double angle = 2.0 * std::numbers::pi * k / count + phase;
        const Vec3 expected = {50.0 * std::cos(angle), 50.0 * std::sin(angle), 0.0};
        EXPECT_LT(norm(place(ring, "ring-" + std::to_string(k + 1)) - expected), 1e-12);
      }
    }
  }
}

TEST(RingGenerator, HasTheExactSymmetriesOfItsNumber) {
  for (const int count : {3, 4, 5, 6, 8, 10, 12, 24, 36, 100}) {
    // The first ball on the x axis, on the y axis, and half a step from the x axis.
    const std::string half_step = "pi/" + std::to_string(count);
    for (const std::string& phase : {std::string("0"), std::string("90 deg"), half_step}) {
      SCOPED_TRACE(std::to_string(count) + " from " + phase);
      const Simulation ring =
          read("[[ring]]\ncount = " + std::to_string(count) +
               "\nring_radius = 7.3\nradius = 0.01\nradial_velocity = -1.7\nphase = \"" + phase +
               "\"\n");
      if (phase != "90 deg") expect_exact_symmetry(ring, mirror_y);
      if (phase == "90 deg" || count % 2 == 0) expect_exact_symmetry(ring, mirror_x);
      if (count % 4 == 0) expect_exact_symmetry(ring, quarter_turn);
    }
  }
}

TEST(RingGenerator, TangentialVelocitiesTurnItAnticlockwise) {
  const Simulation ring =
      read("[[ring]]\ncount = 4\nring_radius = 2\nradius = 1\ntangential_velocity = 3\n");
  EXPECT_EQ(ring.start.velocity[0], (Vec3{0.0, 3.0, 0.0}));
  EXPECT_EQ(ring.start.velocity[1], (Vec3{-3.0, 0.0, 0.0}));
  expect_exact_symmetry(ring, quarter_turn);
}

TEST(RingGenerator, RadialVelocitiesPointFromTheCentre) {
  const Simulation ring = read(
      "[[ring]]\ncount = 24\ncenter = [3, 4]\nring_radius = 10\nradius = 1\nradial_velocity = -2\n"
      "velocity = [0, 1]\n");
  for (Index i = 0; i < 24; ++i) {
    const Vec3 outward = 0.1 * (ring.start.position[i] - Vec3{3.0, 4.0, 0.0});
    EXPECT_LT(norm(ring.start.velocity[i] - Vec3{0.0, 1.0, 0.0} + 2.0 * outward), 1e-14);
  }
}

void expect_apart(const Simulation& simulation, double gap) {
  for (Index i = 0; i < simulation.world.bodies.size(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const Vec3 line = nearest_image(simulation.world.periodicity,
                                      simulation.start.position[i] - simulation.start.position[j]);
      EXPECT_GE(norm(line) - simulation.world.bodies.radius[i] - simulation.world.bodies.radius[j],
                gap - 1e-12);
    }
  }
}

TEST(RandomGenerator, FillsABoxWithoutOverlaps) {
  const std::string text = R"toml(
[[body]]
name = "big"
position = [5, 5]
radius = 3
[[shape]]
name = "post"
type = "sphere_outside"
center = [1, 1]
radius = 0.5
[[random]]
name = "gas"
count = 100
region = { lower = [0, 0], upper = [10, 10] }
radius = [0.1, 0.3]
gap = 0.05
velocity_random = 1
density = 2
seed = )toml";
  const Simulation gas = read(text + "3\n");
  ASSERT_EQ(gas.world.bodies.size(), 101U);
  EXPECT_EQ(gas.world.bodies.name[100], "gas-100");
  expect_apart(gas, 0.05);
  for (Index i = 1; i < gas.world.bodies.size(); ++i) {
    const double radius = gas.world.bodies.radius[i];
    const Vec3& at = gas.start.position[i];
    EXPECT_GE(radius, 0.1);
    EXPECT_LT(radius, 0.3);
    EXPECT_DOUBLE_EQ(gas.world.bodies.mass[i], 2.0 * std::numbers::pi * radius * radius);
    EXPECT_GE(std::min({at.x, at.y, 10.0 - at.x, 10.0 - at.y}), radius - 1e-12);
    EXPECT_GE(norm(at - Vec3{1.0, 1.0, 0.0}), radius + 0.5);
  }
  EXPECT_EQ(gas.start.position, read(text + "3\n").start.position);
  EXPECT_NE(gas.start.position, read(text + "4\n").start.position);
}

TEST(RandomGenerator, KnowsThatAPeriodicWorldRepeats) {
  for (const char* dimension : {"2", "3"}) {
    const bool flat = dimension[0] == '2';
    const Simulation gas = read(
        std::string("[world]\ndimension = ") + dimension +
        "\nperiodic = { x = [0, 6], y = [0, 6] }\n[[random]]\ncount = " + (flat ? "34" : "80") +
        "\nradius = 0.4\nregion = { lower = " + (flat ? "[-1, -1]" : "[-1, -1, 0]") +
        ", upper = " + (flat ? "[7, 7]" : "[7, 7, 6]") + " }\n");
    expect_apart(gas, 0.0);
  }
}

TEST(RandomGenerator, FillsADisc) {
  const Simulation gas =
      read("[[random]]\ncount = 200\nradius = 0.1\nregion = { center = [1, 2], radius = 3 }\n");
  EXPECT_EQ(gas.start.position.size(), 200U);
  expect_apart(gas, 0.0);
  for (const Vec3& at : gas.start.position) {
    EXPECT_LE(norm(at - Vec3{1.0, 2.0, 0.0}), 2.9 + 1e-12);
  }
}

TEST(RandomGenerator, SizesFollowTheirDistribution) {
  const Simulation normal = read(
      "[[random]]\ncount = 4000\nregion = { lower = [0, 0], upper = [100, 100] }\n"
      "radius = { distribution = \"normal\", mean = 0.2, deviation = 0.02, least = 0.1, most = 0.3 "
      "}\n");
  ASSERT_EQ(normal.world.bodies.size(), 4000U);
  double sum = 0.0;
  double squares = 0.0;
  for (const double radius : normal.world.bodies.radius) {
    EXPECT_GE(radius, 0.1);
    EXPECT_LE(radius, 0.3);
    sum += radius;
    squares += radius * radius;
  }
  const double mean = sum / 4000.0;
  // Four deviations of the mean and of the deviation of 4000 draws.
  EXPECT_NEAR(mean, 0.2, 4.0 * 0.02 / std::sqrt(4000.0));
  EXPECT_NEAR(std::sqrt(squares / 4000.0 - mean * mean), 0.02, 4.0 * 0.02 / std::sqrt(8000.0));

  const Simulation table = read(
      "[[random]]\ncount = 4000\nregion = { lower = [0, 0], upper = [100, 100] }\n"
      "radius = { distribution = \"table\", radii = [0.1, 0.2, 0.3], shares = [70, 25, 5] }\n");
  const auto share = [&](double radius) {
    const std::vector<double>& radii = table.world.bodies.radius;
    return static_cast<double>(std::count(radii.begin(), radii.end(), radius)) / 4000.0;
  };
  EXPECT_NEAR(share(0.1), 0.70, 4.0 * std::sqrt(0.70 * 0.30 / 4000.0));
  EXPECT_NEAR(share(0.2), 0.25, 4.0 * std::sqrt(0.25 * 0.75 / 4000.0));
  EXPECT_NEAR(share(0.3), 0.05, 4.0 * std::sqrt(0.05 * 0.95 / 4000.0));

  const std::string area =
      "[[random]]\ncount = 50\nregion = { lower = [0, 0], upper = [20, 20] }\n";
  EXPECT_EQ(read(area + "radius = [0.1, 0.4]\n").world.bodies.radius,
            read(area + "radius = { distribution = \"uniform\", least = 0.1, most = 0.4 }\n")
                .world.bodies.radius);
}

TEST(RandomGenerator, MakesSolidsAndGrainsThatTurn) {
  const Simulation boxes = read(
      "[[solid]]\nname = \"brick\"\ntype = \"box\"\nsize = [0.6, 0.2]\n"
      "[[random]]\ncount = 60\nsolid = \"brick\"\nrandom_orientation = true\n"
      "region = { lower = [0, 0], upper = [12, 12] }\nvelocity_random = 1\n");
  ASSERT_EQ(boxes.world.bodies.size(), 60U);
  expect_apart(boxes, 0.0);
  for (Index i = 0; i < 60; ++i) {
    EXPECT_TRUE(boxes.world.bodies.turns(i));
    if (i == 0) continue;
    EXPECT_NE(boxes.start.orientation[i].w, boxes.start.orientation[0].w);
  }
  const Simulation grains = read(
      "[[random]]\ncount = 30\nradius = [0.1, 0.3]\nturns = true\nangular_velocity = 2\n"
      "region = { lower = [0, 0], upper = [12, 12] }\n");
  ASSERT_EQ(grains.world.bodies.size(), 30U);
  for (Index i = 0; i < 30; ++i) {
    EXPECT_TRUE(grains.world.bodies.turns(i));
    EXPECT_EQ(grains.world.bodies.solid_of(i).bounding_radius(), grains.world.bodies.radius[i]);
    EXPECT_EQ(grains.start.angular_velocity[i].z, 2.0);
  }
}

TEST(Generators, NinetyThousandBallsAreQuick) {
  const Simulation many = read(
      "[[random]]\ncount = 30000\nradius = 0.1\nregion = { lower = [0, 0], upper = [60, 60] }\n"
      "[[grid]]\ncounts = [300, 200]\nspacing = 1\ncenter = [500, 0]\nradius = 0.4\n");
  EXPECT_EQ(many.world.bodies.size(), 90000U);
}

}  // namespace
}  // namespace carom
