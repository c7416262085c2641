// Regions where pivoting cycles, solved by an interior point.
#include "carom/solvers/detail/link_repair.h"

#include <algorithm>
#include <array>

#include "carom/core/joined_sets.h"
#include "carom/solvers/detail/qp_core.h"

namespace carom::solvers {
namespace {

constexpr double kLargest = 1e6;  // impulses beside c: beyond it there is hardly an answer

}  // namespace

template <std::size_t D>
bool LinkRepair<D>::find(LinkState<D>& state, std::span<const Index> wrong, int steps) {
  changes_.clear();
  reach(state, wrong, steps);
  if (2 * rows_.size() > state.rows.size()) return false;
  split(state);
  for (const Index row : rows_) state.x[row] = 0.0;
  state.respond();  // of the others alone
  block_.assign(points_.size(), kNone);
  share_out();
  const std::size_t shares = first_part_.size() - 1;
  if (share_changes_.size() < shares) share_changes_.resize(shares);
  workspaces_.resize(state.pool != nullptr ? state.pool->size() : 1);
  const auto solve_share = [&](std::size_t share, unsigned worker) {
    share_changes_[share].clear();
    for (Index part = first_part_[share]; part < first_part_[share + 1]; ++part) {
      solve(state, {rows_.data() + start_[part], start_[part + 1] - start_[part]},
            workspaces_[worker], share_changes_[share]);
    }
  };
  if (state.pool != nullptr) {
    state.pool->run(shares, solve_share);
  } else {
    for (std::size_t share = 0; share < shares; ++share) solve_share(share, 0);
  }
  for (std::size_t share = 0; share < shares; ++share) {
    changes_.insert(changes_.end(), share_changes_[share].begin(), share_changes_[share].end());
  }
  return true;
}

// Parts one after the other until there are some rows in a share.
template <std::size_t D>
void LinkRepair<D>::share_out() {
  constexpr Index kRows = 1024;
  first_part_.assign(1, 0);
  for (Index part = 0; part + 1 < start_.size(); ++part) {
    if (start_[part] - start_[first_part_.back()] >= kRows) first_part_.push_back(part);
  }
  first_part_.push_back(static_cast<Index>(start_.size() - 1));
}

template <std::size_t D>
void LinkRepair<D>::reach(const LinkState<D>& state, std::span<const Index> wrong, int steps) {
  number_of_.assign(state.point_count(), kNone);
  points_.clear();
  const auto add = [&](Index point) {
    if (point == kNone || number_of_[point] != kNone) return;
    number_of_[point] = static_cast<Index>(points_.size());
    points_.push_back(point);
  };
  const auto add_ends = [&](Index row) {
    add(state.rows[row].a);
    add(state.rows[row].b);
  };
  for (const Index row : wrong) add_ends(row);
  std::size_t next = 0;
  for (int step = 0; step < steps; ++step) {
    for (const std::size_t end = points_.size(); next < end; ++next) {
      for (const Index row : state.rows_of(points_[next])) add_ends(row);
    }
  }
  rows_.clear();
  for (const Index point : points_) {
    for (const Index row : state.rows_of(point)) {
      const Index b = state.rows[row].b;
      if (state.rows[row].a == point && (b == kNone || number_of_[b] != kNone))
        rows_.push_back(row);
    }
  }
}

template <std::size_t D>
Index LinkRepair<D>::lead(Index reached) {
  return smallest_joined(lead_, reached);
}

template <std::size_t D>
void LinkRepair<D>::split(const LinkState<D>& state) {
  lead_.resize(points_.size());
  for (Index i = 0; i < lead_.size(); ++i) lead_[i] = i;
  for (const Index row : rows_) {
    if (state.rows[row].b == kNone) continue;
    const Index a = lead(number_of_[state.rows[row].a]);
    const Index b = lead(number_of_[state.rows[row].b]);
    lead_[std::max(a, b)] = std::min(a, b);
  }
  const auto part_of = [&](Index row) { return lead(number_of_[state.rows[row].a]); };
  start_.assign(points_.size() + 1, 0);  // by the first point; most of these parts are empty
  for (const Index row : rows_) ++start_[part_of(row) + 1];
  for (std::size_t k = 1; k < start_.size(); ++k) start_[k] += start_[k - 1];
  sorted_.resize(rows_.size());
  std::vector<Index> next(start_.begin(), start_.end() - 1);
  for (const Index row : rows_) sorted_[next[part_of(row)]++] = row;
  rows_.swap(sorted_);
}

template <std::size_t D>
void LinkRepair<D>::solve(const LinkState<D>& state, std::span<const Index> part,
                          Workspace& workspace, std::vector<Index>& changes) {
  if (part.empty()) return;
  workspace.blocks.clear();
  workspace.all.clear();
  workspace.c.clear();
  const auto block = [&](Index point) {
    if (point == kNone) return kNone;
    Index& known = block_[number_of_[point]];
    if (known == kNone) known = workspace.blocks.add_scalar_block(D, state.weight[point]);
    return known;
  };
  for (const Index k : part) {
    static_cast<void>(block(state.rows[k].a));
    static_cast<void>(block(state.rows[k].b));
  }
  for (const Index k : part) {
    const auto& row = state.rows[k];
    std::array<double, D> at_b = row.gradient;
    for (double& x : at_b) x = -x;
    const std::array<RowPart, 2> ends{RowPart{block(row.a), row.gradient},
                                      RowPart{block(row.b), at_b}};
    workspace.all.push_back(
        workspace.blocks.add_row({ends.data(), row.b == kNone ? std::size_t{1} : std::size_t{2}}));
    workspace.c.push_back(state.gradient[k]);
  }
  workspace.blocks.finish();
  if (workspace.solver == nullptr) workspace.solver = make_qp_solver("interior_point");
  workspace.solver->solve({&workspace.blocks, workspace.all, workspace.c, {}, {}, {}},
                          {.tolerance = 1e-12, .max_iterations = 0, .minimum_norm = false},
                          workspace.result);
  // Without an answer of their own rows stay as they are.
  if (workspace.result.status != QpStatus::solved ||
      largest_absolute(workspace.result.x) > kLargest * largest_absolute(workspace.c)) {
    return;
  }
  for (std::size_t k = 0; k < part.size(); ++k) {
    const bool carries = workspace.result.x[k] > 0.0;
    if (carries != (state.active[part[k]] != 0)) changes.push_back(part[k]);
  }
}

template class LinkRepair<2>;
template class LinkRepair<3>;

}  // namespace carom::solvers
