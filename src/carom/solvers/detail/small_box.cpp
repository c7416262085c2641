// Programs with bounds of a handful of rows, in fixed memory.
#include "carom/solvers/detail/small_box.h"

#include <algorithm>
#include <cmath>

#include "carom/solvers/detail/small_gradient.h"

namespace carom::solvers {
namespace {

constexpr double kFeasibility = 1e-14;  // slack in the comparison of signs, relative
constexpr double kResidual = 1e-12;
constexpr int kRounds = 12;

}  // namespace

bool SmallBox::solve() {
  for (std::size_t i = 0; i < count; ++i) side_[i] = Side::free;
  for (int round = 0; round < kRounds; ++round) {
    if (!solve_free()) return false;
    if (exchange() > 0) continue;
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = std::clamp(x[i], lower[i], upper[i]);
      if (side_[i] == Side::free && !(std::abs(gradient_[i]) <= kResidual * size_)) return false;
    }
    return true;
  }
  return false;
}

bool SmallBox::solve_free() {
  free_count_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (side_[i] == Side::free) free_[free_count_++] = i;
    x[i] = side_[i] == Side::lower ? lower[i] : side_[i] == Side::upper ? upper[i] : 0.0;
  }
  Line right{};
  for (std::size_t i = 0; i < free_count_; ++i) {
    double sum = -c[free_[i]];
    for (std::size_t j = 0; j < count; ++j) sum -= a[free_[i]][j] * x[j];
    right[i] = sum;
  }
  if (!factor_.solve(a, {free_.data(), free_count_}, right)) return false;
  for (std::size_t i = 0; i < free_count_; ++i) x[free_[i]] = right[i];
  return true;
}

std::size_t SmallBox::exchange() {
  const SmallGradient found(*this, gradient_);
  size_ = found.size;
  const double slack_x = kFeasibility * found.largest_x;
  const double slack_g = kFeasibility * size_;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Side before = side_[i];
    if (before == Side::free) {
      if (x[i] < lower[i] - slack_x) side_[i] = Side::lower;
      if (x[i] > upper[i] + slack_x) side_[i] = Side::upper;
    } else if (before == Side::lower ? gradient_[i] < -slack_g : gradient_[i] > slack_g) {
      side_[i] = Side::free;
    }
    if (side_[i] != before) ++wrong;
  }
  return wrong;
}

}  // namespace carom::solvers
