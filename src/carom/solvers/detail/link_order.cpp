// An order of elimination for rows that join points, and the pattern of the factor.
#include "carom/solvers/detail/link_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace carom::solvers {

void LinkOrder::find(std::span<const LinkEnds> ends, Index point_count) {
  list_rows(ends, point_count);
  order_.clear();
  column_.clear();
  while (order_.size() < ends.size()) {
    while (first_with_[least_] == kNone) ++least_;
    contract(first_with_[least_]);
  }
  gather_subtrees();
  lay_out();
  number_nodes();
}

void LinkOrder::list_rows(std::span<const LinkEnds> ends, Index point_count) {
  ends_.assign(ends.begin(), ends.end());
  groups_.assign(point_count, {});
  for (const LinkEnds& row : ends) {
    for (const Index point : row) {
      if (point != kNone) ++groups_[point].end;
    }
  }
  Index total = 0;
  for (Group& group : groups_) {
    const Index count = group.end;
    group.begin = group.end = total;
    total += count;
  }
  pool_.resize(total);
  for (Index i = 0; i < ends.size(); ++i) {
    for (const Index point : ends[i]) {
      if (point != kNone) pool_[groups_[point].end++] = i;
    }
  }
  shared_.assign(point_count, 0);
  places_.resize(ends.size());
  first_with_.assign(2 * ends.size() + 1, kNone);
  least_ = 0;
  for (auto i = static_cast<Index>(ends.size()); i-- > 0;) {
    const Index other = ends[i][1];
    enlist(i, groups_[ends[i][0]].count() - 1 + (other == kNone ? 0 : groups_[other].count() - 1));
  }
}

void LinkOrder::enlist(Index row, Index degree) {
  Index& first = first_with_[degree];
  places_[row] = {degree, kNone, first};
  if (first != kNone) places_[first].before = row;
  first = row;
  least_ = std::min(least_, degree);
}

void LinkOrder::delist(Index row) {
  const Place& self = places_[row];
  if (self.before != kNone) {
    places_[self.before].after = self.after;
  } else {
    first_with_[self.degree] = self.after;
  }
  if (self.after != kNone) places_[self.after].before = self.before;
}

/// Contracts the points of a row. Further rows between the two follow at once: their columns are
/// the same, but for themselves.
void LinkOrder::contract(Index row) {
  // The larger one takes the rows of the other.
  Index group = ends_[row][0];
  Index other = ends_[row][1];
  if (other != kNone && groups_[other].count() > groups_[group].count()) std::swap(group, other);
  inner_.clear();
  far_.clear();
  const auto begin = static_cast<Index>(pool_.size());
  const auto keep = [&](Index from, Index to) {
    for (Index k = groups_[from].begin; k < groups_[from].end; ++k) {
      const Index kept = pool_[k];
      if (kept == row) continue;
      LinkEnds& ends = ends_[kept];
      const std::size_t near = ends[0] == from ? 0 : 1;
      const Index far = ends[1 - near];
      if (far != kNone && far == to) {
        if (from == group) inner_.push_back(kept);
        continue;
      }
      ends[near] = group;
      pool_.push_back(kept);
      far_.push_back(far);
    }
  };
  keep(group, other);
  if (other != kNone) keep(other, group);
  const auto rest = static_cast<Index>(pool_.size());
  pool_.insert(pool_.end(), inner_.begin(), inner_.end());
  auto end = static_cast<Index>(pool_.size());
  delist(row);
  order_.push_back(row);
  column_.push_back({begin, end});
  for (std::size_t k = inner_.size(); k-- > 0;) {
    delist(inner_[k]);
    order_.push_back(inner_[k]);
    column_.push_back({begin, --end});
  }
  groups_[group] = {begin, rest};
  for (const Index far : far_) {
    if (far != kNone) ++shared_[far];
  }
  for (Index k = begin; k < rest; ++k) {
    const Index far = far_[k - begin];
    const Index degree =
        far == kNone ? rest - begin - 1 : rest - begin + groups_[far].count() - 2 * shared_[far];
    if (degree == places_[pool_[k]].degree) continue;
    delist(pool_[k]);
    enlist(pool_[k], degree);
  }
  for (const Index far : far_) {
    if (far != kNone) shared_[far] = 0;
  }
}

/// Renumbers the places: a column comes right after all that are passed on to it.
void LinkOrder::gather_subtrees() {
  const auto size = static_cast<Index>(order_.size());
  place_.resize(size);
  for (Index k = 0; k < size; ++k) place_[order_[k]] = k;
  std::vector<Index>& parent = start_;
  std::vector<Index>& count = row_start_;  // columns of the subtree
  parent.assign(size, size);
  count.assign(size, 1);
  for (Index k = 0; k < size; ++k) {
    for (Index p = column_[k][0]; p < column_[k][1]; ++p) {
      parent[k] = std::min(parent[k], place_[pool_[p]]);
    }
    if (parent[k] < size) count[parent[k]] += count[k];
  }
  // From the roots down: each subtree takes what is left at the end of its parent's stretch.
  std::vector<Index>& end = next_;
  end.assign(size + std::size_t{1}, size);
  sorted_order_.resize(size);
  sorted_column_.resize(size);
  for (Index k = size; k-- > 0;) {
    const Index place = end[parent[k]] - 1;
    end[parent[k]] -= count[k];
    end[k] = place;
    sorted_order_[place] = order_[k];
    sorted_column_[place] = column_[k];
  }
  order_.swap(sorted_order_);
  column_.swap(sorted_column_);
}

/// The columns by places, ascending, and the same entries by rows.
void LinkOrder::lay_out() {
  const Index size = static_cast<Index>(order_.size());
  for (Index k = 0; k < size; ++k) place_[order_[k]] = k;
  start_.resize(size + std::size_t{1});
  row_start_.assign(size + std::size_t{1}, 0);
  Index total = 0;
  for (Index k = 0; k < size; ++k) {
    start_[k] = total;
    total += column_[k][1] - column_[k][0];
    for (Index p = column_[k][0]; p < column_[k][1]; ++p) ++row_start_[place_[pool_[p]] + 1];
  }
  start_[size] = total;
  std::partial_sum(row_start_.begin(), row_start_.end(), row_start_.begin());
  next_.assign(row_start_.begin(), row_start_.end() - 1);
  entries_.resize(total);
  for (Index k = 0; k < size; ++k) {
    for (Index p = column_[k][0]; p < column_[k][1]; ++p) {
      entries_[next_[place_[pool_[p]]]++].column = k;
    }
  }
  below_.resize(total);
  next_.assign(start_.begin(), start_.end() - 1);
  for (Index j = 0; j < size; ++j) {
    for (Index p = row_start_[j]; p < row_start_[j + 1]; ++p) {
      entries_[p].at = next_[entries_[p].column]++;
      below_[entries_[p].at] = j;
    }
  }
}

void LinkOrder::number_nodes() {
  node_.resize(order_.size());
  const auto length = [&](Index k) { return start_[k + 1] - start_[k]; };
  for (Index k = 0; k < size(); ++k) {
    const bool follows = k > 0 && length(k - 1) == length(k) + 1 && below_[start_[k - 1]] == k;
    node_[k] = follows ? node_[k - 1] : k;
  }
}

}  // namespace carom::solvers
