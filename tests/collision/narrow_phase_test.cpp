#include "carom/collision/narrow_phase.h"

#include <cmath>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/geometry/direction.h"

namespace carom {
namespace {

Vec3 random_vector(Random& random, int dimension) {
  const double x = random.normal();
  const double y = random.normal();
  return {x, y, dimension == 3 ? random.normal() : 0.0};
}

TEST(BallPairContact, GapIsTheDistanceLessTheRadii) {
  const BallPairGap contact = ball_pair_contact({3.0, -4.0, 0.0}, 1.0, 0.5);
  EXPECT_EQ(contact.gap, 3.5);
  EXPECT_EQ(contact.normal, (Vec3{0.6, -0.8, 0.0}));
}

TEST(BallPairContact, HasNoNormalWhereCentresCoincide) {
  const BallPairGap contact = ball_pair_contact({}, 1.0, 0.5);
  EXPECT_EQ(contact.gap, -1.5);
  EXPECT_EQ(contact.normal, Vec3{});
}

TEST(BallPairContact, ExchangingTheBallsNegatesTheNormalToTheBit) {
  Random random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 difference = random_vector(random, 2 + trial % 2);
    const double radius_a = random.uniform();
    const double radius_b = random.uniform();
    const BallPairGap contact = ball_pair_contact(difference, radius_a, radius_b);
    const BallPairGap exchanged = ball_pair_contact(-difference, radius_b, radius_a);
    EXPECT_EQ(exchanged.gap, contact.gap);
    EXPECT_EQ(exchanged.normal, -contact.normal);
  }
}

TEST(SmallestPairGap, IsWhereTheBallsPassEachOther) {
  const PathGap passing = smallest_pair_gap({-4.0, 3.0, 0.0}, {4.0, 3.0, 0.0}, 2.0);
  EXPECT_EQ(passing.gap, 1.0);
  EXPECT_EQ(passing.where, 0.5);
  const PathGap through = smallest_pair_gap({-1.0, 0.0, 0.0}, {3.0, 0.0, 0.0}, 2.0);
  EXPECT_EQ(through.gap, -2.0);
  EXPECT_EQ(through.where, 0.25);
  const PathGap parting = smallest_pair_gap({3.0, 4.0, 0.0}, {6.0, 8.0, 0.0}, 2.0);
  EXPECT_EQ(parting.gap, 3.0);
  EXPECT_EQ(parting.where, 0.0);
  const PathGap closing = smallest_pair_gap({6.0, 8.0, 0.0}, {3.0, 4.0, 0.0}, 2.0);
  EXPECT_EQ(closing.gap, 3.0);
  EXPECT_EQ(closing.where, 1.0);
}

TEST(SmallestPairGap, OfBallsThatKeepTheirDistanceIsAtTheBeginning) {
  const PathGap path = smallest_pair_gap({3.0, 4.0, 0.0}, {3.0, 4.0, 0.0}, 2.0);
  EXPECT_EQ(path.gap, 3.0);
  EXPECT_EQ(path.where, 0.0);
}

TEST(SmallestPairGap, NoSampleOfTheWayIsNearer) {
  Random random(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 begin = random_vector(random, 2 + trial % 2);
    const Vec3 end = random_vector(random, 2 + trial % 2);
    const PathGap path = smallest_pair_gap(begin, end, 0.5);
    EXPECT_NEAR(ball_pair_contact(place_on_path(begin, end, path.where), 0.25, 0.25).gap, path.gap,
                4 * kRoundOff);
    for (int k = 0; k <= 100; ++k) {
      const Vec3 place = place_on_path(begin, end, k / 100.0);
      EXPECT_GE(ball_pair_contact(place, 0.25, 0.25).gap, path.gap - 4 * kRoundOff);
    }
  }
}

TEST(SmallestPairGap, ExchangingTheBallsChangesNoBit) {
  Random random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 begin = random_vector(random, 2 + trial % 2);
    const Vec3 end = random_vector(random, 2 + trial % 2);
    const PathGap path = smallest_pair_gap(begin, end, 0.5);
    const PathGap exchanged = smallest_pair_gap(-begin, -end, 0.5);
    EXPECT_EQ(exchanged.gap, path.gap);
    EXPECT_EQ(exchanged.where, path.where);
  }
}

}  // namespace
}  // namespace carom
