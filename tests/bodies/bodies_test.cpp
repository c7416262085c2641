#include "carom/bodies/bodies.h"

#include <cmath>

#include <gtest/gtest.h>

namespace carom {
namespace {

TEST(MaterialTable, ATableEntryComesBeforeTheRule) {
  MaterialTable table;
  const Index steel = table.add({"steel", 0.9, 0.2, 1.0});
  const Index rubber = table.add({"rubber", 0.4, 0.8, 1.0});
  EXPECT_EQ(table.coefficients(steel, rubber).restitution, 0.4);
  table.set_pair(rubber, steel, {0.55, 0.3, 2.0});
  EXPECT_EQ(table.coefficients(steel, rubber).restitution, 0.55);
  EXPECT_EQ(table.coefficients(rubber, steel).stiffness, 2.0);
  EXPECT_EQ(table.coefficients(rubber, rubber).restitution, 0.4);
  table.set_pair(steel, rubber, {0.6, 0.3, 2.0});
  EXPECT_EQ(table.coefficients(rubber, steel).restitution, 0.6) << "the last entry counts";
}

TEST(MaterialTable, EachRuleIsWhatItsNameSays) {
  const auto combined = [](CombineRule rule) {
    MaterialTable table;
    const Index a = table.add({"a", 0.25, 0.25, 0.25});
    const Index b = table.add({"b", 1.0, 1.0, 1.0});
    table.set_rules(rule, rule, rule);
    const PairCoefficients pair = table.coefficients(a, b);
    EXPECT_EQ(pair.restitution, pair.friction);
    EXPECT_EQ(pair.restitution, pair.stiffness);
    EXPECT_EQ(pair.restitution, table.coefficients(b, a).restitution);
    return pair.restitution;
  };
  EXPECT_EQ(combined(CombineRule::minimum), 0.25);
  EXPECT_EQ(combined(CombineRule::maximum), 1.0);
  EXPECT_EQ(combined(CombineRule::mean), 0.625);
  EXPECT_EQ(combined(CombineRule::product), 0.25);
  EXPECT_EQ(combined(CombineRule::geometric_mean), 0.5);
  EXPECT_EQ(combine_rule_names().size(), 5U);
}

TEST(MaterialTable, EqualCoefficientsKeepTheirBits) {
  MaterialTable table;
  const Index a = table.add({"a", 0.7, 0.3, 1.1});
  table.set_rules(CombineRule::geometric_mean, CombineRule::mean, CombineRule::geometric_mean);
  EXPECT_EQ(table.coefficients(a, a).restitution, 0.7);
  EXPECT_EQ(table.coefficients(a, a).friction, 0.3);
  EXPECT_EQ(table.coefficients(a, a).stiffness, 1.1);
}

TEST(Periodicity, TheNearestCopyIsAtMostHalfAPeriodAway) {
  const Periodicity world{{0, 0, 0}, {3, 0, 5}};
  const Vec3 image = nearest_image(world, {2.0, 100.0, -4.0});
  EXPECT_EQ(image, (Vec3{-1.0, 100.0, 1.0}));
  for (int k = -54; k < 54; ++k) {
    const double d = 0.37 * k;
    const Vec3 there = nearest_image(world, {d, 0, 0});
    const Vec3 back = nearest_image(world, {-d, 0, 0});
    EXPECT_LE(std::abs(there.x), 1.5 + 1e-12);
    EXPECT_EQ(there.x, -back.x) << "exchange of the two ends";
  }
}

TEST(Periodicity, WrappedPlacesLieInTheFirstPeriod) {
  const Periodicity world{{-1, 0, 0}, {2, 0, 0}};
  EXPECT_EQ(wrapped(world, {1.5, 7, 0}), (Vec3{-0.5, 7, 0}));
  EXPECT_EQ(wrapped(world, {1.0, 7, 0}), (Vec3{-1.0, 7, 0}));
  const Vec3 edge = wrapped(world, {-1.0 - 1e-17, 0, 0});
  EXPECT_GE(edge.x, -1.0);
  EXPECT_LT(edge.x, 1.0);
  EXPECT_LT(wrapped(world, {std::nextafter(-1.0, -2.0), 0, 0}).x, 1.0);
}

// [Bizon1998]: 1 for the slowest impacts, 1 - B v^(3/4) up to a speed, constant above it.
TEST(Materials, RestitutionFallsWithTheClosingSpeed) {
  Material grain;
  grain.restitution = 0.7;
  grain.restitution_speed = 0.4;
  MaterialTable materials;
  materials.replace(0, grain);
  const PairCoefficients pair = materials.coefficients(0, 0);
  EXPECT_EQ(restitution_at(pair, 0.0), 1.0);
  EXPECT_NEAR(restitution_at(pair, 0.1), 1.0 - 0.3 * std::pow(0.25, 0.75), 1e-15);
  EXPECT_NEAR(restitution_at(pair, 0.4 * (1.0 - 1e-12)), 0.7, 1e-11);
  EXPECT_EQ(restitution_at(pair, 0.4), 0.7);
  EXPECT_EQ(restitution_at(pair, 40.0), 0.7);
  // Beside a material without a law it is the same at all speeds.
  Material steel;
  steel.name = "steel";
  steel.restitution = 0.9;
  const Index other = materials.add(steel);
  EXPECT_EQ(restitution_at(materials.coefficients(0, other), 0.01), 0.7);
}

}  // namespace
}  // namespace carom
