#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "carom/solvers/small_factor.h"

namespace carom::solvers {

/// minimise 1/2 x'Ax + c'x over lower <= x <= upper for a handful of rows, in fixed memory: block
/// principal pivoting (Judice1994) on a dense factor of the rows between their bounds.
class SmallBox {
 public:
  static constexpr std::size_t kMostRows = SmallFactor::kMostRows;
  using Line = SmallFactor::Line;

  // The program: the first `count` of each. A_ii is about 1.
  std::size_t count = 0;
  std::array<Line, kMostRows> a{};
  Line c{};
  Line lower{};
  Line upper{};
  Line x{};  ///< the solution

  /// False: it cycled, or rows are redundant.
  [[nodiscard]] bool solve();

 private:
  enum class Side : std::uint8_t { lower, free, upper };

  [[nodiscard]] bool solve_free();
  [[nodiscard]] std::size_t exchange();

  std::array<Side, kMostRows> side_{};
  std::array<std::size_t, kMostRows> free_{};
  std::size_t free_count_ = 0;
  SmallFactor factor_;
  Line gradient_{};
  double size_ = 0.0;  ///< of the terms of the gradient
};

}  // namespace carom::solvers
