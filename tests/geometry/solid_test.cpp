#include "carom/geometry/solid.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/mesh_generators.h"
#include "carom/geometry/signed_distance.h"
#include "carom/geometry/triangle_mesh.h"

#include "geometry/random_rotation.h"

namespace carom {
namespace {

using test::random_rotation;

SolidDefinition compound(std::vector<CompoundSolid::Part> parts) {
  return std::make_shared<const CompoundSolid>(CompoundSolid{std::move(parts)});
}

// An example of every type that is possible in the dimension, none about its own middle.
std::vector<SolidDefinition> examples(int dimension) {
  std::vector<SolidDefinition> solids = {SphereSolid{0.5}, BoxSolid{{1.0, 0.5, 0.25}},
                                         CapsuleSolid{0.5, 1.0}};
  if (dimension == 2) {
    solids.emplace_back(HullSolid{{{0, 0, 0}, {3, 0, 0}, {0, 1, 0}}});
  } else {
    solids.emplace_back(CylinderSolid{0.5, 1.0});
    solids.emplace_back(HullSolid{{{0, 0, 0}, {3, 0, 0}, {0, 2, 0}, {0, 0, 1}, {1, 1, 1}}});
    solids.emplace_back(MeshSolid{
        moved(box_mesh({1.0, 0.5, 0.25}), {{1, 2, 3}, matrix_of(rotation_about({1, 2, 3}, 0.4))})});
  }
  std::vector<CompoundSolid::Part> parts;
  Vec3 place = {1.0, 0.0, 0.0};
  for (const SolidDefinition& solid : solids) {
    parts.push_back({solid, {place, matrix_of(rotation_about({0, 0, 1}, place.x))}, 1.0});
    place += Vec3{2.0, 0.5, 0.0};
  }
  solids.push_back(compound(parts));
  return solids;
}

TEST(Solid, TypesHaveNames) {
  EXPECT_EQ(solid_type_name(SphereSolid{}), "sphere");
  EXPECT_EQ(solid_type_name(BoxSolid{}), "box");
  EXPECT_EQ(solid_type_name(CapsuleSolid{}), "capsule");
  EXPECT_EQ(solid_type_name(CylinderSolid{}), "cylinder");
  EXPECT_EQ(solid_type_name(HullSolid{}), "hull");
  EXPECT_EQ(solid_type_name(MeshSolid{}), "mesh");
  EXPECT_EQ(solid_type_name(compound({})), "compound");
}

// The surface is in body coordinates: the enclosed mass has its centre at the origin, no products
// of inertia, and, but for what rounding cuts off, the volume that was promised.
TEST(Solid, PartsStandInPrincipalCoordinatesAboutTheCenterOfMass) {
  for (const SolidDefinition& definition : examples(3)) {
    SCOPED_TRACE(solid_type_name(definition));
    const Solid solid(definition, 3);
    const VolumeMoments moments = moments_of(solid.surface());
    EXPECT_NEAR(moments.volume, solid.mass().volume, 0.03 * solid.mass().volume);
    EXPECT_NEAR(norm(moments.center), 0.0, 0.01 * solid.bounding_radius());
    const Mat3 inertia = inertia_of(moments);
    const double size = inertia.row[0].x + inertia.row[1].y + inertia.row[2].z;
    EXPECT_NEAR(inertia.row[0].y, 0.0, 0.003 * size);
    EXPECT_NEAR(inertia.row[0].z, 0.0, 0.003 * size);
    EXPECT_NEAR(inertia.row[1].z, 0.0, 0.003 * size);
    EXPECT_NEAR(inertia.row[0].x, solid.mass().moments.x, 0.03 * size);
    EXPECT_NEAR(inertia.row[1].y, solid.mass().moments.y, 0.03 * size);
    EXPECT_NEAR(inertia.row[2].z, solid.mass().moments.z, 0.03 * size);
  }
}

TEST(Solid, BoundingRadiusIsTheFarthestPlaceOfTheSurface) {
  for (const int dimension : {2, 3}) {
    for (const SolidDefinition& definition : examples(dimension)) {
      SCOPED_TRACE(solid_type_name(definition));
      const Solid solid(definition, dimension);
      double farthest = 0.0;
      for (const Vec3& v : solid.surface().vertices) farthest = std::max(farthest, norm(v));
      EXPECT_LE(farthest, solid.bounding_radius() * (1.0 + 8.0 * kRoundOff));
      EXPECT_GE(farthest, 0.99 * solid.bounding_radius());
      EXPECT_LE(solid.size(), solid.bounding_radius() * (1.0 + 8.0 * kRoundOff));
    }
  }
}

// Two equal cylinders at right angles to the line between them, or along it.
TEST(Solid, BoundingRadiusReachesTheFarRimOfACylinder) {
  for (const bool is_along : {false, true}) {
    const Vec3 arm = is_along ? Vec3{0, 0, 5} : Vec3{5, 0, 0};
    const CylinderSolid cylinder = {1.0, 2.0};
    const Solid solid(compound({{cylinder, {arm, {}}, 1.0}, {cylinder, {-arm, {}}, 1.0}}), 3);
    EXPECT_NEAR(solid.bounding_radius(), is_along ? std::hypot(7, 1) : std::hypot(6, 2), 1e-14);
  }
}

TEST(Solid, SizeIsThatOfTheSmallestPart) {
  const Solid solid(
      compound({{BoxSolid{{3, 4, 12}}, {}, 1.0}, {SphereSolid{0.5}, {{20, 0, 0}, {}}, 1.0}}), 3);
  EXPECT_EQ(solid.size(), 0.5);
  EXPECT_EQ(Solid(BoxSolid{{3, 4, 12}}, 3).size(), 13.0);
}

TEST(Solid, OnlyASingleSphereIsASphere) {
  EXPECT_TRUE(Solid(SphereSolid{1.0}, 3).is_sphere());
  const Solid lone(compound({{SphereSolid{1.0}, {{0.1, 0.2, 0.3}, {}}, 0.7}}), 3);
  EXPECT_TRUE(lone.is_sphere());
  EXPECT_EQ(std::get<RoundedPolytope>(lone.parts()[0]).core.vertices[0], Vec3{});
  EXPECT_FALSE(Solid(BoxSolid{{1, 1, 1}}, 3).is_sphere());
  EXPECT_FALSE(Solid(CapsuleSolid{1.0, 1.0}, 2).is_sphere());
}

TEST(Solid, ABoxIsThePolytopeOfItsHullWithExactNormals) {
  const Solid box(BoxSolid{{1.0, 0.5, 0.25}}, 3);
  const auto& core = std::get<RoundedPolytope>(box.parts()[0]).core;
  const ConvexPolytope hull = convex_hull(box_mesh({1.0, 0.5, 0.25}).vertices, 3);
  EXPECT_EQ(core.vertices, hull.vertices);
  ASSERT_EQ(core.faces.size(), hull.faces.size());
  for (const ConvexPolytope::Face& face : core.faces) {
    const auto twin = std::find_if(hull.faces.begin(), hull.faces.end(),
                                   [&](const auto& f) { return f.loop == face.loop; });
    ASSERT_NE(twin, hull.faces.end());
    EXPECT_EQ(twin->normal, face.normal);
  }
  ASSERT_EQ(core.edges.size(), hull.edges.size());
  for (std::size_t k = 0; k < core.edges.size(); ++k) {
    EXPECT_EQ(core.edges[k].begin, hull.edges[k].begin);
    EXPECT_EQ(core.edges[k].end, hull.edges[k].end);
    EXPECT_EQ(core.faces[core.edges[k].face_a].loop, hull.faces[hull.edges[k].face_a].loop);
    EXPECT_EQ(core.faces[core.edges[k].face_b].loop, hull.faces[hull.edges[k].face_b].loop);
  }
}

TEST(Solid, AMeshHasItsDistanceInBodyCoordinates) {
  Random random(31);
  const Vec3 half = {1.0, 0.5, 0.25};
  for (int trial = 0; trial < 20; ++trial) {
    const Pose pose = {{3, 1, 2}, random_rotation(random)};
    const Solid solid(MeshSolid{moved(box_mesh(half), pose)}, 3);
    const auto& part = std::get<MeshPart>(solid.parts()[0]);
    EXPECT_NEAR(part.distance->sample({}).distance, -0.25, 1e-14);
    for (const Vec3& v : part.mesh->vertices) {
      EXPECT_NEAR(part.distance->sample(v).distance, 0.0, 1e-14);
    }
  }
}

TEST(Solid, SurfacesInSpaceAreClosedPartByPart) {
  for (const SolidDefinition& definition : examples(3)) {
    SCOPED_TRACE(solid_type_name(definition));
    EXPECT_NO_THROW(check_mesh(Solid(definition, 3).surface()));
  }
}

TEST(Solid, SurfacesInThePlaneCoverTheArea) {
  for (const SolidDefinition& definition : examples(2)) {
    SCOPED_TRACE(solid_type_name(definition));
    const Solid solid(definition, 2);
    const TriangleMesh surface = solid.surface();
    double area = 0.0;
    for (const TriangleMesh::Triangle& t : surface.triangles) {
      EXPECT_GT(doubled_area(surface, t).z, 0.0);
      area += 0.5 * doubled_area(surface, t).z;
    }
    EXPECT_NEAR(area, solid.mass().volume, 0.01 * area);
  }
}

}  // namespace
}  // namespace carom
