#pragma once

#include <array>
#include <cstddef>

#include "carom/solvers/small_factor.h"

namespace carom::solvers {

/// A handful of rows, 0 <= x perp A x + c >= 0, without any allocation: block
/// principal pivoting [Judice1994] with a dense factorisation L D L', all rows free at first.
struct SmallPivoting {
  static constexpr std::size_t kMostRows = SmallFactor::kMostRows;

  std::size_t count = 0;
  std::array<std::array<double, kMostRows>, kMostRows> a{};  ///< symmetric, all entries
  std::array<double, kMostRows> c{};
  std::array<double, kMostRows> x{};

  /// Returns false where A is near singular (the solution would not be unique) or the signs do not
  /// settle: a matter for the general solvers.
  [[nodiscard]] bool solve();
  /// Whether the last solution is the only one: no row that carries nothing is at rest.
  [[nodiscard]] bool is_unique() const;

 private:
  /// Two rows that both push, in closed form; false where they do not, or A is near singular.
  [[nodiscard]] bool solve_pair();
  [[nodiscard]] bool solve_free();
  /// Changes sides of all rows with a wrong sign; returns how many there were.
  std::size_t exchange();

  SmallFactor factor_;
  std::array<double, kMostRows> gradient_{};
  std::array<std::size_t, kMostRows> free_{};
  std::size_t free_count_ = 0;
  std::array<bool, kMostRows> is_free_{};
  double size_ = 0.0;  ///< of the terms in A x + c
};

}  // namespace carom::solvers
