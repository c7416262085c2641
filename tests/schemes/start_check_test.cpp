#include <functional>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::TestScene;

TestScene two_balls() {
  TestScene world;
  world.ball({0, 0, 0}, {1, 0, 0});
  world.ball({2, 0, 0}, {0, 0, 0});
  return world;
}

std::string refusal(const std::function<void(TestScene&)>& spoil) {
  TestScene world = two_balls();
  spoil(world);
  try {
    check_simulation(world.simulation);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is missing in: " << text;
  }
}

TEST(StartCheck, AFairStartIsAccepted) {
  EXPECT_EQ(refusal([](TestScene&) {}), "accepted");
}

TEST(StartCheck, TouchingBallsAreNoOverlap) {
  EXPECT_EQ(refusal([](TestScene& w) { w.simulation.start.position[1] = {1, 0, 0}; }), "accepted");
}

TEST(StartCheck, OverlappingBallsAreNamed) {
  expect_words(refusal([](TestScene& w) {
                 w.simulation.start.position[1] = {0.9, 0, 0};
               }),
               {"ball-1", "ball-2", "overlaps", "0.1"});
}

TEST(StartCheck, OverlapsAcrossAPeriodAreSeen) {
  expect_words(refusal([](TestScene& w) {
                 w.simulation.world.periodicity = {{0, 0, 0}, {2.5, 0, 0}};
               }),
               {"ball-1", "ball-2", "overlaps"});
}

TEST(StartCheck, ABallInsideAWallIsNamed) {
  expect_words(refusal([](TestScene& w) {
                 w.wall(HalfPlane{{0, -0.4, 0}, {0, 1, 0}}, {}, "floor");
               }),
               {"ball-1", "floor", "0.1"});
  expect_words(refusal([](TestScene& w) {
                 w.wall(SphereInside{{0, 0, 0}, 2.2}, {}, "drum");
               }),
               {"ball-2", "drum"});
}

TEST(StartCheck, NumbersMustBeFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_words(refusal([&](TestScene& w) { w.simulation.start.position[1].x = nan; }),
               {"ball-2", "position", "finite"});
  expect_words(refusal([&](TestScene& w) { w.simulation.start.velocity[0].y = kInfinity; }),
               {"ball-1", "velocity", "finite"});
  expect_words(refusal([&](TestScene& w) { w.simulation.start.position[1].x = 1e308; }),
               {"ball-2", "position", "below 1e100", "1e+308"});
  expect_words(refusal([&](TestScene& w) { w.simulation.start.velocity[0].y = -1e300; }),
               {"ball-1", "velocity", "below 1e100", "1e+300"});
  expect_words(refusal([&](TestScene& w) { w.simulation.world.bodies.mass[0] = -1; }),
               {"ball-1", "mass", "-1"});
  expect_words(refusal([&](TestScene& w) { w.simulation.world.bodies.radius[1] = 0; }),
               {"ball-2", "radius", "positive"});
  expect_words(refusal([&](TestScene& w) { w.simulation.time.step = nan; }), {"time.step"});
}

TEST(StartCheck, NamesAndSettingsAreChecked) {
  expect_words(refusal([](TestScene& w) { w.simulation.world.bodies.name.set(1, "ball-1"); }),
               {"ball-1", "twice"});
  expect_words(refusal([](TestScene& w) { w.simulation.time.scheme = "step"; }),
               {"time.scheme", "steps"});
  expect_words(refusal([](TestScene& w) { w.simulation.detection.broad_phase = "gird"; }),
               {"grid"});
  expect_words(refusal([](TestScene& w) { w.simulation.detection.activation = 0; }),
               {"activation"});
  expect_words(refusal([](TestScene& w) { w.simulation.impact.impact_operator = "grr"; }), {"gr"});
  expect_words(refusal([](TestScene& w) { w.simulation.start.velocity[0].z = 1; }),
               {"ball-1", "third"});
}

TEST(StartCheck, APeriodicWorldHasNoShapesThatDoNotRepeat) {
  const auto with = [](const Shape& shape) {
    return refusal([&](TestScene& w) {
      w.simulation.world.periodicity = {{0, 0, 0}, {10, 0, 0}};
      w.wall(shape, {}, "wall");
    });
  };
  EXPECT_EQ(with(HalfPlane{{0, -3, 0}, {0, 1, 0}}), "accepted");
  expect_words(with(HalfPlane{{-3, 0, 0}, {1, 0, 0}}), {"wall", "repeat"});
  expect_words(with(SphereInside{{0, 0, 0}, 30}), {"wall", "repeat"});
}

TEST(StartCheck, APeriodicWorldHasBallsAndSpheresOnly) {
  const auto with = [](const SolidDefinition& solid) {
    return refusal([&](TestScene& w) {
      w.simulation.world.periodicity = {{0, 0, 0}, {10, 0, 0}};
      w.solid(solid, {{5, 5, 0}, {}, {}, {}});
    });
  };
  EXPECT_EQ(with(SphereSolid{0.5}), "accepted");
  expect_words(with(BoxSolid{{0.5, 0.5, 0.5}}), {"no ball", "periodic"});
}

}  // namespace
}  // namespace carom
