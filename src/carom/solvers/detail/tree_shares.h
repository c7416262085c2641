#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/solvers/detail/link_order.h"

namespace carom::solvers {

/// The columns of a factor, shared out over threads: subtrees of the elimination tree, which have
/// nothing to do with each other, and the columns above them, which depend on all.
class TreeShares {
 public:
  /// Shares of about equal work, some for each of so many threads.
  void find(const LinkOrder& order, unsigned threads);

  [[nodiscard]] std::size_t count() const { return start_.size() - 1; }
  /// Of a share, ascending.
  [[nodiscard]] std::span<const Index> columns(std::size_t share) const {
    return {columns_.data() + start_[share], start_[share + 1] - start_[share]};
  }
  [[nodiscard]] bool is_above(Index column) const { return share_of_[column] == kNone; }
  /// Columns above all shares, ascending.
  [[nodiscard]] std::span<const Index> above() const { return above_; }
  /// Columns of the shares whose next column is above; ascending.
  [[nodiscard]] std::span<const Index> roots() const { return roots_; }

 private:
  std::vector<double> work_;     ///< per column: of its subtree
  std::vector<Index> share_of_;  ///< per column; kNone: above
  std::vector<Index> start_{0};
  std::vector<Index> columns_;
  std::vector<Index> above_;
  std::vector<Index> roots_;
};

/// The column that column j is passed on to; kNone: a root of the tree.
[[nodiscard]] inline Index parent_of(const LinkOrder& order, Index j) {
  const std::span<const Index> start = order.start();
  return start[j] < start[j + 1] ? order.below()[start[j]] : kNone;
}

}  // namespace carom::solvers
