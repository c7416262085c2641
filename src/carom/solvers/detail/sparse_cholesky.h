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

/// Sparse factorisation with a fill-reducing order (approximate minimum degree), by supernodes
/// where the factor has enough entries for that. The order and the layout are kept while the
/// pattern stays the same. Same pattern and numbers: same bits.
class SparseCholesky {
 public:
  SparseCholesky();
  ~SparseCholesky();
  SparseCholesky(const SparseCholesky&) = delete;
  SparseCholesky& operator=(const SparseCholesky&) = delete;

  /// `group`: empty, or the number of a group for each row, ascending; the rows of a group have the
  /// same pattern, each other included, and are ordered as one.
  void analyse(const SparsePattern& pattern, std::span<const Index> group = {});
  /// Entries of L below the diagonal, after analyse(); zeros that supernodes store do not count.
  [[nodiscard]] double factor_entries() const;
  /// `values` belongs to the pattern's entries. False where a pivot is not positive (NaN is not);
  /// solve() then has nothing to solve with.
  bool factor(std::span<const double> values);
  /// Smallest pivot of the last factorisation, the first one that is not positive where it failed.
  [[nodiscard]] double smallest_pivot() const;
  /// x := A^-1 x
  void solve(std::span<double> x);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace carom::solvers
