#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/solvers/detail/selected_rows.h"
#include "carom/solvers/quadratic_program.h"

namespace carom::solvers {

/// The quadratic program in scaled variables y = D^-1 x: minimise 1/2 y'A'y + c'y over
/// lower <= y <= upper, with A'_ii in [1/2, 2), lower < upper, no zero rows.
struct ScaledProgram {
  SelectedRows rows;
  std::vector<double> c;
  std::vector<double> lower;
  std::vector<double> upper;
  std::vector<double> start;  ///< empty, or a guess within the bounds
  bool has_upper = false;     ///< some upper bound is finite
  double largest_c = 0.0;     ///< |c|_inf before scaling
  double matrix_norm = -1.0;  ///< see norm(); negative: not computed yet

  std::vector<double> v;  ///< working memory, one number per local dof

  [[nodiscard]] Index size() const { return static_cast<Index>(c.size()); }
  /// g = A' y + c
  void gradient_at(std::span<const double> y, std::span<double> g);
  /// |A|_inf before scaling; where each row has very many neighbours, a lower bound of it.
  [[nodiscard]] double norm();
  /// Residual (2) of quadratic_program.h, from y and its g = A'y + c.
  [[nodiscard]] double kkt_residual(std::span<const double> y, std::span<const double> g);
  /// The same error in scaled variables over |c|_inf alone. Near-locked rows have |A||y| >> |c|,
  /// and there kkt_residual says little about the velocities; this one does.
  [[nodiscard]] double strict_residual(std::span<const double> y, std::span<const double> g) const;
};

/// What a core says about the y it leaves behind.
struct CoreOutcome {
  QpStatus status = QpStatus::solved;
  std::uint64_t iterations = 0;
  /// Smallest pivot of a Cholesky factorisation of A' on the free rows; 0 where unknown or
  /// singular, 1 where they are independent by construction.
  double smallest_pivot = 0.0;
  bool is_least_norm = false;  ///< known to have the smallest |x| of all solutions
};

struct CoreSettings {
  double tolerance = 1e-12;
  std::uint64_t max_iterations = 0;
  bool least_norm = false;  ///< is going to be asked for
};

[[nodiscard]] inline double largest_absolute(std::span<const double> values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// Sum of products in four interleaved partial sums: a fixed order that the processor can overlap.
[[nodiscard]] inline double dot_product(const double* a, const double* b, std::size_t count) {
  double s0 = 0.0;
  double s1 = 0.0;
  double s2 = 0.0;
  double s3 = 0.0;
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    s0 += a[k] * b[k];
    s1 += a[k + 1] * b[k + 1];
    s2 += a[k + 2] * b[k + 2];
    s3 += a[k + 3] * b[k + 3];
  }
  for (; k < count; ++k) s0 += a[k] * b[k];
  return (s0 + s1) + (s2 + s3);
}

}  // namespace carom::solvers
