#include "carom/contact/detail/spots.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "carom/bodies/bodies.h"
#include "carom/core/random.h"

namespace carom::detail {
namespace {

// Pairs that touch or nearly do, in worlds of all sizes: none may be called apart.

struct TestScene {
  double size = 1.0;    // of the places
  double offset = 0.0;  // of all of them from the origin
  double radius = 1.0;
  double period = 0.0;
};

Periodicity periodicity_of(const TestScene& world) {
  Periodicity periodicity;
  if (world.period > 0.0) {
    periodicity.lower = {world.offset, world.offset, 0.0};
    periodicity.length = {world.period, world.period, 0.0};
  }
  return periodicity;
}

Vec3 random_place(const TestScene& world, Random& random) {
  const auto coordinate = [&] { return world.offset + random.uniform(0.0, world.size); };
  const double x = coordinate();
  const double y = coordinate();
  return {x, y, coordinate()};
}

Vec3 random_direction(Random& random) {
  const double x = random.normal();
  const double y = random.normal();
  const Vec3 v = {x, y, random.normal()};
  return (1.0 / norm(v)) * v;
}

const std::vector<TestScene>& worlds() {
  static const std::vector<TestScene> kWorlds = {
      {1.0, 0.0, 0.01, 0.0},  {1e3, 0.0, 1.0, 0.0},      {1e6, 0.0, 0.5, 0.0},
      {100.0, 1e9, 1.0, 0.0}, {1e-12, 0.0, 1e-14, 0.0},  {1e15, -1e15, 1e12, 0.0},
      {64.0, 3.0, 1.0, 64.0}, {1e-3, -5e-4, 1e-5, 1e-3},
  };
  return kWorlds;
}

TEST(Spots, NeverCallThoseApartThatTouch) {
  Random random(11);
  for (const TestScene& world : worlds()) {
    const Periodicity periodicity = periodicity_of(world);
    const SpotScreen screen(periodicity, random_place(world, random),
                            32.0 * kRoundOff * (std::abs(world.offset) + world.size));
    SpotTable table;
    table.resize(2);
    for (int k = 0; k < 2000; ++k) {
      const Vec3 a = random_place(world, random);
      const Vec3 away = (2.0 * world.radius * random.uniform()) * random_direction(random);
      const Vec3 b = wrapped(periodicity, a + away);
      // As far apart as they are, to the last bit.
      const double reach = 0.5 * norm(nearest_image(periodicity, a - b));
      const Spot spot_a = screen.spot(a, reach);
      const Spot spot_b = screen.spot(b, reach);
      EXPECT_FALSE(screen.apart<true>(spot_a, spot_b)) << world.size << " " << world.offset;
      EXPECT_TRUE(world.period > 0.0 || !screen.apart<false>(spot_a, spot_b)) << world.size;
      table.put(1, spot_b);
      EXPECT_EQ(screen.near<true>(spot_a, table, 1) & 1U, 1U);
    }
  }
}

TEST(Spots, TellMostApart) {
  Random random(12);
  for (const TestScene& world : worlds()) {
    if (world.offset == 1e9) continue;  // where doubles have few digits left, too
    const Periodicity periodicity = periodicity_of(world);
    const SpotScreen screen(periodicity, random_place(world, random), 0.0);
    int called = 0;
    int apart = 0;
    for (int k = 0; k < 2000; ++k) {
      const Vec3 a = random_place(world, random);
      const Vec3 b = random_place(world, random);
      if (norm(nearest_image(periodicity, a - b)) < 4.0 * world.radius) continue;
      ++apart;
      const Spot spot_a = screen.spot(a, world.radius);
      const Spot spot_b = screen.spot(b, world.radius);
      called += screen.apart<true>(spot_a, spot_b) ? 1 : 0;
    }
    EXPECT_EQ(called, apart) << world.size;
  }
}

TEST(Spots, BlocksSayWhatSingleOnesDo) {
  Random random(13);
  const TestScene world = {20.0, -10.0, 1.0, 20.0};
  const SpotScreen screen(periodicity_of(world), {}, 0.0);
  SpotTable table;
  constexpr Index kCount = 103;
  table.resize(kCount);
  for (Index k = 0; k < kCount; ++k) {
    table.put(k, screen.spot(random_place(world, random), random.uniform(0.0, 6.0)));
  }
  const Spot own = screen.spot(random_place(world, random), 3.0);
  for (const SpotRange range : {SpotRange{0, kCount}, SpotRange{5, 6}, SpotRange{7, 7},
                                SpotRange{90, kCount}, SpotRange{3, 10}}) {
    std::vector<Index> expected;
    std::vector<Index> flat;
    for (Index k = range.first; k < range.last; ++k) {
      if (!screen.apart<true>(own, table.at(k))) expected.push_back(k);
      if (!screen.apart<false>(own, table.at(k))) flat.push_back(k);
    }
    std::vector<Index> found;
    screen.visit_near<true>(own, table, range, [&](Index k) { found.push_back(k); });
    EXPECT_EQ(found, expected);
    found.clear();
    screen.visit_near<false>(own, table, range, [&](Index k) { found.push_back(k); });
    EXPECT_EQ(found, flat);
  }
}

TEST(Spots, WhatIsNotANumberIsNeverApart) {
  const SpotScreen screen;
  const Spot usual = screen.spot({1.0, 2.0, 3.0}, 1.0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Vec3 place : {Vec3{nan, 0.0, 0.0}, Vec3{0.0, 0.0, nan}, Vec3{kInfinity, 0.0, 0.0},
                           Vec3{0.0, -1e300, 0.0}}) {
    EXPECT_FALSE(screen.apart<false>(usual, screen.spot(place, 1.0)));
    EXPECT_FALSE(screen.apart<true>(usual, screen.spot(place, 1.0)));
    SpotTable table;
    table.resize(1);
    table.put(0, screen.spot(place, 1.0));
    EXPECT_EQ(screen.near<true>(usual, table, 0) & 1U, 1U);
    EXPECT_EQ(screen.near<false>(usual, table, 0) & 1U, 1U);
  }
}

}  // namespace
}  // namespace carom::detail
