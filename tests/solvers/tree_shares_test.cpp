#include "carom/solvers/detail/tree_shares.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace carom::solvers {
namespace {

// A square grid of points, rows between neighbours.
LinkOrder grid_order(Index side) {
  std::vector<LinkEnds> ends;
  for (Index j = 0; j < side; ++j) {
    for (Index i = 0; i < side; ++i) {
      if (i + 1 < side) ends.push_back({j * side + i, j * side + i + 1});
      if (j + 1 < side) ends.push_back({j * side + i, (j + 1) * side + i});
    }
  }
  LinkOrder order;
  order.find(ends, side * side);
  return order;
}

TEST(LinkOrder, PlacesEverySubtreeInOneStretch) {
  const LinkOrder order = grid_order(20);
  std::vector<Index> first(order.size());  // of the subtree that ends with each column
  for (Index j = 0; j < order.size(); ++j) first[j] = j;
  for (Index j = 0; j < order.size(); ++j) {
    const Index next = parent_of(order, j);
    if (next == kNone) continue;
    ASSERT_GT(next, j);
    first[next] = std::min(first[next], first[j]);
  }
  for (Index j = 0; j < order.size(); ++j) {
    // Whatever stands between the first column and the last is passed on within the stretch.
    for (Index k = first[j]; k < j; ++k) ASSERT_LE(parent_of(order, k), j);
  }
}

TEST(TreeShares, HoldEveryColumnOnceAndDependOnNoOtherShare) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    const LinkOrder order = grid_order(40);
    TreeShares shares;
    shares.find(order, threads);
    EXPECT_GE(shares.count(), threads);
    constexpr std::size_t kAbove = 1000;
    std::vector<std::size_t> share_of(order.size(), kAbove);
    std::size_t seen = shares.above().size();
    for (std::size_t share = 0; share < shares.count(); ++share) {
      EXPECT_TRUE(std::is_sorted(shares.columns(share).begin(), shares.columns(share).end()));
      for (const Index j : shares.columns(share)) {
        EXPECT_EQ(share_of[j], kAbove);
        EXPECT_FALSE(shares.is_above(j));
        share_of[j] = share;
        ++seen;
      }
    }
    EXPECT_EQ(seen, order.size());
    std::vector<Index> roots;
    for (Index j = 0; j < order.size(); ++j) {
      const Index next = parent_of(order, j);
      if (share_of[j] == kAbove || next == kNone) continue;
      if (share_of[next] == kAbove) {
        roots.push_back(j);
      } else {
        EXPECT_EQ(share_of[next], share_of[j]);
      }
    }
    EXPECT_TRUE(
        std::equal(roots.begin(), roots.end(), shares.roots().begin(), shares.roots().end()));
    for (const Index j : shares.above()) EXPECT_EQ(share_of[j], kAbove);
  }
}

}  // namespace
}  // namespace carom::solvers
