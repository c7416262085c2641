// Lower bounds on times of impact, against closed forms and flights sampled finely.

#include "carom/collision/time_of_impact.h"

#include <cmath>
#include <cstdint>
#include <memory>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/geometry/mesh_generators.h"
#include "carom/integrators/free_rotation.h"

#include "solid_pairs.h"

namespace carom {
namespace {

// A body in free flight.
struct Flyer {
  test::Body body;
  Quaternion orientation;
  Vec3 velocity;
  Vec3 acceleration;
  Vec3 angular_velocity;

  [[nodiscard]] Vec3 moments() const { return body.solid->mass().moments; }
  [[nodiscard]] FlyingSolid flying() const {
    const Vec3 in_body = transposed_times(matrix_of(orientation), angular_velocity);
    return {body.placed(), {velocity, acceleration, largest_turn_rate(moments(), in_body)}};
  }
  [[nodiscard]] Flyer later(double time) const {
    Flyer flyer = *this;
    const Turning turned = free_rotation(moments(), {orientation, angular_velocity}, time,
                                         RotationScheme::moser_veselov_4);
    flyer.orientation = turned.orientation;
    flyer.angular_velocity = turned.angular_velocity;
    flyer.body.pose.position += time * velocity + 0.5 * time * time * acceleration;
    flyer.body.pose.rotation = matrix_of(turned.orientation);
    flyer.velocity += time * acceleration;
    return flyer;
  }
};

Flyer flyer(const SolidDefinition& solid, const Vec3& position) {
  return {test::make_body(solid, 3, position), {}, {}, {}, {}};
}

Flyer random_flyer(Random& random, const SolidDefinition& solid, const Vec3& position) {
  const Quaternion turn = rotation_about(test::random_direction(random, 3), random.uniform(0, 6));
  Flyer flyer{test::make_body(solid, 3, position, matrix_of(turn)), turn, {}, {}, {}};
  flyer.velocity = random.uniform(0.0, 2.0) * test::random_direction(random, 3);
  flyer.angular_velocity = random.uniform(0.0, 8.0) * test::random_direction(random, 3);
  if (random.uniform() < 0.5) flyer.acceleration = {0.0, 0.0, -10.0};
  return flyer;
}

SolidDefinition random_solid(Random& random) {
  const double kind = random.uniform();
  if (kind < 0.6) return test::random_convex(random);
  if (kind < 0.8) return CylinderSolid{random.uniform(0.2, 1.0), random.uniform(0.2, 1.0)};
  auto compound = std::make_shared<CompoundSolid>();
  for (int k = 0; k < 2; ++k) {
    compound->parts.push_back({test::random_convex(random),
                               {random.uniform(0.3, 0.8) * test::random_direction(random, 3), {}}});
  }
  return std::shared_ptr<const CompoundSolid>(compound);
}

TEST(TimeOfImpact, OfBodiesThatDoNotTurnIsExact) {
  Flyer a = flyer(BoxSolid{{1, 1, 1}}, {5, 0.3, 0.2});
  const Flyer b = flyer(BoxSolid{{1, 1, 1}}, {0, 0, 0});
  a.velocity = {-2, 0.1, 0};
  EXPECT_NEAR(bound_time_of_impact(a.flying(), b.flying()).time, 1.5, 1e-9);
  EXPECT_NEAR(bound_time_of_impact(a.flying(), b.flying()).distance, 3.0, 1e-9);
  EXPECT_NEAR(bound_time_of_impact(a.flying(), b.flying(), {0.5, kInfinity}).time, 1.25, 1e-9);
  // Only one falls: 1 = 9 t^2 / 2 + 3 t / 2.
  a.body.pose.position = {0, 0, 3};
  a.velocity = {0, 0, -1.5};
  a.acceleration = {0, 0, -9};
  EXPECT_NEAR(bound_time_of_impact(a.flying(), b.flying()).time, 1.0 / 3, 1e-9);
  // Both fall.
  Flyer c = b;
  c.acceleration = a.acceleration;
  EXPECT_NEAR(bound_time_of_impact(a.flying(), c.flying()).time, 1.0 / 1.5, 1e-9);
}

TEST(TimeOfImpact, OfBallsDoesNotDependOnTheirSpin) {
  Flyer a = flyer(SphereSolid{1.0}, {4, 0, 0});
  Flyer b = flyer(SphereSolid{1.0}, {0, 0, 0});
  a.velocity = {-1, 0, 0};
  a.angular_velocity = {0, 0, 1000};
  b.angular_velocity = {0, 5000, 0};
  EXPECT_NEAR(bound_time_of_impact(a.flying(), b.flying()).time, 2.0, 1e-9);
}

TEST(TimeOfImpact, BodiesThatPartAndBallsThatMissNeverMeet) {
  Flyer a = flyer(BoxSolid{{1, 1, 1}}, {5, 0, 0});
  const Flyer b = flyer(BoxSolid{{1, 1, 1}}, {0, 0, 0});
  a.velocity = {1, 0, 0};
  EXPECT_EQ(bound_time_of_impact(a.flying(), b.flying()).time, kInfinity);
  // The balls around them pass each other, however they turn.
  a.velocity = {-1, 0, 0};
  a.body.pose.position = {50, 4, 0};
  a.angular_velocity = {0, 0, 30};
  EXPECT_EQ(bound_time_of_impact(a.flying(), b.flying()).time, kInfinity);
}

TEST(TimeOfImpact, ATurningBodyIsBoundByItsFastestTurn) {
  // A needle's angular speed may grow as it tumbles.
  const Vec3 moments = {0.1, 1.0, 1.0};
  EXPECT_NEAR(largest_turn_rate(moments, {0, 1, 0}), std::sqrt(10.0), 1e-12);
  EXPECT_NEAR(largest_turn_rate({2, 2, 2}, {1, 2, 2}), 3.0, 1e-12);
  Turning turning{{}, {0.5, 1.0, 0.3}};
  const Vec3 uneven = {0.2, 0.7, 0.8};
  const double bound = largest_turn_rate(uneven, turning.angular_velocity);
  for (int k = 0; k < 1000; ++k) {
    turning = free_rotation(uneven, turning, 0.02, RotationScheme::moser_veselov_4);
    ASSERT_LE(norm(turning.angular_velocity), bound);
  }
}

// The earliest sampled time at which the bodies are at most `envelope` apart.
template <class Distance>
double first_sampled(const Flyer& a, const Flyer& b, double until, const Distance& distance) {
  constexpr int kSamples = 150;
  for (int k = 0; k <= kSamples; ++k) {
    const double t = until * k / kSamples;
    if (distance(a.later(t), b.later(t)) <= 0.0) return t;
  }
  return kInfinity;
}

TEST(TimeOfImpact, IsNeverLaterThanTheImpactOfConvexBodies) {
  int hits = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    Flyer a = random_flyer(random, test::random_convex(random),
                           random.uniform(1.5, 5.0) * test::random_direction(random, 3));
    const Flyer b = random_flyer(random, test::random_convex(random), {});
    a.velocity -= 0.5 * a.body.pose.position;
    const ImpactBound bound = bound_time_of_impact(a.flying(), b.flying());
    const double now = test::reference_distance(a.body, b.body);
    if (now > 1e-9) {
      ASSERT_LE(bound.distance, now + 1e-9) << "seed " << seed;
      // Of bodies whose balls never meet no more is asked.
      if (bound.time < kInfinity) {
        ASSERT_GE(bound.distance, 0.998 * now - 1e-9) << "seed " << seed;
      }
    }
    const double hit = first_sampled(a, b, 2.0, [](const Flyer& x, const Flyer& y) {
      return test::reference_distance(x.body, y.body);
    });
    if (hit == kInfinity) continue;
    ++hits;
    ASSERT_LE(bound.time, hit) << "seed " << seed;
  }
  EXPECT_GT(hits, 100);
}

double smallest_distance(const Flyer& a, const Flyer& b) {
  return test::smallest_gap(test::contacts_of(a.body, b.body, 100.0));
}

TEST(TimeOfImpact, IsNeverLaterThanTheImpactOfCylindersAndCompounds) {
  int hits = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Random random(seed + 10'000);
    Flyer a = random_flyer(random, random_solid(random),
                           random.uniform(2.0, 5.0) * test::random_direction(random, 3));
    const Flyer b = random_flyer(random, random_solid(random), {});
    a.velocity -= 0.5 * a.body.pose.position;
    const ImpactBound bound = bound_time_of_impact(a.flying(), b.flying());
    ASSERT_LE(bound.distance, smallest_distance(a, b) + 1e-9) << "seed " << seed;
    const double hit = first_sampled(a, b, 2.0, smallest_distance);
    if (hit == kInfinity) continue;
    ++hits;
    ASSERT_LE(bound.time, hit) << "seed " << seed;
  }
  EXPECT_GT(hits, 50);
}

// A body flies on by its bound, is asked again, and so on: it arrives at the impact, not beyond.
TEST(TimeOfImpact, AskedAgainAndAgainLeadsToTheImpact) {
  int arrived = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed + 20'000);
    Flyer a = random_flyer(random, random_solid(random),
                           random.uniform(2.5, 5.0) * test::random_direction(random, 3));
    Flyer b = random_flyer(random, random_solid(random), {});
    a.velocity -= 0.5 * a.body.pose.position;
    constexpr double kEnvelope = 1e-4;
    double time = 0.0;
    int asked = 0;
    ImpactBound bound = bound_time_of_impact(a.flying(), b.flying());
    while (bound.distance > kEnvelope && time < 2.0 && asked < 3000) {
      const double step = std::min(bound.time, 0.1);
      a = a.later(step);
      b = b.later(step);
      time += step;
      ++asked;
      bound = bound_time_of_impact(a.flying(), b.flying());
      ASSERT_GT(bound.distance, -1e-6) << "seed " << seed << " after " << asked;
    }
    ASSERT_LT(asked, 3000) << "seed " << seed;
    if (bound.distance <= kEnvelope) ++arrived;
  }
  EXPECT_GT(arrived, 15);
}

TEST(TimeOfImpact, AgainstShapesIsNeverLateEither) {
  const std::vector<Shape> shapes = {HalfPlane{{0, 0, -1}, {0, 0, 1}},
                                     BoxInside{{-4, -4, -4}, {4, 4, 4}},
                                     SphereInside{{0, 0, 0}, 5.0}, SphereOutside{{0, 0, -3}, 1.0},
                                     Segment{{-3, 0.4, -2}, {3, 0.4, -2}}};
  int hits = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed + 30'000);
    const Shape& shape = shapes[seed % shapes.size()];
    Flyer a = random_flyer(random, random_solid(random), {0, 0, 1});
    a.velocity = {0.3, 0.2, -1.5};
    const auto distance = [&](const Flyer& x, const Flyer& /*y*/) {
      return test::smallest_gap(test::contacts_of(x.body, shape, 100.0));
    };
    const ImpactBound bound = bound_time_of_impact(a.flying(), FlyingShape{{&shape, {}}, {}}, {});
    ASSERT_LE(bound.distance, distance(a, a) + 1e-9) << "seed " << seed;
    const double hit = first_sampled(a, a, 2.5, distance);
    if (hit == kInfinity) continue;
    ++hits;
    ASSERT_LE(bound.time, hit) << "seed " << seed;
  }
  EXPECT_GT(hits, 100);
}

TEST(TimeOfImpact, OfMeshesSeesEdgesThatCrossBetweenVertices) {
  // Two long boxes as meshes of few triangles, crossed: their edges meet far from any vertex.
  TriangleMesh mesh;
  const Vec3 half = {3, 0.2, 0.2};
  for (int k = 0; k < 8; ++k) {
    mesh.vertices.push_back({(k & 1) != 0 ? half.x : -half.x, (k & 2) != 0 ? half.y : -half.y,
                             (k & 4) != 0 ? half.z : -half.z});
  }
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  Flyer a{test::make_body(MeshSolid{mesh}, 3, {0, 0, 2}, test::turned({0, 0, 1}, 1.0)),
          rotation_about({0, 0, 1}, 1.0),
          {0, 0, -1},
          {},
          {}};
  const Flyer b = flyer(MeshSolid{mesh}, {0, 0, 0});
  const ImpactBound bound = bound_time_of_impact(a.flying(), b.flying());
  EXPECT_LE(bound.distance, 1.6);
  EXPECT_GE(bound.distance, 0.85 * 1.6);
  EXPECT_LE(bound.time, 1.6);
  EXPECT_GE(bound.time, 0.85 * 1.6);
  const Flyer ball = flyer(SphereSolid{0.5}, {0.1, 0.0, 1.5});
  const ImpactBound to_ball = bound_time_of_impact(ball.flying(), b.flying());
  EXPECT_LE(to_ball.distance, 0.8);
  EXPECT_GE(to_ball.distance, 0.85 * 0.8);
}

TEST(TimeOfImpact, OneQueryAlsoSaysWhenSurfacesMayMeet) {
  Random random(21);
  const Shape floor = HalfPlane{{0, 0, -4}, {0, 0, 1}};
  for (int round = 0; round < 200; ++round) {
    const Flyer a = random_flyer(random, random_solid(random), {random.uniform(2.0, 5.0), 0, 0});
    const Flyer b = random_flyer(random, random_solid(random), {0, 0, 0});
    const ImpactQuery near{0.3, kInfinity};
    EXPECT_EQ(bound_time_of_impact(a.flying(), b.flying(), near).meeting,
              bound_time_of_impact(a.flying(), b.flying()).time);
    const FlyingShape plane{{&floor, {}}, {}};
    EXPECT_EQ(bound_time_of_impact(a.flying(), plane, near).meeting,
              bound_time_of_impact(a.flying(), plane).time);
  }
}

TEST(TimeOfImpact, TimesToCoverAreFirstTimes) {
  EXPECT_EQ(time_to_cover(0.0, -1.0, 0.0), 0.0);
  EXPECT_EQ(time_to_cover(1.0, 0.0, 0.0), kInfinity);
  EXPECT_EQ(time_to_cover(1.0, -1.0, 0.0), kInfinity);
  EXPECT_EQ(time_to_cover(1.0, 1.0, -1.0), kInfinity);
  EXPECT_NEAR(time_to_cover(1.0, 2.0, -1.0), 2.0 - std::sqrt(2.0), 1e-11);
  EXPECT_NEAR(time_to_cover(1.0, -1.0, 2.0), 0.5 * (1.0 + std::sqrt(5.0)), 1e-11);
}

}  // namespace
}  // namespace carom
