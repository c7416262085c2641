#pragma once

#include <span>
#include <vector>

#include "carom/solvers/detail/orthogonal_basis.h"
#include "carom/solvers/detail/selected_rows.h"

namespace carom::solvers {

/// The Cholesky factors L of the inverse-mass blocks, W = L L'. With a_i = L'n_i products of rows
/// become ordinary ones: a_i . a_j = n_i' W n_j.
class BlockRoots {
 public:
  void bind(const SelectedRows& rows);
  /// a_i = L'n'_i of all selected rows, in their scaling.
  void columns(const SelectedRows& rows, SparseColumns& columns) const;
  /// p := L'^-1 w, from the space of the columns back to impulses. A block without mobility
  /// (W = 0) gets 0.
  void to_impulse(const SelectedRows& rows, std::span<const double> w, std::span<double> p) const;

 private:
  std::vector<double> root_;  ///< lower triangular, row by row
  std::vector<std::size_t> start_;
};

}  // namespace carom::solvers
