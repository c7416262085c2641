// A handful of rows by block pivoting, in fixed memory.
#include "carom/solvers/small_pivoting.h"

#include <algorithm>
#include <cmath>

#include "carom/solvers/detail/small_gradient.h"

namespace carom::solvers {
namespace {

constexpr double kFeasibility = 1e-14;  // slack in the comparison of signs, relative
constexpr double kResidual = 1e-12;
constexpr int kRounds = 12;

}  // namespace

bool SmallPivoting::solve() {
  for (std::size_t i = 0; i < count; ++i) is_free_[i] = true;
  if (count == 2 && solve_pair()) return true;
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

// The operations of SmallFactor, in its order: to the same bits.
bool SmallPivoting::solve_pair() {
  const double inverse = 1.0 / a[0][0];
  const double share = a[1][0] * inverse;
  const double pivot = a[1][1] - a[1][0] * share;
  if (!(a[0][0] > 0.0 && pivot > SmallFactor::kSingular * a[1][1])) return false;
  x[1] = (-c[1] - share * -c[0]) * (1.0 / pivot);
  x[0] = -c[0] * inverse - share * x[1];
  return x[0] > 0.0 && x[1] > 0.0;
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
  SmallFactor::Line right{};
  for (std::size_t i = 0; i < free_count_; ++i) right[i] = -c[free_[i]];
  if (!factor_.solve(a, {free_.data(), free_count_}, right)) return false;
  for (std::size_t i = 0; i < free_count_; ++i) x[free_[i]] = right[i];
  return true;
}

std::size_t SmallPivoting::exchange() {
  const SmallGradient found(*this, gradient_);
  size_ = found.size;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_wrong =
        is_free_[i] ? x[i] < -kFeasibility * found.largest_x : gradient_[i] < -kFeasibility * size_;
    if (!is_wrong) continue;
    is_free_[i] = !is_free_[i];
    ++wrong;
  }
  return wrong;
}

}  // namespace carom::solvers
