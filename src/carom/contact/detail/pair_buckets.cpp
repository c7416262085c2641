// Pairs that come in any order, put in order in linear time.
#include "carom/contact/detail/pair_buckets.h"

#include <algorithm>

#include "carom/core/stretches.h"

namespace carom::detail {

void PairBuckets::fill(std::size_t balls, std::span<const std::span<const BallPair>> sources) {
  balls_ = balls;
  start_.assign(stretch_count(balls, kStretch) + 1, 0);
  for (const std::span<const BallPair> source : sources) {
    for (const BallPair& pair : source) ++start_[pair.a / kStretch];
  }
  std::size_t sum = 0;
  for (std::size_t& entry : start_) entry = sum += entry;  // now the end of each stretch
  pairs_.resize(sum);
  for (const std::span<const BallPair> source : sources) {
    for (const BallPair& pair : source) pairs_[--start_[pair.a / kStretch]] = pair;
  }
}

void PairBuckets::sort_by_ball(std::size_t stretch, std::vector<Index>& room,
                               std::span<Index> starts) const {
  const auto first_ball = static_cast<Index>(stretch * kStretch);
  const std::span<const BallPair> pairs(pairs_.data() + start_[stretch],
                                        start_[stretch + 1] - start_[stretch]);
  if (room.size() < pairs.size()) room.resize(pairs.size());
  for (const BallPair& pair : pairs) ++starts[pair.a - first_ball];
  Index sum = 0;
  for (Index& entry : starts) entry = sum += entry;  // now the end of each ball's
  for (const BallPair& pair : pairs) room[--starts[pair.a - first_ball]] = pair.b;
}

std::size_t PairBuckets::sort_few(std::span<Index> numbers) {
  constexpr std::size_t kFew = 32;
  if (numbers.size() > kFew) {
    std::sort(numbers.begin(), numbers.end());
    return static_cast<std::size_t>(std::unique(numbers.begin(), numbers.end()) - numbers.begin());
  }
  std::size_t kept = 0;
  for (const Index number : numbers) {
    std::size_t place = kept;
    while (place > 0 && numbers[place - 1] > number) --place;
    if (place > 0 && numbers[place - 1] == number) continue;
    for (std::size_t last = kept; last > place; --last) numbers[last] = numbers[last - 1];
    numbers[place] = number;
    ++kept;
  }
  return kept;
}

}  // namespace carom::detail
