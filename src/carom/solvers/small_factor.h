#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace carom::solvers {

/// L D L' of a few rows of a symmetric matrix, in fixed memory.
class SmallFactor {
 public:
  static constexpr std::size_t kMostRows = 16;
  static constexpr double kSingular = 1e-8;  ///< smallest pivot, relative to the diagonal
  using Line = std::array<double, kMostRows>;

  /// Solves A x = right on the given rows, in place: right[i] belongs to rows[i]. Returns false
  /// where A is near singular on them.
  [[nodiscard]] bool solve(const std::array<Line, kMostRows>& a, std::span<const std::size_t> rows,
                           Line& right);

 private:
  std::array<Line, kMostRows> factor_{};  ///< 1 / D on the diagonal, L D below
  std::array<Line, kMostRows> share_{};   ///< L
};

}  // namespace carom::solvers
