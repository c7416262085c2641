// Deformable surfaces and chains: their edges, hinges, bends and masses, and what is refused.

#include "carom/bodies/surface.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/types.h"
#include "carom/geometry/mesh_generators.h"
#include "carom/geometry/sheet_generators.h"
#include "carom/geometry/triangle_mesh.h"

namespace carom {
namespace {

SurfaceDefinition sheet(const TriangleMesh& mesh) {
  return {.name = "sheet",
          .first = 5,
          .rest = mesh.vertices,
          .triangles = mesh.triangles,
          .chain = {},
          .material = 0,
          .thickness = 0.0};
}

SurfaceDefinition chain(const std::vector<Vec3>& rest, bool is_closed = false) {
  return {.name = "chain",
          .first = 0,
          .rest = rest,
          .triangles = {},
          .chain = chain_edges(0, static_cast<Index>(rest.size()), is_closed),
          .material = 0,
          .thickness = 0.0};
}

double total(const std::vector<double>& mass) {
  return std::accumulate(mass.begin(), mass.end(), 0.0);
}

TEST(Surface, HasEachEdgeOnceAndAHingeAtEachInnerOne) {
  const TriangleMesh meshes[] = {grid_sheet(1, 2, {4, 5}), disc_sheet(1.0, 3),
                                 tube_sheet(1.0, 2.0, {6, 4}), icosphere(1.0, 2)};
  for (const TriangleMesh& mesh : meshes) {
    const Surface surface = make_surface(sheet(mesh));
    const std::size_t open = open_edges(mesh).size();
    EXPECT_EQ(2 * surface.hinges.size() + open, 3 * mesh.triangles.size());
    EXPECT_EQ(surface.edges.size(), surface.hinges.size() + open);
    EXPECT_TRUE(std::is_sorted(surface.edges.begin(), surface.edges.end()));
    EXPECT_EQ(std::adjacent_find(surface.edges.begin(), surface.edges.end()), surface.edges.end());
    for (const auto& [a, b] : surface.edges) EXPECT_LT(a, b);
    EXPECT_TRUE(surface.bends.empty());
  }
}

TEST(Surface, HingesAreTwoTrianglesThatRunAlongTheirEdgeInOppositeDirections) {
  const TriangleMesh mesh = icosphere(1.0, 1);
  std::set<std::array<Index, 3>> triangles;  // each from its smallest corner
  const auto turned = [](std::array<Index, 3> t) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    return t;
  };
  for (const TriangleMesh::Triangle& t : mesh.triangles) triangles.insert(turned(corners_of(t)));
  for (const auto& [v_0, v_1, v_2, v_3] : make_surface(sheet(mesh)).hinges) {
    EXPECT_TRUE(triangles.contains(turned({v_0, v_1, v_2})));
    EXPECT_TRUE(triangles.contains(turned({v_1, v_0, v_3})));
  }
}

TEST(Surface, NeedNotHaveTwoSides) {
  // A Moebius band of five triangles.
  std::vector<Vec3> rest;
  for (int k = 0; k < 5; ++k) {
    rest.push_back({std::cos(1.2566 * k), std::sin(1.2566 * k), 0.1 * k * k});
  }
  const Surface band =
      make_surface({.name = "band",
                    .first = 0,
                    .rest = rest,
                    .triangles = {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 0}, {4, 0, 1}},
                    .chain = {},
                    .material = 0,
                    .thickness = 0.0});
  EXPECT_EQ(band.edges.size(), 10U);
  EXPECT_EQ(band.hinges.size(), 5U);
}

TEST(Surface, OfAChainBendsAtInnerVertices) {
  const std::vector<Vec3> line = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}};
  const Surface open = make_surface(chain(line));
  EXPECT_EQ(open.bends, (std::vector<std::array<Index, 3>>{{0, 1, 2}, {1, 2, 3}}));
  const Surface closed = make_surface(chain(line, true));
  EXPECT_EQ(closed.bends,
            (std::vector<std::array<Index, 3>>{{3, 0, 1}, {0, 1, 2}, {1, 2, 3}, {2, 3, 0}}));
  EXPECT_EQ(closed.edges, (std::vector<std::array<Index, 2>>{{0, 1}, {0, 3}, {1, 2}, {2, 3}}));

  SurfaceDefinition star = chain(line);
  star.rest.push_back({1, 1, 0});
  star.chain.push_back({1, 4});
  EXPECT_EQ(make_surface(star).bends, (std::vector<std::array<Index, 3>>{{1, 2, 3}}))
      << "three edges meet in vertex 1";
}

TEST(Surface, MayBeASheetWithATether) {
  SurfaceDefinition kite = sheet(grid_sheet(1, 1, {1, 1}));
  kite.rest.push_back({0, 0, -2});
  kite.chain = {{4, 0}};
  const Surface surface = make_surface(kite);
  EXPECT_EQ(surface.edges,
            (std::vector<std::array<Index, 2>>{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 3}, {2, 3}}));
  EXPECT_EQ(surface.hinges.size(), 1U);
  const std::vector<double> mass = vertex_masses(surface, {.area = 2.0, .length = 3.0});
  EXPECT_NEAR(total(mass), 2.0 + 3.0 * std::sqrt(4.5), 1e-14);
  EXPECT_NEAR(mass[4], 1.5 * std::sqrt(4.5), 1e-14);
}

TEST(VertexMasses, AddUpToTheDensityTimesTheArea) {
  const Surface disc = make_surface(sheet(disc_sheet(2.0, 5)));
  const double area = 0.5 * 30 * 4.0 * std::sin(2.0 * std::numbers::pi / 30);
  EXPECT_NEAR(total(vertex_masses(disc, {.area = 0.1, .length = 0.0})), 0.1 * area, 1e-13);
  const Surface line = make_surface(chain({{0, 0, 0}, {1, 0, 0}, {3, 0, 0}}));
  const std::vector<double> mass = vertex_masses(line, {.area = 0.0, .length = 4.0});
  EXPECT_EQ(mass, (std::vector<double>{2.0, 6.0, 4.0}));
}

std::string fault_of(const SurfaceDefinition& definition) {
  try {
    static_cast<void>(make_surface(definition));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Surface, RefusesWhatIsNone) {
  const SurfaceDefinition good = sheet(grid_sheet(1, 1, {1, 1, false}));  // 0 1 3, 0 3 2
  EXPECT_EQ(fault_of(good), "");
  SurfaceDefinition bad = good;
  bad.triangles[1].b = 4;
  EXPECT_EQ(fault_of(bad), "surface[sheet].triangles[1]: names vertex 4, but there are 4");
  bad = good;
  bad.triangles[1].b = bad.triangles[1].a;
  EXPECT_EQ(fault_of(bad), "surface[sheet].triangles[1]: names vertex 0 twice");
  bad = good;
  bad.rest[2] = 0.5 * (bad.rest[0] + bad.rest[3]);
  EXPECT_EQ(fault_of(bad), "surface[sheet].triangles[1]: has no area at rest: vertices 0, 3, 2");
  bad = good;
  bad.rest[1].y = kInfinity;
  EXPECT_EQ(fault_of(bad), "surface[sheet].rest[1]: must be finite");
  bad = good;
  bad.rest.push_back({0, 0, 1});
  EXPECT_EQ(fault_of(bad), "surface[sheet].rest[4]: is a vertex of no triangle and no chain");
  bad.triangles.push_back({3, 0, 4});
  EXPECT_EQ(fault_of(bad),
            "surface[sheet].triangles[2]: is the third at the edge of vertices 0 and 3, after 0 "
            "and 1");
  bad = good;
  bad.triangles = {{0, 1, 3}, {0, 3, 2}, {1, 3, 0}};
  EXPECT_NE(fault_of(bad), "");
  bad.triangles = {{0, 1, 3}, {3, 1, 0}};
  bad.rest.erase(bad.rest.begin() + 2);
  bad.triangles = {{0, 1, 2}, {2, 1, 0}};
  EXPECT_EQ(fault_of(bad), "surface[sheet].triangles[1]: has the same corners as triangle 0");
  bad = good;
  bad.thickness = -1.0;
  EXPECT_EQ(fault_of(bad), "surface[sheet].thickness: must be finite and at least 0, found -1");
}

TEST(Surface, RefusesChainsThatAreNone) {
  SurfaceDefinition bad = sheet(grid_sheet(1, 1, {1, 1, false}));
  bad.chain = {{3, 0}};
  EXPECT_EQ(fault_of(bad),
            "surface[sheet].chain[0]: is there already: the edge of vertices 0 and 3");
  bad.chain = {{1, 2}, {2, 1}};
  EXPECT_EQ(fault_of(bad),
            "surface[sheet].chain[1]: is there already: the edge of vertices 1 and 2");
  bad.chain = {{1, 9}};
  EXPECT_EQ(fault_of(bad), "surface[sheet].chain[0]: names vertex 9, but there are 4");
  bad.chain = {{1, 1}};
  EXPECT_EQ(fault_of(bad), "surface[sheet].chain[0]: names vertex 1 twice");
  EXPECT_EQ(fault_of(chain({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}})),
            "surface[chain].chain[1]: has no length at rest");
}

TEST(VertexMasses, RefuseVerticesWithoutMass) {
  const Surface line = make_surface(chain({{0, 0, 0}, {1, 0, 0}}));
  EXPECT_THROW(static_cast<void>(vertex_masses(line, {.area = 1.0, .length = 0.0})), InputError);
  EXPECT_THROW(static_cast<void>(vertex_masses(line, {.area = -1.0, .length = 1.0})), InputError);
}

}  // namespace
}  // namespace carom
