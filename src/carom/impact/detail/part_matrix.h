#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/detail/point_front.h"
#include "carom/solvers/sparse_pivoting.h"

namespace carom {

/// A_VV of one connected part, rows scaled to n' W n = 1, straight from the violated rows.
template <std::size_t D>
class PartMatrix {
 public:
  void assemble(std::span<const Violation<D>> part, const PointFront<D>& front);

  [[nodiscard]] const solvers::SparseSymmetric& matrix() const { return matrix_; }
  /// scaled row = scale * given row
  [[nodiscard]] std::span<const double> scale() const { return scale_; }

 private:
  /// A row as one of the part's points sees it.
  struct Touch {
    Index row;
    double sign;
  };
  void number_points(std::span<const Violation<D>> part, const PointFront<D>& front);

  std::vector<Index> local_;  ///< per point of the front; kNone between calls
  std::vector<Index> first_touch_;
  std::vector<Touch> touches_;
  std::vector<double> scale_;
  solvers::SparseSymmetric matrix_;
};

extern template class PartMatrix<2>;
extern template class PartMatrix<3>;

}  // namespace carom
