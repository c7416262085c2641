#include "carom/geometry/signed_distance.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/geometry/direction.h"
#include "carom/geometry/mesh_figures.h"
#include "carom/geometry/mesh_generators.h"
#include "carom/geometry/triangle_mesh.h"
#include "carom/geometry/vertex_tree.h"

#include "geometry/random_rotation.h"
#include "geometry/random_shapes.h"

namespace carom {
namespace {

using test::random_place;
using test::random_rotation;

double box_distance(const Vec3& p, const Vec3& half) {
  const Vec3 q = {std::abs(p.x) - half.x, std::abs(p.y) - half.y, std::abs(p.z) - half.z};
  const Vec3 outside = {std::fmax(q.x, 0.0), std::fmax(q.y, 0.0), std::fmax(q.z, 0.0)};
  return norm(outside) + std::fmin(std::fmax(q.x, std::fmax(q.y, q.z)), 0.0);
}

// The reference: all triangles for the distance, the solid angle that they fill for the sign (van
// Oosterom and Strackee 1983; -4 pi inside, 0 outside).
double brute_force_distance(const TriangleMesh& mesh, const Vec3& p) {
  double squared = kInfinity;
  double angle = 0.0;
  for (const TriangleMesh::Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t.a] - p;
    const Vec3 b = mesh.vertices[t.b] - p;
    const Vec3 c = mesh.vertices[t.c] - p;
    // The nearest point of the inside, and of each side, each found by itself.
    const Vec3 normal = direction_of(cross(b - a, c - a)).unit;
    const Vec3 foot = dot(a, normal) * normal;
    if (dot(cross(b - a, foot - a), normal) >= 0.0 && dot(cross(c - b, foot - b), normal) >= 0.0 &&
        dot(cross(a - c, foot - c), normal) >= 0.0) {
      squared = std::fmin(squared, norm_squared(foot));
    }
    for (const auto& [begin, end] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
      const double where = where_nearest_to_origin(begin, end);
      squared = std::fmin(squared, norm_squared(place_on_path(begin, end, where)));
    }
    angle +=
        2.0 * std::atan2(dot(a, cross(b, c)), norm(a) * norm(b) * norm(c) + dot(a, b) * norm(c) +
                                                  dot(b, c) * norm(a) + dot(c, a) * norm(b));
  }
  return (std::abs(angle) > 6.0 ? -1.0 : 1.0) * std::sqrt(squared);
}

// Not convex, with sharp and blunt edges of both kinds: an L in an icosphere's company, and a
// hollow.
TriangleMesh bent_mesh() {
  const std::vector<Vec3> outline = {{0, 0, 0},     {2, 0, 0},   {2, 0.5, 0},
                                     {0.5, 0.7, 0}, {0.4, 2, 0}, {0, 2, 0}};
  TriangleMesh mesh;
  for (const double z : {0.0, 0.6}) {
    for (const Vec3& p : outline) mesh.vertices.push_back(p + Vec3{0.1 * z, 0.0, z});
  }
  mesh.triangles = {{0, 3, 1}, {1, 3, 2}, {0, 5, 3}, {5, 4, 3}};
  const auto caps = mesh.triangles;
  for (const auto& t : caps) mesh.triangles.push_back({t.a + 6, t.c + 6, t.b + 6});
  for (Index k = 0; k < 6; ++k) {
    const Index next = (k + 1) % 6;
    mesh.triangles.push_back({k, next, next + 6});
    mesh.triangles.push_back({k, next + 6, k + 6});
  }
  const TriangleMesh hollow = joined(icosphere(0.6, 2), inverted(icosphere(0.3, 1)));
  return joined(mesh, moved(hollow, {{-1.5, 0.0, 0.0}, {}}));
}

TEST(MeshDistance, WithinALimitItIsTheSameOrNothing) {
  const TriangleMesh mesh = bent_mesh();
  const MeshDistance distance(mesh);
  Random random(57);
  int within = 0;
  constexpr int kPlaces = 20'000;
  for (int k = 0; k < kPlaces; ++k) {
    const Vec3 place = random_place(random, 3, 2.5);
    const DistanceSample whole = distance.sample(place);
    const double limit = k % 4 == 0 ? whole.distance : random.uniform(-0.2, 0.3);
    const std::optional<DistanceSample> found = distance.sample_within(place, limit);
    ASSERT_EQ(found.has_value(), whole.distance <= limit) << k;
    if (!found) continue;
    ++within;
    EXPECT_EQ(found->distance, whole.distance);
    EXPECT_EQ(found->gradient, whole.gradient);
  }
  EXPECT_GT(within, kPlaces / 4);
  EXPECT_LT(within, kPlaces);
}

TEST(MeshDistance, OfABoxIsTheClosedForm) {
  Random random(51);
  const Vec3 half = {1.0, 0.5, 0.25};
  const MeshDistance distance(box_mesh(half));
  for (int trial = 0; trial < 20000; ++trial) {
    const Vec3 p = random_place(random, 3, trial % 2 == 0 ? 1.3 : 10.0);
    EXPECT_NEAR(distance.sample(p).distance, box_distance(p, half), 1e-14);
  }
}

TEST(MeshDistance, AgreesWithBruteForceOnABentAndHollowBody) {
  Random random(52);
  const TriangleMesh mesh = bent_mesh();
  ASSERT_NO_THROW(check_mesh(mesh));
  const MeshDistance distance(mesh);
  int inside = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const Vec3 p = random_place(random, 3, 1.0) + Vec3{trial % 2 == 0 ? 0.8 : -1.5, 0.2, 0.0};
    const double expected = brute_force_distance(mesh, p);
    EXPECT_NEAR(distance.sample(p).distance, expected, 1e-14);
    if (expected < 0.0) ++inside;
  }
  EXPECT_GT(inside, 200);
  EXPECT_NEAR(distance.sample({-1.5, 0, 0}).distance, brute_force_distance(mesh, {-1.5, 0, 0}),
              1e-14);
  EXPECT_GT(distance.sample({-1.5, 0, 0}).distance, 0.2) << "the hollow is outside";
}

TEST(MeshDistance, HasTheGradientOfItsDistance) {
  Random random(53);
  const MeshDistance distance(bent_mesh());
  constexpr double kStep = 1e-6;
  int smooth = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3 p = random_place(random, 3, 2.0);
    const DistanceSample sample = distance.sample(p);
    EXPECT_NEAR(norm(sample.gradient), 1.0, 1e-14);
    const auto slope = [&](const Vec3& step) {
      return (distance.sample(p + step).distance - distance.sample(p - step).distance) /
             (2.0 * kStep);
    };
    const Vec3 differences = {slope({kStep, 0, 0}), slope({0, kStep, 0}), slope({0, 0, kStep})};
    // Where two parts of the surface are equally near the distance has a ridge.
    if (std::abs(norm(differences) - 1.0) > 1e-6) continue;
    ++smooth;
    EXPECT_NEAR(norm(differences - sample.gradient), 0.0, 1e-4);
  }
  EXPECT_GT(smooth, 1950);
}

TEST(MeshDistance, OnTheSurfaceHasTheOutwardNormal) {
  const MeshDistance distance(box_mesh({1, 1, 1}));
  const auto expect_on_surface = [&](const Vec3& p, const Vec3& outward) {
    const DistanceSample sample = distance.sample(p);
    EXPECT_EQ(sample.distance, 0.0);
    EXPECT_NEAR(norm(sample.gradient - outward), 0.0, 1e-15);
  };
  expect_on_surface({0.3, 0.1, 1.0}, {0, 0, 1});
  expect_on_surface({1.0, 0.1, -1.0}, std::sqrt(0.5) * Vec3{1, 0, -1});
  expect_on_surface({-1, -1, 1}, std::sqrt(1.0 / 3.0) * Vec3{-1, -1, 1});
}

TEST(MeshDistance, TurnsWithTheMeshAndDoesNotDependOnTheOrderOfTriangles) {
  Random random(54);
  const TriangleMesh mesh = bent_mesh();
  const MeshDistance distance(mesh);
  for (int trial = 0; trial < 10; ++trial) {
    const Pose pose = {random_place(random, 3, 4.0), random_rotation(random)};
    TriangleMesh other = moved(mesh, pose);
    for (std::size_t k = other.triangles.size(); k-- > 1;) {
      std::swap(other.triangles[k], other.triangles[random.below(static_cast<Index>(k + 1))]);
    }
    const MeshDistance turned(other);
    for (int place = 0; place < 200; ++place) {
      const Vec3 p = random_place(random, 3, 2.0);
      EXPECT_NEAR(turned.sample(pose.to_world(p)).distance, distance.sample(p).distance, 1e-13);
    }
  }
}

TEST(MeshDistance, MayBeWithinIsNeverWronglyFalseAndMostlyRight) {
  Random random(55);
  const MeshDistance distance(icosphere(1.0, 4));
  int near = 0;
  int maybe = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const Vec3 p = random_place(random, 3, 1.5);
    const double margin = random.uniform(-0.2, 0.2);
    const bool is_within = distance.sample(p).distance <= margin;
    if (is_within) {
      EXPECT_TRUE(distance.may_be_within(p, margin));
      ++near;
    }
    if (distance.may_be_within(p, margin)) ++maybe;
  }
  EXPECT_LT(maybe, 1.25 * near);
  EXPECT_FALSE(distance.may_be_within({5, 0, 0}, 3.9));
  EXPECT_TRUE(distance.may_be_within({5, 0, 0}, 4.0));
}

// Two trefoils side by side, in the coordinates of the second.
TEST(VertexTree, LeavesOutNoVertexThatIsNearAndMostThatAreNot) {
  const TriangleMesh mesh = trefoil_mesh({});
  const MeshDistance distance(mesh);
  const VertexTree tree(mesh.vertices);
  Random random(56);
  for (int trial = 0; trial < 20; ++trial) {
    const Pose pose = {{random.uniform(1.6, 2.2), 0.0, 0.0}, random_rotation(random)};
    constexpr double kMargin = 0.02;
    std::vector<Index> found;
    int asked = 0;
    tree.collect(
        [&](const Vec3& center, double radius) {
          ++asked;
          return distance.may_be_within(pose.to_world(center), kMargin + radius);
        },
        found);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
    for (Index v = 0; v < mesh.vertices.size(); ++v) {
      if (distance.sample(pose.to_world(mesh.vertices[v])).distance > kMargin) continue;
      EXPECT_TRUE(std::binary_search(found.begin(), found.end(), v));
    }
    EXPECT_LT(asked + static_cast<int>(found.size()), static_cast<int>(mesh.vertices.size()) / 2);
  }
}

TEST(VertexTree, GivesEveryPointOnceWhenNothingIsLeftOut) {
  Random random(57);
  for (const Index count : {1U, 4U, 5U, 100U, 1001U}) {
    std::vector<Vec3> points(count);
    for (Vec3& p : points) p = random_place(random, 3, 1.0);
    std::vector<Index> found;
    VertexTree(points).collect([](const Vec3&, double) { return true; }, found);
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found.size(), count);
    for (Index k = 0; k < count; ++k) EXPECT_EQ(found[k], k);
  }
}

}  // namespace
}  // namespace carom
