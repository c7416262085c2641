#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "carom/asynchronous/engine.h"
#include "carom/core/random.h"

#include "asynchronous/crossings.h"
#include "asynchronous/test_forces.h"

namespace carom::asynchronous {
namespace {

using test::count_crossings;
using test::count_crossings_in_plane;
using test::TestGravity;
using test::TestSprings;

// A sheet of n x n vertices with springs along edges and diagonals, and weak ones that bend it.
class Builder {
 public:
  Problem problem;

  void add_sheet(int n, double size, const Vec3& center, const Vec3& velocity) {
    const auto first = static_cast<Index>(problem.mass.size());
    const double h = size / (n - 1);
    const auto id = [&](int i, int j) { return first + static_cast<Index>(i * n + j); };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const Vec3 place = center + Vec3{i * h - 0.5 * size, j * h - 0.5 * size, 0.0};
        add_vertex(place, 0.2 * h * h, velocity);
      }
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (i + 1 < n) add_spring(id(i, j), id(i + 1, j), 300.0);
        if (j + 1 < n) add_spring(id(i, j), id(i, j + 1), 300.0);
        if (i + 2 < n) add_spring(id(i, j), id(i + 2, j), 3.0);
        if (j + 2 < n) add_spring(id(i, j), id(i, j + 2), 3.0);
        if (i + 1 == n || j + 1 == n) continue;
        add_spring(id(i, j), id(i + 1, j + 1), 100.0);
        add_spring(id(i + 1, j), id(i, j + 1), 100.0);
        problem.faces.push_back({id(i, j), id(i + 1, j), id(i + 1, j + 1)});
        problem.faces.push_back({id(i, j), id(i + 1, j + 1), id(i, j + 1)});
      }
    }
  }

  // A held pyramid of three sides, point up.
  void add_spike(const Vec3& foot, double radius, double height) {
    const auto first = static_cast<Index>(problem.mass.size());
    for (int k = 0; k < 3; ++k) {
      const double angle = 2.0943951 * k + 0.3;
      add_vertex(foot + Vec3{radius * std::cos(angle), radius * std::sin(angle), 0.0}, 1.0, {});
    }
    add_vertex(foot + Vec3{0.0, 0.0, height}, 1.0, {});
    for (Index k = 0; k < 4; ++k) problem.held.push_back({first + k, {}});
    for (Index k = 0; k < 3; ++k) {
      problem.faces.push_back({first + k, first + (k + 1) % 3, first + 3});
    }
  }

  void add_chain(const std::vector<Vec3>& places, double mass, const Vec3& velocity) {
    const auto first = static_cast<Index>(problem.mass.size());
    for (const Vec3& place : places) add_vertex(place, mass, velocity);
    for (Index k = 0; k + 1 < places.size(); ++k) {
      problem.edges.push_back({first + k, first + k + 1});
      add_spring(first + k, first + k + 1, 500.0);
    }
  }

  void add_vertex(const Vec3& place, double mass, const Vec3& velocity) {
    problem.position.push_back(place);
    problem.velocity.push_back(velocity);
    problem.mass.push_back(mass);
  }

  void add_spring(Index a, Index b, double stiffness) {
    springs_.push_back({{a, b}, stiffness, norm(problem.position[a] - problem.position[b])});
  }

  Problem finish(const Vec3& gravity) {
    problem.forces.push_back(std::make_shared<TestSprings>(springs_));
    problem.forces.push_back(std::make_shared<TestGravity>(gravity, problem.mass));
    return problem;
  }

 private:
  std::vector<TestSprings::Spring> springs_;
};

TEST(Surfaces, SheetOnSpikesIsNeverPierced) {
  Builder builder;
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
  Builder builder;
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
  Builder builder;
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
    Builder builder;
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
