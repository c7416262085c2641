#include "carom/solvers/detail/link_factor.h"

#include <algorithm>

namespace carom::solvers {
namespace {

/// Redundant rows leave pivots of the size of what regularises them; none may be less than this.
constexpr double kLeastPivot = 1e-13;

}  // namespace

void LinkFactor::reset(const LinkOrder& order, const System& system) {
  order_ = &order;
  system_ = system;
  u_.resize(system.values.size());
  forward_.resize(order.size());
  inverse_.resize(order.size());
  column_.resize(order.size());
  stale_.assign(order.size(), 1);
}

void LinkFactor::update(std::span<const unsigned char> active) {
  const std::span<const Index> start = order_->start();
  const std::span<const Index> below = order_->below();
  for (Index j = 0; j < order_->size(); ++j) {
    if (stale_[j] == 0) continue;
    stale_[j] = 0;
    if (start[j] < start[j + 1]) stale_[below[start[j]]] = 1;
    if (active[j] != 0) compute(j, active);
  }
}

void LinkFactor::compute(Index j, std::span<const unsigned char> active) {
  const Index* start = order_->start().data();
  const Index* below = order_->below().data();
  double* column = column_.data();
  const Index begin = start[j];
  const Index end = start[j + 1];
  column[j] = system_.diagonal[j];
  double right_side = -system_.c[j];
  for (Index p = begin; p < end; ++p) column[below[p]] = system_.values[p];
  for (const LinkOrder::Entry& entry : order_->row(j)) {
    if (active[entry.column] == 0) continue;
    const double share = u_[entry.at] * inverse_[entry.column];
    right_side -= u_[entry.at] * forward_[entry.column];
    const Index last = start[entry.column + 1];
    for (Index p = entry.at; p < last; ++p) column[below[p]] -= u_[p] * share;  // (1)
  }
  for (Index p = begin; p < end; ++p) u_[p] = column[below[p]];
  inverse_[j] = 1.0 / (column[j] >= kLeastPivot ? column[j] : kLeastPivot);
  forward_[j] = right_side * inverse_[j];
}

void LinkFactor::solve_system(std::span<const unsigned char> active, std::span<double> x) const {
  std::copy(forward_.begin(), forward_.end(), x.begin());
  substitute_back(active, x);
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
  const Index* start = order_->start().data();
  const Index* below = order_->below().data();
  for (Index j = order_->size(); j-- > 0;) {
    if (active[j] == 0) {
      x[j] = 0.0;
      continue;
    }
    double sum = 0.0;
    for (Index p = start[j]; p < start[j + 1]; ++p) sum += u_[p] * x[below[p]];
    x[j] -= sum * inverse_[j];
  }
}

}  // namespace carom::solvers
