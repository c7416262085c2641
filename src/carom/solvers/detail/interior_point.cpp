// The iteration of a primal-dual interior point.
#include "carom/solvers/detail/interior_point.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {
namespace {

constexpr double kRegularisation = 1e-13;      // on a diagonal of about 1, beside Z/S
constexpr double kRunaway = 1e9;               // |y| over |c| where unboundedness is suspected
constexpr std::uint64_t kDefaultBudget = 150;  // factorisations
constexpr double kFirstPolish = 1e-6;          // mu relative to its start
constexpr double kLastMu = 1e-26;
constexpr int kCorrections = 5;
constexpr double kLeastProduct = 0.1;  // times the target: below it a product s z is corrected
constexpr double kLargestProduct = 10.0;
constexpr double kLonger = 0.3;
constexpr double kStartShare = 0.3;
constexpr double kLargestMean = 10.0;  // of |y| over |c| and rows, in the attempt
constexpr double kStepShare = 0.99;    // of the way to the boundary
constexpr double kFirstFall = 0.3;     // per exchange, for the attempt before the first iteration

}  // namespace

CoreOutcome InteriorPoint::run(ScaledProgram& program, AssembledRows& matrix,
                               const CoreSettings& settings, std::span<double> y) {
  matrix_ = &matrix;
  CoreOutcome outcome;
  budget_ = settings.max_iterations != 0 ? settings.max_iterations : kDefaultBudget;
  best_residual_ = kInfinity;
  smallest_pivot_ = 0.0;
  start(program);
  guess_from_start(program);
  bool done = polish(program, settings, kFirstFall);
  if (!done) {
    start_from_attempt(program);
    done = iterate(program, settings);
  }
  if (!done && budget_ > 0) {
    guess_from_iterate(program);
    polish(program, settings, 1.0);
  }
  std::copy(best_.begin(), best_.end(), y.begin());
  if (best_residual_ > settings.tolerance) {
    outcome.status = budget_ == 0 ? QpStatus::budget_exhausted : QpStatus::inaccurate;
  }
  outcome.iterations = iterations_;
  outcome.smallest_pivot = smallest_pivot_;
  return outcome;
}

/// Predictor and corrector until a polish succeeds; false where it has to give up.
bool InteriorPoint::iterate(ScaledProgram& program, const CoreSettings& settings) {
  const double size_c = largest_absolute(program.c);
  std::fill(dy_.begin(), dy_.end(), 0.0);
  const double first_mu = complementarity(program, 0.0);
  double next_polish = kFirstPolish * first_mu;
  while (true) {
    program.gradient_at(y_, gradient_);
    keep_if_better(program.kkt_residual(y_, gradient_), y_);
    const double mu = complementarity(program, 0.0);
    if (mu <= next_polish) {
      guess_from_iterate(program);
      if (polish(program, settings, 1.0)) return true;
      next_polish = 1e-3 * mu;
      program.gradient_at(y_, gradient_);
    }
    if (budget_ == 0) return false;
    if (mu <= kLastMu * first_mu || largest_absolute(y_) > kRunaway * size_c) return false;
    --budget_;
    ++iterations_;
    if (!factor_with_diagonal()) return false;
    predictor(program);
    const double step_affine = longest_step(program);
    const double ratio = complementarity(program, step_affine) / mu;
    const double target = ratio * ratio * ratio * mu;
    corrector(program, target);
    const double step = correct_centrality(program, target, longest_step(program));
    if (!(step > 1e-12)) return false;
    advance(program, std::min(1.0, kStepShare * step));
  }
}

void InteriorPoint::start(const ScaledProgram& program) {
  const Index size = program.size();
  for (auto* values : {&y_, &s_, &t_, &z_, &w_, &gradient_, &dy_, &dz_, &dw_, &cross_z_, &cross_w_,
                       &polished_, &step_}) {
    values->assign(size, 0.0);
  }
  free_.assign(size, 0);
  iterations_ = 0;
  best_.assign(program.lower.begin(), program.lower.end());
  double size_c = largest_absolute(program.c);
  if (size_c == 0.0) size_c = 1.0;
  bounds_ = size;
  for (Index i = 0; i < size; ++i) {
    s_[i] = size_c;
    z_[i] = size_c;
    if (std::isfinite(program.upper[i])) {
      s_[i] = std::min(size_c, 0.5 * (program.upper[i] - program.lower[i]));
      t_[i] = program.upper[i] - program.lower[i] - s_[i];
      w_[i] = size_c;
      ++bounds_;
    }
    y_[i] = program.lower[i] + s_[i];
  }
}

/// The attempt's first Newton step knows how large y is going to be: s is at least a part of its
/// mean, so that mu need not climb first. Not so where it has gone far along the kernel of A, as it
/// may with redundant rows: impulses add up along the rows, and not to much more.
void InteriorPoint::start_from_attempt(const ScaledProgram& program) {
  const Index size = program.size();
  const double size_c = largest_absolute(program.c);
  double mean = 0.0;
  for (Index i = 0; i < size; ++i) mean += std::abs(newton_[i] - program.lower[i]) / size;
  if (!std::isfinite(mean) || !(mean < kLargestMean * size * size_c)) return;
  const double least = kStartShare * std::max(mean, size_c);
  for (Index i = 0; i < size; ++i) {
    s_[i] = std::max(newton_[i] - program.lower[i], least);
    z_[i] = kStartShare * size_c;
    if (t_[i] > 0.0) {
      const double width = program.upper[i] - program.lower[i];
      s_[i] = std::min(s_[i], 0.5 * width);
      t_[i] = width - s_[i];
      w_[i] = z_[i];
    }
    y_[i] = program.lower[i] + s_[i];
  }
}

bool InteriorPoint::factor_with_diagonal() {
  added_.resize(s_.size());
  for (std::size_t i = 0; i < added_.size(); ++i) {
    added_[i] = z_[i] / s_[i] + kRegularisation;
    if (t_[i] > 0.0) added_[i] += w_[i] / t_[i];
  }
  return matrix_->factor_with_diagonal(added_);
}

void InteriorPoint::predictor(const ScaledProgram& program) {
  for (Index i = 0; i < program.size(); ++i) dy_[i] = -gradient_[i];
  matrix_->solve(dy_);
  for (Index i = 0; i < program.size(); ++i) {
    dz_[i] = -z_[i] - z_[i] / s_[i] * dy_[i];
    cross_z_[i] = dy_[i] * dz_[i];
    if (t_[i] <= 0.0) continue;
    dw_[i] = -w_[i] + w_[i] / t_[i] * dy_[i];
    cross_w_[i] = dy_[i] * dw_[i];
  }
}

void InteriorPoint::corrector(const ScaledProgram& program, double target) {
  for (Index i = 0; i < program.size(); ++i) {
    dy_[i] = -gradient_[i] + (target - cross_z_[i]) / s_[i];  // (1)
    if (t_[i] > 0.0) dy_[i] -= (target + cross_w_[i]) / t_[i];
  }
  matrix_->solve(dy_);
  for (Index i = 0; i < program.size(); ++i) {
    dz_[i] = (target - cross_z_[i]) / s_[i] - z_[i] - z_[i] / s_[i] * dy_[i];  // (2)
    if (t_[i] > 0.0) {
      dw_[i] = (target + cross_w_[i]) / t_[i] - w_[i] + w_[i] / t_[i] * dy_[i];  // (3)
    }
  }
}

/// Where a slightly longer step would leave single products s z far from the target, they alone are
/// given another one; kept while the step does get longer. Returns the step.
double InteriorPoint::correct_centrality(const ScaledProgram& program, double target, double step) {
  const auto shift = [&](double product) {
    const double aim = std::clamp(product, kLeastProduct * target, kLargestProduct * target);
    return std::max(aim - product, -kLargestProduct * target);
  };
  for (int k = 0; k < kCorrections && step < 0.9; ++k) {
    const double wished = std::min(1.0, step + kLonger);
    kept_[0] = dy_;
    kept_[1] = dz_;
    kept_[2] = dw_;
    for (Index i = 0; i < program.size(); ++i) {
      cross_z_[i] -= shift((s_[i] + wished * dy_[i]) * (z_[i] + wished * dz_[i]));
      if (t_[i] <= 0.0) continue;
      cross_w_[i] += shift((t_[i] - wished * dy_[i]) * (w_[i] + wished * dw_[i]));
    }
    corrector(program, target);
    const double longer = longest_step(program);
    if (longer < step + 0.01) {
      dy_ = kept_[0];
      dz_ = kept_[1];
      dw_ = kept_[2];
      break;
    }
    step = longer;
  }
  return step;
}

double InteriorPoint::longest_step(const ScaledProgram& program) const {
  double step = 1.0;
  for (Index i = 0; i < program.size(); ++i) {
    if (dy_[i] < 0.0) step = std::min(step, -s_[i] / dy_[i]);
    if (dz_[i] < 0.0) step = std::min(step, -z_[i] / dz_[i]);
    if (t_[i] <= 0.0) continue;
    if (dy_[i] > 0.0) step = std::min(step, t_[i] / dy_[i]);
    if (dw_[i] < 0.0) step = std::min(step, -w_[i] / dw_[i]);
  }
  return step;
}

double InteriorPoint::complementarity(const ScaledProgram& program, double step) const {
  double sum = 0.0;
  for (Index i = 0; i < program.size(); ++i) {
    sum += (s_[i] + step * dy_[i]) * (z_[i] + step * dz_[i]);
    if (t_[i] > 0.0) sum += (t_[i] - step * dy_[i]) * (w_[i] + step * dw_[i]);
  }
  return sum / static_cast<double>(bounds_);
}

void InteriorPoint::advance(const ScaledProgram& program, double step) {
  for (Index i = 0; i < program.size(); ++i) {
    s_[i] += step * dy_[i];
    z_[i] += step * dz_[i];
    y_[i] = program.lower[i] + s_[i];
    if (t_[i] <= 0.0) continue;
    t_[i] -= step * dy_[i];
    w_[i] += step * dw_[i];
    if (t_[i] < s_[i]) y_[i] = program.upper[i] - t_[i];
  }
}

void InteriorPoint::keep_if_better(double residual, std::span<const double> y) {
  if (residual < best_residual_) {
    best_residual_ = residual;
    best_.assign(y.begin(), y.end());
  }
}

}  // namespace carom::solvers
