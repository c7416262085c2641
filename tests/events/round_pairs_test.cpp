// Round bodies in scenes with solids: they meet at the moment of their contact, as balls alone do.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/events/solid_events.h"
#include "carom/scene/scene.h"
#include "carom/schemes/registry.h"

namespace carom {
namespace {

// A box that spins far from everything, so that the engine of solids runs the scene.
const std::string kFarBox =
    "[[solid]]\nname = \"box\"\ntype = \"box\"\nsize = [1, 2, 3]\n"
    "[[body]]\nname = \"far\"\nsolid = \"box\"\ndensity = 1000\nposition = [50, 50, 50]\n"
    "angular_velocity = [1, 2, 3]\n";

// The same by a shape, which may stand in a wall.
const std::string kFarTable =
    "[[solid]]\nname = \"box\"\ntype = \"box\"\nsize = [1, 2, 3]\n"
    "[[shape]]\nname = \"far\"\ntype = \"solid\"\nsolid = \"box\"\nposition = [50, 50, 50]\n";

std::string ball(const std::string& position, const std::string& velocity, double radius = 0.1) {
  return "[[body]]\nradius = " + std::to_string(radius) + "\nposition = " + position +
         "\nvelocity = " + velocity + "\n";
}

std::string scene_text(const std::string& settings, const std::string& bodies) {
  return "kind = \"scene\"\n" + settings +
         "[time]\nscheme = \"events\"\nstep = 0.01\nduration = 1\n" + bodies;
}

struct Course {
  std::vector<ContactImpulse> collisions;
  State state;
};

Course run_of(const std::string& text, int steps) {
  const Scene scene = read_scene(text);
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.simulation);
  stepper->note_impulses(true);
  Course run;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper->step();
    EXPECT_TRUE(report.can_go_on()) << report.message;
    if (!report.can_go_on()) break;
    const std::vector<ContactImpulse> some = stepper->impulses();
    run.collisions.insert(run.collisions.end(), some.begin(), some.end());
  }
  run.state = stepper->state();
  return run;
}

// The same collisions, at the same moments; the far box takes part in none.
void expect_same(const Course& alone, const Course& among_solids, double tolerance) {
  ASSERT_EQ(alone.collisions.size(), among_solids.collisions.size());
  for (std::size_t k = 0; k < alone.collisions.size(); ++k) {
    SCOPED_TRACE("collision " + std::to_string(k));
    const ContactImpulse& expected = alone.collisions[k];
    const ContactImpulse& found = among_solids.collisions[k];
    EXPECT_EQ(expected.contact.body_a, found.contact.body_a);
    EXPECT_EQ(expected.contact.body_b, found.contact.body_b);
    EXPECT_EQ(expected.contact.shape, found.contact.shape);
    EXPECT_NEAR(expected.time, found.time, tolerance);
    EXPECT_LT(norm(expected.contact.normal - found.contact.normal), tolerance);
    EXPECT_NEAR(expected.normal, found.normal, tolerance * std::abs(expected.normal));
  }
  for (std::size_t i = 0; i < alone.state.position.size(); ++i) {
    EXPECT_LT(norm(alone.state.position[i] - among_solids.state.position[i]), tolerance);
    EXPECT_LT(norm(alone.state.velocity[i] - among_solids.state.velocity[i]), tolerance);
  }
}

TEST(RoundPairs, TwoBallsCollideAtTheSameMomentWithASolidFarAway) {
  const std::string balls =
      ball("[0, 0, 0]", "[1, 0.05, 0]") + ball("[0.7, 0.06, 0.02]", "[0, 0, 0]");
  for (const char* const world : {"", "gravity = [0.3, 0, -9.81]\n"}) {
    const std::string settings = std::string("[world]\ndimension = 3\n") + world;
    const Course alone = run_of(scene_text(settings, balls), 100);
    const Course among_solids = run_of(scene_text(settings, balls + kFarBox), 100);
    ASSERT_EQ(alone.collisions.size(), 1U);
    expect_same(alone, among_solids, 1e-12);
    // Their distance is the sum of the radii.
    EXPECT_NEAR(among_solids.collisions[0].contact.gap, 0.0, 1e-15);
  }
}

const std::string kSwingingFloor =
    "type = \"half_plane\"\npoint = [0, 0, -0.5]\nnormal = [0, 0, 1]\n"
    "motion = { type = \"sinusoid\", amplitude = [0, 0, 0.02], frequency = 7.0 }\n";

// Each kind of shape with a closed form, standing and moving; balls that turn are round as well.
TEST(RoundPairs, BallsMeetShapesAtTheSameMomentsWithASolidFarAway) {
  const std::vector<std::string> shapes = {
      "type = \"half_plane\"\npoint = [0, 0, -0.5]\nnormal = [0.6, 0, 0.8]\n",
      "type = \"segment\"\na = [-2, 0.05, -0.4]\nb = [2, 0, -0.5]\n",
      "type = \"sphere_inside\"\ncenter = [0, 0, 0]\nradius = 0.7\n",
      "type = \"sphere_outside\"\ncenter = [0.02, 0.05, -1]\nradius = 0.5\n",
      "type = \"box_inside\"\nlower = [-0.4, -0.3, -0.5]\nupper = [0.5, 0.4, 0.6]\n",
      kSwingingFloor,
  };
  for (const std::string& shape : shapes) {
    for (const char* const gravity : {"[0, 0, 0]", "[0, 0.5, -9.81]"}) {
      SCOPED_TRACE(shape + gravity);
      const std::string settings =
          std::string("[world]\ndimension = 3\ngravity = ") + gravity + "\n";
      const std::string walls = "[[shape]]\nname = \"wall\"\n" + shape;
      const std::string thrown = ball("[0, 0, 0.1]", "[0.03, 0.04, -2]");
      const Course alone = run_of(scene_text(settings, walls + thrown), 50);
      ASSERT_GE(alone.collisions.size(), 1U);
      const std::string table = kFarTable + thrown;
      expect_same(alone, run_of(scene_text(settings, walls + table), 50), 1e-11);
      const std::string turning = thrown + "turns = true\nangular_velocity = [3, -5, 7]\n";
      expect_same(alone, run_of(scene_text(settings, walls + turning), 50), 1e-11);
    }
  }
}

// Chaos multiplies round-off by a factor in every collision, hence the few and the tolerance.
TEST(RoundPairs, AGasHasTheSameFirstCollisionsWithASolidFarAway) {
  const std::string settings = "[world]\ndimension = 3\n";
  std::string gas =
      "[[shape]]\nname = \"room\"\ntype = \"box_inside\"\nlower = [-1, -1, -1]\nupper = [1, 1, "
      "1]\n";
  for (int k = 0; k < 27; ++k) {
    const int layer = k / 9;
    const int row = k / 3 % 3;
    const double x = -0.6 + 0.6 * (k % 3);
    const double y = -0.6 + 0.6 * row;
    const double z = -0.6 + 0.6 * layer;
    gas += ball("[" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + "]",
                "[" + std::to_string(std::sin(1.0 + 5.0 * k)) + ", " +
                    std::to_string(std::sin(2.0 + 7.0 * k)) + ", " +
                    std::to_string(std::sin(3.0 + 11.0 * k)) + "]",
                0.15 + 0.01 * (k % 5));
  }
  const Course alone = run_of(scene_text(settings, gas), 60);
  EXPECT_GE(alone.collisions.size(), 30U);
  expect_same(alone, run_of(scene_text(settings, gas + kFarTable), 60), 1e-9);
}

// A solid sphere that stands is a sphere.
TEST(RoundPairs, ABallMeetsASolidSphereAtTheSameMoment) {
  const std::string settings = "[world]\ndimension = 3\ngravity = [0, 0, -9.81]\n";
  const std::string thrown = ball("[0.01, 0.02, 0.3]", "[0, 0, 0]");
  const Course alone = run_of(scene_text(settings,
                                         "[[shape]]\nname = \"ball\"\n"
                                         "type = \"sphere_outside\"\ncenter = [0, 0, -0.2]\n"
                                         "radius = 0.2\n" +
                                             thrown),
                              40);
  const Course solid = run_of(scene_text(settings,
                                         "[[solid]]\nname = \"sphere\"\ntype = \"sphere\"\n"
                                         "radius = 0.2\n[[shape]]\nname = \"ball\"\n"
                                         "type = \"solid\"\nsolid = \"sphere\"\n"
                                         "position = [0, 0, -0.2]\n" +
                                             thrown),
                              40);
  ASSERT_GE(alone.collisions.size(), 1U);
  expect_same(alone, solid, 1e-12);
}

// Three balls in touch are one impact: the middle one stands between two that come alike.
TEST(RoundPairs, WhatTouchesIsOneImpact) {
  const std::string balls = ball("[-0.2, 0, 0]", "[0, 0, 0]") + ball("[0, 0, 0]", "[0, 0, 0]") +
                            ball("[-0.7, 0, 0]", "[1, 0, 0]") + ball("[0.5, 0, 0]", "[-1, 0, 0]");
  const std::string settings = "[world]\ndimension = 3\n";
  const Course run = run_of(scene_text(settings, balls + kFarBox), 60);
  const Course alone = run_of(scene_text(settings, balls), 60);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LT(norm(run.state.velocity[i] - alone.state.velocity[i]), 1e-12);
  }
  EXPECT_NEAR(run.state.velocity[0].x + run.state.velocity[1].x, 0.0, 1e-12);
}

// Lasting contact of a round body that glides: it hops for a contact duration t each time, with g t
// / 2, no higher than g t^2 / 8, and comes down to the surface without sinking in.
TEST(RoundPairs, ABallThatGlidesHopsForAContactDuration) {
  const std::string settings =
      "[world]\ndimension = 3\ngravity = [0, 0, -9.81]\n"
      "[[material]]\nname = \"default\"\nrestitution = 0.5\n";
  const std::string floor =
      "[[shape]]\nname = \"floor\"\ntype = \"half_plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n";
  const Scene scene = read_scene(
      scene_text(settings, floor + ball("[0, 0, 0.15]", "[0.3, 0, 0]") + "turns = true\n"));
  SolidEventStepper stepper(scene.simulation);
  stepper.note_impulses(true);
  std::vector<ContactImpulse> last;
  for (int k = 0; k < 200; ++k) {
    const StepReport report = stepper.step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    EXPECT_LT(report.penetration.relative, 1e-6);
    const std::vector<ContactImpulse> some = stepper.impulses();
    if (k >= 150) last.insert(last.end(), some.begin(), some.end());
  }
  const double duration = stepper.contact_duration();
  ASSERT_GE(last.size(), 10U);
  for (std::size_t k = 1; k < last.size(); ++k) {
    EXPECT_NEAR(last[k].time - last[k - 1].time, duration, 1e-9 * duration);
    EXPECT_NEAR(last[k].contact.gap, 0.0, 1e-12);
  }
  EXPECT_LT(stepper.state().position[0].z - 0.1, 9.81 * duration * duration / 8 + 1e-12);
}

}  // namespace
}  // namespace carom
