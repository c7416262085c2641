#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/geometry/exact_predicates.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/mesh_generators.h"
#include "carom/geometry/solid.h"

#include "geometry/random_rotation.h"
#include "geometry/random_shapes.h"

namespace carom {
namespace {

using test::random_place;
using test::random_rotation;

// What makes it a convex polytope that contains the points: unit normals, flat faces, all points
// behind all faces, closed and consistent edges, Euler's formula.
void expect_hull(const ConvexPolytope& hull, const std::vector<Vec3>& points, double size) {
  const double tolerance = 4e-12 * size;
  for (const ConvexPolytope::Face& face : hull.faces) {
    EXPECT_NEAR(norm(face.normal), 1.0, 4.0 * kRoundOff);
    const Vec3& origin = hull.vertices[face.loop[0]];
    for (const Index v : face.loop) {
      EXPECT_NEAR(dot(face.normal, hull.vertices[v] - origin), 0.0, tolerance);
    }
    for (const Vec3& p : points) EXPECT_LE(dot(face.normal, p - origin), tolerance);
  }
  EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2);
  for (const ConvexPolytope::Edge& edge : hull.edges) {
    EXPECT_LT(edge.begin, edge.end);
    const auto runs_along = [&](Index f, Index begin, Index end) {
      const std::vector<Index>& loop = hull.faces[f].loop;
      const auto at = std::find(loop.begin(), loop.end(), begin);
      return at != loop.end() && (at + 1 == loop.end() ? loop.front() : *(at + 1)) == end;
    };
    EXPECT_TRUE(runs_along(edge.face_a, edge.begin, edge.end));
    EXPECT_TRUE(runs_along(edge.face_b, edge.end, edge.begin));
  }
  std::size_t sides = 0;
  for (const ConvexPolytope::Face& face : hull.faces) sides += face.loop.size();
  EXPECT_EQ(sides, 2 * hull.edges.size());
}

std::vector<Vec3> turned(std::vector<Vec3> points, const Mat3& rotation, const Vec3& shift) {
  for (Vec3& p : points) p = rotation * p + shift;
  return points;
}

void shuffle(std::vector<Vec3>& points, Random& random) {
  for (std::size_t k = points.size(); k-- > 1;) {
    std::swap(points[k], points[random.below(static_cast<Index>(k + 1))]);
  }
}

std::vector<Vec3> prism(Index count) {
  std::vector<Vec3> points;
  for (const double z : {-0.5, 0.5}) {
    for (const Vec3& p : circle_points(count)) points.push_back(p + Vec3{0, 0, z});
  }
  return points;
}

TEST(ExactSide, DecidesWhereRoundedArithmeticCannot) {
  // On a line of slope one with one place moved by a single unit in the last digit.
  const Vec3 a = {0.5, 0.5, 0.0};
  const Vec3 b = {12.0, 12.0, 0.0};
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < 64; ++j) {
      const Vec3 c = {24.0 + i * 0x1p-48, 24.0 + j * 0x1p-48, 0.0};
      EXPECT_EQ(side_of_line(a, b, c), (j > i) - (j < i));
      EXPECT_EQ(side_of_plane(a, b, {0.1, 0.1, 7.0}, c), (i > j) - (i < j));
    }
  }
}

TEST(ConvexHull, OfACubeHasSixQuadsHoweverItIsTurnedAndOrdered) {
  Random random(21);
  const std::vector<Vec3> cube = box_mesh({1, 1, 1}).vertices;
  expect_hull(convex_hull(cube, 3), cube, 1.0);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Vec3> points = turned(cube, random_rotation(random), random_place(random, 3, 3.0));
    shuffle(points, random);
    const ConvexPolytope hull = convex_hull(points, 3);
    EXPECT_EQ(hull.vertices, points);
    ASSERT_EQ(hull.faces.size(), 6U);
    EXPECT_EQ(hull.edges.size(), 12U);
    for (const ConvexPolytope::Face& face : hull.faces) EXPECT_EQ(face.loop.size(), 4U);
    expect_hull(hull, points, 3.0);
  }
}

TEST(ConvexHull, LeavesOutPointsInsideOnFacesOnEdgesAndTwice) {
  Random random(22);
  std::vector<Vec3> grid;
  for (const double x : {-1.0, -0.5, 0.0, 0.7, 1.0}) {
    for (const double y : {-1.0, -0.5, 0.0, 0.7, 1.0}) {
      for (const double z : {-1.0, -0.5, 0.0, 0.7, 1.0}) grid.push_back({x, y, z});
    }
  }
  grid.insert(grid.end(), grid.begin(), grid.end());
  for (int trial = 0; trial < 100; ++trial) {
    const std::vector<Vec3> points =
        trial == 0 ? grid : turned(grid, random_rotation(random), random_place(random, 3, 3.0));
    const ConvexPolytope hull = convex_hull(points, 3);
    EXPECT_EQ(hull.vertices.size(), 8U);
    EXPECT_EQ(hull.faces.size(), 6U);
    expect_hull(hull, points, 3.0);
  }
}

TEST(ConvexHull, OfAPrismHasItsCapsAsWholeFaces) {
  Random random(23);
  for (const Index count : {3U, 5U, 8U, 32U, 100U}) {
    for (int trial = 0; trial < 20; ++trial) {
      const std::vector<Vec3> points =
          turned(prism(count), random_rotation(random), random_place(random, 3, 1.0));
      const ConvexPolytope hull = convex_hull(points, 3);
      EXPECT_EQ(hull.vertices.size(), points.size());
      EXPECT_EQ(hull.faces.size(), count + 2U);
      expect_hull(hull, points, 1.0);
    }
  }
}

TEST(ConvexHull, ContainsRandomPointsAndDoesNotDependOnTheirOrder) {
  Random random(24);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<Vec3> points(4 + random.below(200));
    const bool on_sphere = trial % 2 == 0;
    for (Vec3& p : points) {
      p = random_place(random, 3, 1.0);
      if (on_sphere) p = (1.0 / norm(p)) * p;
    }
    const ConvexPolytope hull = convex_hull(points, 3);
    if (on_sphere) {
      EXPECT_EQ(hull.vertices.size(), points.size());
    }
    expect_hull(hull, points, 1.0);
    const double volume = moments_of(hull, 3).volume;
    EXPECT_GT(volume, 0.0);
    shuffle(points, random);
    const ConvexPolytope other = convex_hull(points, 3);
    EXPECT_EQ(other.faces.size(), hull.faces.size());
    EXPECT_NEAR(moments_of(other, 3).volume, volume, 1e-14);
  }
}

// Points of a coarse lattice: exactly coplanar and collinear in many ways at once.
TEST(ConvexHull, OfLatticePointsIsConsistent) {
  Random random(25);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<Vec3> points(6 + random.below(60));
    for (Vec3& p : points) {
      p = {static_cast<double>(random.below(4)), static_cast<double>(random.below(4)),
           static_cast<double>(random.below(4))};
    }
    ConvexPolytope hull;
    try {
      hull = convex_hull(points, 3);
    } catch (const InputError&) {
      continue;  // flat by chance
    }
    expect_hull(hull, points, 3.0);
    std::set<std::tuple<double, double, double>> normals;
    for (const ConvexPolytope::Face& face : hull.faces) {
      normals.emplace(std::round(1e6 * face.normal.x), std::round(1e6 * face.normal.y),
                      std::round(1e6 * face.normal.z));
    }
    EXPECT_EQ(normals.size(), hull.faces.size()) << "two faces in one plane";
  }
}

TEST(ConvexHull, OfThousandsOfPointsIsFound) {
  const std::vector<Vec3> points = icosphere(2.0, 5).vertices;
  const ConvexPolytope hull = convex_hull(points, 3);
  EXPECT_EQ(hull.vertices.size(), points.size());
  EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2);
}

TEST(ConvexHull, InThePlaneIsAPolygonThatRunsCounterclockwise) {
  Random random(26);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<Vec3> points(3 + random.below(50));
    for (Vec3& p : points) p = random_place(random, 2, 1.0);
    const ConvexPolytope hull = convex_hull(points, 2);
    ASSERT_EQ(hull.faces.size(), hull.vertices.size());
    EXPECT_TRUE(hull.edges.empty());
    for (const ConvexPolytope::Face& face : hull.faces) {
      ASSERT_EQ(face.loop.size(), 2U);
      const Vec3& begin = hull.vertices[face.loop[0]];
      const Vec3 along = hull.vertices[face.loop[1]] - begin;
      EXPECT_NEAR(dot(face.normal, along), 0.0, 1e-15);
      EXPECT_GT(cross(face.normal, along).z, 0.0);
      for (const Vec3& p : points) EXPECT_LE(dot(face.normal, p - begin), 1e-15);
    }
  }
}

TEST(ConvexHull, InThePlaneLeavesOutPointsOnSides) {
  Random random(27);
  std::vector<Vec3> grid;
  for (const double x : {-1.0, -0.3, 0.0, 0.7, 1.0}) {
    for (const double y : {-1.0, -0.3, 0.0, 0.7, 1.0}) grid.push_back({x, y, 0.0});
  }
  for (int trial = 0; trial < 100; ++trial) {
    const Mat3 rotation = matrix_of(rotation_about({0, 0, 1}, random.uniform(0.0, 7.0)));
    EXPECT_EQ(convex_hull(turned(grid, rotation, {}), 2).vertices.size(), 4U);
  }
}

TEST(ConvexHull, RefusesPointsWithoutVolume) {
  Random random(28);
  const std::vector<Vec3> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.3, 0.2, 0}};
  EXPECT_THROW((void)convex_hull({}, 3), InputError);
  EXPECT_THROW((void)convex_hull({{1, 2, 3}}, 3), InputError);
  EXPECT_THROW((void)convex_hull(std::vector<Vec3>(7, {1, 2, 3}), 3), InputError);
  for (int trial = 0; trial < 100; ++trial) {
    const Mat3 rotation = random_rotation(random);
    EXPECT_THROW((void)convex_hull(turned(square, rotation, {1, 2, 3}), 3), InputError);
    std::vector<Vec3> line;
    for (int k = 0; k < 6; ++k) line.push_back(rotation * Vec3{0.1 * k, 0.0, 0.0});
    EXPECT_THROW((void)convex_hull(line, 3), InputError);
  }
  EXPECT_THROW((void)convex_hull({{0, 0, 0}, {0.1, 0.1, 0}, {0.3, 0.3, 0}}, 2), InputError);
  EXPECT_THROW((void)convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}, 2), InputError);
  EXPECT_THROW((void)convex_hull({{0, 0, 0}, {1, 0, 0}, {0, std::nan(""), 1}, {0, 0, 1}}, 3),
               InputError);
}

}  // namespace
}  // namespace carom
