#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "carom/asynchronous/engine.h"
#include "carom/core/error.h"
#include "carom/core/random.h"

#include "asynchronous/crossings.h"
#include "asynchronous/scene_builder.h"
#include "support/slow.h"

namespace carom::asynchronous {
namespace {

using test::SceneBuilder;

double log_uniform(Random& random, double low, double high) {
  return low * std::exp(random.uniform() * std::log(high / low));
}

Vec3 random_direction(Random& random, int dimension) {
  Vec3 v = {random.normal(), random.normal(), dimension == 3 ? random.normal() : 0.0};
  return (1.0 / norm(v)) * v;
}

struct Scene {
  Problem problem;
  Settings settings;
  double speed = 0.0;
};

// Particles, chains and, in space, sheets in cells of their own, all in motion, some held.
Scene random_scene(Random& random) {
  Scene scene;
  SceneBuilder builder;
  Problem& problem = builder.problem;
  problem.dimension = random.below(2) == 0 ? 2 : 3;
  const int dimension = problem.dimension;
  scene.speed = log_uniform(random, 1e-1, 1e4);
  const auto velocity = [&] {
    return (scene.speed * random.uniform()) * random_direction(random, dimension);
  };
  const Index bodies = 2 + random.below(5);
  for (Index k = 0; k < bodies; ++k) {
    const Vec3 center = {1.0 * k + 0.1 * random.uniform(), 0.3 * random.uniform(),
                         dimension == 3 ? 0.3 * random.uniform() : 0.0};
    const Index kind = random.below(dimension == 3 ? 3 : 2);
    const auto first = static_cast<Index>(problem.mass.size());
    if (kind == 0) {
      builder.add_vertex(center, log_uniform(random, 1e-3, 10.0), velocity());
    } else if (kind == 1) {
      std::vector<Vec3> places;
      const Vec3 along = random_direction(random, dimension);
      for (int m = 0; m < 4; ++m) places.push_back(center + (0.1 * m) * along);
      builder.add_chain(places, log_uniform(random, 1e-3, 1.0), velocity());
    } else {
      builder.add_sheet(3 + static_cast<int>(random.below(2)), 0.5, center, velocity());
    }
    if (random.below(4) != 0) continue;
    // Held: it stands, moves on, or follows a path.
    const Index manner = random.below(3);
    const Vec3 way = random_direction(random, dimension);
    for (Index i = first; i < problem.mass.size(); ++i) {
      if (manner == 0) problem.velocity[i] = {};
      std::vector<PathPoint> path;
      if (manner == 2) {
        const Vec3 start = problem.position[i];
        path = {{0.0, start}, {0.5 / scene.speed, start + way}, {1.0 / scene.speed, start}};
      }
      problem.held.push_back({i, path});
    }
  }
  if (random.below(2) == 0) {
    problem.walls = {{{1, 0, 0}, -1.0, 0}, {{-1, 0, 0}, -1.0 - bodies, 0}, {{0, 1, 0}, -1.0, 0}};
  }
  problem.contact[0].thickness = log_uniform(random, 1e-6, 0.1);
  problem.contact[0].stiffness = log_uniform(random, 1.0, 1e6);
  problem.contact[0].restitution = random.below(2) == 0 ? 1.0 : random.uniform();
  problem.contact[0].friction = random.below(2) == 0 ? 0.0 : random.uniform();
  scene.settings.friction = random.below(2) == 0 ? FrictionModel::anchored : FrictionModel::printed;
  scene.settings.layers = random.below(4) == 0 ? LayerLaw::vouga : LayerLaw::harmon;
  scene.problem = builder.finish({0.0, random.below(2) == 0 ? -9.81 : 0.0, 0.0});
  return scene;
}

double momentum_scale(const Scene& scene) {
  double sum = 0.0;
  for (const double mass : scene.problem.mass) sum += mass;
  return sum * scene.speed;
}

// Nothing crosses, momentum is kept with what walls and held vertices receive, nothing is not a
// number; runs end at their time, or say that they cannot, or are ended after a million ticks.
TEST(Fuzz, RandomScenesAreSafeAndKeepMomentum) {
  int reached = 0;
  int stuck = 0;
  const int count = carom::test::problem_count(60, 2000);
  for (int seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Scene scene = random_scene(random);
    Engine engine(scene.problem, scene.settings);
    const Ledger start = engine.ledger();
    AdvanceReport report;
    for (int look = 1; look <= 20; ++look) {
      report = engine.advance(0.05 * look / scene.speed, [](const AdvanceReport& so_far) {
        const EventCounts& counts = so_far.counts;
        return counts.force_kicks + counts.contact_ticks + counts.certificates < 1000000;
      });
      const std::vector<Vec3> x = engine.configuration().position;
      for (const Vec3& place : x) ASSERT_TRUE(is_finite(place));
      ASSERT_EQ(test::count_crossings(scene.problem, x), 0);
      if (scene.problem.dimension == 2) {
        ASSERT_EQ(test::count_crossings_in_plane(scene.problem, x), 0);
      }
      for (const Wall& wall : scene.problem.walls) {
        for (Index i = 0; i < x.size(); ++i) {
          if (std::any_of(scene.problem.held.begin(), scene.problem.held.end(),
                          [&](const HeldVertex& held) { return held.vertex == i; })) {
            continue;
          }
          ASSERT_GT(dot(wall.normal, x[i]), wall.offset);
        }
      }
      if (report.status != AdvanceStatus::reached) break;
    }
    const Ledger end = engine.ledger();
    const auto total = [](const Ledger& ledger) {
      return ledger.momentum + ledger.held_impulse + ledger.wall_impulse - ledger.external_impulse;
    };
    const double passed = norm(end.held_impulse) + norm(end.wall_impulse);
    EXPECT_LT(norm(total(end) - total(start)), 1e-11 * (momentum_scale(scene) + passed));
    if (report.status == AdvanceStatus::reached) ++reached;
    if (report.status == AdvanceStatus::no_progress) ++stuck;
  }
  EXPECT_GT(reached, count / 2);
  RecordProperty("reached", reached);
  RecordProperty("stuck", stuck);
}

}  // namespace
}  // namespace carom::asynchronous
