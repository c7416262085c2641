#pragma once

#include <span>
#include <vector>

#include "carom/core/types.h"

namespace carom::solvers {

/// One block of one row: the part of the gradient n_i that belongs to `block`.
struct RowPart {
  Index block = kNone;
  std::span<const double> gradient;  ///< as many numbers as the block has
};

/// The matrix A = N^T W N, never formed: N holds one sparse row gradient n_i per row (its
/// transpose, strictly), W = M^-1 is block diagonal with one dense block per body.
///
/// A row usually touches one or two blocks, but may touch any number. Blocks have 1 to 6 numbers.
/// Rows and blocks are numbered in the order of their addition.
class BlockRows {
 public:
  /// What one row does to one block.
  struct Entry {
    Index block;
    Index dof;     ///< first number of the block in a vector of all blocks
    Index size;    ///< how many numbers
    Index values;  ///< where gradient and response begin in the value arrays
  };

  void clear();

  /// `inverse_mass`: size x size numbers, row-major, symmetric positive definite.
  Index add_block(Index size, std::span<const double> inverse_mass);
  /// A block whose inverse mass is `inverse_mass` times the identity.
  Index add_scalar_block(Index size, double inverse_mass);
  /// Blocks named twice in one row are a bug of the caller.
  Index add_row(std::span<const RowPart> parts);
  /// A row of this matrix times a factor, e.g. to give it unit length in the metric of W.
  void scale_row(Index row, double factor);

  /// To be called after the last row and before rows_of(): gathers the rows of each block.
  void finish();

  [[nodiscard]] Index row_count() const { return static_cast<Index>(row_start_.size() - 1); }
  [[nodiscard]] Index block_count() const { return static_cast<Index>(block_dof_.size() - 1); }
  [[nodiscard]] Index dof_count() const { return block_dof_.back(); }
  [[nodiscard]] Index block_dof(Index block) const { return block_dof_[block]; }
  [[nodiscard]] Index block_size(Index block) const {
    return block_dof_[block + 1] - block_dof_[block];
  }
  /// size x size numbers, row-major.
  [[nodiscard]] std::span<const double> inverse_mass(Index block) const;

  [[nodiscard]] std::span<const Entry> entries(Index row) const {
    return {entries_.data() + row_start_[row], row_start_[row + 1] - row_start_[row]};
  }
  [[nodiscard]] std::span<const double> gradient(const Entry& entry) const {
    return {gradient_.data() + entry.values, entry.size};
  }
  /// W n_i on that block: what a unit impulse does to the velocity.
  [[nodiscard]] std::span<const double> response(const Entry& entry) const {
    return {response_.data() + entry.values, entry.size};
  }
  /// The rows that touch a block, ascending. Needs finish().
  [[nodiscard]] std::span<const Index> rows_of(Index block) const {
    return {block_rows_.data() + block_rows_start_[block],
            block_rows_start_[block + 1] - block_rows_start_[block]};
  }

  /// n_row . v
  [[nodiscard]] double dot(Index row, std::span<const double> v) const;
  /// v += W n_row lambda
  void apply(Index row, double lambda, std::span<double> v) const;
  /// p += n_row lambda (impulse space)
  void apply_impulse(Index row, double lambda, std::span<double> p) const;
  /// v += W p, block by block, for all blocks
  void add_inverse_mass_times(std::span<const double> p, std::span<double> v) const;
  /// A_ij = n_i^T W n_j
  [[nodiscard]] double product(Index row_i, Index row_j) const;
  /// A_ii
  [[nodiscard]] double diagonal(Index row) const { return product(row, row); }

 private:
  std::vector<Index> block_dof_{0};
  std::vector<Index> block_mass_{0};  ///< where each block's inverse mass begins
  std::vector<double> inverse_mass_;
  std::vector<Index> row_start_{0};
  std::vector<Entry> entries_;
  std::vector<double> gradient_;
  std::vector<double> response_;
  std::vector<Index> block_rows_start_;
  std::vector<Index> block_rows_;
};

}  // namespace carom::solvers
