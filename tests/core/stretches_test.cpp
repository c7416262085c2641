#include "carom/core/stretches.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace carom {
namespace {

TEST(Stretches, SumsHaveTheSameBitsForAnyNumberOfThreads) {
  constexpr std::size_t kItems = 3 * kLongStretch + 17;
  const auto sum = [](WorkerPool* pool) {
    return sum_over_stretches<double>(pool, kItems, [](const Stretch& stretch) {
      double part = 0.0;
      for (std::size_t i = stretch.first; i < stretch.last; ++i) {
        part += 1.0 / static_cast<double>(i + 1);
      }
      return part;
    });
  };
  WorkerPool three(3);
  const double alone = sum(nullptr);
  EXPECT_EQ(sum(&three), alone);
  double one_by_one = 0.0;
  for (std::size_t i = 0; i < kItems; ++i) one_by_one += 1.0 / static_cast<double>(i + 1);
  EXPECT_NEAR(alone, one_by_one, 1e-11);
}

// More stretches than are kept at once.
TEST(Stretches, SumsSeeEveryItemOnce) {
  WorkerPool two(2);
  for (const std::size_t items : {std::size_t{0}, std::size_t{1}, 150 * kLongStretch + 5}) {
    const auto count = sum_over_stretches<std::uint64_t>(
        &two, items,
        [](const Stretch& stretch) -> std::uint64_t { return stretch.last - stretch.first; });
    EXPECT_EQ(count, items);
    const auto firsts = sum_over_stretches<std::uint64_t>(
        &two, items, [](const Stretch& stretch) -> std::uint64_t { return stretch.first; });
    const std::uint64_t stretches = stretch_count(items, kLongStretch);
    EXPECT_EQ(firsts, stretches == 0 ? 0 : kLongStretch * (stretches * (stretches - 1) / 2));
  }
}

}  // namespace
}  // namespace carom
