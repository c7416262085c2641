#pragma once

#include <span>
#include <vector>

#include "carom/solvers/detail/block_roots.h"
#include "carom/solvers/detail/dual_active_set.h"
#include "carom/solvers/detail/selected_rows.h"
#include "carom/solvers/minimum_norm_point.h"

namespace carom::solvers {

/// Wolfe's minimum-norm point by the active set in the space of the dofs, to round-off.
///
/// With a_i = L'n_i / u (so that |a_i| = |n_i|_W / u, u a unit of length) and one more coordinate:
///   minimise 1/2 |sum x_i (a_i, 1)|^2 - sum x_i,   x >= 0.                                    (1)
/// Its solution is x = s lambda with s = sum x = 1/(1 + (rho/u)^2): the same corral as Wolfe1976,
/// the columns (a_i, 1) of a corral being linearly independent where its points are affinely so,
/// and never unbounded. A margin of 0 is an ordinary case of (1).
/// The unit is the longest row; where rows are of very different lengths and that was too coarse,
/// a second pass takes the margin that the first one found.
class HullSearch {
 public:
  explicit HullSearch(const MinimumNormProblem& problem);
  [[nodiscard]] MinimumNormPoint run();

 private:
  void gather_points();
  [[nodiscard]] MinimumNormPoint run_with(double unit);
  void make_columns(double unit);
  void find_point(std::span<const double> x, MinimumNormPoint& result);
  void measure(double unit, MinimumNormPoint& result) const;
  void write_point(double unit, MinimumNormPoint& result) const;

  const MinimumNormProblem& problem_;
  SelectedRows rows_;
  BlockRoots roots_;
  SparseColumns points_;   ///< a_i for u = 1, with the extra coordinate if there is one
  SparseColumns columns_;  ///< (a_i, 1), each divided by its length
  std::vector<double> length_;
  DualActiveSet active_set_;
  bool extra_coordinate_ = false;
  double longest_ = 0.0;
  std::vector<double> point_;  ///< sum lambda_i a_i
};

/// Margin, gap, lower bound and whether they meet, from |p|^2, min <p, n_i> and max |n_i|.
void judge_hull(double squares, double least, double longest, MinimumNormPoint& result);

}  // namespace carom::solvers
