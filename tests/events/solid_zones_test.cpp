// Who is near whom among bodies of any sizes: the hash finds what looking at every pair finds, and
// runs have the same bits with both.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/events/detail/body_zones.h"
#include "carom/events/detail/pair_events.h"
#include "carom/events/settings.h"
#include "carom/events/solid_events.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::TestScene;

Vec3 random_place(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

class BodyZones : public testing::TestWithParam<Periodicity> {};

TEST_P(BodyZones, TheHashFindsWhoIsNearAsEveryPairDoes) {
  constexpr Index kBodies = 300;
  Random random(11);
  const Periodicity periodicity = GetParam();
  std::vector<double> reach;
  for (Index i = 0; i < kBodies; ++i) {
    // Twice two reaches fit into a period.
    reach.push_back(
        std::exp2(periodicity.any() ? random.uniform(-4.0, 0.5) : random.uniform(-9.0, 1.0)));
  }
  detail::BodyZones hashed(reach, periodicity, true);
  detail::BodyZones plain(reach, periodicity, false);
  const auto move = [&](Index body, const Vec3& place) {
    const Vec3 inside = periodicity.any() ? wrapped(periodicity, place) : place;
    hashed.move(body, inside);
    plain.move(body, inside);
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

INSTANTIATE_TEST_SUITE_P(All, BodyZones,
                         testing::Values(Periodicity{}, Periodicity{{-3, -3, 0}, {6.1, 5.7, 0}},
                                         Periodicity{{0.3, -1, 2}, {6, 5.9, 6.3}}));

class PairEventsOrder : public testing::TestWithParam<std::string> {};

TEST_P(PairEventsOrder, IsThatOfTimesAndThenOfKindsAndBodiesWhateverTheirNumbers) {
  EventScheduler scheduler(GetParam());
  detail::PairEvents events(5, 2, scheduler);
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
  EXPECT_EQ(events.shape_of(events.motion_of(1)), 1U);
  ASSERT_EQ(events.near(1).size(), 2U);
  EXPECT_EQ(events.near(1)[0].body, 2U);
  EXPECT_EQ(events.near(1)[1].body, 4U);
  EXPECT_EQ(scheduler.queue().top().time, kInfinity) << "the pair has parted";
  events.set(second, 2.0);
  events.set(second, 0.5);
  events.set(events.motion_of(0), 0.5);
  events.set(events.pair_with_shape(0, 0), 0.5);
  events.set(first, 0.5);
  events.set(third, 0.5);
  events.set(detail::PairEvents::zone_of(4), 0.5);
  std::string bytes;
  events.save(bytes);
  EventScheduler other(GetParam());
  detail::PairEvents loaded(5, 2, other);
  std::string_view rest = bytes;
  ASSERT_TRUE(loaded.load(rest));
  EXPECT_TRUE(rest.empty());
  const auto check = [](EventScheduler& queue, const detail::PairEvents& pairs) {
    const auto next = [&] {
      const DueEvent due = queue.queue().top();
      queue.queue().set(due.owner, kInfinity);
      return due.owner;
    };
    EXPECT_EQ(next(), 4U);
    EXPECT_EQ(pairs.bodies_of(next()), std::make_pair(Index{1}, Index{2}));
    EXPECT_EQ(pairs.bodies_of(next()), std::make_pair(Index{2}, Index{3}));
    EXPECT_EQ(pairs.bodies_of(next()), std::make_pair(Index{1}, Index{4}));
    EXPECT_EQ(next(), pairs.pair_with_shape(0, 0));
    EXPECT_EQ(next(), pairs.motion_of(0));
    EXPECT_EQ(queue.queue().top().time, kInfinity);
  };
  check(scheduler, events);
  check(other, loaded);
  std::string_view half = std::string_view(bytes).substr(0, bytes.size() - 8);
  EXPECT_FALSE(loaded.load(half));
}

INSTANTIATE_TEST_SUITE_P(All, PairEventsOrder, testing::ValuesIn(event_queue_names()));

// Sofas, and ice cubes of a twentieth of their size, in a room without gravity.
TestScene sofas_and_ice_cubes() {
  TestScene world(3);
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
  TestScene world = sofas_and_ice_cubes();
  SolidEventStepper hashed(world.simulation);
  TestScene reference = world;
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

TEST(SolidEvents, TheCalendarAndTheHeapGiveTheSameBits) {
  const TestScene world = sofas_and_ice_cubes();
  ASSERT_EQ(world.simulation.settings.of<EventSettings>().queue, "calendar");
  TestScene reference = world;
  reference.simulation.settings.of<EventSettings>().queue = "heap";
  const auto calendar = make_event_stepper(world.simulation);
  const auto heap = make_event_stepper(reference.simulation);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(calendar->step().can_go_on());
    ASSERT_TRUE(heap->step().can_go_on());
    ASSERT_EQ(calendar->save(), heap->save()) << "step " << k;
  }
}

// A wall that stands, comes, stands again and goes back: it hits a box once, with the speed that it
// has just then, and one that it does not reach never.
TEST(SolidEvents, CornersOfAMotionAlongATableAreEvents) {
  TestScene world(3);
  world.simulation.time.scheme = "events";
  TableMotion motion;
  motion.times = {0.5, 1.0, 1.5, 2.0};
  motion.offsets = {{0, 0, 0}, {0.5, 0, 0}, {0.5, 0, 0}, {0, 0, 0}};
  world.wall(HalfPlane{{0, 0, 0}, {1, 0, 0}}, motion);
  world.solid(BoxSolid{{0.1, 0.1, 0.1}}, {{0.35, 0, 0}, {}, {}, {}});
  world.solid(BoxSolid{{0.1, 0.1, 0.1}}, {{0.65, 3, 0}, {}, {}, {}});
  world.step(0.25);
  SolidEventStepper stepper(world.simulation);
  stepper.note_impulses(true);
  std::vector<double> times;
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(stepper.step().can_go_on());
    for (const ContactImpulse& contact : stepper.impulses()) times.push_back(contact.time);
  }
  ASSERT_FALSE(times.empty());
  for (const double time : times) EXPECT_NEAR(time, 0.75, 2e-4) << "the envelope is early";
  EXPECT_NEAR(stepper.state().velocity[0].x, 2.0, 1e-9);
  EXPECT_EQ(stepper.state().velocity[1], Vec3{});
  EXPECT_LT(stepper.counts().looks, 40U);
}

TEST(SolidEvents, ZonesGoOnFromACheckpoint) {
  TestScene world = sofas_and_ice_cubes();
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
