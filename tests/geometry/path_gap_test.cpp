#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/geometry/direction.h"
#include "carom/geometry/shape.h"

#include "geometry/random_shapes.h"

namespace carom {
namespace {

using test::random_place;
using test::random_shapes;

void expect_path(const PathGap& path, double gap, double where) {
  EXPECT_EQ(path.gap, gap);
  EXPECT_EQ(path.where, where);
}

TEST(PathGap, OfConvexContainersIsAtAnEnd) {
  const HalfPlane floor = {{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
  expect_path(smallest_gap_on_path(floor, 0, {0.0, 3.0, 0.0}, {5.0, 1.0, 0.0}, 0.5), 0.5, 1.0);
  expect_path(smallest_gap_on_path(floor, 0, {0.0, 3.0, 0.0}, {5.0, 3.0, 0.0}, 0.5), 2.5, 0.0);
  const SphereInside drum = {{0.0, 0.0, 0.0}, 10.0};
  expect_path(smallest_gap_on_path(drum, 0, {-3.0, 4.0, 0.0}, {3.0, 4.0, 0.0}, 1.0), 4.0, 0.0);
  expect_path(smallest_gap_on_path(drum, 0, {-3.0, 4.0, 0.0}, {6.0, 8.0, 0.0}, 1.0), -1.0, 1.0);
  const BoxInside box = {{0.0, 0.0, 0.0}, {10.0, 10.0, 10.0}};
  expect_path(smallest_gap_on_path(box, 1, {2.0, 2.0, 2.0}, {9.5, 2.0, 2.0}, 1.0), -0.5, 1.0);
}

TEST(PathGap, PassesARoundObstacleAtItsSide) {
  const SphereOutside obstacle = {{0.0, 0.0, 0.0}, 1.0};
  expect_path(smallest_gap_on_path(obstacle, 0, {-4.0, 2.0, 0.0}, {4.0, 2.0, 0.0}, 0.5), 0.5, 0.5);
  expect_path(smallest_gap_on_path(obstacle, 0, {-4.0, 0.0, 0.0}, {4.0, 0.0, 0.0}, 0.5), -1.5, 0.5);
  expect_path(smallest_gap_on_path(obstacle, 0, {3.0, 4.0, 0.0}, {6.0, 8.0, 0.0}, 0.5), 3.5, 0.0);
  expect_path(smallest_gap_on_path(obstacle, 0, {3.0, 4.0, 0.0}, {3.0, 4.0, 0.0}, 0.5), 3.5, 0.0);
}

TEST(PathGap, MeetsASegmentWhereTheyCross) {
  const Segment wall = {{0.0, -1.0, 0.0}, {0.0, 3.0, 0.0}};
  expect_path(smallest_gap_on_path(wall, 0, {-1.0, 0.5, 0.0}, {3.0, 0.5, 0.0}, 0.125), -0.125,
              0.25);
  // Beside its end: the ball passes (0, 3) at distance 2.
  expect_path(smallest_gap_on_path(wall, 0, {-1.0, 5.0, 0.0}, {3.0, 5.0, 0.0}, 0.125), 1.875, 0.25);
  // In 3D, above it at distance 2.
  expect_path(smallest_gap_on_path(wall, 0, {-1.0, 0.5, 2.0}, {3.0, 0.5, 2.0}, 0.125), 1.875, 0.25);
}

TEST(PathGap, OfParallelWaysIsWhereTheSegmentBegins) {
  const Segment wall = {{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}};
  expect_path(smallest_gap_on_path(wall, 0, {-1.0, 1.0, 0.0}, {3.0, 1.0, 0.0}, 0.5), 0.5, 0.25);
  expect_path(smallest_gap_on_path(wall, 0, {3.0, 1.0, 0.0}, {-1.0, 1.0, 0.0}, 0.5), 0.5, 0.25);
  expect_path(smallest_gap_on_path(wall, 0, {1.0, 1.0, 0.0}, {3.0, 1.0, 0.0}, 0.5), 0.5, 0.0);
  expect_path(smallest_gap_on_path(wall, 0, {-3.0, 0.0, 0.0}, {3.0, 0.0, 0.0}, 0.5), -0.5, 0.5);
}

TEST(PathGap, OfObliqueParallelWaysIsTheFirstPlaceToRoundOff) {
  Random random(5);
  for (int trial = 0; trial < 1000; ++trial) {
    const int dimension = 2 + trial % 2;
    const Vec3 a = random_place(random, dimension, 1.0);
    const Direction along = direction_of(random_place(random, dimension, 1.0));
    const Segment wall = {a, a + 2.0 * along.unit};
    const Vec3 aside = {-along.unit.y, along.unit.x, 0.0};
    const Vec3 begin = a + 0.5 * aside - along.unit;
    const PathGap path = smallest_gap_on_path(wall, 0, begin, begin + 4.0 * along.unit, 0.125);
    EXPECT_NEAR(path.gap, 0.5 * norm(aside) - 0.125, 8 * kRoundOff);
    EXPECT_NEAR(path.where, 0.25, 1e-7);  // the distance to the end grows with the square
  }
}

TEST(PathGap, OfDegenerateSegmentsAndWaysIsTheDistanceOfPoints) {
  const Segment point = {{1.0, 1.0, 0.0}, {1.0, 1.0, 0.0}};
  expect_path(smallest_gap_on_path(point, 0, {4.0, 5.0, 0.0}, {4.0, 5.0, 0.0}, 0.5), 4.5, 0.0);
  expect_path(smallest_gap_on_path(point, 0, {-1.0, 3.0, 0.0}, {3.0, 3.0, 0.0}, 0.5), 1.5, 0.5);
  const Segment wall = {{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}};
  expect_path(smallest_gap_on_path(wall, 0, {1.0, 3.0, 0.0}, {1.0, 3.0, 0.0}, 0.5), 2.5, 0.0);
}

// The smallest value of samples, refined by golden section around the smallest of them.
template <typename Function>
double sampled_minimum(const Function& function) {
  constexpr int kSamples = 400;
  int best = 0;
  for (int k = 1; k <= kSamples; ++k) {
    if (function(k / double{kSamples}) < function(best / double{kSamples})) best = k;
  }
  double low = std::max(best - 1, 0) / double{kSamples};
  double high = std::min(best + 1, kSamples) / double{kSamples};
  double smallest = std::min({function(low), function(high), function(best / double{kSamples})});
  const double ratio = (std::sqrt(5.0) - 1.0) / 2.0;
  for (int step = 0; step < 80; ++step) {
    const double left = high - ratio * (high - low);
    const double right = low + ratio * (high - low);
    smallest = std::min({smallest, function(left), function(right)});
    (function(left) <= function(right) ? high : low) =
        function(left) <= function(right) ? right : left;
  }
  return smallest;
}

void expect_sampled_minimum(const Shape& shape, Index feature, const Vec3& begin, const Vec3& end) {
  const PathGap path = smallest_gap_on_path(shape, feature, begin, end, 0.1);
  const auto gap_at = [&](double where) {
    return ball_contact(shape, feature, place_on_path(begin, end, where), 0.1).gap;
  };
  EXPECT_NEAR(path.gap, sampled_minimum(gap_at), 1e-13);
  EXPECT_NEAR(path.gap, gap_at(path.where), 16 * kRoundOff);
  EXPECT_LE(path.gap, gap_at(0.0));
  EXPECT_LE(path.gap, gap_at(1.0));
  EXPECT_GE(path.where, 0.0);
  EXPECT_LE(path.where, 1.0);
}

TEST(PathGap, AgreesWithSamplesOfRandomWays) {
  Random random(41);
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(trial);
    const int dimension = 2 + trial % 2;
    for (const Shape& shape : random_shapes(random, dimension)) {
      SCOPED_TRACE(shape_type_name(shape));
      const Vec3 begin = random_place(random, dimension, 2.0);
      const Vec3 end = random_place(random, dimension, 2.0);
      for (Index feature = 0; feature < feature_count(shape, dimension); ++feature) {
        expect_sampled_minimum(shape, feature, begin, end);
      }
    }
  }
}

TEST(PathGap, AgreesWithSamplesOfNearlyParallelAndNearlyDegenerateWays) {
  Random random(43);
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    const int dimension = 2 + trial % 2;
    const Vec3 a = random_place(random, dimension, 1.0);
    const Vec3 along = random_place(random, dimension, 1.0);
    const double tilt = std::pow(10.0, random.uniform(-17.0, -1.0));
    const double offset = std::pow(10.0, random.uniform(-17.0, 0.0));
    const double length = std::pow(10.0, random.uniform(-12.0, 0.0));
    const Vec3 begin =
        a + random.uniform(-1.0, 1.0) * along + random_place(random, dimension, offset);
    const Vec3 end = begin + length * along + random_place(random, dimension, tilt * length);
    expect_sampled_minimum(Segment{a, a + along}, 0, begin, end);
    expect_sampled_minimum(Segment{a, a + length * along}, 0, begin, begin + along);
    expect_sampled_minimum(SphereOutside{a, 0.5}, 0, begin, end);
  }
}

}  // namespace
}  // namespace carom
