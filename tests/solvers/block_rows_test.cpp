#include "carom/solvers/block_rows.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "solvers/qp_families.h"

namespace carom::solvers {
namespace {

TEST(BlockRows, ProductsAreThoseOfTheDenseMatrices) {
  const families::Instance instance = families::random_graph(4, 7, 3, 11);
  const BlockRows& rows = instance.rows;
  const Index dofs = rows.dof_count();
  for (Index i = 0; i < rows.row_count(); ++i) {
    std::vector<double> p(dofs, 0.0);
    std::vector<double> v(dofs, 0.0);
    std::vector<double> w(dofs, 0.0);
    rows.apply_impulse(i, 1.0, p);
    rows.add_inverse_mass_times(p, v);
    rows.apply(i, 1.0, w);
    for (Index k = 0; k < dofs; ++k) EXPECT_NEAR(v[k], w[k], 1e-14);
    for (Index j = 0; j < rows.row_count(); ++j) {
      EXPECT_NEAR(rows.dot(j, v), rows.product(j, i), 1e-14);
      EXPECT_NEAR(rows.product(i, j), rows.product(j, i), 1e-14);
    }
  }
}

TEST(BlockRows, RowsOfABlockAreThoseThatNameIt) {
  const families::Instance instance = families::random_graph(6, 15, 2, 12);
  const BlockRows& rows = instance.rows;
  for (Index block = 0; block < rows.block_count(); ++block) {
    std::vector<Index> expected;
    for (Index row = 0; row < rows.row_count(); ++row) {
      for (const BlockRows::Entry& entry : rows.entries(row)) {
        if (entry.block == block) expected.push_back(row);
      }
    }
    const std::span<const Index> found = rows.rows_of(block);
    EXPECT_EQ(std::vector<Index>(found.begin(), found.end()), expected);
  }
}

TEST(BlockRows, ScalingARowScalesItsProducts) {
  families::Instance instance = families::random_graph(3, 4, 2, 13);
  const double before = instance.rows.product(0, 1);
  const double diagonal = instance.rows.diagonal(0);
  instance.rows.scale_row(0, 4.0);
  EXPECT_EQ(instance.rows.product(0, 1), 4.0 * before);
  EXPECT_EQ(instance.rows.diagonal(0), 16.0 * diagonal);
}

TEST(BlockRows, ClearLeavesNothingBehind) {
  families::Instance instance = families::rack(3);
  instance.rows.clear();
  EXPECT_EQ(instance.rows.row_count(), 0U);
  EXPECT_EQ(instance.rows.block_count(), 0U);
  EXPECT_EQ(instance.rows.dof_count(), 0U);
}

}  // namespace
}  // namespace carom::solvers
