// L D L' of a few rows, and a solution with it.
#include "carom/solvers/small_factor.h"

namespace carom::solvers {

bool SmallFactor::solve(const std::array<Line, kMostRows>& a, std::span<const std::size_t> rows,
                        Line& right) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Line& row = a[rows[i]];
    double pivot = row[rows[i]];
    for (std::size_t j = 0; j < i; ++j) {
      double sum = row[rows[j]];
      for (std::size_t k = 0; k < j; ++k) sum -= factor_[i][k] * share_[j][k];
      factor_[i][j] = sum;
      const double share = share_[i][j] = sum * factor_[j][j];
      pivot -= sum * share;
      right[i] -= share * right[j];
    }
    if (!(pivot > kSingular * row[rows[i]])) return false;
    factor_[i][i] = 1.0 / pivot;
  }
  for (std::size_t i = rows.size(); i-- > 0;) {
    double sum = right[i] * factor_[i][i];
    for (std::size_t k = i + 1; k < rows.size(); ++k) sum -= share_[k][i] * right[k];
    right[i] = sum;
  }
  return true;
}

}  // namespace carom::solvers
