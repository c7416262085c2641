#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "carom/solvers/detail/qp_core.h"
#include "carom/solvers/detail/sparse_cholesky.h"

namespace carom::solvers {

/// A' of a ScaledProgram as a sparse matrix, and the factors of what its methods make of it. The
/// order of elimination is found once for all of them, and kept while the pattern stays the same.
class AssembledRows {
 public:
  void assemble(ScaledProgram& program);
  /// Entries of the factor: what one factorisation costs.
  [[nodiscard]] double factor_entries() const { return cholesky_.factor_entries(); }

  [[nodiscard]] Index size() const { return static_cast<Index>(diagonal_.size()); }
  /// Factors A' + diag(added).
  bool factor_with_diagonal(std::span<const double> added);
  /// Factors A'_FF + diag(added_F), F the rows with free[i] != 0. The others get the identity, so
  /// that the order and the pattern of A' still serve.
  bool factor_free(std::span<const unsigned char> free, std::span<const double> added);
  [[nodiscard]] double smallest_pivot() const { return cholesky_.smallest_pivot(); }
  /// x := the last factored matrix's inverse times x
  void solve(std::span<double> x) { cholesky_.solve(x); }

 private:
  SparseCholesky cholesky_;
  SparsePattern pattern_;
  std::vector<Index> group_;
  std::vector<double> values_;
  std::vector<std::size_t> diagonal_;  ///< where A_ii stands in values_
  std::vector<double> factored_;       ///< the values that are handed to the factorisation
};

}  // namespace carom::solvers
