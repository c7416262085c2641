#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carom/core/types.h"

namespace carom::solvers {

/// A symmetric positive semidefinite matrix by its entries, for rows that are scaled to a diagonal
/// of about 1.
struct SparseSymmetric {
  std::vector<Index> start{0};  ///< of each row's entries; one more than rows
  std::vector<Index> column;    ///< off the diagonal, both triangles, in any order
  std::vector<double> value;
  std::vector<double> diagonal;

  [[nodiscard]] Index size() const { return static_cast<Index>(diagonal.size()); }
  void clear() {
    start.assign(1, 0);
    column.clear();
    value.clear();
    diagonal.clear();
  }
  /// out = A x + c
  void multiply_add(std::span<const double> x, std::span<const double> c,
                    std::span<double> out) const;
};

/// 0 <= x  perp  A x + c >= 0 by block principal pivoting [Judice1994]: a guess of the rows that
/// carry an impulse, a factorisation of A on them, exchange of all rows of wrong sign, again. The
/// factorisation is a Cholesky within the envelope of a breadth-first order for small matrices, by
/// supernodes for large ones. Parts of up to a few hundred rows
/// need two to six rounds; very large ones with redundant rows often do not settle.
///
/// Redundant rows are solved with 1e-12 added to the diagonal and refined: x is then one of the
/// solutions, A x is the same for all. What does not settle soon is a matter for the QpSolvers,
/// which promise more and cost more. Working memory is kept between calls.
class SparsePivoting {
 public:
  SparsePivoting();
  ~SparsePivoting();
  SparsePivoting(const SparsePivoting&) = delete;
  SparsePivoting& operator=(const SparsePivoting&) = delete;

  /// `guess`: empty (every row with c < 0 carries) or one number per row, positive where it does.
  /// True: x is a solution, with a KKT residual (2) of quadratic_program.h below 1e-13.
  [[nodiscard]] bool solve(const SparseSymmetric& matrix, std::span<const double> c,
                           std::span<const double> guess, std::span<double> x);
  /// Factorisations of the last solve().
  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }

 private:
  struct Work;
  [[nodiscard]] bool solve_in_envelope(const SparseSymmetric& matrix, std::span<const double> c,
                                       std::span<const double> guess, std::span<double> x);
  [[nodiscard]] bool solve_by_supernodes(const SparseSymmetric& matrix, std::span<const double> c,
                                         std::span<const double> guess, std::span<double> x);

  std::uint64_t rounds_ = 0;
  std::unique_ptr<Work> work_;
};

}  // namespace carom::solvers
