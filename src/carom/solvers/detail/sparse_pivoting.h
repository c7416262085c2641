#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/solvers/detail/assembled_rows.h"
#include "carom/solvers/detail/bound_sides.h"
#include "carom/solvers/detail/qp_core.h"

namespace carom::solvers {

/// Block principal pivoting for  minimise 1/2 y'Ay + c'y, lower <= y <= upper,  A sparse, of any
/// rank, that ends at the solution of least norm.
///
/// Reference: Judice1994 for the exchange of rows. What is pivoted is the program with
/// 1/2 delta |x|^2 added, x = S y the variables before scaling:
///   (A_FF + delta S_F^2) y_F = -c_F - A_FB y_B,   g = A y + c. (1)
/// It is positive definite, so that the exchange has an end, and for a small delta it has the free
/// rows F of the solution of least norm, because that is where its solution leads as delta
/// vanishes. On these rows the least-norm solution is in the range of A_x = S^-1 A_FF S^-1; with r
/// what is left of the right side, and (A_x + delta) as factored for (1),
///   x := x + A_x (A_x + delta)^-2 r                                                            (2)
/// stays in that range to round-off, whatever the factor does along the kernel, and converges by
/// 2 delta / sigma, sigma the smallest eigenvalue of A_x that is not zero.
/// Free rows outside their bounds, rows of wrong gradient, and rows at a bound without a gradient
/// that the least norm would free (their n'eta points inside, with x_F = n_F'eta) go on with a
/// smaller delta.
/// Guarantee: a status of solved has the residual asked for; is_least_norm is only true where the
/// conditions of the least norm were checked. A budget ends it: a caller has another method.
class SparsePivoting {
 public:
  /// `matrix` was assembled from this program.
  CoreOutcome run(ScaledProgram& program, AssembledRows& matrix, const CoreSettings& settings,
                  std::span<double> y);

 private:
  using Side = BoundSides::Side;

  void start(ScaledProgram& program);
  bool pivot(ScaledProgram& program, std::uint64_t budget);
  bool solve_free(ScaledProgram& program);
  void refine_within_range(ScaledProgram& program);
  bool refine(ScaledProgram& program, double tolerance);
  void find_moves(const ScaledProgram& program, double slack_y, double slack_g);
  void find_norm_moves(const ScaledProgram& program, double slack_g);

  AssembledRows* matrix_ = nullptr;
  BoundSides sides_;
  std::vector<unsigned char> free_;
  std::vector<double> square_scale_;  ///< S^2 over its largest
  std::vector<double> added_;         ///< delta S^2
  std::vector<double> y_, gradient_, step_, product_;
  std::vector<double> eta_;  ///< A_y u of all rows, u the sum of the u of (2): n'eta up to S
  std::vector<double> v_;
  double delta_ = 0.0;
  std::uint64_t iterations_ = 0;
};

}  // namespace carom::solvers
