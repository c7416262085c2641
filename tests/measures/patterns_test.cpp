#include "carom/measures/patterns.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"

namespace carom {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

// Plane waves of one length in some directions, with noise.
HeightField waves(const std::vector<double>& angles, double wavelength, double noise,
                  std::uint64_t seed) {
  HeightField field{48, 40, 12.0, 10.0, {}};
  Random random(seed);
  for (Index j = 0; j < field.rows; ++j) {
    for (Index i = 0; i < field.columns; ++i) {
      const double x = field.width * (i + 0.5) / field.columns;
      const double y = field.depth * (j + 0.5) / field.rows;
      double height = 3.0 + noise * random.uniform(-1.0, 1.0);
      for (const double angle : angles) {
        height +=
            std::cos(kTurn / wavelength * (x * std::cos(angle) + y * std::sin(angle)) + angle);
      }
      field.height.push_back(height);
    }
  }
  return field;
}

TEST(Patterns, AreNamedByTheirAngles) {
  const double right = 0.5 * std::numbers::pi;
  const double sixth = std::numbers::pi / 3.0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const double turned = 0.15 * static_cast<double>(seed);
    const double noise = 0.05 * static_cast<double>(seed % 8);
    const auto pattern = [&](const std::vector<double>& angles) {
      return classify_pattern(spectrum_of(waves(angles, 2.0, noise, seed)), {0.5, 0.3, 0.5});
    };
    const PatternReport stripes = pattern({turned});
    EXPECT_EQ(to_string(stripes.pattern), "stripes");
    EXPECT_NEAR(stripes.wavelength, 2.0, 0.2);
    const PatternReport squares = pattern({turned, turned + right});
    EXPECT_EQ(to_string(squares.pattern), "squares");
    EXPECT_NEAR(squares.wavelength, 2.0, 0.2);
    const PatternReport hexagons = pattern({turned, turned + sixth, turned + 2.0 * sixth});
    EXPECT_EQ(to_string(hexagons.pattern), "hexagons");
    EXPECT_NEAR(hexagons.wavelength, 2.0, 0.2);
  }
}

// Cells whose rows point elsewhere in each quarter of the plate.
TEST(Patterns, HexagonsOfSeveralDirectionsAreHexagons) {
  const double sixth = std::numbers::pi / 3.0;
  HeightField field{80, 80, 20.0, 20.0, {}};
  for (Index j = 0; j < field.rows; ++j) {
    for (Index i = 0; i < field.columns; ++i) {
      const double x = field.width * (i + 0.5) / field.columns;
      const double y = field.depth * (j + 0.5) / field.rows;
      const int quarter = (2 * i < field.columns ? 0 : 1) + (2 * j < field.rows ? 0 : 2);
      double height = 3.0;
      for (int k = 0; k < 3; ++k) {
        const double angle = 0.25 * sixth * quarter + 2.0 * sixth * k;
        height -= std::cos(kTurn / 2.5 * (x * std::cos(angle) + y * std::sin(angle)));
      }
      field.height.push_back(height);
    }
  }
  const PatternReport report = classify_pattern(spectrum_of(field), {0.5, 0.3, 0.5});
  EXPECT_LT(report.sixfold, 0.3);
  EXPECT_GT(report.triads, 0.6);
  EXPECT_EQ(report.pattern, Pattern::hexagons) << report.triads << " " << report.triads_by_chance;
}

TEST(Patterns, OnlyHexagonsHaveTriads) {
  const double right = 0.5 * std::numbers::pi;
  const double sixth = std::numbers::pi / 3.0;
  const auto triads = [](const std::vector<double>& angles, double wavelength) {
    HeightField field{48, 48, 12.0, 12.0, {}};
    for (Index j = 0; j < field.rows; ++j) {
      for (Index i = 0; i < field.columns; ++i) {
        double height = 0.0;
        for (const double angle : angles) {
          height +=
              std::cos(kTurn / wavelength * 0.25 * (i * std::cos(angle) + j * std::sin(angle)));
        }
        field.height.push_back(height);
      }
    }
    return classify_pattern(spectrum_of(field), {}).triads;
  };
  EXPECT_NEAR(triads({0.0}, 2.0), 0.0, 1e-12);
  EXPECT_NEAR(triads({0.0, right}, 2.0), 0.0, 1e-12);
  EXPECT_NEAR(triads({0.0, right}, 12.0), 0.0, 1e-12);
  EXPECT_NEAR(triads({0.0, sixth, 2.0 * sixth}, 2.0), 1.0, 0.05) << "nearly periodic";
}

// Peaks in squares have waves at 45 degrees that make triads with the two at right angles.
TEST(Patterns, PeaksInSquaresAreSquares) {
  HeightField field{12, 12, 1.0, 1.0, {}};
  for (Index j = 0; j < field.rows; ++j) {
    for (Index i = 0; i < field.columns; ++i) {
      field.height.push_back((1.0 + std::cos(kTurn * i / 12.0)) *
                             (1.0 + std::cos(kTurn * j / 12.0)));
    }
  }
  const PatternReport report = classify_pattern(spectrum_of(field), {});
  EXPECT_EQ(report.pattern, Pattern::squares);
  EXPECT_NEAR(report.triads, 0.0, 1e-12);
}

// Waves of about one length in all directions, whose phases are left to chance.
HeightField ring_of_chance(std::uint64_t seed) {
  Random random(seed);
  HeightField field{32, 32, 1.0, 1.0, std::vector<double>(std::size_t{32} * 32, 0.0)};
  for (int p = -5; p <= 5; ++p) {
    for (int q = 0; q <= 5; ++q) {
      if (std::abs(std::hypot(p, q) - 4.0) > 0.7 || (q == 0 && p < 0)) continue;
      const double phase = random.uniform(0.0, kTurn);
      for (Index j = 0; j < field.rows; ++j) {
        for (Index i = 0; i < field.columns; ++i) {
          field.height[j * field.columns + i] +=
              std::cos(kTurn / 32.0 * (1.0 * p * i + 1.0 * q * j) + phase);
        }
      }
    }
  }
  return field;
}

TEST(Patterns, RingsOfChanceAreDisordered) {
  double square = 0.0;
  double expected = 0.0;
  int hexagons = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const PatternReport report = classify_pattern(spectrum_of(ring_of_chance(seed)), {});
    hexagons += report.pattern == Pattern::hexagons ? 1 : 0;
    square += report.triads * report.triads;
    expected += report.triads_by_chance * report.triads_by_chance;
  }
  EXPECT_NEAR(square / expected, 1.0, 0.4) << "a mean of 100 squares";
  EXPECT_LE(hexagons, 3);
}

TEST(Patterns, NoiseIsNone) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Spectrum spectrum = spectrum_of(waves({}, 2.0, 1.0, seed));
    EXPECT_EQ(classify_pattern(spectrum, {0.1, 0.3, 0.5}).pattern, Pattern::disordered);
    EXPECT_EQ(classify_pattern(spectrum, {1.0, 0.3, 0.5}).pattern, Pattern::flat);
  }
}

// Parseval: the power adds up to the variance.
TEST(Patterns, PowerIsVariance) {
  const HeightField field = waves({0.3, 1.1}, 1.7, 0.2, 3);
  double mean = 0.0;
  for (const double h : field.height) mean += h / static_cast<double>(field.height.size());
  double variance = 0.0;
  for (const double h : field.height) {
    variance += (h - mean) * (h - mean) / static_cast<double>(field.height.size());
  }
  double power = 0.0;
  for (const double p : spectrum_of(field).power) power += p;
  EXPECT_NEAR(power, variance, 1e-12);
}

TEST(Patterns, HeightsAreThoseOfTheHighestGrains) {
  const std::vector<Vec3> place = {{0.5, 0.5, 1.0}, {0.6, 0.4, 2.0}, {2.5, 0.5, 1.0}};
  const std::vector<double> radius = {0.25, 0.25, 0.5};
  const HeightField field = height_field(place, radius, {{0, 0, 0.5}, {3, 1, 0}, 1.0});
  ASSERT_EQ(field.columns, 3U);
  ASSERT_EQ(field.rows, 1U);
  EXPECT_DOUBLE_EQ(field.height[0], 1.75);
  EXPECT_DOUBLE_EQ(field.height[2], 1.0);
  EXPECT_DOUBLE_EQ(field.height[1], 0.5 * (1.75 + 1.0)) << "an empty cell between the two";
}

}  // namespace
}  // namespace carom
