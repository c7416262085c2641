#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/solvers/block_rows.h"

namespace carom::solvers {

/// The selected rows S of a BlockRows, copied next to each other and scaled:
///
///   N' = N_S D,   A' = D A_SS D,   D_ii a power of two such that 1/2 <= A'_ii < 2,
///
/// so that the scaling itself has no round-off and rows of unit length stay as they are. Only the
/// blocks that a selected row touches get local numbers, in the order of their first appearance; a
/// binding costs as much as the selection, however many other rows and blocks there are.
class SelectedRows {
 public:
  /// What one row does to one local block.
  struct Part {
    Index block;
    Index dof;  ///< first number of the block in a local vector
    Index size;
    Index values;
  };
  /// A row that touches a given block, and which of its parts does.
  struct Touch {
    Index row;
    Index part;
  };

  /// Rows of zeros keep the scale 1. Pointers into `rows` are kept for the inverse masses only.
  void bind(const BlockRows& rows, std::span<const Index> selection);

  [[nodiscard]] Index row_count() const { return static_cast<Index>(scale_.size()); }
  [[nodiscard]] Index dof_count() const { return block_dof_.back(); }
  [[nodiscard]] Index block_count() const { return static_cast<Index>(block_of_.size()); }
  [[nodiscard]] double scale(Index row) const { return scale_[row]; }
  [[nodiscard]] double diagonal(Index row) const { return diagonal_[row]; }
  [[nodiscard]] std::span<const Part> parts(Index row) const {
    return {parts_.data() + row_start_[row], row_start_[row + 1] - row_start_[row]};
  }
  [[nodiscard]] const double* gradient(const Part& part) const {
    return gradient_.data() + part.values;
  }
  [[nodiscard]] const double* response(const Part& part) const {
    return response_.data() + part.values;
  }
  /// The rows that touch a local block, ascending.
  [[nodiscard]] std::span<const Touch> touches(Index block) const {
    return {touches_.data() + touch_start_[block], touch_start_[block + 1] - touch_start_[block]};
  }
  [[nodiscard]] Index block_dof(Index block) const { return block_dof_[block]; }
  [[nodiscard]] Index block_size(Index block) const {
    return block_dof_[block + 1] - block_dof_[block];
  }
  [[nodiscard]] std::span<const double> inverse_mass(Index block) const {
    return rows_->inverse_mass(block_of_[block]);
  }
  /// The number of pairs (i, j) that share a block, counted once per shared block.
  [[nodiscard]] std::uint64_t pair_count() const;

  /// v = W N' y, one number per local dof.
  void velocity(std::span<const double> y, std::span<double> v) const;
  /// n'_row . v
  [[nodiscard]] double dot(Index row, std::span<const double> v) const;
  /// g = A' y + c; `v` is working memory of dof_count() numbers and holds W N' y afterwards.
  void gradient_at(std::span<const double> y, std::span<const double> c, std::span<double> g,
                   std::span<double> v) const;
  /// The largest sum of |A_ij| along a row of the matrix before scaling, over every stride-th row.
  [[nodiscard]] double matrix_norm(Index stride = 1);

  /// Calls use(j, A'_ij) for every row j (i among them) that shares a block with row i, each once,
  /// ascending.
  template <class Use>
  void for_each_neighbour(Index row, Use&& use) {
    neighbours_.clear();
    ++mark_;
    for (const Part& part : parts(row)) {
      const double* n = gradient(part);
      for (const Touch& touch : touches(part.block)) {
        const double* w = response_.data() + parts_[touch.part].values;
        double sum = 0.0;
        for (Index k = 0; k < part.size; ++k) sum += n[k] * w[k];
        if (row_mark_[touch.row] != mark_) {
          row_mark_[touch.row] = mark_;
          row_value_[touch.row] = sum;
          neighbours_.push_back(touch.row);
        } else {
          row_value_[touch.row] += sum;
        }
      }
    }
    std::sort(neighbours_.begin(), neighbours_.end());
    for (const Index other : neighbours_) use(other, row_value_[other]);
  }

 private:
  void number_blocks(std::span<const Index> selection);
  void gather_touches();

  const BlockRows* rows_ = nullptr;
  std::vector<double> scale_;
  std::vector<double> diagonal_;
  std::vector<Index> row_start_;
  std::vector<Part> parts_;
  std::vector<double> gradient_;
  std::vector<double> response_;
  std::vector<Index> block_of_;  ///< local block -> block of `rows`
  std::vector<Index> block_dof_{0};
  std::vector<Index> touch_start_;
  std::vector<Touch> touches_;
  std::vector<Index> next_;

  std::vector<std::uint64_t> block_stamp_;  ///< of `rows`: valid where it equals stamp_
  std::vector<Index> local_block_;
  std::uint64_t stamp_ = 0;

  std::vector<std::uint64_t> row_mark_;
  std::vector<double> row_value_;
  std::vector<Index> neighbours_;
  std::uint64_t mark_ = 0;
};

/// The power of two d with 1/2 <= d^2 diagonal < 2; 1 where the diagonal is 0.
[[nodiscard]] double power_of_two_scale(double diagonal);

}  // namespace carom::solvers
