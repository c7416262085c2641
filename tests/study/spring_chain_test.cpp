#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "carom/impact/resolve.h"
#include "carom/study/chains.h"

namespace carom::detail {
namespace {

// Three equal balls and linear springs, cradle (1, 0, 0). With s = d1 + d2 and d = d1 - d2:
//   s'' = -s, d'' = -3 d  =>  d1 = (sin t + sin(sqrt(3) t)/sqrt(3)) / 2,
//                             d2 = (sin t - sin(sqrt(3) t)/sqrt(3)) / 2.
// The first spring opens at the first t > 0 with d1 = 0; from then on ball 1 flies and balls 2 and
// 3 are one oscillator of squared frequency 2, whose relative speed ends as sqrt(u^2 + 2 d2^2).
std::vector<double> exact_linear_cradle() {
  const double root = std::sqrt(3.0);
  double low = 1.5;
  double high = 3.0;
  for (int k = 0; k < 200; ++k) {
    const double t = 0.5 * (low + high);
    (std::sin(t) + std::sin(root * t) / root > 0.0 ? low : high) = t;
  }
  const double t = low;
  const double d1_rate = 0.5 * (std::cos(t) + std::cos(root * t));
  const double d2_rate = 0.5 * (std::cos(t) - std::cos(root * t));
  const double d2 = 0.5 * (std::sin(t) - std::sin(root * t) / root);
  // v1 - v2 = d1', v2 - v3 = d2', v1 + v2 + v3 = 1.
  const double v3 = (1.0 - d1_rate - 2.0 * d2_rate) / 3.0;
  const double v2 = v3 + d2_rate;
  const double v1 = v2 + d1_rate;
  const double mean = 0.5 * (v2 + v3);
  const double parting = std::sqrt(d2_rate * d2_rate + 2.0 * d2 * d2);
  return {v1, mean - 0.5 * parting, mean + 0.5 * parting};
}

TEST(SpringChain, ThreeLinearSpringsHaveAClosedForm) {
  const std::vector<double> exact = exact_linear_cradle();
  const std::vector<double> v = cradle_velocities(3);
  const std::vector<double> masses = {1.0, 1.0, 1.0};
  EXPECT_LT(max_difference(spring_chain(v, masses, 1.0, 1e-4), exact), 1e-8);
  const ImpactResult lzb = resolve_impacts(make_chain(v), with_operator("lzb:exponent=1"));
  EXPECT_LT(max_difference(lzb.velocities, exact), 1e-7);
}

// The number that the literature gives for five Hertz balls.
TEST(SpringChain, FiveHertzBalls) {
  const std::vector<double> v = cradle_velocities(5);
  const std::vector<double> masses(5, 1.0);
  const std::vector<double> known = {-0.071, -0.030, -0.014, 0.127, 0.989};
  EXPECT_LT(max_difference(spring_chain(v, masses, 1.5, 1e-3), known), 1e-3);
}

TEST(SpringChain, TwoBallsExchangeTheirVelocities) {
  const std::vector<double> v = {1.0, -0.5};
  const std::vector<double> masses = {1.0, 1.0};
  const std::vector<double> exchanged = {-0.5, 1.0};
  EXPECT_LT(max_difference(spring_chain(v, masses, 1.5, 1e-3), exchanged), 1e-7);
}

}  // namespace
}  // namespace carom::detail
