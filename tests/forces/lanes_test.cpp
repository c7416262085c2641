// Elements that are kicked four at a time: the same bits as one by one.

#include "carom/forces/detail/lanes.h"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/forces/bend_hinges.h"
#include "carom/forces/stretch_triangles.h"

namespace carom {
namespace {

using std::numbers::pi;

double angle_of(double y, double x) {
  double angle = 0.0;
  detail::angle_of(y, x, angle);
  return angle;
}

TEST(AngleOf, IsTheAngleInAllOctants) {
  for (int k = -3000; k <= 3000; ++k) {
    const double angle = pi * k / 3000.1;
    for (const double length : {1e-200, 3.7e-9, 1.0, 2e100}) {
      const double y = length * std::sin(angle);
      const double x = length * std::cos(angle);
      const double exact = std::atan2(y, x);
      EXPECT_NEAR(angle_of(y, x), exact, 4.0 * kRoundOff * std::abs(exact)) << angle;
    }
  }
  EXPECT_EQ(angle_of(0.0, 0.0), 0.0);
  EXPECT_EQ(angle_of(0.0, 2.0), 0.0);
  EXPECT_EQ(angle_of(3.0, 0.0), pi / 2);
  EXPECT_EQ(angle_of(-3.0, 0.0), -pi / 2);
  EXPECT_EQ(angle_of(0.0, -1.0), pi);
}

TEST(AngleOf, GivesEachLaneItsBits) {
  Random random(3);
  for (int k = 0; k < 1000; ++k) {
    detail::Lanes y;
    detail::Lanes x;
    detail::fill(y, [&](std::size_t) { return random.uniform(-1.0, 1.0); });
    detail::fill(x, [&](std::size_t) { return random.uniform(-1.0, 1.0); });
    detail::Lanes angles{};
    detail::angle_of(y, x, angles);
    for (std::size_t m = 0; m < 4; ++m) EXPECT_EQ(angles[m], angle_of(y[m], x[m]));
  }
}

// Kicks of eleven elements at once and one by one, three times.
void expect_same_bits(const ForceFamily& family, std::vector<Vec3> position, Random& random) {
  const std::vector<double> inverse_mass(position.size(), 0.7);
  std::array<std::vector<Vec3>, 2> velocity;
  std::array<std::vector<double>, 2> memory;
  std::array<double, 2> taken{};
  for (std::size_t way = 0; way < 2; ++way) {
    velocity[way].resize(position.size());
    memory[way].resize(std::size_t{family.memory_size()} * family.size());
    family.start(position, memory[way]);
  }
  std::vector<Index> elements;
  for (Index e = 0; e < family.size(); ++e) elements.push_back(e);
  ASSERT_EQ(elements.size() % 4, 3U);
  for (int round = 0; round < 3; ++round) {
    for (Vec3& x : position) {
      x += Vec3{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)};
    }
    const auto kick = [&](std::size_t way, std::span<const Index> chosen) {
      family.kick(chosen, {.step = 0.01,
                           .position = position,
                           .inverse_mass = inverse_mass,
                           .velocity = velocity[way],
                           .memory = memory[way],
                           .dissipated = &taken[way]});
    };
    kick(0, elements);
    for (const Index& e : elements) kick(1, std::span(&e, 1));
    EXPECT_EQ(velocity[0], velocity[1]);
    EXPECT_EQ(memory[0], memory[1]);
    EXPECT_NEAR(taken[0], taken[1], 1e-14 * taken[0]);
    EXPECT_GT(taken[0], 0.0);
    EXPECT_NE(velocity[0][0], Vec3{});
  }
}

std::vector<Vec3> cloud(Random& random) {
  std::vector<Vec3> places;
  for (int k = 0; k < 14; ++k) {
    places.push_back(
        {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)});
  }
  return places;
}

TEST(Lanes, TrianglesHaveTheSameBits) {
  Random random(8);
  const std::vector<Vec3> places = cloud(random);
  std::vector<StretchTriangle> triangles;
  for (Index k = 0; k < 11; ++k) {
    triangles.push_back({.body = {k, k + 1, k + 2},
                         .rest = {places[k], places[k + 1], places[k + 2]},
                         .stiffness = random.uniform(1.0, 9.0),
                         .poisson = 0.3,
                         .damping = random.uniform(0.1, 0.5)});
  }
  expect_same_bits(StretchTriangles(triangles), places, random);
}

TEST(Lanes, HingesHaveTheSameBits) {
  Random random(9);
  const std::vector<Vec3> places = cloud(random);
  std::vector<BendHinge> hinges;
  for (Index k = 0; k < 11; ++k) {
    hinges.push_back({.body = {k, k + 1, k + 2, k + 3},
                      .rest = {places[k], places[k + 1], places[k + 2], places[k + 3]},
                      .rest_angle = {},
                      .stiffness = random.uniform(1.0, 9.0),
                      .damping = random.uniform(0.1, 0.5),
                      .yield = k % 2 == 0 ? 0.05 : kInfinity});
  }
  expect_same_bits(BendHinges(hinges), places, random);
}

}  // namespace
}  // namespace carom
