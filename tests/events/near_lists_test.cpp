#include "carom/events/detail/near_lists.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/events/detail/pair_search.h"
#include "carom/events/touch_time.h"

namespace carom::detail {
namespace {

// Who is near, asked of everybody.
std::vector<Index> near_by_force(const NearLists::World& world, const std::vector<Vec3>& places,
                                 Index ball) {
  std::vector<Index> near;
  for (Index other = 0; other < places.size(); ++other) {
    const Vec3 between = nearest_image(world.periodicity, places[ball] - places[other]);
    const double reach = world.radius[ball] + world.radius[other] + 2.0 * world.skin;
    if (other != ball && norm_squared(between) < reach * reach) near.push_back(other);
  }
  return near;
}

void expect_right(const NearLists& lists, const NearLists::World& world,
                  const std::vector<Vec3>& places) {
  for (Index ball = 0; ball < places.size(); ++ball) {
    std::vector<Index> found(lists.near(ball).begin(), lists.near(ball).end());
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, near_by_force(world, places, ball)) << "ball " << ball;
  }
}

struct Case {
  int dimension;
  double period;
  double largest;  ///< radius; the smallest is 0.1
};

class NearListsOf : public testing::TestWithParam<Case> {};

TEST_P(NearListsOf, RandomBallsAreThoseOfEveryPair) {
  const Case& c = GetParam();
  Random random(8);
  NearLists::World world;
  world.dimension = c.dimension;
  world.skin = 0.15;
  if (c.period > 0.0) {
    world.periodicity.length = {c.period, c.period, c.dimension == 3 ? c.period : 0.0};
  }
  std::vector<Vec3> places;
  const auto place = [&] {
    return Vec3{random.uniform(0.0, 10.0), random.uniform(0.0, 10.0),
                c.dimension == 3 ? random.uniform(0.0, 10.0) : 0.0};
  };
  for (int k = 0; k < 400; ++k) {
    world.radius.push_back(k % 20 == 0 ? c.largest : 0.1);
    places.push_back(place());
  }
  NearLists lists(world);
  lists.build(places);
  expect_right(lists, world, places);
  for (int k = 0; k < 300; ++k) {
    const Index ball = random.below(400);
    places[ball] = place();
    // Where nothing repeats balls may go anywhere.
    if (c.period == 0.0 && k % 10 == 0) places[ball] += Vec3{-1e4, 300.0, 0.0};
    lists.renew(ball, places[ball]);
  }
  expect_right(lists, world, places);
}

INSTANTIATE_TEST_SUITE_P(Worlds, NearListsOf,
                         testing::Values(Case{2, 0.0, 0.1}, Case{2, 10.0, 0.1}, Case{2, 10.0, 1.0},
                                         Case{3, 0.0, 0.1}, Case{3, 10.0, 0.1}, Case{3, 10.0, 1.0},
                                         Case{3, 0.0, 2.0}));

// One pair after the other, with the closed form.
TEST(PairSearch, FindsWhatOneFindsPairByPair) {
  Random random(9);
  std::vector<FlyingBall> balls(40);
  for (int draw = 0; draw < 500; ++draw) {
    const bool general = draw % 2 == 1;
    PairSearch search;
    std::vector<Index> near;
    for (Index k = 0; k < 1 + random.below(20); ++k) near.push_back(random.below(40));
    for (FlyingBall& ball : balls) {
      ball.position = {random.uniform(-4.0, 4.0), random.uniform(-4.0, 4.0),
                       random.uniform(-4.0, 4.0)};
      ball.velocity = {random.normal(), random.normal(), random.normal()};
      ball.clock = random.uniform(-0.2, 0.0);
      ball.radius = random.uniform(0.2, 0.4);
    }
    search.balls = balls.data();
    search.near = near;
    search.velocity = {random.normal(), random.normal(), random.normal()};
    search.radius = 0.1;
    search.touch = 1e-9;
    if (general) {
      search.gravity = {0.0, -10.0, 0.0};
      search.period = {8.0, 0.0, 8.0};
    }
    double expected = kInfinity;
    bool touching = false;
    for (const Index other : near) {
      const FlyingBall& ball = balls[other];
      const double passed = -ball.clock;
      Vec3 away = ball.position + passed * ball.velocity;
      Vec3 speed = ball.velocity - search.velocity;
      if (general) {
        away += (0.5 * passed * passed) * search.gravity;
        speed += passed * search.gravity;
        const Periodicity periodicity{{}, search.period};
        away = nearest_image(periodicity, away);
      }
      const double reach = ball.radius + search.radius;
      expected = std::min(expected, time_to_come_near({away, speed, {}}, reach, kInfinity, 1e-14));
      touching = touching || norm(away) < reach;
    }
    const PairFound found = general ? find_first_pair_general(search) : find_first_pair(search);
    if (expected == kInfinity) {
      EXPECT_EQ(found.time, kInfinity) << "draw " << draw;
    } else {
      EXPECT_NEAR(found.time, expected, 1e-10 * (1.0 + expected)) << "draw " << draw;
    }
    EXPECT_EQ(found.touching, touching) << "draw " << draw;
  }
}

}  // namespace
}  // namespace carom::detail
