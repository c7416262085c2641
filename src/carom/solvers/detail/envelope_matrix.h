#pragma once

#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/solvers/detail/selected_rows.h"

namespace carom::solvers {

/// A symmetric matrix by the rows of its lower triangle, each from its first stored column to the
/// diagonal. A full matrix is the special case first = 0; a matrix of contacts in breadth-first
/// order has short rows.
class EnvelopeMatrix {
 public:
  /// A full matrix, values to be set through row().
  void reset_full(Index size);
  /// The matrix of `rows` in breadth-first order; order()[k] is the row that stands at place k.
  void assemble(SelectedRows& rows);

  [[nodiscard]] Index size() const { return static_cast<Index>(first_.size()); }
  [[nodiscard]] Index first(Index i) const { return first_[i]; }
  /// Entry (i, j) is row(i)[j - first(i)], first(i) <= j <= i.
  [[nodiscard]] double* row(Index i) { return values_.data() + start_[i]; }
  [[nodiscard]] const double* row(Index i) const { return values_.data() + start_[i]; }
  [[nodiscard]] std::span<const Index> order() const { return order_; }
  /// Multiplications of one factorisation, about.
  [[nodiscard]] double factor_work() const;

  /// out = A x + c
  void multiply_add(std::span<const double> x, std::span<const double> c,
                    std::span<double> out) const;

 private:
  void find_order(SelectedRows& rows);
  Index breadth_first(SelectedRows& rows, Index root, std::size_t begin);

  std::vector<Index> first_;
  std::vector<std::size_t> start_;
  std::vector<double> values_;
  std::vector<Index> order_;
  std::vector<Index> place_;  ///< inverse of order_
  std::vector<unsigned char> seen_;
};

/// Cholesky factor of a principal submatrix of an EnvelopeMatrix, within the envelope.
class EnvelopeFactor {
 public:
  /// Factors A_FF + regularisation * I, `free` ascending. Returns the smallest pivot relative to
  /// its diagonal entry, and stops where that is not above `floor`: the factor is then unusable.
  double factor(const EnvelopeMatrix& matrix, std::span<const Index> free, double regularisation,
                double floor);
  /// x := (A_FF + regularisation)^-1 x
  void solve(std::span<double> x) const;

 private:
  std::vector<Index> first_;
  std::vector<std::size_t> start_;
  std::vector<double> values_;
  std::vector<double> inverse_diagonal_;
  std::vector<Index> rank_;  ///< how many free rows stand before a place
};

}  // namespace carom::solvers
