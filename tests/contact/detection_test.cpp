#include "carom/contact/detection.h"

#include <gtest/gtest.h>

#include "carom/contact/assemble.h"
#include "carom/core/random.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::World;

ContactWorld world_of(const Simulation& s) {
  return {s.dimension, &s.bodies, &s.shapes, &s.periodicity};
}

std::vector<Contact> detect(const World& world, double h, const DetectionSettings& settings = {}) {
  const Simulation& s = world.simulation;
  std::vector<Vec3> end = s.start.position;
  for (std::size_t i = 0; i < end.size(); ++i) end[i] += h * s.start.velocity[i];
  ContactDetector detector(world_of(s), settings);
  std::vector<Contact> contacts;
  detector.detect({0.0, h, s.start.position, end}, contacts);
  return contacts;
}

TEST(ContactDetector, NormalsPointFromTheSecondToTheFirst) {
  World world;
  world.ball({0, 0, 0}, {1, 0, 0});
  world.ball({1.05, 0, 0}, {0, 0, 0});
  const std::vector<Contact> contacts = detect(world, 0.1);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_EQ(contacts[0].normal, (Vec3{-1, 0, 0}));
  EXPECT_NEAR(contacts[0].gap, 0.05, 1e-15);
  EXPECT_NEAR(contacts[0].gap_end, -0.05, 1e-15);
}

// The tolerance is a fraction of the radius: the same scene in other units gives the same rows.
TEST(ContactDetector, TheActivationToleranceScalesWithTheBalls) {
  for (const double unit : {1e-6, 1.0, 1e6}) {
    World world;
    world.ball({0, 0, 0}, {0, 0, 0}, 0.5 * unit);
    world.ball({(1.0 + 4e-10) * unit, 0, 0}, {0, 0, 0}, 0.5 * unit);
    world.ball({0, (1.0 + 6e-10) * unit, 0}, {0, 0, 0}, 0.5 * unit);
    EXPECT_EQ(detect(world, 0.1).size(), 1U) << unit;
  }
}

TEST(ContactDetector, RowsComeInTheOrderOfPairsThenShapes) {
  World world;
  world.wall(HalfPlane{{0, -0.5, 0}, {0, 1, 0}});
  world.wall(HalfPlane{{-0.5, 0, 0}, {1, 0, 0}});
  world.ball({0, 0, 0}, {0, 0, 0});
  world.ball({1, 0, 0}, {0, 0, 0});
  world.ball({0, 1, 0}, {0, 0, 0});
  const std::vector<Contact> contacts = detect(world, 0.1);
  ASSERT_EQ(contacts.size(), 6U);
  for (std::size_t k = 1; k < contacts.size(); ++k) {
    EXPECT_TRUE(contacts[k - 1].before(contacts[k])) << k;
  }
  EXPECT_EQ(contacts[0].body_b, 1U);
  EXPECT_EQ(contacts[1].body_b, 2U);
  EXPECT_EQ(contacts[2].shape, 0U);
}

TEST(ContactDetector, ABoxHasOneRowPerWall) {
  World world(3);
  world.wall(BoxInside{{-1, -1, -1}, {1, 1, 1}});
  world.ball({0.5, 0.5, 0.5}, {0, 0, 0});
  EXPECT_EQ(detect(world, 0.1).size(), 3U) << "in a corner";
}

TEST(ContactDetector, FindsTheSameWithGridAndBruteForce) {
  for (const int dimension : {2, 3}) {
    World world(dimension);
    Random random(4);
    for (int k = 0; k < 300; ++k) {
      const double z = dimension == 3 ? random.uniform(0, 10) : 0.0;
      world.ball({random.uniform(0, 10), random.uniform(0, 10), z},
                 {random.uniform(-1, 1), random.uniform(-1, 1), dimension == 3 ? 0.1 : 0.0},
                 random.uniform(0.01, 0.5));
    }
    DetectionSettings brute;
    brute.broad_phase = "brute_force";
    const std::vector<Contact> a = detect(world, 0.2);
    const std::vector<Contact> b = detect(world, 0.2, brute);
    ASSERT_EQ(a.size(), b.size());
    EXPECT_GT(a.size(), 20U);
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_TRUE(a[k].same_pair(b[k]));
  }
}

TEST(ContactDetector, MeasuresTheDeepestOverlap) {
  World world;
  world.ball({0, 0, 0}, {0, 0, 0}, 0.5);
  world.ball({0.9, 0, 0}, {0, 0, 0}, 0.5);
  world.ball({10, 0, 0}, {0, 0, 0}, 5.0);
  world.ball({10, 5.05, 0}, {0, 0, 0}, 0.1);
  const Simulation& s = world.simulation;
  ContactDetector detector(world_of(s), {});
  std::vector<Contact> contacts;
  detector.detect({0.0, 0.1, s.start.position, s.start.position}, contacts);
  EXPECT_NEAR(detector.penetration().depth, 0.1, 1e-15);
  EXPECT_NEAR(detector.penetration().relative, 0.5, 1e-13) << "0.05 of a radius of 0.1";
}

TEST(ContactAssembler, TakesCoefficientsFromTheMaterials) {
  World world;
  world.wall(HalfPlane{{0, -0.5, 0}, {0, 1, 0}});
  world.ball({0, 0, 0}, {1, -1, 0}, 0.5, 3.0);
  world.restitution(0.25, 0.4);
  const std::vector<Contact> contacts = detect(world, 0.1);
  ContactAssembler assembler(world_of(world.simulation), world.simulation.materials);
  const Simulation& s = world.simulation;
  assembler.assemble(contacts, {0.0, 0.1, s.start.position, s.start.velocity}, {true, {}});
  const ImpactProblem& problem = assembler.problem();
  ASSERT_EQ(problem.row_count(), 1U);
  EXPECT_EQ(problem.row(0).restitution, 0.25);
  EXPECT_EQ(problem.row(0).friction, 0.4);
  EXPECT_EQ(problem.body(0).mass, 3.0);
  EXPECT_EQ(problem.body(0).name, "ball-1");
  EXPECT_EQ(problem.row(0).body_b, kNone) << "a wall that stands still is no body";
}

TEST(ContactAssembler, MovingShapesAreScriptedBodies) {
  World world;
  world.wall(HalfPlane{{0, -0.5, 0}, {0, 1, 0}}, ConstantMotion{{0, 2, 0}}, "piston");
  world.ball({0, 0, 0}, {0, 0, 0});
  const std::vector<Contact> contacts = detect(world, 0.1);
  ContactAssembler assembler(world_of(world.simulation), world.simulation.materials);
  const Simulation& s = world.simulation;
  assembler.assemble(contacts, {0.0, 0.1, s.start.position, s.start.velocity}, {true, {}});
  const ImpactProblem& problem = assembler.problem();
  ASSERT_EQ(problem.body_count(), 2U);
  EXPECT_TRUE(problem.body(1).scripted);
  EXPECT_EQ(problem.body(1).name, "piston");
  EXPECT_EQ(problem.velocity(1)[1], 2.0);
  EXPECT_EQ(assembler.scene_bodies()[0], 0U);
  EXPECT_EQ(assembler.scene_bodies()[1], kNone);
}

}  // namespace
}  // namespace carom
