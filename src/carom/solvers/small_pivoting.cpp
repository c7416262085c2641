#include "carom/solvers/small_pivoting.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {
namespace {

constexpr double kSingular = 1e-8;      // smallest pivot, relative to the diagonal
constexpr double kFeasibility = 1e-14;  // slack in the comparison of signs, relative
constexpr double kResidual = 1e-12;
constexpr int kRounds = 12;

}  // namespace

bool SmallPivoting::solve() {
  for (std::size_t i = 0; i < count; ++i) is_free_[i] = true;
  for (int round = 0; round < kRounds; ++round) {
    if (!solve_free()) return false;
    if (exchange() > 0) continue;
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = std::max(0.0, x[i]);
      if (is_free_[i] && !(std::abs(gradient_[i]) <= kResidual * size_)) return false;
    }
    return true;
  }
  return false;
}

bool SmallPivoting::is_unique() const {
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_free_[i] && gradient_[i] <= kResidual * size_) return false;
  }
  return true;
}

bool SmallPivoting::solve_free() {
  free_count_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = 0.0;
    if (is_free_[i]) free_[free_count_++] = i;
  }
  // L D L': factor_ holds L D below the diagonal and 1 / D on it.
  for (std::size_t i = 0; i < free_count_; ++i) {
    const std::array<double, kMostRows>& row = a[free_[i]];
    double rhs = -c[free_[i]];
    double pivot = row[free_[i]];
    for (std::size_t j = 0; j < i; ++j) {
      double sum = row[free_[j]];
      for (std::size_t k = 0; k < j; ++k) sum -= factor_[i][k] * share_[j][k];
      factor_[i][j] = sum;
      const double share = share_[i][j] = sum * factor_[j][j];
      pivot -= sum * share;
      rhs -= share * x[free_[j]];
    }
    if (!(pivot > kSingular * row[free_[i]])) return false;
    factor_[i][i] = 1.0 / pivot;
    x[free_[i]] = rhs;
  }
  for (std::size_t i = free_count_; i-- > 0;) {
    double sum = x[free_[i]] * factor_[i][i];
    for (std::size_t k = i + 1; k < free_count_; ++k) sum -= share_[k][i] * x[free_[k]];
    x[free_[i]] = sum;
  }
  return true;
}

std::size_t SmallPivoting::exchange() {
  double largest_c = 0.0;
  double largest_x = 0.0;
  double largest_a = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    double g = c[i];
    double line = 0.0;
    for (std::size_t j = 0; j < count; ++j) {
      g += a[i][j] * x[j];
      line += std::abs(a[i][j]);
    }
    gradient_[i] = g;
    largest_c = std::max(largest_c, std::abs(c[i]));
    largest_x = std::max(largest_x, std::abs(x[i]));
    largest_a = std::max(largest_a, line);
  }
  size_ = largest_c + largest_a * largest_x;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_wrong =
        is_free_[i] ? x[i] < -kFeasibility * largest_x : gradient_[i] < -kFeasibility * size_;
    if (!is_wrong) continue;
    is_free_[i] = !is_free_[i];
    ++wrong;
  }
  return wrong;
}

}  // namespace carom::solvers
