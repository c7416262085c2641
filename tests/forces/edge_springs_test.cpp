// Springs along edges against closed forms.

#include "carom/forces/edge_springs.h"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/error.h"

#include "forces/lone_element.h"

namespace carom {
namespace {

using test::energy_growth;
using test::LoneElement;

TEST(EdgeSprings, OscillateWithTheFrequencyOfTheReducedMass) {
  const EdgeSprings springs({{{0, 1}, 1.0, 50.0, 0.0}});
  LoneElement element(springs, 0, {{0, 0, 0}, {1.1, 0, 0}}, {2.0, 0.5});
  const double omega = std::sqrt(50.0 * 2.5);
  const double step = 2.0 * std::numbers::pi / omega / 1000.0;
  for (int k = 0; k < 500; ++k) element.advance(step);
  const double half_period = element.position()[1].x - element.position()[0].x;
  EXPECT_NEAR(half_period, 0.9, 1e-5);
  for (int k = 0; k < 500; ++k) element.advance(step);
  EXPECT_NEAR(element.position()[1].x - element.position()[0].x, 1.1, 1e-5);
}

TEST(EdgeSprings, AreStableUpToTheirStableStepAndNotBeyond) {
  for (const double damping : {0.0, 0.3, 4.0, 200.0}) {
    const EdgeSprings springs({{{0, 1}, 1.0, 50.0, damping}});
    const LoneElement element(springs, 0, {{0, 0, 0}, {1 + 1e-9, 0, 0}}, {2.0, 0.5});
    const double step = element.stable_step();
    EXPECT_LT(energy_growth(element, 0.99 * step, 5000), 500.0) << damping;
    EXPECT_GT(energy_growth(element, 1.01 * step, 1000), 1e6) << damping;
    EXPECT_GT(energy_growth(element, 1.5 * step, 30), 1e6) << damping;
  }
}

// x'' = -gamma x' - omega^2 x falls by exp(-gamma t / 2), whatever the step.
TEST(EdgeSprings, DampingDoesNotDependOnTheStep) {
  const EdgeSprings springs({{{0, 1}, 1.0, 50.0, 0.4}});
  for (const double step : {1e-4, 5e-4}) {
    LoneElement element(springs, 0, {{0, 0, 0}, {1.1, 0, 0}}, {2.0, 0.5});
    const double gamma = 0.4 * 2.5;
    const double omega = std::sqrt(50.0 * 2.5 - 0.25 * gamma * gamma);
    const int steps = static_cast<int>(std::lround(10 * 2.0 * std::numbers::pi / omega / step));
    for (int k = 0; k < steps; ++k) element.advance(step);
    const double stretch = element.position()[1].x - element.position()[0].x - 1.0;
    const double expected = 0.1 * std::exp(-0.5 * gamma * step * steps);
    EXPECT_NEAR(stretch, expected, 0.02 * expected);
    EXPECT_NEAR(element.energy() + element.dissipated(), 0.5 * 50.0 * 0.01, 5e-4);
  }
}

TEST(EdgeSprings, OfDiscreteShellsHaveItsEnergy) {
  const double length = 0.7;
  const double stiffness = 3.0 * edge_factor(EdgeLaw::discrete_shells, length);
  const EdgeSprings springs({{{0, 1}, length, stiffness, 0.0}});
  const double strain = 1.0 - 0.9 / length;
  const std::vector<Vec3> position = {{0, 0, 0}, {0, 0.9, 0}};
  EXPECT_NEAR(springs.potential(0, position, {}), 3.0 * strain * strain * length, 1e-15);
}

TEST(EdgeSprings, PerStrainAreInSeriesAsOneWire) {
  // Two halves of a wire, each with twice the stiffness of the whole.
  const double whole = edge_factor(EdgeLaw::per_strain, 1.0);
  const double half = edge_factor(EdgeLaw::per_strain, 0.5);
  EXPECT_NEAR(1.0 / (1.0 / half + 1.0 / half), whole, 1e-15);
  EXPECT_EQ(edge_factor(EdgeLaw::per_length, 0.5), 1.0);
}

TEST(EdgeSprings, WithoutDirectionNothingIsInfinite) {
  const EdgeSprings springs({{{0, 1}, 1.0, 50.0, 0.1}});
  LoneElement element(springs, 0, {{1, 1, 1}, {1, 1, 1}}, {1.0, 1.0});
  element.kick(0.1);
  EXPECT_EQ(element.velocity()[0], Vec3{});
}

TEST(EdgeSprings, RefuseWhatCannotBeASpring) {
  const auto key_of = [](const EdgeSpring& spring) {
    try {
      const EdgeSprings springs({{{0, 1}, 1.0, 1.0, 0.0}, spring});
    } catch (const InputError& error) {
      return error.place().key;
    }
    return std::string();
  };
  EXPECT_EQ(key_of({{3, 3}, 1.0, 1.0, 0.0}), "edge_springs[1].body");
  EXPECT_EQ(key_of({{3, kNone}, 1.0, 1.0, 0.0}), "edge_springs[1].body");
  EXPECT_EQ(key_of({{3, 4}, -1.0, 1.0, 0.0}), "edge_springs[1].length");
  EXPECT_EQ(key_of({{3, 4}, 1.0, kInfinity, 0.0}), "edge_springs[1].stiffness");
  EXPECT_EQ(key_of({{3, 4}, 1.0, 1.0, -0.1}), "edge_springs[1].damping");
  EXPECT_EQ(key_of({{3, 4}, 0.0, 0.0, 0.0}), "");
}

}  // namespace
}  // namespace carom
