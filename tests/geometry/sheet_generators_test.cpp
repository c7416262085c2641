// Open sheets: surfaces of the right size, facing the right side.

#include "carom/geometry/sheet_generators.h"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/types.h"
#include "carom/geometry/mesh_generators.h"
#include "carom/geometry/triangle_mesh.h"

namespace carom {
namespace {

using std::numbers::pi;

Vec3 area_vector(const TriangleMesh& mesh) {
  Vec3 sum;
  for (const TriangleMesh::Triangle& t : mesh.triangles) sum += 0.5 * doubled_area(mesh, t);
  return sum;
}

double area(const TriangleMesh& mesh) {
  double sum = 0.0;
  for (const TriangleMesh::Triangle& t : mesh.triangles) sum += 0.5 * norm(doubled_area(mesh, t));
  return sum;
}

// The number of triangles at the vertex that has most of them.
Index largest_valence(const TriangleMesh& mesh) {
  std::vector<Index> valence(mesh.vertices.size(), 0);
  for (const TriangleMesh::Triangle& t : mesh.triangles) {
    for (const Index v : corners_of(t)) ++valence[v];
  }
  return *std::max_element(valence.begin(), valence.end());
}

TEST(GridSheet, IsARectangleSeenFromAbove) {
  for (const bool alternates : {false, true}) {
    const TriangleMesh mesh = grid_sheet(3.0, 2.0, {6, 5, alternates});
    EXPECT_NO_THROW(check_surface(mesh));
    EXPECT_EQ(mesh.vertices.size(), 42U);
    EXPECT_EQ(mesh.triangles.size(), 60U);
    EXPECT_NEAR(area_vector(mesh).z, 6.0, 1e-13);
    EXPECT_NEAR(area(mesh), 6.0, 1e-13);
    EXPECT_EQ(boundary_loops(mesh).size(), 1U);
    EXPECT_EQ(largest_valence(mesh), alternates ? 8U : 6U);
    EXPECT_EQ(mesh.vertices[9], (Vec3{-0.5, -0.6, 0.0})) << "column 2, row 1";
    EXPECT_EQ(mesh.vertices.front(), -1.0 * mesh.vertices.back());
  }
}

TEST(DiscSheet, IsARegularPolygonOfTrianglesOfOneSize) {
  const TriangleMesh mesh = disc_sheet(2.0, 8);
  EXPECT_NO_THROW(check_surface(mesh));
  EXPECT_EQ(mesh.vertices.size(), 1U + 3U * 8U * 9U);
  EXPECT_EQ(mesh.triangles.size(), 6U * 64U);
  EXPECT_EQ(largest_valence(mesh), 6U);
  const double polygon = 0.5 * 48 * 4.0 * std::sin(2.0 * pi / 48);
  EXPECT_NEAR(area_vector(mesh).z, polygon, 1e-12);
  EXPECT_NEAR(area(mesh), polygon, 1e-12) << "no triangle faces down";
  for (const TriangleMesh::Triangle& t : mesh.triangles) {
    const auto corners = corners_of(t);
    for (std::size_t k = 0; k < 3; ++k) {
      const double side = norm(mesh.vertices[corners[(k + 1) % 3]] - mesh.vertices[corners[k]]);
      EXPECT_GT(side, (1.0 - 1e-12) * 0.25);
      EXPECT_LT(side, 1.5 * 0.25);
    }
  }
  ASSERT_EQ(boundary_loops(mesh).size(), 1U);
  EXPECT_EQ(boundary_loops(mesh)[0].size(), 48U);
}

TEST(TubeSheet, IsOpenAtBothEndsAndSeenFromOutside) {
  for (const bool alternates : {false, true}) {
    const TriangleMesh mesh = tube_sheet(0.5, 3.0, {12, 7, alternates});
    EXPECT_NO_THROW(check_surface(mesh));
    EXPECT_EQ(boundary_loops(mesh).size(), 2U);
    EXPECT_NEAR(area(mesh), 12 * 2.0 * 0.5 * std::sin(pi / 12) * 3.0, 1e-12);
    for (const TriangleMesh::Triangle& t : mesh.triangles) {
      const Vec3 middle = mesh.vertices[t.a] + mesh.vertices[t.b] + mesh.vertices[t.c];
      EXPECT_GT(dot(doubled_area(mesh, t), {middle.x, middle.y, 0}), 0.0);
    }
  }
}

TEST(RibbonSheet, AlongALineIsItsFlatShape) {
  const std::vector<Vec3> line = {{0, 0, 0}, {0.1, 0, 0}, {0.4, 0, 0}};
  const RibbonSheet ribbon = ribbon_sheet(line, {3, 1, 0}, 0.2, 4);
  EXPECT_NO_THROW(check_surface(ribbon.mesh));
  ASSERT_EQ(ribbon.flat.size(), ribbon.mesh.vertices.size());
  for (std::size_t v = 0; v < ribbon.flat.size(); ++v) {
    EXPECT_LT(norm(ribbon.flat[v] - ribbon.mesh.vertices[v]), 1e-15);
  }
  EXPECT_NEAR(area_vector(ribbon.mesh).z, 0.08, 1e-15);
}

// A curve that bends towards and away from the ribbon's face only: the ribbon is as long as it and
// keeps its width, so that the flat shape bends into it without stretching.
TEST(RibbonSheet, IsBentButNotStretchedAlongACurveInItsFacesPlane) {
  std::vector<Vec3> circle;
  for (int k = 0; k <= 60; ++k) {
    circle.push_back({std::cos(0.1 * k), 0.0, std::sin(0.1 * k)});
  }
  const RibbonSheet ribbon = ribbon_sheet(circle, {0, 1, 0}, 0.3, 3);
  for (const TriangleMesh::Triangle& t : ribbon.mesh.triangles) {
    const auto corners = corners_of(t);
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = corners[k];
      const Index b = corners[(k + 1) % 3];
      EXPECT_NEAR(norm(ribbon.mesh.vertices[b] - ribbon.mesh.vertices[a]),
                  norm(ribbon.flat[b] - ribbon.flat[a]), 1e-14);
    }
  }
}

TEST(RibbonSheet, TurnsWithItsCurveAndNotAboutIt) {
  // Round a quarter to +y, then a quarter to +z: the side +z becomes -y.
  std::vector<Vec3> curve;
  for (int k = 0; k <= 40; ++k) {
    const double angle = pi / 2.0 * k / 40;
    curve.push_back({std::sin(angle), 1.0 - std::cos(angle), 0.0});
  }
  for (int k = 1; k <= 40; ++k) {
    const double angle = pi / 2.0 * k / 40;
    curve.push_back({1.0, 1.0 + std::sin(angle), 1.0 - std::cos(angle)});
  }
  const RibbonSheet ribbon = ribbon_sheet(curve, {0, 0, 1}, 0.2, 1);
  const auto& vertices = ribbon.mesh.vertices;
  const Vec3 side = vertices[vertices.size() - 1] - vertices[vertices.size() - 2];
  EXPECT_LT(norm(side - Vec3{0, -0.2, 0}), 0.01);
}

TEST(RibbonSheet, KeepsItsAngleToThePlaneOfASharpBend) {
  const RibbonSheet ribbon = ribbon_sheet({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, {0, 1, 1}, 2.0, 1);
  const Vec3 side = ribbon.mesh.vertices[5] - ribbon.mesh.vertices[4];
  EXPECT_LT(norm(side - std::sqrt(2.0) * Vec3{-1, 0, 1}), 1e-14);
}

TEST(SheetGenerators, RefuseSizesAndCurvesThatMakeNoSheet) {
  const auto key_of = [](const auto& make) {
    try {
      static_cast<void>(make());
    } catch (const InputError& error) {
      return error.place().key;
    }
    return std::string();
  };
  EXPECT_EQ(key_of([] { return grid_sheet(0.0, 1.0, {}); }), "width");
  EXPECT_EQ(key_of([] { return grid_sheet(1.0, -1.0, {}); }), "height");
  EXPECT_EQ(key_of([] { return grid_sheet(1.0, 1.0, {0, 1}); }), "columns");
  EXPECT_EQ(key_of([] { return grid_sheet(1.0, 1.0, {1, 0}); }), "rows");
  EXPECT_EQ(key_of([] { return disc_sheet(kInfinity, 1); }), "radius");
  EXPECT_EQ(key_of([] { return disc_sheet(1.0, 0); }), "rings");
  EXPECT_EQ(key_of([] { return tube_sheet(1.0, 1.0, {5, 1}); }), "columns") << "odd";
  EXPECT_EQ(key_of([] { return tube_sheet(1.0, 1.0, {5, 1, false}); }), "");
  EXPECT_EQ(key_of([] { return tube_sheet(1.0, 0.0, {6, 1}); }), "length");
  const auto ribbon = [](const std::vector<Vec3>& curve, const Vec3& side) {
    return [curve, side] { return ribbon_sheet(curve, side, 1.0, 1).mesh; };
  };
  EXPECT_EQ(key_of(ribbon({{0, 0, 0}}, {0, 1, 0})), "curve");
  EXPECT_EQ(key_of(ribbon({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {0, 1, 0})), "curve[2]");
  EXPECT_EQ(key_of(ribbon({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {0, 1, 0})), "curve[1]");
  EXPECT_EQ(key_of(ribbon({{0, 0, 0}, {kInfinity, 0, 0}}, {0, 1, 0})), "curve[1]");
  EXPECT_EQ(key_of(ribbon({{0, 0, 0}, {1, 0, 0}}, {2, 0, 0})), "side");
}

}  // namespace
}  // namespace carom
