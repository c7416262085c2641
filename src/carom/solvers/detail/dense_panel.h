#pragma once

#include <cstddef>

namespace carom::solvers {

/// Dense arithmetic on the panel of a Supernode (see there for its rows). Every number is summed in
/// a fixed order, whatever the width of the processor's registers.
struct DensePanel {
  double* values = nullptr;
  std::size_t stride = 0;
  std::size_t width = 0;
  std::size_t top = 0;

  /// Replaces the panel by its columns of L. The diagonal is left as it was before the root, that
  /// is the pivot; its inverse root goes to `inverse`. Returns the number of positive pivots before
  /// the first other one, the width where all are.
  [[nodiscard]] std::size_t factor(double* inverse) const;
  /// square := -B B', B the rows below; lower triangle, in columns of stride - top.
  void subtract_square(double* square) const;

  /// x := L^-1 x, one number per row of the panel, the rows below included: x - B L^-1 x there.
  void forward(const double* inverse, double* x) const;
  /// x := L^-T (x - B' x_below) for the panel's own rows.
  void backward(const double* inverse, double* x) const;
};

}  // namespace carom::solvers
