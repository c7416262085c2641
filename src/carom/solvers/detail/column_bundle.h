#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "carom/core/types.h"

namespace carom::solvers {

/// Columns of a factor that have entries in the same rows from some row on, to be taken off another
/// column together:
///
///   column[rows[p]] -= u_k[p] share_k   for one k after the other.                             (1)
///
/// Numbers are the same as if each were taken off by itself; but rows are looked up once for all.
class ColumnBundle {
 public:
  /// What was added before is gone. `length` rows, ascending, at least 1 if anything is added.
  void begin(const Index* rows, std::size_t length) {
    rows_ = rows;
    length_ = length;
    count_ = 0;
  }
  [[nodiscard]] bool is_full() const { return count_ == kMost; }
  void add(const double* u, double share) {
    u_[count_] = u;
    share_[count_] = share;
    ++count_;
  }
  /// (1); `column` by rows.
  void subtract_from(double* column);

 private:
  static constexpr std::size_t kMost = 32;

  const Index* rows_ = nullptr;
  std::size_t length_ = 0;
  std::size_t count_ = 0;
  std::array<const double*, kMost> u_{};
  std::array<double, kMost> share_{};
  std::vector<double> gathered_;
};

}  // namespace carom::solvers
