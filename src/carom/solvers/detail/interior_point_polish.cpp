// From an interior iterate to the exact solution: which rows are free, and their equations.
#include <algorithm>
#include <cmath>

#include "carom/solvers/detail/interior_point.h"

namespace carom::solvers {
namespace {

constexpr double kRegularisation = 1e-12;
constexpr int kExchanges = 6;
constexpr Index kFarOff = 10;  // one row in so many of wrong sign: the guess is not worth more
constexpr int kRefinements = 4;
constexpr double kSlack = 1e-14;
constexpr double kStrict = 1e-13;

}  // namespace

bool InteriorPoint::factor_free() {
  added_.assign(free_.size(), kRegularisation);
  return matrix_->factor_free(free_, added_);
}

/// Rows of wrong sign change sides; returns how many there were.
std::size_t InteriorPoint::exchange(const ScaledProgram& program) {
  const double size_y = largest_absolute(polished_);
  const double slack = kSlack * (largest_absolute(program.c) + size_y);
  std::size_t moved = 0;
  for (Index i = 0; i < program.size(); ++i) {
    double& y = polished_[i];
    if (free_[i] != 0) {
      if (y >= program.lower[i] && y <= program.upper[i]) continue;
      const double excess = std::max(program.lower[i] - y, y - program.upper[i]);
      y = std::clamp(y, program.lower[i], program.upper[i]);
      if (excess <= slack) continue;
      free_[i] = 0;
      ++moved;
    } else {
      const bool at_upper = y >= program.upper[i];
      if (at_upper ? gradient_[i] <= slack : gradient_[i] >= -slack) continue;
      free_[i] = 1;
      ++moved;
    }
  }
  return moved;
}

/// The rows that the current interior point takes for free, and its y.
void InteriorPoint::guess_from_iterate(const ScaledProgram& program) {
  for (Index i = 0; i < program.size(); ++i) {
    polished_[i] = y_[i];
    free_[i] = 1;
    if (s_[i] < z_[i]) {
      free_[i] = 0;
      polished_[i] = program.lower[i];
    } else if (t_[i] > 0.0 && t_[i] < w_[i]) {
      free_[i] = 0;
      polished_[i] = program.upper[i];
    }
  }
}

/// The rows that a given start, or without one the gradient at the lower bounds, takes for free.
void InteriorPoint::guess_from_start(ScaledProgram& program) {
  polished_.assign(program.lower.begin(), program.lower.end());
  program.gradient_at(polished_, gradient_);
  for (Index i = 0; i < program.size(); ++i) {
    free_[i] = gradient_[i] < 0.0 ? 1 : 0;
    if (program.start.empty()) continue;
    polished_[i] = program.start[i];
    free_[i] = polished_[i] > program.lower[i] && polished_[i] < program.upper[i] ? 1 : 0;
  }
}

/// Newton on the free rows, then exchange, while the number of rows of wrong sign falls to
/// `falling` of what it was.
bool InteriorPoint::polish(ScaledProgram& program, const CoreSettings& settings, double falling) {
  const Index size = program.size();
  std::size_t fewest = 1 + size / kFarOff;
  bool first_attempt = falling < 1.0;
  if (first_attempt) newton_.assign(program.lower.begin(), program.lower.end());
  for (int round = 0; round < kExchanges && budget_ > 0; ++round) {
    --budget_;
    ++iterations_;
    if (!factor_free()) return false;
    double last = kInfinity;
    for (int refinement = 0; refinement < kRefinements; ++refinement) {
      program.gradient_at(polished_, gradient_);
      for (Index i = 0; i < size; ++i) step_[i] = free_[i] != 0 ? -gradient_[i] : 0.0;
      const double worst = largest_absolute(step_);
      const double floor = kRoundOff * (largest_absolute(program.c) + largest_absolute(polished_));
      if (!(worst < 0.5 * last) || worst <= floor) break;
      last = worst;
      matrix_->solve(step_);
      for (Index i = 0; i < size; ++i) {
        if (free_[i] != 0) polished_[i] += step_[i];
      }
    }
    program.gradient_at(polished_, gradient_);
    if (first_attempt) newton_ = polished_;
    first_attempt = false;
    const std::size_t moved = exchange(program);
    program.gradient_at(polished_, gradient_);
    const double residual = program.kkt_residual(polished_, gradient_);
    keep_if_better(residual, polished_);
    if (residual <= settings.tolerance &&
        (moved == 0 || program.strict_residual(polished_, gradient_) <= kStrict)) {
      smallest_pivot_ = matrix_->smallest_pivot();
      return true;
    }
    if (moved == 0 || static_cast<double>(moved) >= falling * static_cast<double>(fewest)) break;
    fewest = moved;
  }
  return false;
}

}  // namespace carom::solvers
