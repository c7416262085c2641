#include "carom/measures/pattern_watch.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace carom {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kPeriod = 0.5;  // s
constexpr PatternLimits kLimits{0.01, 0.3, 0.5, 0.0};

// Waves of length 2 in some directions.
HeightField waves(const std::vector<double>& angles, double amplitude) {
  HeightField field{36, 36, 12.0, 12.0, {}};
  for (Index j = 0; j < field.rows; ++j) {
    for (Index i = 0; i < field.columns; ++i) {
      const double x = field.width * (i + 0.5) / field.columns;
      const double y = field.depth * (j + 0.5) / field.rows;
      double height = 3.0;
      for (const double angle : angles) {
        height += amplitude * std::cos(kTurn / 2.0 * (x * std::cos(angle) + y * std::sin(angle)));
      }
      field.height.push_back(height);
    }
  }
  return field;
}

const std::vector<double> kAlongX = {0.0};
const std::vector<double> kAlongY = {0.5 * std::numbers::pi};

// The plate's steps do not divide its period; amplitudes are largest after five eighths of a cycle.
TEST(PatternWatch, TheHighestWavesOfACycleCount) {
  PatternWatch watch(kPeriod, 0.0, kLimits);
  int looks = 0;
  for (int step = 0; 0.003 + 0.007 * step < 3.0 * kPeriod; ++step) {
    const double time = 0.003 + 0.007 * step;
    if (!watch.is_due(time)) continue;
    ++looks;
    const double phase = std::fmod(time / kPeriod, 1.0);
    watch.look(time, waves(kAlongX, 1.0 + std::cos(kTurn * (phase - 0.64))));
  }
  EXPECT_EQ(looks, 24);
  ASSERT_EQ(watch.cycles().size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    const PatternCycle& cycle = watch.cycles()[k];
    EXPECT_DOUBLE_EQ(cycle.number, static_cast<double>(k + 1));
    EXPECT_NEAR(cycle.time / kPeriod, static_cast<double>(k) + 0.64, 0.02);
    EXPECT_NEAR(cycle.report.amplitude, std::sqrt(2.0), 0.01);
    EXPECT_EQ(cycle.report.pattern, Pattern::stripes);
  }
}

// Stripes that change their direction from cycle to cycle are squares together.
TEST(PatternWatch, CyclesThatCountAreAddedUp) {
  const auto watched = [](double from) {
    PatternWatch watch(kPeriod, from, kLimits);
    for (int eighth = 0; eighth < 32; ++eighth) {
      const int cycle = eighth / 8;
      watch.look(kPeriod * (eighth / 8.0 + 0.01), waves(cycle == 2 ? kAlongY : kAlongX, 1.0));
    }
    return watch;
  };
  EXPECT_EQ(watched(0.0).cycles().size(), 4U);
  EXPECT_NEAR(watched(1.0).whole().twofold, 1.0 / 3.0, 1e-12) << "two of one, one of the other";
  const PatternWatch last = watched(2.0);
  EXPECT_EQ(last.whole().pattern, Pattern::squares);
  EXPECT_NEAR(last.whole().fourfold, 1.0, 1e-12);
  EXPECT_EQ(watched(3.0).whole().pattern, Pattern::stripes);
  EXPECT_EQ(watched(3.0).heights().height, waves(kAlongX, 1.0).height);
  double power = 0.0;
  for (const double p : last.spectrum().power) power += p;
  EXPECT_NEAR(power, 0.5, 1e-12) << "of a single cycle: half the square of the amplitude";
}

TEST(PatternWatch, NothingIsFlat) {
  const PatternWatch watch(kPeriod, 0.0, kLimits);
  EXPECT_EQ(watch.whole().pattern, Pattern::flat);
  EXPECT_TRUE(watch.cycles().empty());
  EXPECT_TRUE(watch.heights().height.empty());
}

}  // namespace
}  // namespace carom
