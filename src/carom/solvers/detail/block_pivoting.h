#pragma once

#include <span>
#include <vector>

#include "carom/solvers/detail/bound_sides.h"
#include "carom/solvers/detail/envelope_matrix.h"
#include "carom/solvers/detail/qp_core.h"

namespace carom::solvers {

/// Block principal pivoting for  minimise 1/2 y'Ay + c'y, lower <= y <= upper.
///
/// Reference: Judice1994. Rows are free (F), at their lower (L) or at their upper bound (U):
///   A_FF y_F = -c_F - A_FB y_B,   g = A y + c.                                             (1)
/// Infeasible are free rows outside their bounds, rows of L with g < 0 and rows of U with g > 0.
/// All infeasible rows change sides at once while their number falls (with ten tries of grace);
/// after that only the last one does (Murty's rule), until the number falls again.            (2)
/// Guarantee: for positive definite A rule (2) ends in exact arithmetic. Here a budget ends it: a
/// caller has another method in reserve.
/// Departs from the paper: where a pivot falls below 1e-9 the system is solved with 1e-12 added to
/// the diagonal and refined against the true matrix, because redundant rows are the normal case.
class BlockPivoting {
 public:
  struct Program {
    const EnvelopeMatrix* matrix;
    std::span<const double> c;
    std::span<const double> lower;
    std::span<const double> upper;
    std::span<const double> start;  ///< empty, or a guess
  };

  /// Leaves the solution in `y` and A y + c in `g`. Status inaccurate: the budget ran out or the
  /// system could not be factored.
  CoreOutcome run(const Program& program, std::uint64_t budget, std::span<double> y,
                  std::span<double> g);

 private:
  using Side = BoundSides::Side;

  void choose_sides(const Program& program);
  bool solve_free(const Program& program, std::span<double> y, std::span<double> g);
  void refine(const Program& program, std::span<double> y, std::span<double> g);
  void find_infeasible(const Program& program, std::span<const double> y,
                       std::span<const double> g);

  EnvelopeFactor factor_;
  BoundSides sides_;
  std::vector<Index> free_;
  std::vector<double> rhs_;
  bool regularised_ = false;
  double smallest_pivot_ = 0.0;
};

}  // namespace carom::solvers
