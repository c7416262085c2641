// Constant-strain triangles against closed forms of plane elasticity.

#include "carom/forces/stretch_triangles.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/core/random.h"
#include "carom/core/types.h"

#include "forces/lone_element.h"

namespace carom {
namespace {

constexpr double kStiffness = 120.0;
constexpr double kPoisson = 0.3;

const std::array<Vec3, 3> kRest = {Vec3{0.1, 0.2, 0}, {0.9, -0.3, 0}, {0.5, 0.8, 0}};

double area_of(const std::array<Vec3, 3>& p) { return 0.5 * norm(cross(p[1] - p[0], p[2] - p[0])); }

// Energy per area of the rest triangle after x -> F x.
template <typename Map>
double density(const std::array<Vec3, 3>& rest, const Map& map) {
  const StretchTriangles triangles({{{0, 1, 2}, rest, kStiffness, kPoisson, 0.0}});
  const std::vector<Vec3> position = {map(rest[0]), map(rest[1]), map(rest[2])};
  return triangles.potential(0, position, {}) / area_of(rest);
}

// Free across its pull, a strip has 1/2 Y E^2: across it E_22 = -nu E_11.
TEST(StretchTriangles, HaveYoungsModulusAndPoissonsRatio) {
  Random random(1);
  const double E_11 = 0.02;
  const double along = std::sqrt(1.0 + 2.0 * E_11);
  const double across = std::sqrt(1.0 - 2.0 * kPoisson * E_11);
  for (int trial = 0; trial < 20; ++trial) {
    std::array<Vec3, 3> rest;  // whatever the triangle
    for (Vec3& p : rest) p = {random.uniform(-1, 1), random.uniform(-1, 1), 0};
    const auto pulled = [&](const Vec3& p) { return Vec3{along * p.x, across * p.y, 0}; };
    EXPECT_NEAR(density(rest, pulled), 0.5 * kStiffness * E_11 * E_11, 1e-12);
    const auto narrower = [&](const Vec3& p) { return Vec3{along * p.x, 0.999 * across * p.y, 0}; };
    const auto wider = [&](const Vec3& p) { return Vec3{along * p.x, 1.001 * across * p.y, 0}; };
    EXPECT_GT(density(rest, narrower), density(rest, pulled));
    EXPECT_GT(density(rest, wider), density(rest, pulled));
  }
}

// A shear of x by s y has E_12 = s/2, E_22 = s^2/2.
TEST(StretchTriangles, ResistShearWithTheShearModulus) {
  const double s = 0.1;
  const double c = kStiffness / (1.0 - kPoisson * kPoisson);
  const auto sheared = [&](const Vec3& p) { return Vec3{p.x + s * p.y, p.y, 0}; };
  EXPECT_NEAR(density(kRest, sheared),
              0.5 * c * (0.25 * s * s * s * s + 2.0 * (1.0 - kPoisson) * 0.25 * s * s), 1e-13);
}

TEST(StretchTriangles, SoftenWhenPressedBelowOneOverTheRootOfThree) {
  const auto force = [](double length) {
    const auto pressed = [&](double l) {
      return density(kRest, [l](const Vec3& p) { return Vec3{l * p.x, p.y, 0}; });
    };
    return (pressed(length - 1e-5) - pressed(length + 1e-5)) / 2e-5;
  };
  const double weakest = 1.0 / std::sqrt(3.0);
  EXPECT_GT(force(weakest), force(weakest + 0.02));
  EXPECT_GT(force(weakest), force(weakest - 0.02));
}

TEST(StretchTriangles, TakeTheirRestShapeFromAnywhereInSpace) {
  const std::array<Vec3, 3> lifted = {Vec3{0, 0, 1}, {1, 0.5, 2}, {0.3, 2, -1}};
  EXPECT_NEAR(density(lifted, [](const Vec3& p) { return p; }), 0.0, 1e-25);
  EXPECT_NEAR(density(lifted, [](const Vec3& p) { return 1.1 * p; }),
              kStiffness / (1.0 - kPoisson) * 0.105 * 0.105, 1e-12)
      << "E = (1.21 - 1)/2 in both directions";
}

// Equal corners, pulled evenly: the lone mode x'' = -gamma x' - omega^2 x with
// omega^2 = 2 A c (1 + nu) / (m R^2) about the radius R, gamma = damping / stiffness omega^2.
TEST(StretchTriangles, BreatheAndAreDampedAsTheirModuliSay) {
  const double radius = 0.5;
  std::vector<Vec3> position;
  std::array<Vec3, 3> rest;
  for (std::size_t k = 0; k < 3; ++k) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(k) / 3.0;
    rest[k] = radius * Vec3{std::cos(angle), std::sin(angle), 0};
    position.push_back(1.0001 * rest[k]);
  }
  const double tau = 0.002;
  const StretchTriangles triangles({{{0, 1, 2}, rest, kStiffness, kPoisson, tau * kStiffness}});
  const double mass = 0.2;
  const double V_second = 2.0 * area_of(rest) * kStiffness / (1.0 - kPoisson);  // d2V/dstretch2
  const double omega_squared = V_second / (3.0 * mass * radius * radius);
  const double gamma = tau * omega_squared;
  const double omega = std::sqrt(omega_squared - 0.25 * gamma * gamma);

  test::LoneElement element(triangles, 0, position, std::vector<double>(3, 1.0 / mass));
  const double step = 2.0 * std::numbers::pi / omega / 4000.0;
  for (int k = 0; k < 4000; ++k) element.advance(step);
  const double stretch = norm(element.position()[0]) / radius - 1.0;
  const double expected = 1e-4 * std::exp(-0.5 * gamma * 4000 * step);
  EXPECT_NEAR(stretch, expected, 0.01 * expected);
}

TEST(StretchTriangles, RefuseWhatCannotBeATriangleOfASheet) {
  const auto key_of = [](const StretchTriangle& triangle) {
    try {
      const StretchTriangles triangles({triangle});
    } catch (const InputError& error) {
      return error.place().key;
    }
    return std::string();
  };
  EXPECT_EQ(key_of({{0, 1, 2}, kRest, 1.0, 0.3, 0.0}), "");
  EXPECT_EQ(key_of({{0, 1, 1}, kRest, 1.0, 0.3, 0.0}), "stretch_triangles[0].body");
  EXPECT_EQ(key_of({{0, 1, 2}, {}, 1.0, 0.3, 0.0}), "stretch_triangles[0].rest");
  const std::array<Vec3, 3> in_line = {Vec3{0, 0, 0}, {0.1, 0.3, 0}, {0.3, 0.9, 0}};
  EXPECT_EQ(key_of({{0, 1, 2}, in_line, 1.0, 0.3, 0.0}), "stretch_triangles[0].rest");
  EXPECT_EQ(key_of({{0, 1, 2}, kRest, -1.0, 0.3, 0.0}), "stretch_triangles[0].stiffness");
  EXPECT_EQ(key_of({{0, 1, 2}, kRest, 1.0, 1.0, 0.0}), "stretch_triangles[0].poisson");
  EXPECT_EQ(key_of({{0, 1, 2}, kRest, 1.0, 0.3, -1.0}), "stretch_triangles[0].damping");
}

}  // namespace
}  // namespace carom
