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

#include "solvers/packing.h"

namespace carom::solvers {
namespace {

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
    expect_solved(make_packing(side, false, side));
  }
}

TEST(LinkedPivoting, SolvesRowsThatDependOnEachOther) {
  for (const Index side : {3U, 5U, 8U, 12U}) {
    SCOPED_TRACE(side);
    expect_solved(make_packing(side, true, side));
  }
}

TEST(LinkedPivoting, ThreadsShareLargePartsToTheSameBits) {
  const Packing packing = make_packing(80, false, 3);
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
