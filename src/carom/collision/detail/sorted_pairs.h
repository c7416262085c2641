#pragma once

#include <algorithm>
#include <vector>

#include "carom/collision/broad_phase.h"

namespace carom::detail {

/// Collects pairs in any order and hands them out sorted, in linear time for few pairs per ball.
class SortedPairs {
 public:
  /// Forgets all pairs.
  void reset(Index ball_count);

  /// In either order; each pair once.
  void add(Index ball, Index other) {
    found_.push_back({std::min(ball, other), std::max(ball, other)});
  }

  void write(std::vector<BallPair>& pairs);

 private:
  Index ball_count_ = 0;
  std::vector<BallPair> found_;
  std::vector<std::size_t> start_;  // of each first ball's pairs
};

}  // namespace carom::detail
