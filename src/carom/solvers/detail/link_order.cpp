#include "carom/solvers/detail/link_order.h"

#include <algorithm>
#include <numeric>

namespace carom::solvers {

void LinkOrder::find(std::span<const LinkEnds> ends, Index point_count) {
  list_rows(ends, point_count);
  order_.clear();
  column_.clear();
  while (order_.size() < ends.size()) {
    while (first_with_[fewest_] == kNone) ++fewest_;
    contract(ends, first_with_[fewest_]);
  }
  lay_out();
}

void LinkOrder::list_rows(std::span<const LinkEnds> ends, Index point_count) {
  leader_.resize(point_count);
  std::iota(leader_.begin(), leader_.end(), Index{0});
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
  first_with_.assign(ends.size() + 1, kNone);
  fewest_ = static_cast<Index>(ends.size());
  for (Index point = point_count; point-- > 0;) enlist(point);
}

Index LinkOrder::group_of(Index point) {
  while (leader_[point] != point) point = leader_[point] = leader_[leader_[point]];
  return point;
}

Index LinkOrder::far_end(const LinkEnds& ends, Index group) {
  if (ends[1] == kNone) return kNone;
  const Index first = group_of(ends[0]);
  return first != group ? first : group_of(ends[1]);
}

// Groups without rows are done and in no list.
void LinkOrder::enlist(Index group) {
  const Index count = groups_[group].count();
  if (count == 0) return;
  Index& first = first_with_[count];
  groups_[group].before = kNone;
  groups_[group].after = first;
  if (first != kNone) groups_[first].before = group;
  first = group;
  fewest_ = std::min(fewest_, count);
}

void LinkOrder::delist(Index group) {
  const Group& self = groups_[group];
  if (self.before != kNone) {
    groups_[self.before].after = self.after;
  } else {
    first_with_[self.count()] = self.after;
  }
  if (self.after != kNone) groups_[self.after].before = self.before;
}

/// Contracts a group with the smallest of its neighbours, a wall before all others.
void LinkOrder::contract(std::span<const LinkEnds> ends, Index group) {
  Index chosen = kNone;
  Index other = kNone;
  for (Index k = groups_[group].begin; k < groups_[group].end; ++k) {
    const Index far = far_end(ends[pool_[k]], group);
    if (chosen != kNone && far != kNone && groups_[far].count() >= groups_[other].count()) continue;
    chosen = pool_[k];
    other = far;
    if (far == kNone) break;
  }
  delist(group);
  // Further rows between the two follow at once: their columns are the same, but for themselves.
  inner_.clear();
  const auto begin = static_cast<Index>(pool_.size());
  const auto keep = [&](Index from, Index to, bool take_inner) {
    for (Index k = groups_[from].begin; k < groups_[from].end; ++k) {
      const Index row = pool_[k];
      if (row == chosen) continue;
      if (to != kNone && far_end(ends[row], from) == to) {
        if (take_inner) inner_.push_back(row);
      } else {
        pool_.push_back(row);
      }
    }
  };
  keep(group, other, true);
  Index leader = group;
  if (other != kNone) {
    delist(other);
    keep(other, group, false);
    if (groups_[other].count() > groups_[group].count()) leader = other;
    leader_[group] = leader_[other] = leader;
  }
  const auto rest = static_cast<Index>(pool_.size());
  pool_.insert(pool_.end(), inner_.begin(), inner_.end());
  const auto end = static_cast<Index>(pool_.size());
  order_.push_back(chosen);
  column_.push_back({begin, end});
  for (Index k = 0; k < inner_.size(); ++k) {
    order_.push_back(inner_[inner_.size() - 1 - k]);
    column_.push_back({begin, end - 1 - k});
  }
  groups_[leader].begin = begin;
  groups_[leader].end = rest;
  enlist(leader);
}

/// The columns by places, ascending, and the same entries by rows.
void LinkOrder::lay_out() {
  const Index size = static_cast<Index>(order_.size());
  place_.resize(size);
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

}  // namespace carom::solvers
