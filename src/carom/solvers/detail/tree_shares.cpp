// Subtrees of about equal work for threads.
#include "carom/solvers/detail/tree_shares.h"

namespace carom::solvers {
namespace {

// More shares than threads: they end at different times.
constexpr double kSharesPerThread = 8.0;

}  // namespace

void TreeShares::find(const LinkOrder& order, unsigned threads) {
  const Index size = order.size();
  const std::span<const Index> start = order.start();
  work_.resize(size);
  for (Index j = 0; j < size; ++j) {
    const auto left = static_cast<double>(order.row(j).size());
    work_[j] = 1.0 + left * static_cast<double>(start[j + 1] - start[j] + 1);
  }
  double whole = 0.0;
  for (Index j = 0; j < size; ++j) {
    whole += parent_of(order, j) == kNone ? work_[j] : 0.0;
    if (const Index next = parent_of(order, j); next != kNone) work_[next] += work_[j];
  }
  const double most = whole / (kSharesPerThread * threads);
  const auto is_heavy = [&](Index j) { return work_[j] > most; };
  // Subtrees join a share until it is full; a subtree's columns go where its root does.
  share_of_.assign(size, kNone);
  roots_.clear();
  double filled = 0.0;
  Index shares = 0;
  for (Index j = 0; j < size; ++j) {
    const Index next = parent_of(order, j);
    if (is_heavy(j) || (next != kNone && !is_heavy(next))) continue;
    if (shares == 0 || filled + work_[j] > most) {
      ++shares;
      filled = 0.0;
    }
    filled += work_[j];
    share_of_[j] = shares - 1;
    if (next != kNone) roots_.push_back(j);
  }
  start_.assign(shares + std::size_t{2}, 0);
  above_.clear();
  for (Index j = size; j-- > 0;) {
    if (is_heavy(j)) continue;
    if (share_of_[j] == kNone) share_of_[j] = share_of_[parent_of(order, j)];
    ++start_[share_of_[j] + 2];
  }
  // One place ahead, so that filling moves each start to where it belongs.
  for (std::size_t share = 1; share < start_.size(); ++share) start_[share] += start_[share - 1];
  columns_.resize(start_.back());
  for (Index j = 0; j < size; ++j) {
    if (share_of_[j] == kNone) {
      above_.push_back(j);
    } else {
      columns_[start_[share_of_[j] + 1]++] = j;
    }
  }
  start_.pop_back();
}

}  // namespace carom::solvers
