#include "carom/solvers/sparse_pivoting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/solvers/block_rows.h"
#include "carom/solvers/quadratic_program.h"

namespace carom::solvers {
namespace {

// Discs of a triangular packing, `side` to a row: three contacts for each disc, but only two
// numbers, so that rows depend on each other. Sparse: without the third direction.
struct Packing {
  BlockRows rows;
  std::vector<Index> all;
  std::vector<double> c;
  SparseSymmetric matrix;
};

Packing make(Index side, bool redundant, std::uint64_t seed) {
  Random random(seed);
  Packing packing;
  const double half = std::sqrt(0.5);
  const auto number = [side](Index i, Index j) { return j * side + i; };
  for (Index k = 0; k < side * side; ++k) packing.rows.add_scalar_block(2, 1.0);
  const auto join = [&](Index a, Index b, double angle) {
    const std::array<double, 2> at_a{half * std::cos(angle), half * std::sin(angle)};
    const std::array<double, 2> at_b{-at_a[0], -at_a[1]};
    const std::array<RowPart, 2> parts{RowPart{a, at_a}, RowPart{b, at_b}};
    packing.all.push_back(packing.rows.add_row(parts));
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
  for (const Index i : packing.all) {
    packing.matrix.diagonal.push_back(packing.rows.diagonal(i));
    for (const BlockRows::Entry& entry : packing.rows.entries(i)) {
      for (const Index j : packing.rows.rows_of(entry.block)) {
        if (j == i) continue;
        packing.matrix.column.push_back(j);
        packing.matrix.value.push_back(packing.rows.product(i, j));
      }
    }
    packing.matrix.start.push_back(static_cast<Index>(packing.matrix.column.size()));
  }
  return packing;
}

// What an impulse does to the bodies is unique, however redundant the rows are.
std::vector<double> velocity(const Packing& packing, const std::vector<double>& x) {
  std::vector<double> v(packing.rows.dof_count(), 0.0);
  for (std::size_t k = 0; k < x.size(); ++k) packing.rows.apply(packing.all[k], x[k], v);
  return v;
}

void expect_solved(const Packing& packing, std::span<const double> guess) {
  std::vector<double> x(packing.c.size());
  SparsePivoting pivoting;
  ASSERT_TRUE(pivoting.solve(packing.matrix, packing.c, guess, x));
  EXPECT_LE(kkt_residual({&packing.rows, packing.all, packing.c, {}, {}, {}}, x), 1e-12);
  EXPECT_GE(*std::min_element(x.begin(), x.end()), 0.0);
  const QpResult reference = solve_qp({&packing.rows, packing.all, packing.c, {}, {}, {}});
  ASSERT_EQ(reference.status, QpStatus::solved);
  const std::vector<double> v = velocity(packing, x);
  const std::vector<double> expected = velocity(packing, reference.x);
  for (std::size_t k = 0; k < v.size(); ++k) ASSERT_NEAR(v[k], expected[k], 1e-9) << k;
}

TEST(SparsePivoting, SolvesIndependentRowsOfEverySize) {
  for (const Index side : {2U, 3U, 8U, 20U, 60U}) {
    SCOPED_TRACE(side);
    expect_solved(make(side, false, side), {});
  }
}

TEST(SparsePivoting, SolvesRowsThatDependOnEachOther) {
  for (const Index side : {3U, 5U, 8U}) {
    SCOPED_TRACE(side);
    expect_solved(make(side, true, side), {});
  }
}

TEST(SparsePivoting, TakesAGuess) {
  const Packing packing = make(8, false, 7);
  std::vector<double> x(packing.c.size());
  SparsePivoting pivoting;
  ASSERT_TRUE(pivoting.solve(packing.matrix, packing.c, {}, x));
  std::vector<double> again(x.size());
  ASSERT_TRUE(pivoting.solve(packing.matrix, packing.c, x, again));
  EXPECT_EQ(pivoting.rounds(), 1U);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(again[k], x[k], 1e-12);
}

TEST(SparsePivoting, SaysThatItCannot) {
  // Two opposite walls that close on a body: no finite impulse.
  SparseSymmetric matrix;
  matrix.diagonal = {1.0, 1.0};
  matrix.start = {0, 1, 2};
  matrix.column = {1, 0};
  matrix.value = {-1.0, -1.0};
  std::vector<double> x(2);
  SparsePivoting pivoting;
  EXPECT_FALSE(pivoting.solve(matrix, std::vector<double>{-1.0, -1.0}, {}, x));
}

}  // namespace
}  // namespace carom::solvers
