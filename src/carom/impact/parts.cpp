// Parts of rows that share no body, and the scale that keeps energy exactly.
#include "carom/impact/parts.h"

#include <algorithm>
#include <numeric>

#include "carom/core/joined_sets.h"
#include "carom/impact/energy_scale.h"

namespace carom {

void PartSplitter::split(const solvers::BlockRows& rows, std::span<const Index> selection) {
  sorted_.assign(selection.begin(), selection.end());
  std::sort(sorted_.begin(), sorted_.end());
  const auto count = static_cast<Index>(sorted_.size());
  parent_.resize(count);
  std::iota(parent_.begin(), parent_.end(), Index{0});
  if (owner_.size() < rows.block_count()) {
    owner_.assign(rows.block_count(), 0);
    stamp_.assign(rows.block_count(), call_);
  }
  ++call_;
  for (Index i = 0; i < count; ++i) {
    for (const solvers::BlockRows::Entry& entry : rows.entries(sorted_[i])) {
      if (stamp_[entry.block] == call_) {
        join_sets(parent_, owner_[entry.block], i);
      }
      stamp_[entry.block] = call_;
      owner_[entry.block] = i;
    }
  }
  // Counting sort by part; a part is numbered when its smallest row, its root, comes by.
  part_of_.resize(count);
  start_.assign(1, 0);
  for (Index i = 0; i < count; ++i) {
    const Index lead = smallest_joined(parent_, i);
    if (lead == i) {
      part_of_[i] = static_cast<Index>(start_.size() - 1);
      start_.push_back(0);
    } else {
      part_of_[i] = part_of_[lead];
    }
    ++start_[part_of_[i] + 1];
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  rows_.resize(count);
  next_.assign(start_.begin(), start_.end() - 1);
  for (Index i = 0; i < count; ++i) rows_[next_[part_of_[i]]++] = sorted_[i];
}

void EnergyScaler::scale(const Application& application, std::span<const Index> part,
                         std::span<double> lambda) {
  const solvers::BlockRows& rows = *application.rows;
  if (change_.size() < rows.dof_count()) change_.resize(rows.dof_count(), 0.0);
  double work = 0.0;
  for (std::size_t k = 0; k < part.size(); ++k) {
    rows.apply(part[k], lambda[k], change_);
    work += application.b[part[k]] * lambda[k];
  }
  double square = 0.0;
  for (std::size_t k = 0; k < part.size(); ++k) square += lambda[k] * rows.dot(part[k], change_);
  for (const Index row : part) {
    for (const solvers::BlockRows::Entry& entry : rows.entries(row)) {
      std::fill_n(change_.begin() + entry.dof, entry.size, 0.0);
    }
  }
  const double t = energy_keeping_scale(2.0 * work, square);
  for (double& value : lambda) value *= t;
}

}  // namespace carom
