#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "carom/collision/broad_phase.h"
#include "carom/core/types.h"

namespace carom::detail {

/// Pairs that come in any order, some twice, put in order: in linear time, a stretch of balls at a
/// time.
class PairBuckets {
 public:
  /// Balls of a stretch, by the first of a pair.
  static constexpr std::size_t kStretch = 2048;

  /// What it holds from now on: all pairs of all sources, a < b < balls.
  void fill(std::size_t balls, std::span<const std::span<const BallPair>> sources);

  /// Calls visit(a, partners) for the balls of a stretch that have some, in their order; partners
  /// are sorted. `room` is used and left to be used again.
  template <typename Visit>
  void visit(std::size_t stretch, std::vector<Index>& room, const Visit& visit) const;

  /// Whether a stretch has pairs.
  [[nodiscard]] bool any(std::size_t stretch) const {
    return start_[stretch] != start_[stretch + 1];
  }
  /// The partners in order of balls, in `room`, and where each ball's begin (0 before).
  void sort_by_ball(std::size_t stretch, std::vector<Index>& room, std::span<Index> starts) const;
  /// Sorts a few numbers and leaves out those that come twice. Returns how many are left.
  [[nodiscard]] static std::size_t sort_few(std::span<Index> numbers);

 private:
  std::size_t balls_ = 0;
  std::vector<std::size_t> start_;  ///< of each stretch's pairs, and the end of the last
  std::vector<BallPair> pairs_;
};

template <typename Visit>
void PairBuckets::visit(std::size_t stretch, std::vector<Index>& room, const Visit& visit) const {
  if (!any(stretch)) return;
  const std::size_t count = std::min(kStretch, balls_ - stretch * kStretch);
  std::array<Index, kStretch + 1> starts{};
  sort_by_ball(stretch, room, std::span(starts).first(count + 1));
  for (std::size_t k = 0; k < count; ++k) {
    const std::span<Index> partners(room.data() + starts[k], starts[k + 1] - starts[k]);
    if (partners.empty()) continue;
    visit(static_cast<Index>(stretch * kStretch + k),
          std::span<const Index>(partners.first(sort_few(partners))));
  }
}

}  // namespace carom::detail
