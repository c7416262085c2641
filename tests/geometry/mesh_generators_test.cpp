#include "carom/geometry/mesh_generators.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/mesh_figures.h"
#include "carom/geometry/signed_distance.h"
#include "carom/geometry/triangle_mesh.h"

namespace carom {
namespace {

using std::numbers::pi;

// The largest distance from a vertex's image to the nearest vertex.
double asymmetry(const TriangleMesh& mesh, const Mat3& symmetry) {
  double largest = 0.0;
  for (const Vec3& v : mesh.vertices) {
    const Vec3 image = symmetry * v;
    double nearest = kInfinity;
    for (const Vec3& w : mesh.vertices) nearest = std::min(nearest, norm(w - image));
    largest = std::max(largest, nearest);
  }
  return largest;
}

Mat3 turn_about_z(double turns) { return matrix_of(rotation_about({0, 0, 1}, 2.0 * pi * turns)); }

// Not a rotation but a list of its images: these permute and negate coordinates without rounding.
bool is_kept_exactly(const TriangleMesh& mesh, const Mat3& symmetry) {
  return asymmetry(mesh, symmetry) == 0.0;
}

TEST(CirclePoints, AgreeWithTheirMirrorImagesBitForBit) {
  for (const Index count : {3U, 4U, 6U, 8U, 12U, 16U, 24U, 32U}) {
    const std::vector<Vec3> points = circle_points(count);
    for (Index k = 0; k < count; ++k) {
      const double angle = 2.0 * pi * k / count;
      EXPECT_NEAR(points[k].x, std::cos(angle), 4.0 * kRoundOff);
      EXPECT_NEAR(points[k].y, std::sin(angle), 4.0 * kRoundOff);
      const Vec3& mirrored = points[(count - k) % count];
      EXPECT_EQ(mirrored, (Vec3{points[k].x, -points[k].y, 0.0}));
      if (count % 2 == 0) {
        EXPECT_EQ(points[(k + count / 2) % count], -points[k]);
      }
      if (count % 4 == 0) {
        EXPECT_EQ(points[(k + count / 4) % count], (Vec3{-points[k].y, points[k].x, 0.0}));
      }
    }
  }
}

TEST(BoxMesh, KeepsHalfTurnsAsAMeshAndMirrorsAsASetOfVertices) {
  const TriangleMesh mesh = box_mesh({1, 2, 3});
  EXPECT_NO_THROW(check_mesh(mesh));
  const auto key = [](const Vec3& v) { return std::tuple(v.x, v.y, v.z); };
  const auto sorted_triangles = [&](const Mat3& turn) {
    std::vector<std::array<std::tuple<double, double, double>, 3>> list;
    for (const TriangleMesh::Triangle& t : mesh.triangles) {
      std::array<std::tuple<double, double, double>, 3> corners;
      for (std::size_t k = 0; k < 3; ++k) corners[k] = key(turn * mesh.vertices[corners_of(t)[k]]);
      std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
      list.push_back(corners);
    }
    std::sort(list.begin(), list.end());
    return list;
  };
  for (const Vec3& turn : {Vec3{1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}) {
    EXPECT_EQ(sorted_triangles(Mat3::diagonal(turn)), sorted_triangles({}));
  }
  EXPECT_TRUE(is_kept_exactly(mesh, Mat3::diagonal({-1, 1, 1})));
}

TEST(Icosphere, HasItsVerticesOnTheSphereAndTheSymmetriesOfTheAxes) {
  for (const int subdivisions : {0, 1, 3}) {
    const TriangleMesh mesh = icosphere(2.0, subdivisions);
    EXPECT_NO_THROW(check_mesh(mesh));
    EXPECT_EQ(mesh.triangles.size(), 20U << (2U * static_cast<unsigned>(subdivisions)));
    for (const Vec3& v : mesh.vertices) EXPECT_NEAR(norm(v), 2.0, 4.0 * kRoundOff);
    EXPECT_TRUE(is_kept_exactly(mesh, Mat3::diagonal({-1, 1, 1})));
    EXPECT_TRUE(is_kept_exactly(mesh, Mat3::diagonal({1, 1, -1})));
    // x -> y -> z -> x
    EXPECT_LE(asymmetry(mesh, {{Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}}), 4.0 * kRoundOff);
  }
}

TEST(SurfaceOfRevolution, OfACylinderHasThePrismsVolume) {
  constexpr Index kCount = 20;
  const TriangleMesh mesh = cylinder_mesh(0.5, 2.0, kCount);
  EXPECT_NO_THROW(check_mesh(mesh));
  const double area = 0.5 * kCount * std::sin(2.0 * pi / kCount) * 0.25;
  EXPECT_NEAR(moments_of(mesh).volume, 4.0 * area, 1e-14);
  EXPECT_TRUE(is_kept_exactly(mesh, {{Vec3{0, -1, 0}, Vec3{1, 0, 0}, Vec3{0, 0, 1}}}));
}

TEST(CapsuleMesh, LiesOnTheCapsuleAndConverges) {
  for (const Index count : {8U, 32U, 64U}) {
    const TriangleMesh mesh = capsule_mesh(0.5, 1.0, count);
    EXPECT_NO_THROW(check_mesh(mesh));
    for (const Vec3& v : mesh.vertices) {
      const Vec3 nearest = {0.0, 0.0, std::clamp(v.z, -1.0, 1.0)};
      EXPECT_NEAR(norm(v - nearest), 0.5, 4.0 * kRoundOff);
    }
    const double exact = mass_properties(CapsuleSolid{0.5, 1.0}, 3).volume;
    EXPECT_NEAR(moments_of(mesh).volume, exact, 10.0 / (count * count) * exact);
  }
}

TEST(TrefoilMesh, KeepsThirdsOfATurnAndHalfTurnsAcross) {
  const TriangleMesh mesh = trefoil_mesh({});
  EXPECT_NO_THROW(check_mesh(mesh));
  EXPECT_LE(asymmetry(mesh, turn_about_z(1.0 / 3.0)), 16.0 * kRoundOff);
  EXPECT_LE(asymmetry(mesh, Mat3::diagonal({-1, 1, -1})), 16.0 * kRoundOff);
  EXPECT_GT(asymmetry(mesh, turn_about_z(0.5)), 0.05);
  const MassProperties mass = mass_properties(MeshSolid{mesh}, 3);
  EXPECT_EQ(mass.axes, Mat3{});
  EXPECT_NEAR(mass.moments.x, mass.moments.y, 1e-13 * mass.moments.x);
  EXPECT_LE(norm(mass.center), 1e-15);
}

// At the largest tube that is allowed every vertex is still outside of all other strands: as far
// from the curve's other parts as from its own.
TEST(TrefoilMesh, DoesNotCutThroughItself) {
  TrefoilShape shape;
  shape.tube_radius = 0.2;
  shape.segments = 240;
  const TriangleMesh mesh = trefoil_mesh(shape);
  std::vector<Vec3> curve;  // middles of opposite vertices
  for (Index s = 0; s < shape.segments; ++s) {
    const Index first = s * shape.sides;
    curve.push_back(0.5 * (mesh.vertices[first] + mesh.vertices[first + shape.sides / 2]));
  }
  for (const Vec3& v : mesh.vertices) {
    for (const Vec3& c : curve) EXPECT_GE(norm(v - c), 0.2 * (1.0 - 1e-9));
  }
}

TEST(DollMesh, StandsOnItsFloorAndIsHollow) {
  const DollShape shape;
  const TriangleMesh mesh = doll_mesh(shape);
  EXPECT_NO_THROW(check_mesh(mesh));
  EXPECT_TRUE(is_kept_exactly(mesh, {{Vec3{0, -1, 0}, Vec3{1, 0, 0}, Vec3{0, 0, 1}}}));
  double top = 0.0;
  for (const Vec3& v : mesh.vertices) {
    EXPECT_GE(v.z, 0.0);
    top = std::max(top, v.z);
  }
  EXPECT_NEAR(top, 1.0, 1e-14);
  const MeshDistance distance(mesh);
  EXPECT_GT(distance.sample({0, 0, 0.4}).distance, 0.2) << "the hollow is outside of the wood";
  EXPECT_NEAR(distance.sample({0, 0, 0.5 * shape.wall}).distance, -0.5 * shape.wall, 1e-14);
}

TEST(DollMesh, FitsIntoItselfScaledToFourFifths) {
  const DollShape shape;
  const TriangleMesh mesh = doll_mesh(shape);
  const MeshDistance outer(mesh);
  const TriangleMesh inner = moved(scaled(mesh, 0.8), {{0, 0, shape.wall + 1e-6}, {}});
  double nearest = kInfinity;
  for (const Vec3& v : inner.vertices) nearest = std::min(nearest, outer.sample(v).distance);
  EXPECT_NEAR(nearest, 1e-6, 1e-9) << "stands on the floor, touches nothing else";
  const MeshDistance small(inner);
  for (const Vec3& v : mesh.vertices) EXPECT_GT(small.sample(v).distance, 0.0);
}

TEST(PawnMesh, StandsOnItsFoot) {
  const TriangleMesh mesh = pawn_mesh({2.0, 32});
  EXPECT_NO_THROW(check_mesh(mesh));
  EXPECT_TRUE(is_kept_exactly(mesh, {{Vec3{0, -1, 0}, Vec3{1, 0, 0}, Vec3{0, 0, 1}}}));
  double top = 0.0;
  for (const Vec3& v : mesh.vertices) {
    EXPECT_GE(v.z, 0.0);
    top = std::max(top, v.z);
  }
  EXPECT_NEAR(top, 2.0, 1e-14);
  const MassProperties mass = mass_properties(MeshSolid{mesh}, 3);
  EXPECT_EQ(mass.axes, Mat3{});
  EXPECT_EQ(mass.center.x, 0.0);
  EXPECT_LT(mass.center.z, 0.9);
}

TEST(ShellOf, AnOpenBoxHasItsThicknessEverywhere) {
  TriangleMesh open_box = box_mesh({1, 1, 1});
  open_box.triangles.erase(open_box.triangles.begin() + 2, open_box.triangles.begin() + 4);
  const TriangleMesh shell = shell_of(open_box, 0.2);
  EXPECT_NO_THROW(check_mesh(shell));
  const MeshDistance distance(shell);
  // In the middle of the floor and of a wall, and on both of their sides.
  EXPECT_NEAR(distance.sample({0, 0, -1}).distance, -0.1, 1e-14);
  EXPECT_NEAR(distance.sample({1, 0, 0}).distance, -0.1, 0.01);
  EXPECT_NEAR(distance.sample({0, 0, -1.1}).distance, 0.0, 1e-14);
  EXPECT_NEAR(distance.sample({0, 0, -0.9}).distance, 0.0, 1e-14);
  EXPECT_GT(distance.sample({0, 0, 0}).distance, 0.5);
}

TEST(ShellOf, ASphereIsHollow) {
  const double r = 1.0;
  const double t = 0.1;
  const TriangleMesh shell = shell_of(icosphere(r, 4), t);
  EXPECT_NO_THROW(check_mesh(shell));
  const double exact = 4.0 / 3.0 * pi * (std::pow(r + t / 2, 3) - std::pow(r - t / 2, 3));
  EXPECT_NEAR(moments_of(shell).volume, exact, 0.01 * exact);
}

TEST(ConnectedPieces, PartsThatTouchInAVertexAreSeparate) {
  const TriangleMesh pair =
      welded(joined(box_mesh({1, 1, 1}), moved(box_mesh({1, 1, 1}), {{2, 2, 2}, {}})));
  EXPECT_EQ(pair.vertices.size(), 15U);
  const std::vector<TriangleMesh> pieces = connected_pieces(pair);
  ASSERT_EQ(pieces.size(), 2U);
  for (const TriangleMesh& piece : pieces) {
    EXPECT_NO_THROW(check_mesh(piece));
    EXPECT_EQ(piece.vertices.size(), 8U);
  }
}

TEST(MeshGenerators, RefuseWhatMakesNoBody) {
  EXPECT_THROW((void)box_mesh({1, 0, 1}), InputError);
  EXPECT_THROW((void)icosphere(-1.0, 1), InputError);
  EXPECT_THROW((void)icosphere(1.0, 9), InputError);
  EXPECT_THROW((void)circle_points(2), InputError);
  EXPECT_THROW((void)surface_of_revolution({{0, 0, 0}, {-1, 1, 0}, {0, 2, 0}}, 8), InputError);
  EXPECT_THROW((void)surface_of_revolution({{1, 0, 0}, {1, 1, 0}, {0, 2, 0}}, 8), InputError);
  EXPECT_THROW((void)trefoil_mesh({1.0, 0.21, 96, 12}), InputError);
  EXPECT_THROW((void)trefoil_mesh({1.0, 0.1, 100, 12}), InputError);
  EXPECT_THROW((void)doll_mesh({1.0, 0.2, 32}), InputError);
  EXPECT_THROW((void)pawn_mesh({0.0, 32}), InputError);
  EXPECT_THROW((void)shell_of(box_mesh({1, 1, 1}), 0.0), InputError);
  EXPECT_THROW((void)shell_of({}, 0.1), InputError);
}

}  // namespace
}  // namespace carom
