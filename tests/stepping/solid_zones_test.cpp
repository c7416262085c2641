// Who is near whom among bodies of any sizes: the hash finds what looking at every pair finds, and
// runs have the same bits with both.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/stepping/detail/body_zones.h"
#include "carom/stepping/detail/pair_events.h"
#include "carom/stepping/solid_events.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::World;

Vec3 random_place(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

TEST(BodyZones, TheHashFindsWhoIsNearAsEveryPairDoes) {
  constexpr Index kBodies = 300;
  Random random(11);
  std::vector<double> reach;
  for (Index i = 0; i < kBodies; ++i) reach.push_back(std::exp2(random.uniform(-9.0, 1.0)));
  detail::BodyZones hashed(reach, true);
  detail::BodyZones plain(reach, false);
  const auto move = [&](Index body, const Vec3& place) {
    hashed.move(body, place);
    plain.move(body, place);
  };
  for (Index i = 0; i < kBodies; ++i) move(i, random_place(random, 3.0));
  std::vector<Index> found;
  std::vector<Index> expected;
  std::size_t sum = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto body = static_cast<Index>(random.uniform(0.0, kBodies));
    // Steps of all lengths, and some to where others are.
    Vec3 place = hashed.center(body) + reach[body] * random_place(random, 2.0);
    if (round % 7 == 0) place = random_place(random, 3.0);
    move(body, place);
    hashed.find_near(body, found);
    plain.find_near(body, expected);
    ASSERT_EQ(found, expected) << "round " << round;
    sum += found.size();
  }
  EXPECT_GT(sum, 5000U) << "there must be something to find";
}

TEST(PairEvents, ComeInTheOrderOfTheirTimesWhateverTheirNumbers) {
  detail::PairEvents events(5, 2);
  const Index parted = events.join(0, 3);
  const Index first = events.join(4, 1);
  const Index second = events.join(2, 1);
  events.set(parted, 0.1);
  events.part(3, 0);
  const Index third = events.join(3, 2);
  EXPECT_EQ(third, parted) << "numbers are given again";
  EXPECT_EQ(events.bodies_of(first), std::make_pair(Index{1}, Index{4}));
  EXPECT_EQ(events.bodies_of(third), std::make_pair(Index{2}, Index{3}));
  EXPECT_EQ(events.bodies_of(events.pair_with_shape(3, 1)).first, 3U);
  EXPECT_EQ(events.shape_of(events.pair_with_shape(3, 1)), 1U);
  ASSERT_EQ(events.near(1).size(), 2U);
  EXPECT_EQ(events.near(1)[0].body, 2U);
  EXPECT_EQ(events.near(1)[1].body, 4U);
  EXPECT_EQ(events.next_time(), kInfinity) << "the pair has parted";
  events.set(second, 2.0);
  events.set(second, 0.5);
  events.set(events.pair_with_shape(0, 0), 0.5);
  events.set(first, 0.5);
  events.set(third, 0.5);
  events.set(detail::PairEvents::zone_of(4), 0.5);
  std::string bytes;
  events.save(bytes);
  detail::PairEvents loaded(5, 2);
  std::string_view rest = bytes;
  ASSERT_TRUE(loaded.load(rest));
  EXPECT_TRUE(rest.empty());
  for (detail::PairEvents* queue : {&events, &loaded}) {
    EXPECT_EQ(queue->pop(), 4U);
    EXPECT_EQ(queue->bodies_of(queue->pop()), std::make_pair(Index{1}, Index{2}));
    EXPECT_EQ(queue->bodies_of(queue->pop()), std::make_pair(Index{2}, Index{3}));
    EXPECT_EQ(queue->bodies_of(queue->pop()), std::make_pair(Index{1}, Index{4}));
    EXPECT_EQ(queue->pop(), queue->pair_with_shape(0, 0));
    EXPECT_EQ(queue->next_time(), kInfinity);
  }
  std::string_view half = std::string_view(bytes).substr(0, bytes.size() - 8);
  EXPECT_FALSE(loaded.load(half));
}

// Sofas, and ice cubes of a twentieth of their size, in a room without gravity.
World sofas_and_ice_cubes() {
  World world(3);
  world.simulation.time.scheme = "events";
  world.restitution(0.8, 0.2);
  world.simulation.impact.friction_model = "collision";
  world.wall(BoxInside{{-2, -2, -2}, {2, 2, 2}});
  const SolidDefinition sofa = BoxSolid{{0.5, 0.25, 0.2}};
  const SolidDefinition cube = BoxSolid{{0.025, 0.025, 0.025}};
  Random random(3);
  world.solid(sofa, {{-1, 0, 0}, {1, 0.3, 0}, {}, {0.5, 1, 0}});
  world.solid(sofa, {{1, 0.2, 0.3}, {-1, 0, 0.2}, {}, {0, -1, 0.4}});
  for (int k = 0; k < 40; ++k) {
    const int row = k / 10;
    const Vec3 place = {-1.8 + 0.4 * (k % 10), -1.5 + 0.7 * row, 1.2};
    world.solid(cube, {place, random_place(random, 3.0), {}, random_place(random, 9.0)});
  }
  world.step(0.05);
  return world;
}

TEST(SolidEvents, TheHashAndEveryPairGiveTheSameBits) {
  World world = sofas_and_ice_cubes();
  SolidEventStepper hashed(world.simulation);
  World reference = world;
  reference.simulation.detection.broad_phase = "brute_force";
  SolidEventStepper plain(reference.simulation);
  for (int k = 0; k < 20; ++k) {
    const StepReport report = hashed.step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    ASSERT_TRUE(plain.step().can_go_on());
    ASSERT_EQ(state_hash(hashed.state()), state_hash(plain.state())) << "step " << k;
    EXPECT_EQ(report.penetration.depth, 0.0);
  }
  EXPECT_EQ(hashed.counts().looks, plain.counts().looks);
  EXPECT_GT(hashed.counts().impacts, 50U);
  EXPECT_GT(hashed.counts().renewals, 500U);
}

TEST(SolidEvents, ZonesGoOnFromACheckpoint) {
  World world = sofas_and_ice_cubes();
  SolidEventStepper whole(world.simulation);
  std::string saved;
  for (int k = 0; k < 16; ++k) {
    if (k == 7) saved = whole.save();
    ASSERT_TRUE(whole.step().can_go_on());
  }
  SolidEventStepper rest(world.simulation);
  rest.load(saved);
  for (int k = 7; k < 16; ++k) ASSERT_TRUE(rest.step().can_go_on());
  EXPECT_EQ(state_hash(rest.state()), state_hash(whole.state()));
}

}  // namespace
}  // namespace carom
