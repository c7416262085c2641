#include "carom/geometry/direction.h"

#include <limits>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/core/types.h"

#include "geometry/random_shapes.h"

namespace carom {
namespace {

using test::random_place;

TEST(Direction, OfPythagoreanVectorsIsExact) {
  const Direction flat = direction_of({3.0, -4.0, 0.0});
  EXPECT_EQ(flat.length, 5.0);
  EXPECT_EQ(flat.unit, (Vec3{0.6, -0.8, 0.0}));
  EXPECT_EQ(direction_of({2.0, 3.0, 6.0}).length, 7.0);
}

TEST(Direction, OfTheZeroVectorAndOfInfinitiesIsZero) {
  EXPECT_EQ(direction_of({}).length, 0.0);
  EXPECT_EQ(direction_of({}).unit, Vec3{});
  EXPECT_EQ(direction_of({kInfinity, 1.0, 0.0}).unit, Vec3{});
  EXPECT_EQ(direction_of({kInfinity, 1.0, 0.0}).length, kInfinity);
}

TEST(Direction, SurvivesVectorsWhoseSquaresOverflowOrVanish) {
  for (const double scale : {0x1.0p-1040, 0x1.0p-600, 0x1.0p+600, 0x1.0p+1020}) {
    const Direction direction = direction_of(scale * Vec3{3.0, -4.0, 0.0});
    EXPECT_EQ(direction.length, 5.0 * scale);
    EXPECT_EQ(direction.unit, (Vec3{0.6, -0.8, 0.0}));
  }
}

TEST(Direction, IsOfUnitLengthToRoundOff) {
  Random random(3);
  for (int trial = 0; trial < 10000; ++trial) {
    const Vec3 vector = random_place(random, 2 + trial % 2, 1.0);
    const Direction direction = direction_of(vector);
    EXPECT_NEAR(norm(direction.unit), 1.0, 2 * kRoundOff);
    EXPECT_LE(norm(direction.length * direction.unit - vector), 4 * kRoundOff * norm(vector));
  }
}

TEST(WhereNearestToOrigin, IsTheFootOfThePerpendicular) {
  EXPECT_EQ(where_nearest_to_origin({-1.0, 2.0, 0.0}, {3.0, 2.0, 0.0}), 0.25);
  EXPECT_EQ(where_nearest_to_origin({1.0, 2.0, 0.0}, {3.0, 2.0, 0.0}), 0.0);
  EXPECT_EQ(where_nearest_to_origin({-3.0, 2.0, 0.0}, {-1.0, 2.0, 0.0}), 1.0);
  EXPECT_EQ(where_nearest_to_origin({0.0, 0.0, -1e200}, {0.0, 0.0, 1e200}), 0.5);
}

TEST(WhereNearestToOrigin, IsTheBeginningOfAWayWithoutLength) {
  EXPECT_EQ(where_nearest_to_origin({1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}), 0.0);
  EXPECT_EQ(where_nearest_to_origin({}, {}), 0.0);
}

TEST(PlaceOnPath, MeetsBothEndsExactly) {
  const Vec3 begin = {0.1, 0.7, -0.3};
  const Vec3 end = {1e6, -0.2, 1e-9};
  EXPECT_EQ(place_on_path(begin, end, 0.0), begin);
  EXPECT_EQ(place_on_path(begin, end, 1.0), end);
}

}  // namespace
}  // namespace carom
