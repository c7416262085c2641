// The reference engine by itself, and beside the fast one.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "carom/asynchronous/reference/reference_engine.h"
#include "carom/core/error.h"
#include "carom/core/random.h"

#include "asynchronous/crossings.h"
#include "asynchronous/scene_builder.h"
#include "asynchronous/test_forces.h"

namespace carom::asynchronous {
namespace {

using reference::Clocks;
using reference::Mechanisms;
using reference::ReferenceEngine;
using test::SceneBuilder;

// Two sheets, one above the other, that fall on three spikes, and a chain and particles about them.
Problem small_scene(double restitution, double friction) {
  SceneBuilder builder;
  builder.add_spike({-0.2, 0.0, -0.4}, 0.1, 0.35);
  builder.add_spike({0.2, 0.1, -0.4}, 0.1, 0.35);
  builder.add_sheet(5, 0.8, {0.0, 0.0, 0.05}, {0.0, 0.0, -2.0});
  builder.add_sheet(4, 0.6, {0.05, 0.03, 0.16}, {0.0, 0.3, -3.0});
  builder.add_chain({{-0.3, -0.2, 0.3}, {-0.15, -0.15, 0.3}, {0.0, -0.1, 0.3}, {0.2, -0.1, 0.3}},
                    0.02, {0.0, 0.0, -4.0});
  builder.add_vertex({0.1, 0.2, 0.35}, 0.01, {0.0, 0.0, -5.0});
  builder.add_vertex({-0.1, 0.2, 0.4}, 0.02, {0.0, 0.0, -5.0});
  Problem problem = builder.finish({0.0, 0.0, -9.81});
  problem.contact[0] = {1000.0, 0.05, restitution, friction};
  problem.walls = {{{0, 0, 1}, -0.6, 0}};
  return problem;
}

// Particles, a chain and one that is led through them, between four walls.
Problem plane_scene(double restitution, double friction) {
  SceneBuilder builder;
  builder.problem.dimension = 2;
  Random random(3);
  for (int k = 0; k < 12; ++k) {
    const int row = k / 4;
    builder.add_vertex({0.2 * (k % 4) + 0.15, 0.2 * row + 0.15, 0.0}, 1.0,
                       {random.uniform(-4.0, 4.0), random.uniform(-4.0, 4.0), 0.0});
  }
  builder.add_chain({{0.1, 0.9, 0.0}, {0.25, 0.9, 0.0}, {0.4, 0.9, 0.0}, {0.55, 0.9, 0.0}}, 0.5,
                    {0.0, -1.0, 0.0});
  builder.add_vertex({0.7, 0.8, 0.0}, 1.0, {});
  Problem problem = builder.finish({0.0, -9.81, 0.0});
  const Index led = 16;
  problem.held = {{led, {{0.0, problem.position[led]}, {0.1, {0.3, 0.7, 0.0}}}}};
  problem.walls = {
      {{1, 0, 0}, 0.0, 0}, {{-1, 0, 0}, -0.95, 0}, {{0, 1, 0}, 0.0, 0}, {{0, -1, 0}, -1.1, 0}};
  problem.contact[0] = {1000.0, 0.1, restitution, friction};
  return problem;
}

double farthest(const Configuration& a, const Configuration& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    most = std::max(most, norm(a.position[i] - b.position[i]));
  }
  return most;
}

// As the test of the fast engine: V of n layers is about r_1 eta_1^2 n^3.5 / 840.
TEST(ReferenceEngine, HeadOnParticlesTurnAtTheDepthThatTheirEnergyAsksFor) {
  const std::array<Index, 3> layers = {13, 49, 183};
  for (int power = -1; power <= 3; ++power) {
    const double speed = std::pow(10.0, power);
    Problem problem;
    problem.mass = {1.0, 1.0};
    problem.position = {{-0.2, 0.0, 0.0}, {0.2, 0.0, 0.0}};
    problem.velocity = {{speed, 0.0, 0.0}, {-speed, 0.0, 0.0}};
    ReferenceEngine engine(problem);
    const AdvanceReport report = engine.advance(0.8 / speed);
    ASSERT_EQ(report.status, AdvanceStatus::reached);
    const Configuration end = engine.configuration();
    EXPECT_LT(end.position[0].x, end.position[1].x);
    EXPECT_NEAR(end.velocity[1].x / speed, 1.0, 0.02) << speed;
    if (power >= 1) {
      const double predicted = layers[static_cast<std::size_t>(power) - 1];
      EXPECT_NEAR(report.deepest_layer / predicted, 1.0, 0.03) << speed;
    }
  }
}

// With the fast engine's clocks every kick is the same: what differs are certificates, lists and
// the order of sums. No certificate of either engine lets a layer sleep that should not.
TEST(ReferenceEngine, WithNestedClocksIsTheFastEngineToRoundOff) {
  Mechanisms nested;
  nested.clocks = Clocks::nested;
  for (const Problem& problem : {small_scene(1.0, 0.0), plane_scene(1.0, 0.0)}) {
    Engine fast(problem);
    ReferenceEngine slow(problem, {}, nested);
    const AdvanceReport of_fast = fast.advance(0.05);
    const AdvanceReport of_slow = slow.advance(0.05);
    ASSERT_EQ(of_fast.status, AdvanceStatus::reached);
    ASSERT_EQ(of_slow.status, AdvanceStatus::reached);
    EXPECT_GE(of_fast.deepest_layer, 3U);
    EXPECT_EQ(of_fast.deepest_layer, of_slow.deepest_layer);
    EXPECT_LT(farthest(fast.configuration(), slow.configuration()), 1e-10);
    const Ledger a = fast.ledger();
    const Ledger b = slow.ledger();
    EXPECT_NEAR(a.balance(), b.balance(), 1e-8 * std::abs(a.balance()));
    EXPECT_NEAR(a.contact, b.contact, 1e-8 * (1.0 + a.contact));
    EXPECT_LT(norm(a.wall_impulse - b.wall_impulse), 1e-9);
    EXPECT_LT(norm(a.held_impulse - b.held_impulse), 1e-9);
  }
}

// Certificates decide what is computed, not what comes out.
TEST(ReferenceEngine, MechanismsChangeNoBitOfTheOutcome) {
  Settings printed;
  printed.friction = FrictionModel::printed;
  std::vector<Mechanisms> others(6);
  others[0].supports = false;
  others[1].vague_trajectories = false;
  others[2].hierarchy = false;
  others[3].envelopes = false;
  others[4].adaptive_axes = false;
  others[5] = {Clocks::own, true, false, false, false, false};
  for (const Problem& problem : {small_scene(0.8, 0.3), plane_scene(0.8, 0.3)}) {
    const double until = problem.dimension == 2 ? 0.06 : 0.012;
    ReferenceEngine whole(problem, printed);
    ASSERT_EQ(whole.advance(until).status, AdvanceStatus::reached);
    for (const Mechanisms& mechanisms : others) {
      ReferenceEngine other(problem, printed, mechanisms);
      ASSERT_EQ(other.advance(until).status, AdvanceStatus::reached);
      EXPECT_EQ(whole.configuration().position, other.configuration().position);
      EXPECT_EQ(whole.configuration().velocity, other.configuration().velocity);
      EXPECT_EQ(whole.ledger().lost_to_friction, other.ledger().lost_to_friction);
    }
  }
}

// The numbers of vertices are the order of simultaneous events and of sums.
TEST(ReferenceEngine, OrderOfSimultaneousEventsDoesNotMatter) {
  Settings printed;
  printed.friction = FrictionModel::printed;
  Problem problem = plane_scene(0.8, 0.3);
  problem.edges.clear();
  problem.held.clear();
  // Printed friction has no direction where there is no slip: let there be some.
  for (Index i = 12; i < problem.mass.size(); ++i) problem.velocity[i] = {0.7 - 0.3 * i, -1.0, 0};
  const std::vector<double> mass = problem.mass;
  problem.forces = {std::make_shared<test::TestGravity>(Vec3{0, -9.81, 0}, mass)};
  Problem mirrored = problem;
  std::reverse(mirrored.mass.begin(), mirrored.mass.end());
  std::reverse(mirrored.position.begin(), mirrored.position.end());
  std::reverse(mirrored.velocity.begin(), mirrored.velocity.end());
  std::reverse(mirrored.walls.begin(), mirrored.walls.end());
  mirrored.forces = {std::make_shared<test::TestGravity>(Vec3{0, -9.81, 0}, mirrored.mass)};
  ReferenceEngine a(problem, printed);
  ReferenceEngine b(mirrored, printed);
  ASSERT_EQ(a.advance(0.1).status, AdvanceStatus::reached);
  ASSERT_EQ(b.advance(0.1).status, AdvanceStatus::reached);
  const Configuration end_a = a.configuration();
  const Configuration end_b = b.configuration();
  const std::size_t last = problem.mass.size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    EXPECT_LT(norm(end_a.position[i] - end_b.position[last - i]), 1e-11) << i;
  }
}

TEST(ReferenceEngine, ResumesWithTheSameBits) {
  Settings printed;
  printed.friction = FrictionModel::printed;
  for (const Problem& problem : {small_scene(0.8, 0.3), plane_scene(0.8, 0.3)}) {
    ReferenceEngine whole(problem, printed);
    ReferenceEngine first(problem, printed);
    static_cast<void>(whole.advance(0.0131));
    static_cast<void>(first.advance(0.0131));
    const std::string bytes = first.save();
    ReferenceEngine second(problem, printed);
    second.load(bytes);
    EXPECT_EQ(second.save(), bytes);
    static_cast<void>(whole.advance(0.025));
    static_cast<void>(second.advance(0.025));
    EXPECT_EQ(whole.save(), second.save());
    EXPECT_THROW(second.load(std::string_view(bytes).substr(0, bytes.size() - 8)), InputError);
    EXPECT_THROW(second.load("nothing"), InputError);
    EXPECT_EQ(whole.save(), second.save());
  }
}

TEST(ReferenceEngine, KeepsMomentumEnergyAndItsLedger) {
  Settings printed;
  printed.friction = FrictionModel::printed;
  printed.contact_step = 0.03;
  for (const double restitution : {1.0, 0.7}) {
    for (const Problem& problem :
         {small_scene(restitution, 1.0 - restitution), plane_scene(restitution, 0.0)}) {
      ReferenceEngine engine(problem, printed);
      const Ledger start = engine.ledger();
      ASSERT_EQ(engine.advance(0.06).status, AdvanceStatus::reached);
      const Ledger end = engine.ledger();
      const auto total = [](const Ledger& l) {
        return l.momentum + l.held_impulse + l.wall_impulse - l.external_impulse;
      };
      EXPECT_LT(norm(total(end) - total(start)), 1e-12 * (1.0 + norm(end.wall_impulse)));
      EXPECT_NEAR(end.balance(), start.balance(), 0.01 * start.kinetic);
      EXPECT_EQ(test::count_crossings(problem, engine.configuration().position), 0);
    }
  }
}

TEST(ReferenceEngine, RestitutionIsARatioOfSpeeds) {
  for (const double restitution : {0.9, 0.5, 0.2}) {
    Problem problem;
    problem.mass = {1.0, 1.0};
    problem.position = {{-0.2, 0.0, 0.0}, {0.2, 0.0, 0.0}};
    problem.velocity = {{3.0, 0.0, 0.0}, {-3.0, 0.0, 0.0}};
    problem.contact[0].restitution = restitution;
    Settings settings;
    settings.contact_step = 0.02;
    ReferenceEngine engine(problem, settings);
    ASSERT_EQ(engine.advance(0.4).status, AdvanceStatus::reached);
    EXPECT_NEAR(engine.configuration().velocity[1].x / 3.0, restitution, 0.01);
  }
}

// A path that pulls a particle through a wall that is there for it ends, and names the pair.
TEST(ReferenceEngine, WhatCannotGoOnSaysSo) {
  Problem problem;
  problem.mass = {1.0, 1.0, 1.0};
  problem.position = {{-0.3, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.3, 0.0, 0.0}};
  problem.velocity.resize(3);
  problem.dimension = 2;
  problem.held = {{0, {{0.0, {-0.3, 0, 0}}, {1e-4, {-0.0005, 0, 0}}}},
                  {2, {{0.0, {0.3, 0, 0}}, {1e-4, {0.0005, 0, 0}}}}};
  problem.contact[0] = {1.0, 0.1, 1.0, 0.0};
  ReferenceEngine engine(problem);
  const AdvanceReport report = engine.advance(1.0);
  ASSERT_EQ(report.status, AdvanceStatus::no_progress);
  EXPECT_EQ(report.stuck.kind, PairKind::vertex_vertex);
  const Configuration end = engine.configuration();
  EXPECT_LT(end.position[0].x, end.position[1].x);
  EXPECT_LT(end.position[1].x, end.position[2].x);
  ReferenceEngine resumed(problem);
  resumed.load(engine.save());
  EXPECT_EQ(resumed.advance(1.0).status, AdvanceStatus::no_progress);
}

// Without vague trajectories a million events bring some hundredths of a second.
TEST(ReferenceEngine, WhatIsTooSlowEndsWithAPairNamed) {
  Settings settings;
  settings.least_progress = 1.0;
  Mechanisms slow;
  slow.vague_trajectories = false;
  ReferenceEngine engine(small_scene(1.0, 0.0), settings, slow);
  const AdvanceReport report = engine.advance(1.0);
  ASSERT_EQ(report.status, AdvanceStatus::too_slow);
  EXPECT_LT(report.time, 0.5);
  EXPECT_NE(report.stuck.vertex[0], kNone);
}

TEST(ReferenceEngine, RefusesAnchoredFriction) {
  EXPECT_THROW(ReferenceEngine(plane_scene(1.0, 0.3)), InputError);
}

}  // namespace
}  // namespace carom::asynchronous
