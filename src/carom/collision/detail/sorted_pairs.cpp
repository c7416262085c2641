// Pairs that come in any order, handed out sorted.
#include "carom/collision/detail/sorted_pairs.h"

#include <cstddef>

namespace carom::detail {

void SortedPairs::reset(Index ball_count) {
  ball_count_ = ball_count;
  found_.clear();
}

// A counting sort by the first ball, then each ball's few partners.
void SortedPairs::write(std::vector<BallPair>& pairs) {
  start_.assign(std::size_t{ball_count_} + 1, 0);
  for (const BallPair& pair : found_) ++start_[pair.a];
  std::size_t sum = 0;
  for (std::size_t& entry : start_) entry = sum += entry;  // now the end of each ball's pairs
  pairs.resize(found_.size());
  for (const BallPair& pair : found_) pairs[--start_[pair.a]] = pair;
  for (std::size_t ball = 0; ball < ball_count_; ++ball) {
    std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(start_[ball]),
              pairs.begin() + static_cast<std::ptrdiff_t>(start_[ball + 1]));
  }
}

}  // namespace carom::detail
