#include "carom/solvers/linked_pivoting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/core/worker_pool.h"
#include "carom/solvers/block_rows.h"
#include "carom/solvers/quadratic_program.h"

namespace carom::solvers {
namespace {

// Discs of a triangular packing, `side` to a row: three contacts for each disc, but only two
// numbers, so that rows depend on each other. Not redundant: without the third direction.
struct Packing {
  BlockRows rows;
  std::vector<Index> all;
  std::vector<double> c;
  LinkedRows<2> links;
};

Packing make(Index side, bool redundant, std::uint64_t seed) {
  Random random(seed);
  Packing packing;
  const double half = std::sqrt(0.5);
  const auto number = [side](Index i, Index j) { return j * side + i; };
  for (Index k = 0; k < side * side; ++k) packing.rows.add_scalar_block(2, 1.0);
  packing.links.weight.assign(std::size_t{side} * side, 1.0);
  const auto join = [&](Index a, Index b, double angle) {
    const std::array<double, 2> at_a{half * std::cos(angle), half * std::sin(angle)};
    const std::array<double, 2> at_b{-at_a[0], -at_a[1]};
    const std::array<RowPart, 2> parts{RowPart{a, at_a}, RowPart{b, at_b}};
    packing.all.push_back(packing.rows.add_row(parts));
    packing.links.rows.push_back({a, b, at_a});
  };
  constexpr double kThird = 1.0471975511965976;
  for (Index j = 0; j < side; ++j) {
    for (Index i = 0; i < side; ++i) {
      const double bend = redundant ? 0.0 : 0.2 * random.uniform(-1.0, 1.0);
      if (i + 1 < side) join(number(i + 1, j), number(i, j), bend);
      if (j + 1 < side) join(number(i, j + 1), number(i, j), kThird + bend);
      if (redundant && j + 1 < side && i > 0) {
        join(number(i - 1, j + 1), number(i, j), 2.0 * kThird);
      }
    }
  }
  packing.rows.finish();
  // Closing speeds of bodies that move: dependent rows have speeds that depend in the same way.
  std::vector<double> v;
  for (Index k = 0; k < packing.rows.dof_count(); ++k) v.push_back(random.uniform(-1.0, 1.0));
  for (const Index row : packing.all) packing.c.push_back(2.0 * packing.rows.dot(row, v));
  return packing;
}

// What an impulse does to the bodies is unique, however redundant the rows are.
std::vector<double> velocity(const Packing& packing, const std::vector<double>& x) {
  std::vector<double> v(packing.rows.dof_count(), 0.0);
  for (std::size_t k = 0; k < x.size(); ++k) packing.rows.apply(packing.all[k], x[k], v);
  return v;
}

void expect_solved(const Packing& packing) {
  std::vector<double> x(packing.c.size());
  LinkedPivoting<2> pivoting;
  ASSERT_TRUE(pivoting.solve(packing.links, packing.c, x));
  EXPECT_LE(kkt_residual({&packing.rows, packing.all, packing.c, {}, {}, {}}, x), 1e-12);
  EXPECT_GE(*std::min_element(x.begin(), x.end()), 0.0);
  const QpResult reference = solve_qp({&packing.rows, packing.all, packing.c, {}, {}, {}});
  ASSERT_EQ(reference.status, QpStatus::solved);
  const std::vector<double> v = velocity(packing, x);
  const std::vector<double> expected = velocity(packing, reference.x);
  double square = 0.0;
  for (std::size_t k = 0; k < v.size(); ++k) {
    ASSERT_NEAR(v[k], expected[k], 1e-9) << k;
    square += v[k] * v[k];
  }
  EXPECT_NEAR(pivoting.square(), square, 1e-12 * square);
}

TEST(LinkedPivoting, SolvesIndependentRowsOfEverySize) {
  for (const Index side : {2U, 3U, 8U, 20U, 60U}) {
    SCOPED_TRACE(side);
    expect_solved(make(side, false, side));
  }
}

TEST(LinkedPivoting, SolvesRowsThatDependOnEachOther) {
  for (const Index side : {3U, 5U, 8U, 12U}) {
    SCOPED_TRACE(side);
    expect_solved(make(side, true, side));
  }
}

TEST(LinkedPivoting, ThreadsShareLargePartsToTheSameBits) {
  const Packing packing = make(80, false, 3);
  ASSERT_GE(packing.c.size(), LinkedPivoting<2>::kThreadedRows);
  std::vector<double> alone(packing.c.size());
  ASSERT_TRUE(LinkedPivoting<2>().solve(packing.links, packing.c, alone));
  for (const unsigned threads : {2U, 3U}) {
    WorkerPool pool(threads);
    std::vector<double> shared(packing.c.size());
    LinkedPivoting<2> pivoting;
    ASSERT_TRUE(pivoting.solve(packing.links, packing.c, shared, &pool));
    EXPECT_EQ(shared, alone) << threads;
    // Its working memory does not remember the threads.
    ASSERT_TRUE(pivoting.solve(packing.links, packing.c, shared));
    EXPECT_EQ(shared, alone);
  }
}

TEST(LinkedPivoting, SolvesWallsAndRowsThatShareBothPoints) {
  // Two points on the x axis, the left one on a wall, joined by two rows at an angle of 0.1 to each
  // other and by a copy of the first. By symmetry both points end at rest in the direction x of
  // the wall; the unknowns are the impulses p of the wall and q in each of the two directions.
  const double side = std::cos(0.05);
  const double up = std::sin(0.05);
  LinkedRows<2> links;
  links.weight = {1.0, 1.0};
  links.rows.push_back({0, kNone, {1.0, 0.0}});
  links.rows.push_back({1, 0, {side, up}});
  links.rows.push_back({1, 0, {side, -up}});
  links.rows.push_back({1, 0, {side, up}});
  // The right point comes with speed 1.
  const std::vector<double> c = {0.0, -side, -side, -side};
  std::vector<double> x(4);
  LinkedPivoting<2> pivoting;
  ASSERT_TRUE(pivoting.solve(links, c, x));
  const double q = 1.0 / (2.0 * side);
  EXPECT_NEAR(x[0], 1.0, 1e-12);
  EXPECT_NEAR(x[1] + x[3], q, 1e-12);
  EXPECT_NEAR(x[2], q, 1e-12);
}

TEST(LinkedPivoting, SolvesInSpace) {
  // A ball that falls straight into the hollow between three others at rest: by symmetry each of
  // the three normals n, at height h over the plane, gets the same impulse; along one of them
  // the closing speed is -h, and A_ii = 2, A_ij = n_i . n_j = (3 h^2 - 1) / 2.
  const double h = 0.8;
  const double flat = 0.6;
  LinkedRows<3> links;
  links.weight.assign(4, 1.0);
  for (Index k = 0; k < 3; ++k) {
    const double angle = 2.0943951023931953 * k;
    links.rows.push_back({3, k, {flat * std::cos(angle), flat * std::sin(angle), h}});
  }
  std::vector<double> x(3);
  LinkedPivoting<3> pivoting;
  ASSERT_TRUE(pivoting.solve(links, std::vector<double>(3, -h), x));
  const double expected = h / (2.0 + (3.0 * h * h - 1.0));
  for (const double impulse : x) EXPECT_NEAR(impulse, expected, 1e-14);
}

TEST(LinkedPivoting, SaysThatItCannot) {
  // Two opposite walls that close on a point: no finite impulse.
  LinkedRows<2> links;
  links.weight = {1.0};
  links.rows.push_back({0, kNone, {1.0, 0.0}});
  links.rows.push_back({0, kNone, {-1.0, 0.0}});
  std::vector<double> x(2);
  LinkedPivoting<2> pivoting;
  EXPECT_FALSE(pivoting.solve(links, std::vector<double>{-1.0, -1.0}, x));
}

}  // namespace
}  // namespace carom::solvers
