#pragma once

#include <memory>
#include <span>
#include <vector>

#include "carom/core/types.h"

namespace carom::solvers {

/// The pattern of the upper triangle of a symmetric matrix, column by column, diagonal included.
struct SparsePattern {
  std::vector<int> start;  ///< one more than columns
  std::vector<int> row;

  [[nodiscard]] Index size() const { return static_cast<Index>(start.size() - 1); }
  friend bool operator==(const SparsePattern&, const SparsePattern&) = default;
};

/// Sparse L D L' with a fill-reducing order (approximate minimum degree). The order and the
/// elimination tree are kept while the pattern stays the same.
class SparseCholesky {
 public:
  SparseCholesky();
  ~SparseCholesky();
  SparseCholesky(const SparseCholesky&) = delete;
  SparseCholesky& operator=(const SparseCholesky&) = delete;

  void analyse(const SparsePattern& pattern);
  /// Entries of L below the diagonal, after analyse().
  [[nodiscard]] double factor_entries() const;
  /// `values` belongs to the pattern's entries. False where a pivot is not positive.
  bool factor(std::span<const double> values);
  /// Smallest pivot of the last factorisation.
  [[nodiscard]] double smallest_pivot() const;
  /// x := A^-1 x
  void solve(std::span<double> x);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace carom::solvers
