#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "carom/collision/solid_contact.h"
#include "carom/core/error.h"
#include "carom/scene/scene.h"
#include "carom/scene/write_scene.h"

namespace carom {
namespace {

const std::string kHead = R"(kind = "scene"
[world]
dimension = 3
gravity = [0, 0, -9.81]
[[body]]
radius = 0.05
turns = true
position = [0, 0, 9]
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

const PlacedShape& shape_of(const Scene& scene, const std::string& name) {
  for (const PlacedShape& placed : scene.simulation.world.shapes) {
    if (placed.name == name) return placed;
  }
  throw InputError({}, "there is no shape " + name);
}

// How far a ball without a radius at that place is from the surface of a rail.
double distance_from(const Scene& scene, const std::string& name, const Vec3& place) {
  constexpr double kBall = 1e-3;
  const Solid ball(SphereSolid{kBall}, 3);
  std::vector<SolidContact> contacts;
  const PlacedShape& placed = shape_of(scene, name);
  find_solid_contacts({&ball, {place, {}}}, OffsetShape{&placed.shape, {}}, 100.0, contacts);
  double nearest = kInfinity;
  for (const SolidContact& contact : contacts) nearest = std::min(nearest, contact.gap + kBall);
  return nearest;
}

const std::string kTrack = R"(
[[track]]
name = "way"
from = [0, 0, 1]
to = [2, 0, 1]
gauge = 0.08
rail_radius = 0.01
walls = { gauge = 0.14, height = 0.05 }
)";

TEST(Tracks, AStraightTrackHasTwoRailsAndTwoWalls) {
  const Scene scene = read_scene(kHead + kTrack, "s.toml");
  ASSERT_EQ(scene.simulation.world.shapes.size(), 4U);
  for (const double x : {0.0, 0.7, 2.0}) {
    EXPECT_NEAR(distance_from(scene, "way-left", {x, 0, 1}), 0.03, 1e-12);
    EXPECT_NEAR(distance_from(scene, "way-right", {x, 0, 1}), 0.03, 1e-12);
    EXPECT_NEAR(distance_from(scene, "way-left", {x, 0.04, 1.1}), 0.09, 1e-12);
    EXPECT_NEAR(distance_from(scene, "way-left-wall", {x, 0.07, 1.1}), 0.04, 1e-12);
    EXPECT_NEAR(distance_from(scene, "way-right-wall", {x, -0.07, 1.1}), 0.04, 1e-12);
  }
}

// The middle line falls by the pitch in each turn, on either side; the left rail is the inner one
// of an anticlockwise spiral. A positive bank lifts the outer rail.
TEST(Tracks, ASpiralFallsByItsPitch) {
  for (const double turns : {1.5, -1.5}) {
    const Scene scene = read_scene(kHead + R"(
[[spiral]]
name = "snail"
center = [1, 2, 3]
radius = 0.5
pitch = 0.4
turns = )" + std::to_string(turns) + R"(
start = "90 deg"
bank = 10
gauge = 0.08
rail_radius = 0.01
)",
                                   "s.toml");
    const double bank = 10.0 * std::numbers::pi / 180.0;
    for (const double part : {0.0, 0.2, 0.77, 1.0}) {
      const double angle = 0.5 * std::numbers::pi + 2.0 * std::numbers::pi * turns * part;
      const Vec3 outward{std::cos(angle), std::sin(angle), 0};
      const Vec3 middle = Vec3{1, 2, 3 - 0.4 * std::abs(turns) * part} + 0.5 * outward;
      const Vec3 up{0, 0, std::sin(bank)};
      const std::string inner = turns > 0.0 ? "snail-left" : "snail-right";
      const std::string outer = turns > 0.0 ? "snail-right" : "snail-left";
      const Vec3 aside = std::cos(bank) * outward + up;
      EXPECT_NEAR(distance_from(scene, outer, middle + 0.04 * aside), -0.01, 1e-9) << turns;
      EXPECT_NEAR(distance_from(scene, inner, middle - 0.04 * aside), -0.01, 1e-9) << turns;
    }
  }
}

// Where a spiral ends a track goes on in its direction, and a spiral after it begins level with it.
TEST(Tracks, TracksGoOnFromEachOther) {
  const Scene scene = read_scene(kHead + R"(
[[track]]
name = "third"
after = "second"
length = 1

[[spiral]]
name = "second"
after = "way"
radius = 0.5
pitch = 0.2
turns = 0.5
)" + kTrack,
                                 "s.toml");
  // The first ends at (2, 0, 1); half a turn to the left ends at (2, 1, 0.9), backwards.
  EXPECT_NEAR(distance_from(scene, "second-left", {2, 0.04, 1}), -0.01, 1e-6);
  EXPECT_NEAR(distance_from(scene, "second-right", {2, 1.04, 0.9}), -0.01, 1e-6);
  const double slope = 0.2 / std::numbers::pi;  // per length
  const double along = 1.0 / std::hypot(1.0, slope);
  // Beside its end: on the middle line of a straight rail no direction leads out.
  EXPECT_NEAR(distance_from(scene, "third-right", {2 - along, 1.07, 0.9 - along * slope}), 0.02,
              1e-6);
  EXPECT_NEAR(distance_from(scene, "third-left-wall",
                            Vec3{2 - 0.5, 0.93, 0.9 - 0.5 * slope} + 0.05 * Vec3{-slope, 0, 1}),
              -0.01, 2e-4);
}

TEST(Tracks, AWrittenSceneReadsBackToTheSameBits) {
  const Scene scene = read_scene(kHead + kTrack + R"(
[[spiral]]
after = "way"
radius = 0.5
pitch = 0.2
turns = -1.25
bank = 20
)",
                                 "s.toml");
  const std::string written = write_scene(scene);
  const Scene again = read_scene(written, "again.toml");
  EXPECT_EQ(write_scene(again), written);
  ASSERT_EQ(again.simulation.world.shapes.size(), scene.simulation.world.shapes.size());
  for (std::size_t k = 0; k < scene.simulation.world.shapes.size(); ++k) {
    const auto& one = std::get<SolidObstacle>(scene.simulation.world.shapes[k].shape);
    const auto& other = std::get<SolidObstacle>(again.simulation.world.shapes[k].shape);
    EXPECT_EQ(one.pose, other.pose);
    EXPECT_EQ(one.solid->surface(), other.solid->surface());
  }
}

TEST(Tracks, FaultsAreToldWhereTheyAre) {
  const std::string spiral = kHead + "[[spiral]]\n";
  EXPECT_TRUE(has(fault_of(spiral), "s.toml:9:1: spiral[0].gauge: is missing")) << fault_of(spiral);
  const std::string sizes = spiral + "gauge = 0.1\nrail_radius = 0.02\n";
  EXPECT_TRUE(has(fault_of(sizes), "radius")) << fault_of(sizes);
  EXPECT_TRUE(has(fault_of(sizes + "radius = 0.04\npitch = 0.1\nturns = 1\ncenter = [0, 0, 0]\n"),
                  "its inner rail has no room"));
  EXPECT_TRUE(has(fault_of(sizes + "radius = 1\npitch = 0.1\nturns = 0\ncenter = [0, 0, 0]\n"),
                  "must not be 0"));
  EXPECT_TRUE(has(fault_of(spiral + "gauge = 0.1\nrail_radius = 0.05\n"), "the two rails overlap"));
  EXPECT_TRUE(has(fault_of(kHead + kTrack + "slop = 3\n"), "unknown key 'slop'"));
  EXPECT_TRUE(
      has(fault_of(kHead + kTrack + "[[spiral]]\nafter = \"wax\"\n"), "did you mean 'way'"));
  EXPECT_TRUE(has(fault_of(kHead + "[[track]]\nname = \"a\"\nafter = \"b\"\n" +
                           "[[track]]\nname = \"b\"\nafter = \"a\"\n"),
                  "go on from each other"));
  EXPECT_TRUE(has(fault_of(kHead + "[[track]]\nfrom = [0,0,0]\nto = [0,0,1]\ngauge = 0.1\n" +
                           "rail_radius = 0.01\n"),
                  "cannot stand upright"));
  EXPECT_TRUE(has(fault_of("kind = \"scene\"\n[[body]]\nradius = 1\nposition = [0, 0]\n" +
                           std::string("[[track]]\nfrom = [0, 0]\n")),
                  "need three dimensions"));
  EXPECT_TRUE(has(fault_of(kHead + "[time]\nscheme = \"events\"\n" + kTrack +
                           "[[spiral]]\nafter = \"way\"\nradius = 1\npitch = 0.1\nturns = 1\n"),
                  "for time.scheme \"steps\" only"));
}

}  // namespace
}  // namespace carom
