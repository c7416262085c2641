#include "carom/core/merge_tail.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"

namespace carom {
namespace {

using Item = std::pair<int, int>;

bool comes_before(const Item& a, const Item& b) { return a.first < b.first; }

TEST(MergeTail, DoesWhatTheStandardMergeDoes) {
  Random random(3);
  std::vector<Item> room;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<Item> items;
    const auto count = static_cast<std::size_t>(random.uniform(0.0, 30.0));
    const auto known =
        static_cast<std::size_t>(random.uniform(0.0, 1.0) * static_cast<double>(count + 1));
    for (std::size_t k = 0; k < count; ++k) {
      items.emplace_back(static_cast<int>(random.uniform(0.0, 12.0)), static_cast<int>(k));
    }
    const auto middle = items.begin() + static_cast<std::ptrdiff_t>(known);
    std::stable_sort(items.begin(), middle, comes_before);
    std::stable_sort(middle, items.end(), comes_before);
    std::vector<Item> expected = items;
    std::inplace_merge(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(known),
                       expected.end(), comes_before);
    merge_tail(items, known, room, comes_before);
    EXPECT_EQ(items, expected) << "trial " << trial;
  }
}

TEST(MergeTail, EmptyStretchesChangeNothing) {
  std::vector<int> room;
  std::vector<int> items{1, 2, 3};
  merge_tail(items, 3, room);
  EXPECT_EQ(items, (std::vector<int>{1, 2, 3}));
  merge_tail(items, 0, room);
  EXPECT_EQ(items, (std::vector<int>{1, 2, 3}));
}

}  // namespace
}  // namespace carom
