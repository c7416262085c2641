// A few rows that pivoting keeps changing, answered together.
#include "carom/solvers/detail/link_dispute.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {
namespace {

constexpr double kRegularisation = 1e-12;  // as in the factor
constexpr double kLeastPivot = 1e-13;      // as well
constexpr std::uint64_t kMovesPerRow = 20;

}  // namespace

template <std::size_t D>
bool LinkDispute<D>::add(const LinkState<D>& state, std::span<const Index> places, int steps) {
  rows_.insert(rows_.end(), places.begin(), places.end());
  make_set();
  if (rows_.size() > kMost) return false;
  newest_.assign(places.begin(), places.end());
  for (int step = 0; step < steps; ++step) {
    before_ = rows_;
    add_neighbours(state);
    if (rows_.size() > kMost) {
      rows_.swap(before_);
      break;
    }
  }
  return true;
}

template <std::size_t D>
void LinkDispute<D>::make_set() {
  std::sort(rows_.begin(), rows_.end());
  rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
}

template <std::size_t D>
void LinkDispute<D>::add_neighbours(const LinkState<D>& state) {
  around_.clear();
  for (const Index k : newest_) {
    for (const Index point : {state.rows[k].a, state.rows[k].b}) {
      if (point == kNone) continue;
      const std::span<const Index> rows = state.rows_of(point);
      around_.insert(around_.end(), rows.begin(), rows.end());
    }
  }
  rows_.insert(rows_.end(), around_.begin(), around_.end());
  make_set();
  newest_.swap(around_);
}

// A_FC
template <std::size_t D>
void LinkDispute<D>::list_couplings(const LinkState<D>& state) {
  entries_.clear();
  for (Index i = 0; i < rows_.size(); ++i) {
    const auto& row = state.rows[rows_[i]];
    for (const Index point : {row.a, row.b}) {
      if (point == kNone) continue;
      for (const Index k : state.rows_of(point)) {
        const auto& other = state.rows[k];
        const bool is_listed = point == row.b && (other.a == row.a || other.b == row.a);
        if (state.active[k] == 0 || is_listed) continue;
        entries_.push_back({k, i, state.coupling(rows_[i], k)});
      }
    }
  }
}

// S
template <std::size_t D>
void LinkDispute<D>::couple(const LinkState<D>& state, LinkFactor& factor) {
  list_couplings(state);
  const std::size_t count = rows_.size();
  factor.reduce(state.active, entries_, static_cast<Index>(count));
  matrix_.assign(count * count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) at(i, j) = state.coupling(rows_[i], rows_[j]);
    at(i, i) = state.coupling(rows_[i], rows_[i]) + kRegularisation;
  }
  const double* reduced = factor.reduced().data();
  for (const LinkFactor::ReducedRow& row : factor.reduced_rows()) {
    const double* y = reduced + row.at;
    for (Index i = row.first; i < row.last; ++i) {
      if (y[i] == 0.0) continue;
      double* to = &at(i, 0);
      for (Index j = row.first; j <= i; ++j) to[j] -= y[i] * y[j];
    }
  }
}

template <std::size_t D>
void LinkDispute<D>::take_root() {
  const std::size_t count = rows_.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = at(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
      at(i, j) = i == j ? std::sqrt(std::max(sum, kLeastPivot)) : sum / at(j, j);
    }
  }
}

template <std::size_t D>
bool LinkDispute<D>::answer(const LinkState<D>& state, LinkFactor& factor) {
  couple(state, factor);
  take_root();
  const std::size_t count = rows_.size();
  columns_.clear(static_cast<Index>(count));
  c_.clear();
  for (Index i = 0; i < count; ++i) {
    for (Index k = 0; k <= i; ++k) columns_.push(k, at(i, k));
    columns_.end_column();
    c_.push_back(state.gradient[rows_[i]]);
  }
  lower_.assign(count, 0.0);
  upper_.assign(count, kInfinity);
  x_.resize(count);
  const CoreOutcome outcome =
      active_set_.run({&columns_, c_, lower_, upper_}, kMovesPerRow * count, x_);
  if (outcome.status != QpStatus::solved) return false;
  carries_.resize(count);
  for (std::size_t i = 0; i < count; ++i) carries_[i] = x_[i] > 0.0 ? 1 : 0;
  return true;
}

template class LinkDispute<2>;
template class LinkDispute<3>;

}  // namespace carom::solvers
