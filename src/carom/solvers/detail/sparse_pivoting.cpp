// Block principal pivoting on a sparse factor, ending at the solution of least norm.
#include "carom/solvers/detail/sparse_pivoting.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::solvers {
namespace {

constexpr std::array kDeltas = {1e-8, 1e-10};  // beside a diagonal of about 1
constexpr std::uint64_t kBudget = 60;          // factorisations
constexpr int kGrace = 6;
constexpr int kRefinements = 12;
constexpr int kLongRefinements = 40;
constexpr double kLeastProgress = 0.9;  // of a long refinement
constexpr double kSlack = 1e-14;        // relative, in the comparison of signs
constexpr double kStrict = 1e-13;
constexpr double kFallingNorm = 1e-9;  // n'eta over the largest that counts as pointing inside

}  // namespace

CoreOutcome SparsePivoting::run(ScaledProgram& program, AssembledRows& matrix,
                                const CoreSettings& settings, std::span<double> y) {
  matrix_ = &matrix;
  iterations_ = 0;
  start(program);
  const std::uint64_t budget = settings.max_iterations != 0 ? settings.max_iterations : kBudget;
  CoreOutcome outcome;
  outcome.status = QpStatus::inaccurate;
  double best = kInfinity;
  std::copy(program.lower.begin(), program.lower.end(), y.begin());
  for (const double delta : kDeltas) {
    delta_ = delta;
    if (!pivot(program, budget)) break;
    refine_within_range(program);
    const bool is_within_range = refine(program, settings.tolerance);
    const double size = largest_absolute(program.c) + largest_absolute(y_);
    find_moves(program, kSlack * size, kSlack * size);
    for (Index i = 0; i < program.size(); ++i) {
      y_[i] = std::clamp(y_[i], program.lower[i], program.upper[i]);
    }
    program.gradient_at(y_, gradient_);
    const double residual = program.kkt_residual(y_, gradient_);
    const bool is_solved =
        residual <= settings.tolerance &&
        (!sides_.has_moves() || program.strict_residual(y_, gradient_) <= kStrict);
    if (is_solved) {
      outcome.status = QpStatus::solved;
      sides_.clear_moves();
      find_norm_moves(program, settings.tolerance * size);
      outcome.is_least_norm = !sides_.has_moves() && is_within_range;
    }
    if (residual < best || outcome.is_least_norm) {
      best = residual;
      std::copy(y_.begin(), y_.end(), y.begin());
    }
    if (outcome.is_least_norm) break;
    sides_.exchange_all();
  }
  outcome.iterations = iterations_;
  return outcome;
}

void SparsePivoting::start(ScaledProgram& program) {
  const Index size = program.size();
  sides_.reset(size, kGrace);
  for (auto* values : {&gradient_, &step_, &product_, &added_, &eta_}) values->resize(size);
  square_scale_.resize(size);
  double largest = 0.0;
  for (Index i = 0; i < size; ++i) {
    square_scale_[i] = program.rows.scale(i) * program.rows.scale(i);
    largest = std::max(largest, square_scale_[i]);
  }
  for (double& value : square_scale_) value /= largest;
  const std::vector<double>& from = program.start.empty() ? program.lower : program.start;
  y_.assign(from.begin(), from.end());
  program.gradient_at(y_, gradient_);
  for (Index i = 0; i < size; ++i) {
    // where a step down the gradient would end
    const double aim = y_[i] - gradient_[i];
    const bool is_free = aim > program.lower[i] && aim < program.upper[i];
    if (aim >= program.upper[i]) sides_.set(i, Side::upper);
    if (is_free) sides_.set(i, Side::free);
  }
}

/// Exchanges rows until none is on the wrong side for this delta.
bool SparsePivoting::pivot(ScaledProgram& program, std::uint64_t budget) {
  sides_.begin_anew();
  while (iterations_ < budget) {
    ++iterations_;
    if (!solve_free(program)) return false;
    const double size_y = largest_absolute(y_);
    const double size_c = largest_absolute(program.c);
    find_moves(program, kSlack * size_y, delta_ * kSlack + kSlack * (size_c + size_y));
    if (!sides_.has_moves()) return true;
    sides_.exchange_some();
  }
  return false;
}

/// (1)
bool SparsePivoting::solve_free(ScaledProgram& program) {
  const Index size = program.size();
  free_.resize(size);
  for (Index i = 0; i < size; ++i) {
    free_[i] = sides_[i] == Side::free ? 1 : 0;
    y_[i] = sides_[i] == Side::free ? 0.0 : sides_.bound(i, program.lower, program.upper);
    added_[i] = delta_ * square_scale_[i];
  }
  if (!matrix_->factor_free(free_, added_)) return false;
  program.gradient_at(y_, gradient_);
  for (Index i = 0; i < size; ++i) step_[i] = free_[i] != 0 ? -gradient_[i] : 0.0;
  matrix_->solve(step_);
  for (Index i = 0; i < size; ++i) {
    if (free_[i] != 0) y_[i] = step_[i];
  }
  program.gradient_at(y_, gradient_);
  return true;
}

/// (2) from y_F = 0, until it is at round-off or stalls.
void SparsePivoting::refine_within_range(ScaledProgram& program) {
  const Index size = program.size();
  v_.resize(program.rows.dof_count());
  for (Index i = 0; i < size; ++i) {
    if (free_[i] != 0) y_[i] = 0.0;
  }
  std::fill(eta_.begin(), eta_.end(), 0.0);
  product_.assign(size, 0.0);
  const std::vector<double> zero(size, 0.0);
  double last = kInfinity;
  for (int round = 0; round < kRefinements; ++round) {
    program.gradient_at(y_, gradient_);
    double worst = 0.0;
    for (Index i = 0; i < size; ++i) {
      step_[i] = free_[i] != 0 ? -gradient_[i] : 0.0;
      worst = std::max(worst, std::abs(step_[i]));
    }
    const double floor = kRoundOff * (largest_absolute(program.c) + largest_absolute(y_));
    if (worst <= floor || !(worst < 0.5 * last)) return;
    last = worst;
    matrix_->solve(step_);
    for (Index i = 0; i < size; ++i) step_[i] = free_[i] != 0 ? step_[i] * square_scale_[i] : 0.0;
    matrix_->solve(step_);
    for (Index i = 0; i < size; ++i) {
      if (free_[i] == 0) step_[i] = 0.0;
    }
    program.rows.gradient_at(step_, zero, product_, v_);
    for (Index i = 0; i < size; ++i) {
      eta_[i] += product_[i];
      if (free_[i] != 0) y_[i] = eta_[i] / square_scale_[i];
    }
  }
}

/// Where rows are so nearly dependent that (2) drowns in round-off, what is left is taken off
/// without it. True where nothing was left.
bool SparsePivoting::refine(ScaledProgram& program, double tolerance) {
  const Index size = program.size();
  bool is_within_range = true;
  double last = kInfinity;
  for (int round = 0; round < kLongRefinements; ++round) {
    program.gradient_at(y_, gradient_);
    double worst = 0.0;
    for (Index i = 0; i < size; ++i) {
      step_[i] = free_[i] != 0 ? -gradient_[i] : 0.0;
      worst = std::max(worst, std::abs(step_[i]));
    }
    const double wanted = 0.1 * tolerance * (largest_absolute(program.c) + largest_absolute(y_));
    if (worst <= wanted || !(worst < kLeastProgress * last)) break;
    last = worst;
    is_within_range = false;
    matrix_->solve(step_);
    for (Index i = 0; i < size; ++i) {
      if (free_[i] != 0) y_[i] += step_[i];
    }
  }
  return is_within_range;
}

void SparsePivoting::find_moves(const ScaledProgram& program, double slack_y, double slack_g) {
  sides_.find_moves({program.lower, program.upper, y_, gradient_, slack_y, slack_g});
}

/// Rows at a bound without a gradient that the least norm would free.
void SparsePivoting::find_norm_moves(const ScaledProgram& program, double slack_g) {
  const double slack = kFallingNorm * largest_absolute(eta_);
  for (Index i = 0; i < program.size(); ++i) {
    if (sides_[i] == Side::free || std::abs(gradient_[i]) > slack_g) continue;
    const double wished = eta_[i] / square_scale_[i];
    const bool inside = sides_[i] == Side::lower ? wished > program.lower[i] + slack
                                                 : wished < program.upper[i] - slack;
    if (inside) sides_.add_move(i, Side::free);
  }
}

}  // namespace carom::solvers
