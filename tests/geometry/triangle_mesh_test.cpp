#include "carom/geometry/triangle_mesh.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/mesh_generators.h"

namespace carom {
namespace {

// The message must contain all the words.
void expect_refused(const TriangleMesh& mesh, const std::vector<std::string>& words) {
  try {
    check_mesh(mesh);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    for (const std::string& word : words) {
      EXPECT_NE(error.message().find(word), std::string::npos)
          << "'" << word << "' is not in: " << error.message();
    }
  }
}

TriangleMesh cube() { return box_mesh({1, 1, 1}); }

TEST(CheckMesh, AcceptsClosedSurfacesAlsoSeveralAndHollowOnes) {
  EXPECT_NO_THROW(check_mesh(cube()));
  EXPECT_NO_THROW(check_mesh(icosphere(1.0, 3)));
  EXPECT_NO_THROW(check_mesh(joined(cube(), moved(cube(), {{5, 0, 0}, {}}))));
  EXPECT_NO_THROW(check_mesh(joined(cube(), inverted(scaled(cube(), 0.5)))));
}

TEST(CheckMesh, SaysWhatIsWrongAndWhere) {
  expect_refused({}, {"without triangles"});

  TriangleMesh mesh = cube();
  mesh.vertices[3].y = std::nan("");
  expect_refused(mesh, {"vertex 3", "not finite"});

  mesh = cube();
  mesh.triangles[5].b = 8;
  expect_refused(mesh, {"triangle 5", "vertex 8", "8 vertices"});

  mesh = cube();
  mesh.vertices.push_back({7, 8, 9});
  expect_refused(mesh, {"vertex 8", "(7, 8, 9)", "no triangle"});

  mesh = cube();
  mesh.triangles[2] = {4, 5, 4};
  expect_refused(mesh, {"triangle 2", "twice"});

  mesh = cube();
  mesh.triangles.pop_back();
  expect_refused(mesh, {"open", "vertices 3 and 5", "triangle 10"});

  mesh = cube();
  mesh.triangles.push_back(mesh.triangles[0]);
  expect_refused(mesh, {"3 triangles", "vertices 0 and 1", "(-1, -1, -1)", "(1, -1, -1)"});

  mesh = cube();
  std::swap(mesh.triangles[0].b, mesh.triangles[0].c);
  expect_refused(mesh, {"triangles", "different sides", "0"});

  expect_refused(inverted(cube()), {"inside out", "-8"});
}

TEST(CheckMesh, FindsTrianglesWithoutArea) {
  // The edge from 0 to 1 is cut at its middle, which leaves a flat triangle behind.
  TriangleMesh mesh = cube();
  mesh.vertices.push_back({0, -1, -1});
  mesh.triangles[4] = {8, 1, 5};
  mesh.triangles.push_back({0, 8, 5});
  mesh.triangles.push_back({0, 1, 8});
  expect_refused(mesh, {"triangle 13", "no area", "(0, -1, -1)"});
  mesh.vertices[8].y = -1.25;
  EXPECT_NO_THROW(check_mesh(mesh));
}

TEST(Welded, JoinsTheCornersOfLooseTriangles) {
  TriangleMesh soup;
  const TriangleMesh sphere = icosphere(1.0, 2);
  for (const TriangleMesh::Triangle& t : sphere.triangles) {
    for (const Index v : corners_of(t)) soup.vertices.push_back(sphere.vertices[v]);
    const auto count = static_cast<Index>(soup.vertices.size());
    soup.triangles.push_back({count - 3, count - 2, count - 1});
  }
  expect_refused(soup, {"open"});
  const TriangleMesh mesh = welded(soup);
  EXPECT_NO_THROW(check_mesh(mesh));
  EXPECT_EQ(mesh.vertices.size(), sphere.vertices.size());
  EXPECT_EQ(mesh.triangles.size(), sphere.triangles.size());
}

TEST(Welded, GivesTheSamePlacesWhateverTheOrderOfTheVertices) {
  Random random(41);
  TriangleMesh mesh;
  for (int k = 0; k < 30; ++k) {
    // Chains of vertices that are near to each other only through others.
    const double chain = std::floor(k / 5.0);
    mesh.vertices.push_back({chain + 0.009 * (k % 5), chain, 0.0});
  }
  mesh.triangles = {{0, 7, 14}, {4, 8, 12}, {20, 26, 3}, {15, 19, 2}};
  const TriangleMesh expected = welded(mesh, 0.01);
  EXPECT_EQ(expected.vertices.size(), 5U);
  EXPECT_EQ(expected.triangles.size(), 3U);
  for (const Vec3& v : expected.vertices) EXPECT_EQ(v.x, std::floor(v.x)) << "not the smallest";
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Index> place(mesh.vertices.size());
    for (Index k = 0; k < place.size(); ++k) place[k] = k;
    for (Index k = 29; k > 0; --k) std::swap(place[k], place[random.below(k + 1)]);
    TriangleMesh shuffled = mesh;
    for (Index k = 0; k < place.size(); ++k) shuffled.vertices[place[k]] = mesh.vertices[k];
    for (auto& t : shuffled.triangles) t = {place[t.a], place[t.b], place[t.c]};
    const TriangleMesh found = welded(shuffled, 0.01);
    ASSERT_EQ(found.triangles.size(), expected.triangles.size());
    for (std::size_t t = 0; t < found.triangles.size(); ++t) {
      EXPECT_EQ(found.vertices[found.triangles[t].a], expected.vertices[expected.triangles[t].a]);
      EXPECT_EQ(found.vertices[found.triangles[t].b], expected.vertices[expected.triangles[t].b]);
    }
  }
}

TEST(BoundaryLoops, AreTheRimsAndFillingClosesThem) {
  TriangleMesh mesh = cube();
  EXPECT_TRUE(boundary_loops(mesh).empty());
  mesh.triangles.erase(mesh.triangles.begin() + 2, mesh.triangles.begin() + 4);  // the upper face
  const auto loops = boundary_loops(mesh);
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_EQ(loops[0], (std::vector<Index>{4, 6, 7, 5}));
  const TriangleMesh filled = holes_filled(mesh);
  EXPECT_NO_THROW(check_mesh(filled));
  EXPECT_NEAR(moments_of(filled).volume, 8.0, 1e-14);
}

TEST(VertexNormals, OfABoxPointAlongItsDiagonalsHoweverItsFacesAreCut) {
  const TriangleMesh mesh = cube();
  const std::vector<Vec3> normals = vertex_normals(mesh);
  for (std::size_t k = 0; k < normals.size(); ++k) {
    EXPECT_NEAR(norm(normals[k] - (1.0 / std::sqrt(3.0)) * mesh.vertices[k]), 0.0, 1e-15);
  }
}

}  // namespace
}  // namespace carom
