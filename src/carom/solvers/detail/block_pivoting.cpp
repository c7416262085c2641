// Block principal pivoting on a dense factor.
#include "carom/solvers/detail/block_pivoting.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {
namespace {

constexpr double kPivotFloor = 1e-9;       // below it rows count as dependent
constexpr double kRegularisation = 1e-12;  // relative to the diagonal, which is about 1
constexpr double kFeasibility = 1e-14;     // relative slack in the comparison of signs
constexpr int kGrace = 10;
constexpr int kRefinements = 3;

}  // namespace

CoreOutcome BlockPivoting::run(const Program& program, std::uint64_t budget, std::span<double> y,
                               std::span<double> g) {
  CoreOutcome outcome;
  regularised_ = false;
  choose_sides(program);
  while (outcome.iterations < budget) {
    ++outcome.iterations;
    if (!solve_free(program, y, g)) break;
    find_infeasible(program, y, g);
    if (!sides_.has_moves()) {
      outcome.smallest_pivot = regularised_ ? 0.0 : smallest_pivot_;
      return outcome;
    }
    sides_.exchange_some();  // (2)
  }
  outcome.status = QpStatus::inaccurate;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double clamped = std::clamp(y[i], program.lower[i], program.upper[i]);
    y[i] = std::isfinite(clamped) ? clamped : program.lower[i];
  }
  program.matrix->multiply_add(y, program.c, g);
  return outcome;
}

void BlockPivoting::choose_sides(const Program& program) {
  const std::size_t size = program.c.size();
  sides_.reset(size, kGrace);
  for (std::size_t i = 0; i < size; ++i) {
    bool free = program.c[i] < 0.0 || program.lower[i] != 0.0;
    if (!program.start.empty()) free = program.start[i] > program.lower[i];
    if (free) sides_.set(i, Side::free);
    if (!program.start.empty() && program.start[i] >= program.upper[i]) sides_.set(i, Side::upper);
  }
}

bool BlockPivoting::solve_free(const Program& program, std::span<double> y, std::span<double> g) {
  const EnvelopeMatrix& matrix = *program.matrix;
  const auto size = static_cast<Index>(program.c.size());
  free_.clear();
  bool bounds_matter = false;
  for (Index i = 0; i < size; ++i) {
    if (sides_[i] == Side::free) {
      free_.push_back(i);
      y[i] = 0.0;
    } else {
      y[i] = sides_.bound(i, program.lower, program.upper);
      bounds_matter = bounds_matter || y[i] != 0.0;
    }
  }
  rhs_.resize(free_.size());
  if (!regularised_) {
    smallest_pivot_ = factor_.factor(matrix, free_, 0.0, kPivotFloor);
    regularised_ = !(smallest_pivot_ > kPivotFloor) && !free_.empty();
  }
  if (regularised_ &&
      !(factor_.factor(matrix, free_, kRegularisation, 0.1 * kRegularisation) > 0.0)) {
    return false;
  }
  if (bounds_matter) {
    matrix.multiply_add(y, program.c, g);
    for (std::size_t k = 0; k < free_.size(); ++k) rhs_[k] = -g[free_[k]];
  } else {
    for (std::size_t k = 0; k < free_.size(); ++k) rhs_[k] = -program.c[free_[k]];
  }
  factor_.solve(rhs_);  // (1)
  for (std::size_t k = 0; k < free_.size(); ++k) y[free_[k]] = rhs_[k];
  matrix.multiply_add(y, program.c, g);
  if (regularised_) refine(program, y, g);
  return true;
}

/// y_F -= (A_FF + regularisation)^-1 g_F: converges to a solution of (1) where there is one, and
/// leaves the component along the kernel of A_FF as it is.
void BlockPivoting::refine(const Program& program, std::span<double> y, std::span<double> g) {
  for (int round = 0; round < kRefinements; ++round) {
    double worst = 0.0;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      rhs_[k] = -g[free_[k]];
      worst = std::max(worst, std::abs(rhs_[k]));
    }
    if (worst <= kRoundOff * (largest_absolute(program.c) + largest_absolute(y))) break;
    factor_.solve(rhs_);
    for (std::size_t k = 0; k < free_.size(); ++k) y[free_[k]] += rhs_[k];
    program.matrix->multiply_add(y, program.c, g);
  }
}

void BlockPivoting::find_infeasible(const Program& program, std::span<const double> y,
                                    std::span<const double> g) {
  const double slack_y = kFeasibility * largest_absolute(y);
  const double slack_g = kFeasibility * (largest_absolute(program.c) + largest_absolute(y));
  sides_.find_moves({program.lower, program.upper, y, g, slack_y, slack_g});
}

}  // namespace carom::solvers
