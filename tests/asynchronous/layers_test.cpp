#include "carom/asynchronous/layers.h"

#include <cmath>

#include <gtest/gtest.h>

#include "carom/core/random.h"

namespace carom::asynchronous {
namespace {

double layer_thickness(LayerLaw law, double l) {
  return law == LayerLaw::harmon ? std::pow(l, -0.25) : 1.0 / l;
}

TEST(LayerTable, ForceAndEnergyAreTheSumsOverTheLayers) {
  Random random(3);
  for (const LayerLaw law : {LayerLaw::harmon, LayerLaw::vouga}) {
    const LayerTable& table = LayerTable::of(law);
    for (int k = 0; k < 200; ++k) {
      const double d = law == LayerLaw::harmon ? random.uniform(0.12, 1.2)
                                               : std::exp(random.uniform(std::log(3e-4), 0.1));
      double force = 0.0;
      double energy = 0.0;
      Index n = 0;
      for (Index l = 1; layer_thickness(law, l) > d; ++l) {
        const double depth = layer_thickness(law, l) - d;
        const double r = static_cast<double>(l) * l * l;
        force += r * depth;
        energy += 0.5 * r * depth * depth;
        n = l;
      }
      EXPECT_EQ(table.active_layers(d), n);
      EXPECT_NEAR(table.total_force(d), force, 1e-10 * (1.0 + force));
      EXPECT_NEAR(table.total_energy(d), energy, 1e-9 * (1.0 + energy));
    }
  }
}

TEST(LayerTable, OctavesHaveStepsFromTheCumulativeStiffness) {
  for (const LayerLaw law : {LayerLaw::harmon, LayerLaw::vouga}) {
    const LayerTable& table = LayerTable::of(law);
    EXPECT_EQ(table.last_layer(-1), 0U);
    EXPECT_EQ(table.last_layer(0), 1U);
    double R = 0.0;
    for (Index l = 1; l <= table.last_layer(kOctaves - 1); ++l) {
      R += static_cast<double>(l) * l * l;
      const int octave = table.octave_of(l);
      // h(1) / 2^j <= h(1) / sqrt(R(l) / r_1), and the next slower clock would be too slow.
      EXPECT_GE(std::ldexp(1.0, octave), std::sqrt(R));
      EXPECT_LT(std::ldexp(1.0, octave - 1), std::sqrt(R));
    }
    EXPECT_EQ(table.last_layer(kOctaves - 1), 5792U);
    EXPECT_EQ(table.octave_of(0), -1);
    EXPECT_EQ(table.octave_of(5793), kOctaves);
  }
}

TEST(LayerTable, ReachBehindAnOctaveIsWhereItsLayersEnd) {
  const LayerTable& table = LayerTable::of(LayerLaw::harmon);
  EXPECT_EQ(table.reach_behind(-1), 1.0);
  for (int octave = 0; octave < kOctaves - 1; ++octave) {
    const double d = table.reach_behind(octave);
    EXPECT_EQ(table.active_layers(d), table.last_layer(octave));
    EXPECT_EQ(table.active_layers(std::nextafter(d, 0.0)), table.last_layer(octave) + 1);
  }
}

// Force like n^3.75 / 60 and energy like n^3.5 / 840: sums replaced by integrals.
TEST(LayerTable, DeepInsideForceAndEnergyFollowTheirPowers) {
  const LayerTable& table = LayerTable::of(LayerLaw::harmon);
  for (const double d : {0.3, 0.2, 0.13}) {
    const double n = std::pow(d, -4.0);
    EXPECT_NEAR(table.total_force(d) / (std::pow(n, 3.75) / 60.0), 1.0, 0.06);
    EXPECT_NEAR(table.total_energy(d) / (std::pow(n, 3.5) / 840.0), 1.0, 0.06);
  }
}

}  // namespace
}  // namespace carom::asynchronous
