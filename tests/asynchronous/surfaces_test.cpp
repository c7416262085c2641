#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "carom/asynchronous/engine.h"
#include "carom/core/random.h"

#include "asynchronous/crossings.h"
#include "asynchronous/scene_builder.h"

namespace carom::asynchronous {
namespace {

using test::count_crossings;
using test::count_crossings_in_plane;
using test::SceneBuilder;

TEST(Surfaces, SheetOnSpikesIsNeverPierced) {
  SceneBuilder builder;
  builder.add_sheet(12, 1.0, {0.0, 0.0, 0.5}, {0.0, 0.0, -3.0});
  builder.add_spike({0.02, 0.03, 0.0}, 0.05, 0.4);
  builder.add_spike({-0.31, 0.28, 0.0}, 0.05, 0.4);
  builder.add_spike({0.33, -0.21, 0.0}, 0.05, 0.4);
  builder.problem.contact[0] = {1000.0, 0.03, 0.3, 0.0};
  const Problem problem = builder.finish({0.0, 0.0, -9.81});
  Engine engine(problem);
  const Ledger start = engine.ledger();
  for (int k = 1; k <= 50; ++k) {
    const AdvanceReport report = engine.advance(0.01 * k);
    ASSERT_EQ(report.status, AdvanceStatus::reached);
    ASSERT_GT(report.smallest_gap, 0.0);
    ASSERT_EQ(count_crossings(problem, engine.configuration().position), 0) << k;
  }
  const Ledger end = engine.ledger();
  EXPECT_GT(engine.advance(0.5).deepest_layer, 1U);
  const Vec3 change = end.momentum + end.held_impulse - end.external_impulse -
                      (start.momentum + start.held_impulse - start.external_impulse);
  EXPECT_LT(norm(change), 1e-11);
  EXPECT_NEAR(end.balance() / start.balance(), 1.0, 0.05);
}

// Two sheets that meet at 100 m/s, far more than their thickness per step of anything.
TEST(Surfaces, FastSheetsBounceOffEachOther) {
  SceneBuilder builder;
  builder.add_sheet(8, 0.5, {0.0, 0.0, 0.0}, {0.0, 0.0, 100.0});
  builder.add_sheet(7, 0.5, {0.013, 0.017, 0.3}, {0.0, 0.0, -100.0});
  builder.problem.contact[0] = {1000.0, 0.01, 1.0, 0.0};
  const Problem problem = builder.finish({});
  Engine engine(problem);
  const Ledger start = engine.ledger();
  for (int k = 1; k <= 20; ++k) {
    ASSERT_EQ(engine.advance(0.0003 * k).status, AdvanceStatus::reached);
    ASSERT_EQ(count_crossings(problem, engine.configuration().position), 0) << k;
  }
  const Ledger end = engine.ledger();
  EXPECT_LT(norm(end.momentum - start.momentum), 1e-11);
  EXPECT_NEAR(end.balance() / start.balance(), 1.0, 0.04);
  // Two vertices of 1 g at 200 m/s: (840 * 10 J / (r_1 eta_1^2))^(2 / 7) = 25 layers.
  EXPECT_NEAR(engine.advance(0.006).deepest_layer, 25, 3);
}

// Chains of the plane that fall onto each other and a particle that is shot through.
TEST(Surfaces, ChainsOfThePlaneNeverCross) {
  SceneBuilder builder;
  builder.problem.dimension = 2;
  for (int c = 0; c < 4; ++c) {
    std::vector<Vec3> places;
    for (int k = 0; k < 14; ++k) places.push_back({0.1 * k + 0.03 * c, 0.3 + 0.15 * c, 0.0});
    builder.add_chain(places, 0.05, {0.5 * c, 0.0, 0.0});
  }
  builder.add_vertex({0.72, 1.4, 0.0}, 0.5, {0.0, -20.0, 0.0});
  builder.problem.walls = {{{0, 1, 0}, 0.0, 0}};
  builder.problem.contact[0] = {1000.0, 0.04, 0.5, 0.0};
  const Problem problem = builder.finish({0.0, -9.81, 0.0});
  Engine engine(problem);
  for (int k = 1; k <= 60; ++k) {
    ASSERT_EQ(engine.advance(0.01 * k).status, AdvanceStatus::reached);
    const std::vector<Vec3> x = engine.configuration().position;
    ASSERT_EQ(count_crossings_in_plane(problem, x), 0) << k;
    for (const Vec3& place : x) ASSERT_GT(place.y, 0.0);
  }
}

// Particles, a chain and a sheet in space, of all kinds of pairs, thrown together at random.
TEST(Surfaces, MixedBodiesInSpaceNeverCross) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Random random(seed);
    SceneBuilder builder;
    builder.add_sheet(6, 0.5, {0.0, 0.0, 0.0}, {0.0, 0.0, 5.0});
    builder.add_chain({{-0.4, 0.05, 0.3}, {-0.2, 0.05, 0.3}, {0.0, 0.06, 0.3}, {0.2, 0.04, 0.3}},
                      0.02, {0.0, 0.0, -20.0});
    builder.add_chain({{0.05, -0.4, 0.45}, {0.05, -0.2, 0.45}, {0.06, 0.1, 0.45}}, 0.02,
                      {0.0, 0.0, -50.0});
    for (int k = 0; k < 12; ++k) {
      const Vec3 place = {random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), 0.6 + 0.1 * k};
      builder.add_vertex(place, 0.01, {random.uniform(-5, 5), random.uniform(-5, 5), -30.0});
    }
    builder.problem.contact[0] = {500.0, 0.02, 0.7, 0.0};
    const Problem problem = builder.finish({0.0, 0.0, -9.81});
    Engine engine(problem);
    for (int k = 1; k <= 40; ++k) {
      ASSERT_EQ(engine.advance(0.001 * k).status, AdvanceStatus::reached);
      ASSERT_EQ(count_crossings(problem, engine.configuration().position), 0) << seed << " " << k;
    }
  }
}

}  // namespace
}  // namespace carom::asynchronous
