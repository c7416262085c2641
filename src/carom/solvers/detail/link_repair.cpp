#include "carom/solvers/detail/link_repair.h"

#include <array>

namespace carom::solvers {

template <std::size_t D>
bool LinkRepair<D>::find(LinkState<D>& state, std::span<const Index> wrong, int steps) {
  changes_.clear();
  reach(state, wrong, steps);
  if (2 * rows_.size() > state.rows.size()) return false;
  solve(state);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const bool carries = result_.x[k] > 0.0;
    if (carries != (state.active[rows_[k]] != 0)) changes_.push_back(rows_[k]);
  }
  return true;
}

template <std::size_t D>
void LinkRepair<D>::reach(const LinkState<D>& state, std::span<const Index> wrong, int steps) {
  block_of_.assign(state.point_count(), kNone);
  points_.clear();
  const auto add = [&](Index point) {
    if (point == kNone || block_of_[point] != kNone) return;
    block_of_[point] = static_cast<Index>(points_.size());
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
      if (state.rows[row].a == point && (b == kNone || block_of_[b] != kNone)) rows_.push_back(row);
    }
  }
}

template <std::size_t D>
void LinkRepair<D>::solve(LinkState<D>& state) {
  for (const Index row : rows_) state.x[row] = 0.0;
  state.respond();  // of the others alone
  blocks_.clear();
  all_.clear();
  c_.clear();
  for (const Index point : points_) blocks_.add_scalar_block(D, state.weight[point]);
  for (const Index k : rows_) {
    const auto& row = state.rows[k];
    std::array<double, D> at_b = row.gradient;
    for (double& x : at_b) x = -x;
    const std::array<RowPart, 2> parts{RowPart{block_of_[row.a], row.gradient},
                                       RowPart{row.b == kNone ? kNone : block_of_[row.b], at_b}};
    all_.push_back(
        blocks_.add_row({parts.data(), row.b == kNone ? std::size_t{1} : std::size_t{2}}));
    c_.push_back(state.gradient[k]);
  }
  blocks_.finish();
  if (solver_ == nullptr) solver_ = make_qp_solver("interior_point");
  solver_->solve({&blocks_, all_, c_, {}, {}, {}},
                 {.tolerance = 1e-12, .max_iterations = 0, .minimum_norm = false}, result_);
}

template class LinkRepair<2>;
template class LinkRepair<3>;

}  // namespace carom::solvers
