#include "carom/contact/detection.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "carom/contact/assemble.h"
#include "carom/core/random.h"
#include "carom/geometry/mesh_generators.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::TestScene;

std::vector<Contact> detect(const TestScene& world, double h,
                            const DetectionSettings& settings = {}) {
  const Simulation& s = world.simulation;
  std::vector<Vec3> end = s.start.position;
  for (std::size_t i = 0; i < end.size(); ++i) end[i] += h * s.start.velocity[i];
  ContactDetector detector(s.world, settings);
  std::vector<Contact> contacts;
  detector.detect({0.0, h, s.start.position, end}, contacts);
  return contacts;
}

TEST(ContactDetector, NormalsPointFromTheSecondToTheFirst) {
  TestScene world;
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
    TestScene world;
    world.ball({0, 0, 0}, {0, 0, 0}, 0.5 * unit);
    world.ball({(1.0 + 4e-10) * unit, 0, 0}, {0, 0, 0}, 0.5 * unit);
    world.ball({0, (1.0 + 6e-10) * unit, 0}, {0, 0, 0}, 0.5 * unit);
    EXPECT_EQ(detect(world, 0.1).size(), 1U) << unit;
  }
}

TEST(ContactDetector, RowsComeInTheOrderOfPairsThenShapes) {
  TestScene world;
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
  TestScene world(3);
  world.wall(BoxInside{{-1, -1, -1}, {1, 1, 1}});
  world.ball({0.5, 0.5, 0.5}, {0, 0, 0});
  EXPECT_EQ(detect(world, 0.1).size(), 3U) << "in a corner";
}

TEST(ContactDetector, FindsTheSameWithGridAndBruteForce) {
  for (const int dimension : {2, 3}) {
    TestScene world(dimension);
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
  TestScene world;
  world.ball({0, 0, 0}, {0, 0, 0}, 0.5);
  world.ball({0.9, 0, 0}, {0, 0, 0}, 0.5);
  world.ball({10, 0, 0}, {0, 0, 0}, 5.0);
  world.ball({10, 5.05, 0}, {0, 0, 0}, 0.1);
  const Simulation& s = world.simulation;
  ContactDetector detector(s.world, {});
  std::vector<Contact> contacts;
  detector.detect({0.0, 0.1, s.start.position, s.start.position}, contacts);
  EXPECT_NEAR(detector.penetration().depth, 0.1, 1e-15);
  EXPECT_NEAR(detector.penetration().relative, 0.5, 1e-13) << "0.05 of a radius of 0.1";
}

// A later look of a step asks only about what ends elsewhere by then. After a look that only
// measures, it asks about all again: both find the same.
TEST(ContactDetector, LooksAgainOnlyWhereSomethingMoved) {
  TestScene world(3);
  world.wall(HalfPlane{{0, 0, 0}, {0, 0, 1}});
  for (int k = 0; k < 8; ++k) {
    const Vec3 place = {0.9 * (k % 4), k < 4 ? 0.0 : 0.85, 0.49 + 0.01 * (k % 3)};
    const SolidDefinition form =
        k % 2 == 0 ? SolidDefinition(MeshSolid{icosphere(0.5, 2)}) : BoxSolid{{0.45, 0.44, 0.48}};
    world.solid(form, {place, {}, rotation_about({1, 2, k + 1.0}, 0.02 * k), {}});
  }
  const Simulation& s = world.simulation;
  const std::vector<Vec3>& begin = s.start.position;
  std::vector<Vec3> end = begin;
  for (Vec3& place : end) place.z -= 0.02;
  std::vector<Vec3> moved = end;
  moved[2].x += 0.05;
  std::vector<Quaternion> turned = s.start.orientation;
  turned[5] = rotation_about({0, 0, 1}, 0.1) * turned[5];
  const StepMotion first = {0.0, 0.1, begin, end, s.start.orientation, s.start.orientation};
  const StepMotion second = {0.0, 0.1, begin, moved, s.start.orientation, turned};
  for (const std::size_t kept : {std::size_t{0}, std::size_t{5}, std::size_t{1000}}) {
    std::array<std::vector<Contact>, 2> further;
    std::array<Penetration, 2> depth;
    for (const std::size_t asks_all : {0U, 1U}) {
      ContactDetector detector(s.world, {});
      std::vector<Contact> contacts;
      detector.detect(first, contacts);
      ASSERT_GT(contacts.size(), 20U);
      if (asks_all == 1) detector.measure(first);
      contacts.resize(std::min(kept, contacts.size()));
      const std::array<std::span<const Contact>, 1> known{contacts};
      detector.detect_further(second, known, further[asks_all]);
      depth[asks_all] = detector.penetration();
    }
    EXPECT_GT(depth[0].depth, 0.0);
    EXPECT_EQ(depth[0].depth, depth[1].depth);
    EXPECT_EQ(depth[0].relative, depth[1].relative);
    ASSERT_EQ(further[0].size(), further[1].size()) << kept;
    EXPECT_GT(further[0].size(), 0U);
    for (std::size_t k = 0; k < further[0].size(); ++k) {
      EXPECT_TRUE(further[0][k].same_pair(further[1][k]));
      EXPECT_EQ(further[0][k].gap_end, further[1][k].gap_end);
    }
  }
}

TEST(ContactAssembler, TakesCoefficientsFromTheMaterials) {
  TestScene world;
  world.wall(HalfPlane{{0, -0.5, 0}, {0, 1, 0}});
  world.ball({0, 0, 0}, {1, -1, 0}, 0.5, 3.0);
  world.restitution(0.25, 0.4);
  const std::vector<Contact> contacts = detect(world, 0.1);
  ContactAssembler assembler(world.simulation.world);
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
  TestScene world;
  world.wall(HalfPlane{{0, -0.5, 0}, {0, 1, 0}}, ConstantMotion{{0, 2, 0}}, "piston");
  world.ball({0, 0, 0}, {0, 0, 0});
  const std::vector<Contact> contacts = detect(world, 0.1);
  ContactAssembler assembler(world.simulation.world);
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
