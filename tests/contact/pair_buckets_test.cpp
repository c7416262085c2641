#include "carom/contact/detail/pair_buckets.h"

#include <algorithm>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "carom/core/random.h"
#include "carom/core/stretches.h"

namespace carom::detail {
namespace {

std::vector<BallPair> in_order(const PairBuckets& buckets, std::size_t balls) {
  std::vector<BallPair> pairs;
  std::vector<Index> room;
  for (std::size_t k = 0; k < stretch_count(balls, PairBuckets::kStretch); ++k) {
    buckets.visit(k, room, [&](Index a, std::span<const Index> partners) {
      EXPECT_EQ(a / PairBuckets::kStretch, k);
      for (const Index b : partners) pairs.push_back({a, b});
    });
  }
  return pairs;
}

TEST(PairBuckets, SortsPairsAndLeavesOutTwins) {
  constexpr Index kBalls = 5000;
  Random random(3);
  std::vector<std::vector<BallPair>> sources(3);
  std::vector<BallPair> expected;
  for (int k = 0; k < 20000; ++k) {
    const auto one = static_cast<Index>(random.below(kBalls));
    const auto other = static_cast<Index>(random.below(kBalls));
    if (one == other) continue;
    const BallPair pair = {std::min(one, other), std::max(one, other)};
    expected.push_back(pair);
    sources[static_cast<std::size_t>(k) % 3].push_back(pair);
    if (k % 7 == 0) sources[0].push_back(pair);
  }
  // One ball with many partners.
  for (Index b = kBalls - 1; b > 2100; b -= 3) {
    sources[1].push_back({2099, b});
    expected.push_back({2099, b});
  }
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  PairBuckets buckets;
  for (int round = 0; round < 2; ++round) {
    buckets.fill(kBalls, std::vector<std::span<const BallPair>>(sources.begin(), sources.end()));
    EXPECT_EQ(in_order(buckets, kBalls), expected);
  }
}

TEST(PairBuckets, MayBeEmpty) {
  PairBuckets buckets;
  buckets.fill(3000, {});
  EXPECT_TRUE(in_order(buckets, 3000).empty());
  buckets.fill(0, {});
  EXPECT_TRUE(in_order(buckets, 0).empty());
}

}  // namespace
}  // namespace carom::detail
