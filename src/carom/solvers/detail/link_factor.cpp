// The factor of the carrying rows, renewed where they change.
#include "carom/solvers/detail/link_factor.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {
namespace {

/// Redundant rows leave pivots of the size of what regularises them; none may be less than this.
constexpr double kLeastPivot = 1e-13;

}  // namespace

void LinkFactor::reset(const LinkOrder& order, const System& system, WorkerPool* pool) {
  order_ = &order;
  system_ = system;
  pool_ = pool;
  u_.resize(system.values.size());
  forward_.resize(order.size());
  inverse_.resize(order.size());
  workspaces_.resize(pool != nullptr ? pool->size() : 1);
  for (Workspace& workspace : workspaces_) workspace.column.resize(order.size());
  stale_.assign(order.size(), 1);
  if (pool != nullptr) shares_.find(order, pool->size());
}

void LinkFactor::update(std::span<const unsigned char> active) {
  if (pool_ != nullptr) {
    update_shares(active);
    return;
  }
  for (Index j = 0; j < order_->size(); ++j) {
    if (renew(j, active, workspaces_.front())) stale_[parent_of(*order_, j)] = 1;
  }
}

void LinkFactor::update_shares(std::span<const unsigned char> active) {
  // The root of a subtree stays stale until the column above it, which other threads may mark too,
  // has been told.
  pool_->run(shares_.count(), [&](std::size_t share, unsigned worker) {
    for (const Index j : shares_.columns(share)) {
      const bool passes_on = renew(j, active, workspaces_[worker]);
      if (!passes_on) continue;
      if (shares_.is_above(parent_of(*order_, j))) {
        stale_[j] = 1;
      } else {
        stale_[parent_of(*order_, j)] = 1;
      }
    }
  });
  for (const Index root : shares_.roots()) {
    if (stale_[root] == 0) continue;
    stale_[root] = 0;
    stale_[parent_of(*order_, root)] = 1;
  }
  for (const Index j : shares_.above()) {
    if (renew(j, active, workspaces_.front())) stale_[parent_of(*order_, j)] = 1;
  }
}

bool LinkFactor::renew(Index j, std::span<const unsigned char> active, Workspace& workspace) {
  if (stale_[j] == 0) return false;
  stale_[j] = 0;
  if (active[j] != 0) compute(j, active, workspace);
  return parent_of(*order_, j) != kNone;
}

void LinkFactor::compute(Index j, std::span<const unsigned char> active, Workspace& workspace) {
  const Index* start = order_->start().data();
  const Index* below = order_->below().data();
  double* column = workspace.column.data();
  const Index begin = start[j];
  const Index end = start[j + 1];
  column[j] = system_.diagonal[j];
  double right_side = -system_.c[j];
  for (Index p = begin; p < end; ++p) column[below[p]] = system_.values[p];
  Index node = kNone;
  workspace.bundle.begin(nullptr, 0);
  for (const LinkOrder::Entry& entry : order_->row(j)) {
    if (active[entry.column] == 0) continue;
    if (order_->node(entry.column) != node || workspace.bundle.is_full()) {
      workspace.bundle.subtract_from(column);
      node = order_->node(entry.column);
      workspace.bundle.begin(below + entry.at, start[entry.column + 1] - entry.at);
    }
    workspace.bundle.add(u_.data() + entry.at, u_[entry.at] * inverse_[entry.column]);  // (1)
    right_side -= u_[entry.at] * forward_[entry.column];
  }
  workspace.bundle.subtract_from(column);
  for (Index p = begin; p < end; ++p) u_[p] = column[below[p]];
  inverse_[j] = 1.0 / (column[j] >= kLeastPivot ? column[j] : kLeastPivot);
  forward_[j] = right_side * inverse_[j];
}

void LinkFactor::solve_system(std::span<const unsigned char> active, std::span<double> x) const {
  std::copy(forward_.begin(), forward_.end(), x.begin());
  if (pool_ == nullptr) {
    substitute_back(active, x);
    return;
  }
  const std::span<const Index> above = shares_.above();
  for (std::size_t k = above.size(); k-- > 0;) substitute(above[k], active, x);
  pool_->run(shares_.count(), [&](std::size_t share, unsigned /*worker*/) {
    const std::span<const Index> columns = shares_.columns(share);
    for (std::size_t k = columns.size(); k-- > 0;) substitute(columns[k], active, x);
  });
}

void LinkFactor::solve(std::span<const unsigned char> active, std::span<double> x) const {
  const Index* start = order_->start().data();
  const Index* below = order_->below().data();
  const Index size = order_->size();
  for (Index j = 0; j < size; ++j) {
    if (active[j] == 0) continue;
    const double value = x[j] *= inverse_[j];
    for (Index p = start[j]; p < start[j + 1]; ++p) x[below[p]] -= u_[p] * value;
  }
  substitute_back(active, x);
}

void LinkFactor::substitute_back(std::span<const unsigned char> active, std::span<double> x) const {
  for (Index j = order_->size(); j-- > 0;) substitute(j, active, x);
}

void LinkFactor::substitute(Index j, std::span<const unsigned char> active,
                            std::span<double> x) const {
  if (active[j] == 0) {
    x[j] = 0.0;
    return;
  }
  const Index* start = order_->start().data();
  const Index* below = order_->below().data();
  double sum = 0.0;
  for (Index p = start[j]; p < start[j + 1]; ++p) sum += u_[p] * x[below[p]];
  x[j] -= sum * inverse_[j];
}

// All places between those of the entries and the roots of their trees.
void LinkFactor::reach(std::span<const Entry> entries) {
  reached_row_.resize(order_->size(), kNone);
  reached_.clear();
  for (const Entry& entry : entries) {
    for (Index j = entry.place; j != kNone && reached_row_[j] == kNone; j = parent_of(*order_, j)) {
      reached_row_[j] = 0;
      reached_.push_back(j);
    }
  }
  std::sort(reached_.begin(), reached_.end());
}

void LinkFactor::reduce(std::span<const unsigned char> active, std::span<const Entry> entries,
                        Index columns) {
  reach(entries);
  reduced_.assign(reached_.size() * columns, 0.0);
  reduced_rows_.clear();
  for (Index k = 0; k < reached_.size(); ++k) {
    reached_row_[reached_[k]] = k;
    reduced_rows_.push_back({std::size_t{k} * columns, columns, 0});
  }
  const auto widen = [](ReducedRow& row, Index first, Index last) {
    row.first = std::min(row.first, first);
    row.last = std::max(row.last, last);
  };
  for (const Entry& entry : entries) {
    ReducedRow& row = reduced_rows_[reached_row_[entry.place]];
    reduced_[row.at + entry.column] += entry.value;
    widen(row, entry.column, entry.column + 1);
  }
  const Index* start = order_->start().data();
  const Index* below = order_->below().data();
  for (Index k = 0; k < reached_.size(); ++k) {
    const Index j = reached_[k];
    ReducedRow& row = reduced_rows_[k];
    if (active[j] == 0) row.last = row.first;
    if (row.first >= row.last) continue;
    double* own = reduced_.data() + row.at;
    for (Index p = start[j]; p < start[j + 1]; ++p) {
      ReducedRow& further = reduced_rows_[reached_row_[below[p]]];
      widen(further, row.first, row.last);
      double* to = reduced_.data() + further.at;
      const double factor = u_[p] * inverse_[j];
      for (Index i = row.first; i < row.last; ++i) to[i] -= factor * own[i];
    }
    const double root = std::sqrt(inverse_[j]);
    for (Index i = row.first; i < row.last; ++i) own[i] *= root;
  }
  for (const Index j : reached_) reached_row_[j] = kNone;
}

}  // namespace carom::solvers
