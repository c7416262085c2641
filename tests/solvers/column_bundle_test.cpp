#include "carom/solvers/detail/column_bundle.h"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/solvers/detail/link_order.h"

namespace carom::solvers {
namespace {

std::vector<double> random_numbers(std::size_t count, Random& random) {
  std::vector<double> numbers(count);
  for (double& number : numbers) number = random.uniform(-1.0, 1.0);
  return numbers;
}

// Takes columns off in bundles, and one by one: no bit may differ.
void compare(const std::vector<Index>& rows, std::size_t column_count) {
  Random random(column_count);
  std::vector<double> bundled = random_numbers(100, random);
  std::vector<double> single = bundled;
  std::vector<std::vector<double>> columns;
  ColumnBundle bundle;
  bundle.begin(rows.data(), rows.size());
  for (std::size_t k = 0; k < column_count; ++k) {
    columns.push_back(random_numbers(rows.size(), random));
    const double share = random.uniform(-1.0, 1.0);
    for (std::size_t p = 0; p < rows.size(); ++p) single[rows[p]] -= columns.back()[p] * share;
    if (bundle.is_full()) {
      bundle.subtract_from(bundled.data());
      bundle.begin(rows.data(), rows.size());
    }
    bundle.add(columns.back().data(), share);
  }
  bundle.subtract_from(bundled.data());
  EXPECT_EQ(bundled, single) << column_count << " columns";
}

TEST(ColumnBundle, TakesOffTheSameBitsAsOneColumnAfterTheOther) {
  std::vector<Index> dense(37);
  std::iota(dense.begin(), dense.end(), Index{5});
  std::vector<Index> scattered;
  for (Index row = 2; row < 100; row += 1 + row % 3) scattered.push_back(row);
  for (std::size_t columns = 0; columns <= 70; ++columns) {
    compare(dense, columns);
    compare(scattered, columns);
    compare({42}, columns);
  }
}

TEST(LinkOrder, ColumnsOfANodeHaveTheSameRows) {
  // Points of a cube's lattice, each joined with those before it.
  constexpr Index kSide = 7;
  std::vector<LinkEnds> ends;
  for (Index k = 0; k < kSide * kSide * kSide; ++k) {
    if (k % kSide > 0) ends.push_back({k, k - 1});
    if (k / kSide % kSide > 0) ends.push_back({k, k - kSide});
    if (k / (kSide * kSide) > 0) ends.push_back({k, k - kSide * kSide});
  }
  LinkOrder order;
  order.find(ends, kSide * kSide * kSide);
  Index nodes = 0;
  for (Index k = 0; k < order.size(); ++k) {
    if (order.node(k) == k) {
      ++nodes;
      continue;
    }
    ASSERT_EQ(order.node(k), order.node(k - 1));
    const std::vector<Index> before(order.below().begin() + order.start()[k - 1],
                                    order.below().begin() + order.start()[k]);
    std::vector<Index> expected{k};
    expected.insert(expected.end(), order.below().begin() + order.start()[k],
                    order.below().begin() + order.start()[k + 1]);
    ASSERT_EQ(before, expected);
  }
  EXPECT_LT(nodes, order.size() / 2);
}

}  // namespace
}  // namespace carom::solvers
