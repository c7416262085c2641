// The distance from the origin to the convex hull of the rows.

#include "carom/solvers/minimum_norm_point.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/solvers/quadratic_program.h"

#include "solvers/qp_families.h"

namespace carom::solvers {
namespace {

using families::Instance;

struct Points {
  BlockRows rows;
  std::vector<Index> selection;

  explicit Points(const std::vector<std::vector<double>>& points, double inverse_mass = 1.0) {
    rows.add_scalar_block(static_cast<Index>(points[0].size()), inverse_mass);
    for (const std::vector<double>& point : points) {
      const RowPart part{0, point};
      selection.push_back(rows.add_row({&part, 1}));
    }
    rows.finish();
  }
};

double sum_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum;
}

// The weights are weights, the point is theirs, and the bounds enclose the margin.
void expect_consistent(const BlockRows& rows, const std::vector<Index>& selection,
                       const MinimumNormPoint& result) {
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(sum_of(result.lambda), 1.0,
              kRoundOff * (10.0 + static_cast<double>(selection.size())));
  std::vector<double> point(rows.dof_count(), 0.0);
  for (std::size_t i = 0; i < selection.size(); ++i) {
    EXPECT_GE(result.lambda[i], 0.0);
    rows.apply_impulse(selection[i], result.lambda[i], point);
  }
  for (std::size_t k = 0; k < point.size(); ++k) EXPECT_NEAR(point[k], result.point[k], 1e-13);
  EXPECT_LE(result.lower_bound, result.margin);
  EXPECT_GE(result.gap, 0.0);
}

// Unit normals at +-(90 - theta/2) degrees from the opening:   n1  \ theta /  n2
// the hull is the chord between them, at distance sin(theta/2).
TEST(MinimumNormPoint, AWedgeHasTheMarginOfHalfItsAngle) {
  for (const double angle : {3.0, 1.0, 1e-1, 1e-3, 1e-6, 1e-9, 1e-12}) {
    const Instance wedge = families::wedge(angle);
    const MinimumNormPoint result = minimum_norm_point({&wedge.rows, wedge.selection});
    expect_consistent(wedge.rows, wedge.selection, result);
    const double expected = std::sin(0.5 * angle);
    EXPECT_NEAR(result.margin, expected, 4.0 * kRoundOff) << angle;
    EXPECT_GE(result.lower_bound, expected - 20.0 * kRoundOff) << angle;
    EXPECT_NEAR(result.lambda[0], 0.5, 1e-12) << angle;
  }
}

TEST(MinimumNormPoint, OppositeRowsAreLocked) {
  const Points points({{1.0, 0.0}, {-1.0, 0.0}, {0.3, 1.0}});
  const MinimumNormPoint result = minimum_norm_point({&points.rows, points.selection});
  EXPECT_LE(result.margin, 1e-15);
  EXPECT_EQ(result.lower_bound, 0.0);
  EXPECT_NEAR(result.lambda[0], 0.5, 1e-15);
  EXPECT_NEAR(result.lambda[1], 0.5, 1e-15);
  EXPECT_NEAR(result.lambda[2], 0.0, 1e-15);
}

// Three unit vectors at 120 degrees hold the origin at their centre.
TEST(MinimumNormPoint, ATriangleAroundTheOriginIsLocked) {
  const double root = std::sqrt(0.75);
  const Points points({{1.0, 0.0}, {-0.5, root}, {-0.5, -root}});
  const MinimumNormPoint result = minimum_norm_point({&points.rows, points.selection});
  EXPECT_LE(result.margin, 1e-15);
  for (const double weight : result.lambda) EXPECT_NEAR(weight, 1.0 / 3.0, 1e-14);
}

// The unit simplex: margin 1/sqrt(n), equal weights.
TEST(MinimumNormPoint, TheSimplexIsNearestAtItsCentre) {
  for (const std::size_t n : {1U, 2U, 3U, 6U}) {
    std::vector<std::vector<double>> corners(n, std::vector<double>(n, 0.0));
    for (std::size_t k = 0; k < n; ++k) corners[k][k] = 1.0;
    const Points points(corners);
    const MinimumNormPoint result = minimum_norm_point({&points.rows, points.selection});
    expect_consistent(points.rows, points.selection, result);
    EXPECT_NEAR(result.margin, 1.0 / std::sqrt(static_cast<double>(n)), 1e-15);
    for (const double weight : result.lambda) {
      EXPECT_NEAR(weight, 1.0 / static_cast<double>(n), 1e-14);
    }
  }
}

// Points on the line y = 1: the nearest is (0, 1), however many there are and if some come twice.
TEST(MinimumNormPoint, CollinearPointsAreNoTrouble) {
  const Points points({{3.0, 1.0}, {-1.0, 1.0}, {2.0, 1.0}, {-1.0, 1.0}, {-7.0, 1.0}, {3.0, 1.0}});
  const MinimumNormPoint result = minimum_norm_point({&points.rows, points.selection});
  expect_consistent(points.rows, points.selection, result);
  EXPECT_NEAR(result.margin, 1.0, 1e-15);
  EXPECT_NEAR(result.point[0], 0.0, 1e-14);
}

TEST(MinimumNormPoint, UsesTheMetricOfTheMasses) {
  const Points points({{1.0, 0.0}, {0.0, 1.0}}, 4.0);
  const MinimumNormPoint result = minimum_norm_point({&points.rows, points.selection});
  EXPECT_NEAR(result.margin, 2.0 * std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(result.point[0], 0.5, 1e-15);
}

TEST(MinimumNormPoint, AZeroRowLocksByItself) {
  const Points points({{1.0, 0.0}, {0.0, 0.0}});
  const MinimumNormPoint result = minimum_norm_point({&points.rows, points.selection});
  EXPECT_EQ(result.margin, 0.0);
  EXPECT_NEAR(result.lambda[1], 1.0, 1e-15);
}

// Walls on a ball, rows (n, -w), (-n, -w) and the extra (0, 1). Closing with w = 1/2 the three hold
// the origin with equal weights; opening, the nearest point is half-way between the walls, (0,
// 1/2).
TEST(MinimumNormPoint, MovingWallsShowInTheExtraCoordinate) {
  const Points points(std::vector<std::vector<double>>{{1.0}, {-1.0}});
  const std::vector<double> closing{-0.5, -0.5};
  const MinimumNormPoint locked =
      minimum_norm_point({&points.rows, points.selection, closing, true});
  EXPECT_LE(locked.margin, 1e-15);
  ASSERT_EQ(locked.lambda.size(), 3U);
  EXPECT_NEAR(locked.lambda[0], 1.0 / 3.0, 1e-14);
  EXPECT_NEAR(locked.lambda[2], 1.0 / 3.0, 1e-14);

  const std::vector<double> opening{0.5, 0.5};
  const MinimumNormPoint free = minimum_norm_point({&points.rows, points.selection, opening, true});
  EXPECT_NEAR(free.margin, 0.5, 1e-15);
  ASSERT_EQ(free.point.size(), 2U);
  EXPECT_NEAR(free.point[1], 0.5, 1e-15);
  EXPECT_NEAR(free.lambda[2], 0.0, 1e-15);
}

TEST(MinimumNormPoint, NoRowsAreInfinitelyFarFromLocked) {
  const Points points(std::vector<std::vector<double>>{{1.0}});
  EXPECT_EQ(minimum_norm_point({&points.rows, {}}).margin, kInfinity);
}

// The minimum of 1/2 x'Ax - sum x over x >= 0 is x = lambda / rho^2, value -1/(2 rho^2).
TEST(MinimumNormPoint, AgreesWithTheQuadraticProgram) {
  for (const Instance& instance : {families::rack(5), families::square_grid(6, 3),
                                   families::chain(20, 1e3, families::Rows::all, 4),
                                   families::bent_chain(8, 1e-2), families::face_patch(40, 6)}) {
    const MinimumNormPoint result = minimum_norm_point({&instance.rows, instance.selection});
    expect_consistent(instance.rows, instance.selection, result);
    ASSERT_GT(result.margin, 1e-6) << instance.name;
    const std::vector<double> ones(instance.selection.size(), -1.0);
    const QpResult qp = solve_qp({&instance.rows, instance.selection, ones, {}, {}, {}});
    ASSERT_EQ(qp.status, QpStatus::solved) << instance.name;
    const double rho = 1.0 / std::sqrt(sum_of(qp.x));
    EXPECT_NEAR(result.margin, rho, 1e-7 * rho) << instance.name;
  }
}

// Bending a locked chain by d opens it in proportion: the ratio margin / d must stay the same all
// the way down, which it only does if the margin is not drowned in round-off.
TEST(MinimumNormPoint, TheMarginOfABentChainIsProportionalToTheBend) {
  for (const Index balls : {3U, 10U, 30U}) {
    const Instance first = families::bent_chain(balls, 1e-4);
    const double ratio = minimum_norm_point({&first.rows, first.selection}).margin / 1e-4;
    for (const double bend : {1e-6, 1e-8, 1e-10}) {
      const Instance instance = families::bent_chain(balls, bend);
      const MinimumNormPoint result = minimum_norm_point({&instance.rows, instance.selection});
      EXPECT_NEAR(result.margin / bend, ratio, 1e-4 * ratio + 1e-15 / bend) << instance.name;
      EXPECT_LE(result.margin - result.lower_bound, 1e-14) << instance.name;
    }
  }
}

TEST(MinimumNormPoint, RandomHullsAreOptimalByTheirOwnCertificate) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const Index dimension = 1 + random.below(6);
    const Index count = 1 + random.below(30);
    std::vector<std::vector<double>> corners(count, std::vector<double>(dimension));
    const double offset = seed % 2 == 0 ? 2.0 : 0.0;
    for (std::vector<double>& corner : corners) {
      for (double& value : corner) value = random.normal();
      corner[0] += offset;
    }
    const Points points(corners);
    const MinimumNormPoint result = minimum_norm_point({&points.rows, points.selection});
    expect_consistent(points.rows, points.selection, result);
    EXPECT_LE(result.margin - result.lower_bound, 1e-13) << "seed " << seed;
  }
}

TEST(LargeMinimumNormPoint, ThousandsOfRowsAreEnclosedByTheirBounds) {
  const Instance instance = families::square_grid(40, 1);
  ASSERT_GT(instance.size(), 2000U);
  const MinimumNormPoint result = minimum_norm_point({&instance.rows, instance.selection});
  expect_consistent(instance.rows, instance.selection, result);
  EXPECT_LE(result.margin - result.lower_bound, 1e-10 * result.margin);
}

TEST(LargeMinimumNormPoint, FindsTheOneLockedBallAmongThousandsOfRows) {
  Instance instance = families::square_grid(45, 3);
  const std::vector<double> one{0.6, 0.8};
  const std::vector<double> other{-0.6, -0.8};
  for (const std::vector<double>& gradient : {one, other}) {
    const RowPart part{7, gradient};
    instance.selection.push_back(instance.rows.add_row({&part, 1}));
  }
  instance.rows.finish();
  const MinimumNormPoint result = minimum_norm_point({&instance.rows, instance.selection});
  EXPECT_TRUE(result.converged);
  EXPECT_LE(result.margin, 1e-15);
  EXPECT_NEAR(result.lambda[instance.selection.size() - 1], 0.5, 1e-14);
  EXPECT_NEAR(result.lambda[instance.selection.size() - 2], 0.5, 1e-14);
}

TEST(LargeMinimumNormPoint, ALongBentChainIsNearlyLocked) {
  const Instance instance = families::bent_chain(450, 1e-6);
  const MinimumNormPoint result = minimum_norm_point({&instance.rows, instance.selection});
  expect_consistent(instance.rows, instance.selection, result);
  EXPECT_GT(result.margin, 1e-12);
  EXPECT_LE(result.margin - result.lower_bound, 1e-14);
}

TEST(LargeMinimumNormPoint, TheExtraRowAndOffsetsWorkThereToo) {
  Instance instance = families::square_grid(20, 5);
  ASSERT_GT(instance.size(), 400U);
  std::vector<double> offsets(instance.selection.size(), 0.0);
  const std::vector<double> one{1.0, 0.0};
  const std::vector<double> other{-1.0, 0.0};
  for (const std::vector<double>& gradient : {one, other}) {
    const RowPart part{7, gradient};
    instance.selection.push_back(instance.rows.add_row({&part, 1}));
    offsets.push_back(-0.5);  // two walls closing on ball 7
  }
  instance.rows.finish();
  const MinimumNormPoint result =
      minimum_norm_point({&instance.rows, instance.selection, offsets, true});
  EXPECT_LE(result.margin, 1e-15);
  ASSERT_EQ(result.lambda.size(), instance.selection.size() + 1);
  EXPECT_NEAR(result.lambda.back(), 1.0 / 3.0, 1e-13);
  EXPECT_EQ(result.point.size(), instance.rows.dof_count() + std::size_t{1});
}

}  // namespace
}  // namespace carom::solvers
