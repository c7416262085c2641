// Of all solutions of a program the one of least norm.
#include "carom/solvers/detail/minimum_norm_solution.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {
namespace {

constexpr double kDelta = 1e-12;
constexpr double kNothing = 1e-12;  // beside the largest number of a row at the same body
constexpr int kMaxIterations = 200;
constexpr int kMaxStepTrials = 80;

}  // namespace

bool MinimumNormSolution::run(ScaledProgram& program, double tolerance, std::span<double> y) {
  choose_rows(program, tolerance, y);
  if (chosen_.empty()) return true;
  make_columns(program, y);
  system_.prepare(program.rows, chosen_, columns_);
  const double residual = newton();
  if (!std::isfinite(residual)) return false;
  double old_norm = 0.0;
  double new_norm = 0.0;
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const double scale = program.rows.scale(chosen_[k]);
    old_norm = std::hypot(old_norm, y[chosen_[k]] * scale);
    new_norm = std::hypot(new_norm, x_[k]);
    candidate_[chosen_[k]] = x_[k] / scale;
  }
  program.gradient_at(candidate_, g_);
  const double kkt = program.kkt_residual(candidate_, g_);
  if (!(kkt <= tolerance) || !(new_norm <= old_norm * (1.0 + 1e-6))) return false;
  std::copy(candidate_.begin(), candidate_.end(), y.begin());
  return true;
}

/// Z, and a copy of y in which rows that rest at a bound, as their gradient says, are exactly
/// there.
void MinimumNormSolution::choose_rows(ScaledProgram& program, double tolerance,
                                      std::span<const double> y) {
  const Index size = program.size();
  candidate_.assign(y.begin(), y.end());
  g_.resize(size);
  program.gradient_at(y, g_);
  double largest_x = 0.0;
  for (Index i = 0; i < size; ++i) {
    largest_x = std::max(largest_x, std::abs(y[i] * program.rows.scale(i)));
  }
  const double slack = 0.5 * tolerance * (program.largest_c + program.norm() * largest_x);
  chosen_.clear();
  for (Index i = 0; i < size; ++i) {
    const double scale = program.rows.scale(i);
    const double g = g_[i] / scale;
    if (g > slack && (y[i] - program.lower[i]) * scale <= slack) {
      candidate_[i] = program.lower[i];
    } else if (g < -slack && (program.upper[i] - y[i]) * scale <= slack) {
      candidate_[i] = program.upper[i];
    } else {
      chosen_.push_back(i);
    }
  }
}

void MinimumNormSolution::make_columns(const ScaledProgram& program, std::span<const double> y) {
  const SelectedRows& rows = program.rows;
  const Index dofs = rows.dof_count();
  columns_.clear(dofs);
  lower_.clear();
  upper_.clear();
  equilibrium_.assign(dofs, 0.0);
  for (const Index row : chosen_) {
    const double scale = rows.scale(row);
    for (const SelectedRows::Part& part : rows.parts(row)) {
      const double* n = rows.gradient(part);
      const double nothing = kNothing * largest_absolute({n, part.size});
      for (Index k = 0; k < part.size; ++k) {
        const double value = std::abs(n[k]) > nothing ? n[k] / scale : 0.0;
        columns_.push(part.dof + k, value);
        equilibrium_[part.dof + k] += value * value;
      }
    }
    columns_.end_column();
    lower_.push_back(program.lower[row] * scale);
    upper_.push_back(program.upper[row] * scale);
  }
  for (double& value : equilibrium_) value = value > 0.0 ? 1.0 / std::sqrt(value) : 0.0;
  for (std::size_t k = 0; k < columns_.index.size(); ++k) {
    columns_.value[k] *= equilibrium_[columns_.index[k]];
  }
  b_.assign(dofs, 0.0);
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    columns_.add(static_cast<Index>(k), y[chosen_[k]] * rows.scale(chosen_[k]), b_);
  }
}

/// x(eta + step d_eta) and the residual there.
void MinimumNormSolution::evaluate(double step) {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    t_[i] += step * dt_[i];
    x_[i] = std::clamp(t_[i], lower_[i], upper_[i]);
    inside_[i] = t_[i] >= lower_[i] && t_[i] <= upper_[i] ? 1 : 0;
  }
  r_ = b_;
  for (Index i = 0; i < columns_.count(); ++i) {
    if (x_[i] != 0.0) columns_.add(i, -x_[i], r_);
  }
}

double MinimumNormSolution::slope(double step) const {
  double sum = d_eta_b_;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    sum -= dt_[i] * std::clamp(t_[i] + step * dt_[i], lower_[i], upper_[i]);
  }
  return sum;
}

/// Whether Newton's step leaves every row on its side of its bounds: then it is exact, and a search
/// could only follow round-off along directions that no row feels.
bool MinimumNormSolution::newton_step_is_exact() const {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double t = t_[i] + dt_[i];
    const bool inside = t >= lower_[i] && t <= upper_[i];
    if (inside != (inside_[i] != 0)) return false;
  }
  return true;
}

/// The zero of the slope, which never rises: expansion, then bisection with secant steps.
double MinimumNormSolution::find_step() const {
  if (newton_step_is_exact()) return 1.0;
  const double first = slope(0.0);
  double low = 0.0;
  double slope_low = first;
  double high = 1.0;
  double slope_high = slope(high);
  int trials = 0;
  while (slope_high > 0.1 * first && trials++ < kMaxStepTrials) {
    low = high;
    slope_low = slope_high;
    high *= 4.0;
    slope_high = slope(high);
  }
  while (std::abs(slope_high) > 0.1 * std::abs(first) && trials++ < kMaxStepTrials) {
    double middle = 0.5 * (low + high);
    if (trials % 2 == 0 && slope_low > slope_high) {
      middle = low + (high - low) * slope_low / (slope_low - slope_high);
    }
    const double slope_middle = slope(middle);
    if (std::abs(slope_middle) <= 0.1 * std::abs(first)) return middle;
    if (slope_middle > 0.0) {
      low = middle;
      slope_low = slope_middle;
    } else {
      high = middle;
      slope_high = slope_middle;
    }
  }
  return high;
}

/// Iteration (2); returns the residual reached.
double MinimumNormSolution::newton() {
  const std::size_t count = chosen_.size();
  t_.assign(count, 0.0);
  dt_.assign(count, 0.0);
  x_.assign(count, 0.0);
  inside_.assign(count, 1);
  evaluate(0.0);
  std::fill(inside_.begin(), inside_.end(), static_cast<unsigned char>(1));
  const double floor = 2.0 * kRoundOff * largest_absolute(b_);
  double best = largest_absolute(r_);
  std::vector<double> best_x = x_;
  std::vector<unsigned char> factored;
  double delta = kDelta;
  double factored_delta = 0.0;
  int stalled = 0;
  for (int iteration = 0; iteration < kMaxIterations && best > floor && stalled < 4; ++iteration) {
    if (factored != inside_ || factored_delta != delta) {
      if (!system_.factor(inside_, delta)) {
        delta *= 100.0;
        if (delta > 1.0) break;
        continue;
      }
      factored = inside_;
      factored_delta = delta;
    }
    d_eta_ = r_;
    system_.solve(d_eta_);
    d_eta_b_ = dot_product(d_eta_.data(), b_.data(), b_.size());
    for (std::size_t i = 0; i < count; ++i) dt_[i] = columns_.dot(static_cast<Index>(i), d_eta_);
    const double step = find_step();
    evaluate(step);
    delta = step < 0.1 ? std::min(1e-2, 100.0 * delta) : std::max(kDelta, 0.01 * delta);
    const double residual = largest_absolute(r_);
    if (residual < best) {
      stalled = residual < 0.5 * best || best > 1e-12 * largest_absolute(b_) ? 0 : stalled + 1;
      best = residual;
      best_x = x_;
    } else if (best <= 1e-13 * largest_absolute(b_)) {
      ++stalled;
    }
  }
  x_ = best_x;
  return best;
}

}  // namespace carom::solvers
