#include "carom/geometry/mass_properties.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/geometry/mesh_generators.h"
#include "carom/geometry/principal_axes.h"
#include "carom/geometry/triangle_mesh.h"

#include "geometry/random_rotation.h"

namespace carom {
namespace {

using std::numbers::pi;
using test::random_rotation;

void expect_near(const Vec3& found, const Vec3& expected, double tolerance) {
  EXPECT_NEAR(found.x, expected.x, tolerance);
  EXPECT_NEAR(found.y, expected.y, tolerance);
  EXPECT_NEAR(found.z, expected.z, tolerance);
}

void expect_near(const Mat3& found, const Mat3& expected, double tolerance) {
  for (std::size_t k = 0; k < 3; ++k) expect_near(found.row[k], expected.row[k], tolerance);
}

void expect_mass(const MassProperties& mass, double volume, const Vec3& moments) {
  EXPECT_NEAR(mass.volume, volume, 8.0 * kRoundOff * volume);
  EXPECT_EQ(mass.center, Vec3{});
  EXPECT_EQ(mass.axes, Mat3{});
  expect_near(mass.moments, moments, 16.0 * kRoundOff * norm(moments));
}

Mat3 in_axes(const PrincipalAxes& axes) {
  return axes.axes * Mat3::diagonal(axes.values) * transposed(axes.axes);
}

SolidDefinition compound(std::vector<CompoundSolid::Part> parts) {
  return std::make_shared<const CompoundSolid>(CompoundSolid{std::move(parts)});
}

TEST(PrincipalAxes, OfADiagonalMatrixAreItsOwnWhateverTheOrderOfTheValues) {
  for (const Vec3& d : {Vec3{1, 2, 3}, {3, 2, 1}, {2, 2, 1}, {5, 5, 5}, {0, 0, 0}}) {
    const PrincipalAxes axes = principal_axes(Mat3::diagonal(d));
    EXPECT_EQ(axes.axes, Mat3{});
    EXPECT_EQ(axes.values, d);
  }
}

TEST(PrincipalAxes, IgnoreRoundOffOfASymmetricBody) {
  const Mat3 noisy = {
      {Vec3{2.0, 3e-14, -1e-14}, Vec3{3e-14, 2.0, 2e-14}, Vec3{-1e-14, 2e-14, 2.0}}};
  EXPECT_EQ(principal_axes(noisy).axes, Mat3{});
}

TEST(PrincipalAxes, DiagonaliseRandomMatricesByAProperRotation) {
  Random random(11);
  for (int trial = 0; trial < 1000; ++trial) {
    const Mat3 rotation = random_rotation(random);
    const Vec3 values = {random.uniform(0.1, 2.0), random.uniform(0.1, 2.0),
                         random.uniform(0.1, 2.0)};
    const Mat3 matrix = rotation * Mat3::diagonal(values) * transposed(rotation);
    const PrincipalAxes axes = principal_axes(matrix);
    expect_near(in_axes(axes), matrix, 30.0 * kRoundOff);
    expect_near(transposed(axes.axes) * axes.axes, Mat3{}, 10.0 * kRoundOff);
    EXPECT_NEAR(determinant(axes.axes), 1.0, 10.0 * kRoundOff);
    // No rotation is farther than 62.8 degrees from the nearest of the 24 that keep a cube, so the
    // best choice of axes has a trace of at least 1 + 2 cos 62.8.
    EXPECT_GE(axes.axes.row[0].x + axes.axes.row[1].y + axes.axes.row[2].z, 1.914);
  }
}

TEST(PrincipalAxes, AreThoseNearestToTheIdentity) {
  Random random(12);
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3 axis = {random.normal(), random.normal(), random.normal()};
    const Mat3 small_turn = matrix_of(rotation_about(axis, 0.5));
    const Mat3 matrix = small_turn * Mat3::diagonal({1, 2, 4}) * transposed(small_turn);
    expect_near(principal_axes(matrix).axes, small_turn, 50.0 * kRoundOff);
  }
}

TEST(MassProperties, OfAnalyticSolidsAreTheTextbooks) {
  const double r = 0.7;
  const double h = 1.3;
  const double sphere = 4.0 / 3.0 * pi * r * r * r;
  expect_mass(mass_properties(SphereSolid{r}, 3), sphere, 0.4 * sphere * r * r * Vec3{1, 1, 1});
  expect_mass(mass_properties(BoxSolid{{1, 2, 3}}, 3), 48.0, 16.0 * Vec3{13, 10, 5});
  const double cylinder = 2.0 * pi * r * r * h;
  const double tumbling = cylinder * (3.0 * r * r + 4.0 * h * h) / 12.0;
  expect_mass(mass_properties(CylinderSolid{r, h}, 3), cylinder,
              {tumbling, tumbling, 0.5 * cylinder * r * r});
  // Two halves of a ball, each with its centre 3 r / 8 beyond the end of the cylinder.
  const double half_ball = 0.4 * r * r - 9.0 / 64.0 * r * r;
  const double arm = h + 3.0 * r / 8.0;
  const double across = tumbling + sphere * (half_ball + arm * arm);
  expect_mass(mass_properties(CapsuleSolid{r, h}, 3), cylinder + sphere,
              {across, across, 0.5 * cylinder * r * r + 0.4 * sphere * r * r});
}

TEST(MassProperties, OfTheirTwinsInThePlaneAreTheTextbooks) {
  const double r = 0.7;
  const double h = 1.3;
  const double disc = pi * r * r;
  EXPECT_NEAR(mass_properties(SphereSolid{r}, 2).moments.z, 0.5 * disc * r * r, 1e-15);
  EXPECT_NEAR(mass_properties(BoxSolid{{1, 2, 0}}, 2).moments.z, 8.0 * 5.0 / 3.0, 1e-14);
  const double straight = 4.0 * r * h;
  const double half_disc = 0.5 * r * r - std::pow(4.0 * r / (3.0 * pi), 2);
  const double arm = h + 4.0 * r / (3.0 * pi);
  const MassProperties stadium = mass_properties(CapsuleSolid{r, h}, 2);
  EXPECT_NEAR(stadium.volume, straight + disc, 1e-14);
  EXPECT_NEAR(stadium.moments.z, straight * (r * r + h * h) / 3.0 + disc * (half_disc + arm * arm),
              1e-14);
  // A right triangle with legs b and c: area b c / 2, moment about the centre A (b b + c c) / 18.
  const MassProperties triangle =
      mass_properties(HullSolid{{{10, 20, 0}, {13, 20, 0}, {10, 24, 0}}}, 2);
  EXPECT_NEAR(triangle.volume, 6.0, 1e-14);
  expect_near(triangle.center, {11.0, 20.0 + 4.0 / 3.0, 0.0}, 1e-14);
  EXPECT_NEAR(triangle.moments.z, 6.0 * 25.0 / 18.0, 1e-13);
  EXPECT_EQ(triangle.axes, Mat3{});
}

TEST(MassProperties, OfABoxAgreeWithItsHullAndItsMesh) {
  const Vec3 half = {0.3, 0.5, 1.1};
  const MassProperties box = mass_properties(BoxSolid{half}, 3);
  for (const MassProperties& other : {mass_properties(HullSolid{box_mesh(half).vertices}, 3),
                                      mass_properties(MeshSolid{box_mesh(half)}, 3)}) {
    EXPECT_NEAR(other.volume, box.volume, 8.0 * kRoundOff * box.volume);
    EXPECT_EQ(other.center, Vec3{});
    EXPECT_EQ(other.axes, Mat3{});
    expect_near(other.moments, box.moments, 16.0 * kRoundOff * norm(box.moments));
  }
}

// The corner tetrahedron x + y + z <= 1: V = 1/6, centre 1/4, integral of x x = 1/60, of x y =
// 1/120.
TEST(VolumeMoments, OfATetrahedronAreExact) {
  const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const VolumeMoments moments = moments_of(HullSolid{corners}, 3);
  EXPECT_NEAR(moments.volume, 1.0 / 6.0, kRoundOff);
  expect_near(moments.center, {0.25, 0.25, 0.25}, kRoundOff);
  const double square = 1.0 / 60.0 - 1.0 / 96.0;
  const double product = 1.0 / 120.0 - 1.0 / 96.0;
  expect_near(moments.second,
              {{Vec3{square, product, product}, Vec3{product, square, product},
                Vec3{product, product, square}}},
              kRoundOff);
}

TEST(VolumeMoments, OfASphereMeshConvergeWithTheSquareOfItsEdges) {
  const MassProperties sphere = mass_properties(SphereSolid{1.0}, 3);
  double error_before = 0.0;
  for (const int subdivisions : {3, 4, 5, 6}) {
    const MassProperties mesh = mass_properties(MeshSolid{icosphere(1.0, subdivisions)}, 3);
    EXPECT_EQ(mesh.axes, Mat3{});
    EXPECT_EQ(mesh.center, Vec3{});
    const double error = sphere.moments.x - mesh.moments.x;
    EXPECT_GT(error, 0.0);
    if (error_before > 0.0) {
      EXPECT_NEAR(error_before / error, 4.0, 0.1);
    }
    error_before = error;
  }
}

TEST(VolumeMoments, TurnWithTheMeshAndDoNotDependOnTheOrderOfTriangles) {
  Random random(13);
  const TriangleMesh mesh =
      joined(box_mesh({0.2, 0.4, 0.9}), moved(icosphere(0.5, 2), {{3.0, 1.0, -1.0}, {}}));
  const VolumeMoments moments = moments_of(mesh);
  for (int trial = 0; trial < 50; ++trial) {
    const Mat3 rotation = random_rotation(random);
    const Vec3 shift = {random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)};
    TriangleMesh turned = moved(mesh, {shift, rotation});
    for (std::size_t k = turned.triangles.size(); k-- > 1;) {
      std::swap(turned.triangles[k], turned.triangles[random.below(static_cast<Index>(k + 1))]);
    }
    const VolumeMoments other = moments_of(turned);
    const double size = inertia_of(moments).row[0].x;
    EXPECT_NEAR(other.volume, moments.volume, 1e-13);
    expect_near(other.center, rotation * moments.center + shift, 1e-13);
    expect_near(other.second, rotation * moments.second * transposed(rotation), 1e-13 * size);
  }
}

TEST(VolumeMoments, AreAsAccurateFarFromTheOrigin) {
  const Vec3 far = {1024.0, -2048.0, 4096.0};
  const VolumeMoments moments = moments_of(moved(box_mesh({0.5, 0.25, 1.0}), {far, {}}));
  EXPECT_EQ(moments.center, far);
  EXPECT_NEAR(moments.volume, 1.0, 1e-15);
}

TEST(MassProperties, OfACompoundFollowTheParallelAxes) {
  // A box cut into two unequal boxes, the second described turned by a quarter about z.
  const Mat3 quarter = {{Vec3{0, -1, 0}, Vec3{1, 0, 0}, Vec3{0, 0, 1}}};
  const MassProperties whole = mass_properties(BoxSolid{{2.0, 1.0, 0.5}}, 3);
  const MassProperties parts =
      mass_properties(compound({{BoxSolid{{0.5, 1.0, 0.5}}, {{-1.5, 0, 0}, {}}, 1.0},
                                {BoxSolid{{1.0, 1.5, 0.5}}, {{0.5, 0, 0}, quarter}, 1.0}}),
                      3);
  EXPECT_NEAR(parts.volume, whole.volume, 4.0 * kRoundOff * whole.volume);
  EXPECT_EQ(parts.center, Vec3{});
  EXPECT_EQ(parts.axes, Mat3{});
  expect_near(parts.moments, whole.moments, 8.0 * kRoundOff * norm(whole.moments));
}

TEST(MassProperties, OfACompoundWeighPartsWithTheirDensities) {
  const MassProperties mass = mass_properties(compound({{SphereSolid{1.0}, {{0, 0, 0}, {}}, 3.0},
                                                        {SphereSolid{1.0}, {{4, 0, 0}, {}}, 1.0}}),
                                              3);
  const double ball = 4.0 / 3.0 * pi;
  EXPECT_NEAR(mass.volume, 4.0 * ball, 1e-14);
  expect_near(mass.center, {1, 0, 0}, 4.0 * kRoundOff);
  EXPECT_NEAR(mass.moments.x, 4.0 * 0.4 * ball, 1e-13);
  EXPECT_NEAR(mass.moments.y, 4.0 * 0.4 * ball + 3.0 * ball + 9.0 * ball, 1e-13);
}

TEST(MassProperties, RefuseSizesThatAreNotPositiveAndFinite) {
  const double not_a_number = std::nan("");
  EXPECT_THROW((void)mass_properties(SphereSolid{0.0}, 3), InputError);
  EXPECT_THROW((void)mass_properties(SphereSolid{not_a_number}, 3), InputError);
  EXPECT_THROW((void)mass_properties(BoxSolid{{1, 1, 0}}, 3), InputError);
  EXPECT_THROW((void)mass_properties(BoxSolid{{1, -1, 1}}, 2), InputError);
  EXPECT_THROW((void)mass_properties(CapsuleSolid{1.0, kInfinity}, 3), InputError);
  EXPECT_THROW((void)mass_properties(CylinderSolid{1.0, 0.0}, 3), InputError);
  EXPECT_THROW((void)mass_properties(CylinderSolid{1.0, 1.0}, 2), InputError);
  EXPECT_THROW((void)mass_properties(MeshSolid{box_mesh({1, 1, 1})}, 2), InputError);
  EXPECT_THROW((void)mass_properties(MeshSolid{}, 3), InputError);
  EXPECT_THROW((void)mass_properties(compound({}), 3), InputError);
}

TEST(MassProperties, SayWhichPartOfACompoundIsWrong) {
  try {
    (void)mass_properties(
        compound({{SphereSolid{1.0}, {}, 1.0}, {CapsuleSolid{-1.0, 1.0}, {}, 1.0}}), 3);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().key, "parts[1].radius");
  }
  Pose mirror;
  mirror.rotation = Mat3::diagonal({-1, 1, 1});
  EXPECT_THROW((void)mass_properties(compound({{SphereSolid{1.0}, mirror, 1.0}}), 3), InputError);
  const SolidDefinition inner = compound({{SphereSolid{1.0}, {}, 1.0}});
  EXPECT_THROW((void)mass_properties(compound({{inner, {}, 1.0}}), 3), InputError);
}

}  // namespace
}  // namespace carom
