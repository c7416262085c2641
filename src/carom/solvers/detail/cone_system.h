#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "carom/solvers/cone_program.h"
#include "carom/solvers/detail/sparse_cholesky.h"

namespace carom::solvers {

/// Three by three numbers of a contact, row by row.
using ConeBlock = std::array<double, 9>;

/// The matrix I + J' G J of the newton method, G a block for each contact, and its factor: dense
/// for a few bodies, sparse for more.
class ConeSystem {
 public:
  explicit ConeSystem(const ConeProgram& program);

  /// Factors it for these blocks; a block of zeros takes no part.
  [[nodiscard]] bool factor(std::span<const ConeBlock> blocks);
  /// x := (I + J' G J)^-1 x
  void solve(std::span<double> x) const;

 private:
  void analyse();
  void add(Index row_body, Index column_body, const std::array<double, 36>& block);
  [[nodiscard]] bool factor_dense();

  const ConeProgram* program_;
  std::size_t size_;
  bool is_dense_;
  std::vector<double> values_;  ///< dense: the lower triangle by rows, factored in place
  mutable SparseCholesky sparse_;
  std::vector<std::vector<Index>> above_;  ///< bodies above the diagonal, by column, rising
  std::vector<std::size_t> column_start_;
};

}  // namespace carom::solvers
