// Taking several columns of a factor off another one at once.
#include "carom/solvers/detail/column_bundle.h"

#include "carom/core/wide.h"

namespace carom::solvers {
namespace {

constexpr std::size_t kFew = 3;  // columns; fewer are not worth gathering rows

// Four columns in one go: to[p] is read and written once for all of them.
CAROM_WIDE void subtract(const double* const* u, const double* share, std::size_t columns,
                         std::size_t length, double* __restrict__ to) {
  std::size_t k = 0;
  for (; k + 4 <= columns; k += 4) {
    const double* const u0 = u[k];
    const double* const u1 = u[k + 1];
    const double* const u2 = u[k + 2];
    const double* const u3 = u[k + 3];
    for (std::size_t p = 0; p < length; ++p) {
      double value = to[p];
      value -= u0[p] * share[k];
      value -= u1[p] * share[k + 1];
      value -= u2[p] * share[k + 2];
      value -= u3[p] * share[k + 3];
      to[p] = value;
    }
  }
  for (; k < columns; ++k) {
    for (std::size_t p = 0; p < length; ++p) to[p] -= u[k][p] * share[k];
  }
}

}  // namespace

void ColumnBundle::subtract_from(double* column) {
  if (count_ < kFew) {
    for (std::size_t k = 0; k < count_; ++k) {
      const double* const u = u_[k];
      const double share = share_[k];
      for (std::size_t p = 0; p < length_; ++p) column[rows_[p]] -= u[p] * share;
    }
    return;
  }
  if (rows_[length_ - 1] - rows_[0] == length_ - 1) {  // they follow each other
    subtract(u_.data(), share_.data(), count_, length_, column + rows_[0]);
    return;
  }
  if (gathered_.size() < length_) gathered_.resize(length_);
  for (std::size_t p = 0; p < length_; ++p) gathered_[p] = column[rows_[p]];
  subtract(u_.data(), share_.data(), count_, length_, gathered_.data());
  for (std::size_t p = 0; p < length_; ++p) column[rows_[p]] = gathered_[p];
}

}  // namespace carom::solvers
