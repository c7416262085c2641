// Bending of chains against closed forms.

#include "carom/forces/chain_bends.h"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"

#include "forces/lone_element.h"

namespace carom {
namespace {

using std::numbers::pi;
using test::energy_growth;
using test::LoneElement;

constexpr double kA = 0.6;
constexpr double kB = 0.9;

// In the plane: one edge along x, the next turned from it by an angle, counterclockwise.
std::vector<Vec3> turned(double angle) {
  return {{-kA, 0, 0}, {0, 0, 0}, {kB * std::cos(angle), kB * std::sin(angle), 0}};
}

ChainBend bend(double stiffness) {
  return {.body = {0, 1, 2},
          .rest = {Vec3{-kA, 0, 0}, {0, 0, 0}, {kB, 0, 0}},
          .rest_angle = {},
          .stiffness = stiffness,
          .damping = 0.0,
          .yield = kInfinity};
}

TEST(ChainBends, HaveTheEnergyOfABeamBentToACircle) {
  constexpr int kCount = 200;
  const double radius = 2.0;
  std::vector<Vec3> circle;
  for (int k = 0; k < kCount; ++k) {
    const double angle = 2.0 * pi * k / kCount;
    circle.push_back(radius * Vec3{std::cos(angle), std::sin(angle), 0});
  }
  const double edge = norm(circle[1] - circle[0]);
  for (const int dimension : {2, 3}) {
    std::vector<ChainBend> list;
    for (Index k = 0; k < kCount; ++k) {
      ChainBend straight = bend(3.0);
      straight.body = {k, (k + 1) % kCount, (k + 2) % kCount};
      straight.rest = {Vec3{}, {edge, 0, 0}, {2.0 * edge, 0, 0}};
      list.push_back(straight);
    }
    const ChainBends bends(list, dimension);
    double sum = 0.0;
    for (Index k = 0; k < kCount; ++k) sum += bends.potential(k, circle, {});
    const double beam = 0.5 * 3.0 / (radius * radius) * 2.0 * pi * radius;
    EXPECT_NEAR(sum, beam, 1e-4 * beam) << dimension;
  }
}

TEST(ChainBends, KnowTheSideInThePlaneAndNotInSpace) {
  ChainBend bent = bend(3.0);
  bent.rest_angle = 0.5;
  EXPECT_NEAR(ChainBends({bent}, 2).potential(0, turned(0.5), {}), 0.0, 1e-28);
  EXPECT_NEAR(ChainBends({bent}, 2).potential(0, turned(-0.5), {}), 3.0 / (kA + kB), 1e-14);
  EXPECT_NEAR(ChainBends({bent}, 3).potential(0, turned(-0.5), {}), 0.0, 1e-28);
}

TEST(ChainBends, CountWholeTurnsInThePlane) {
  const ChainBends bends({bend(3.0)}, 2);
  LoneElement element(bends, 0, turned(0.0), {0.0, 0.0, 0.0});
  for (int k = 1; k <= 50; ++k) {
    element.position() = turned(-0.15 * k);
    element.kick(0.01);
  }
  EXPECT_NEAR(element.potential(), 3.0 / (kA + kB) * 7.5 * 7.5, 1e-10);
}

TEST(ChainBends, AreStableUpToTheirStableStepAndNotBeyond) {
  for (const int dimension : {2, 3}) {
    const ChainBends bends({bend(3.0)}, dimension);
    const LoneElement element(bends, 0, turned(1e-8), {1.0, 2.0, 0.5});
    const double step = element.stable_step();
    EXPECT_LT(energy_growth(element, 0.99 * step, 3000), 500.0) << dimension;
    EXPECT_GT(energy_growth(element, 1.01 * step, 1000), 1e6) << dimension;
  }
}

TEST(ChainBends, StraightInSpaceFeelNothing) {
  ChainBend bent = bend(3.0);
  bent.rest_angle = 0.5;
  const ChainBends bends({bent}, 3);
  LoneElement element(bends, 0, turned(0.0), {1.0, 1.0, 1.0});
  element.kick(0.1);
  for (const Vec3& v : element.velocity()) EXPECT_EQ(v, Vec3{});
}

TEST(ChainBends, KeepWhatTheyWereBentBeyondTheYield) {
  for (const int dimension : {2, 3}) {
    ChainBend plastic = bend(3.0);
    plastic.yield = 0.2;
    const ChainBends bends({plastic}, dimension);
    LoneElement element(bends, 0, turned(0.0), {0.0, 0.0, 0.0});
    element.position() = turned(0.9);
    element.kick(0.01);
    EXPECT_NEAR(element.memory()[1], 0.7, 1e-14);
    EXPECT_NEAR(element.dissipated(), 3.0 / (kA + kB) * (0.81 - 0.04), 1e-14);
  }
}

TEST(ChainBends, RefuseWhatCannotBeABend) {
  const auto key_of = [](const ChainBend& bad, int dimension = 3) {
    try {
      const ChainBends bends({bad}, dimension);
    } catch (const InputError& error) {
      return error.place().key;
    }
    return std::string();
  };
  EXPECT_EQ(key_of(bend(1.0)), "");
  EXPECT_EQ(key_of(bend(1.0), 4), "dimension");
  EXPECT_EQ(key_of(bend(-1.0)), "chain_bends[0].stiffness");
  ChainBend bad = bend(1.0);
  bad.rest[1] = bad.rest[0];
  EXPECT_EQ(key_of(bad), "chain_bends[0].rest");
  bad = bend(1.0);
  bad.rest_angle = -0.1;
  EXPECT_EQ(key_of(bad), "chain_bends[0].rest_angle") << "space has no sides";
  EXPECT_EQ(key_of(bad, 2), "");
  bad = bend(1.0);
  bad.body[2] = 0;
  EXPECT_EQ(key_of(bad), "chain_bends[0].body");
}

}  // namespace
}  // namespace carom
