// An active-set method in the space of the columns, to round-off.
#include "carom/solvers/detail/dual_active_set.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {
namespace {

constexpr double kDependent = 1e-12;  // remainder of a unit column that counts as 0
constexpr double kSlack = 8.0 * kRoundOff;
constexpr double kClearlyFalling = 1e-9;  // slope that proves unboundedness, relative to |c|
constexpr double kRefinable = 1e3;        // |x| over |c| up to which a refinement helps
constexpr double kClamped = 1e-9;  // relative excess over a bound that is put down to round-off

}  // namespace

CoreOutcome DualActiveSet::run(const Program& program, std::uint64_t budget, std::span<double> x) {
  CoreOutcome outcome;
  start(program, x);
  const double size_c = largest_absolute(program.c);
  while (true) {
    update_point(program, x);
    const double slack = kSlack * (size_c + largest_absolute(x));
    const Index p = choose(program, x, slack);
    if (p == kNone) break;
    if (outcome.iterations == budget) {
      outcome.status = QpStatus::budget_exhausted;
      return outcome;
    }
    ++outcome.iterations;
    bool unbounded = false;
    if (move(program, x, p, unbounded)) {
      std::fill(ignored_.begin(), ignored_.end(), static_cast<unsigned char>(0));
    } else if (unbounded && std::abs(g_[p]) > kClearlyFalling * size_c) {
      outcome.status = QpStatus::unbounded;
      return outcome;
    } else {
      ignored_[p] = 1;
    }
  }
  solve_free(program, x);
  outcome.smallest_pivot = 1.0;
  return outcome;
}

void DualActiveSet::start(const Program& program, std::span<double> x) {
  const SparseColumns& columns = *program.columns;
  basis_.reset(columns.dimension);
  free_.clear();
  is_free_.assign(columns.count(), 0);
  ignored_.assign(columns.count(), 0);
  w_.assign(columns.dimension, 0.0);
  g_.assign(columns.count(), 0.0);
  std::copy(program.lower.begin(), program.lower.end(), x.begin());
}

void DualActiveSet::update_point(const Program& program, std::span<const double> x) {
  const SparseColumns& columns = *program.columns;
  std::fill(w_.begin(), w_.end(), 0.0);
  for (Index i = 0; i < columns.count(); ++i) {
    if (x[i] != 0.0) columns.add(i, x[i], w_);
  }
  for (Index i = 0; i < columns.count(); ++i) g_[i] = columns.dot(i, w_) + program.c[i];
}

Index DualActiveSet::choose(const Program& program, std::span<const double> x, double slack) const {
  Index best = kNone;
  double worst = slack;
  for (Index i = 0; i < static_cast<Index>(x.size()); ++i) {
    if (is_free_[i] != 0 || ignored_[i] != 0) continue;
    const bool at_upper = x[i] >= program.upper[i];
    const double violation = at_upper ? g_[i] : -g_[i];
    if (violation > worst) {
      worst = violation;
      best = i;
    }
  }
  return best;
}

DualActiveSet::Step DualActiveSet::longest_step(const Program& program, std::span<const double> x,
                                                Index p, double remainder) const {
  const double sign = g_[p] < 0.0 ? 1.0 : -1.0;
  Step step;
  step.length = sign > 0.0 ? program.upper[p] - x[p] : x[p] - program.lower[p];
  step.own_bound = true;
  if (remainder > kDependent) {
    const double to_zero = std::abs(g_[p]) / (remainder * remainder);
    if (to_zero < step.length) step = {to_zero, kNone, false};
  }
  for (Index k = 0; k < static_cast<Index>(free_.size()); ++k) {
    const Index j = free_[k];
    const double rate = -sign * r_[k];
    double room = kInfinity;
    if (rate < 0.0) room = std::max(0.0, x[j] - program.lower[j]) / -rate;
    if (rate > 0.0) room = std::max(0.0, program.upper[j] - x[j]) / rate;
    if (room < step.length) step = {room, k, false};
  }
  return step;
}

/// One row p to g_p = 0 or to a bound (2). False where it could not move.
bool DualActiveSet::move(const Program& program, std::span<double> x, Index p, bool& unbounded) {
  const SparseColumns& columns = *program.columns;
  bool moved = false;
  while (true) {
    const double remainder = basis_.project(columns, p);
    r_.assign(basis_.coefficients().begin(), basis_.coefficients().end());
    basis_.solve_upper(r_);
    const Step step = longest_step(program, x, p, remainder);
    if (!std::isfinite(step.length)) {
      unbounded = true;
      return moved;
    }
    const double signed_length = g_[p] < 0.0 ? step.length : -step.length;
    x[p] += signed_length;
    for (std::size_t k = 0; k < free_.size(); ++k) x[free_[k]] -= signed_length * r_[k];
    moved = moved || step.length > 0.0;
    if (step.own_bound) {
      x[p] = g_[p] < 0.0 ? program.upper[p] : program.lower[p];
      return moved;
    }
    if (step.blocking == kNone) {
      basis_.append(remainder);
      free_.push_back(p);
      is_free_[p] = 1;
      return moved;
    }
    if (remainder > kDependent) g_[p] += signed_length * remainder * remainder;
    drop(program, x, step.blocking);
  }
}

void DualActiveSet::drop(const Program& program, std::span<double> x, Index place) {
  const Index row = free_[place];
  const double to_lower = x[row] - program.lower[row];
  const double to_upper = program.upper[row] - x[row];
  x[row] = to_lower <= to_upper ? program.lower[row] : program.upper[row];
  is_free_[row] = 0;
  free_.erase(free_.begin() + place);
  basis_.remove(place);
}

/// R'R x_F = -(c_F + A_F'w_B), w_B the part of the rows at their bounds. Kept only where it stays
/// within the bounds but for round-off.
void DualActiveSet::solve_free(const Program& program, std::span<double> x) {
  const SparseColumns& columns = *program.columns;
  std::fill(w_.begin(), w_.end(), 0.0);
  for (Index i = 0; i < columns.count(); ++i) {
    if (is_free_[i] == 0 && x[i] != 0.0) columns.add(i, x[i], w_);
  }
  r_.resize(free_.size());
  for (std::size_t k = 0; k < free_.size(); ++k) {
    r_[k] = -(program.c[free_[k]] + columns.dot(free_[k], w_));
  }
  basis_.solve_normal(r_);
  const double slack = kClamped * largest_absolute(x);
  bool good = true;
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const Index row = free_[k];
    good = good && r_[k] >= program.lower[row] - slack && r_[k] <= program.upper[row] + slack;
  }
  for (std::size_t k = 0; good && k < free_.size(); ++k) {
    const Index row = free_[k];
    x[row] = std::clamp(r_[k], program.lower[row], program.upper[row]);
  }
  update_point(program, x);
  if (largest_absolute(x) > kRefinable * largest_absolute(program.c)) return;
  for (std::size_t k = 0; k < free_.size(); ++k) r_[k] = -g_[free_[k]];
  basis_.solve_normal(r_);
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const Index row = free_[k];
    x[row] = std::clamp(x[row] + r_[k], program.lower[row], program.upper[row]);
  }
  update_point(program, x);
}

}  // namespace carom::solvers
