#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/solvers/block_rows.h"

namespace carom::solvers {

/// The point of the convex hull of the selected rows' gradients nearest to the origin in the metric
/// of W:  rho = min |N lambda|_W  over  lambda >= 0, sum lambda = 1.
///
/// Reference: Wolfe1976. `lambda` belongs to the selection's order. The margin is computed from the
/// vector N lambda, not from lambda' A lambda, which drowns in cancellation below 1e-8. Without any
/// row the margin is infinite.
struct MinimumNormPoint {
  double margin = 0.0;         ///< rho
  std::vector<double> lambda;  ///< the weights
  std::vector<double> point;   ///< N lambda, one number per dof of the rows
  /// |p|^2 - min_i <p, n_i>_W, at least 0: the proven distance from optimal. The true rho lies in
  /// [max(0, min_i <p,n_i>_W / |p|), |p|].
  double gap = 0.0;
  double lower_bound = 0.0;  ///< max(0, min_i <p, n_i>_W / |p|)
  bool converged = true;
  std::uint64_t iterations = 0;
};

/// `offsets` (empty, or one number per selected row) appends one more coordinate of unit weight to
/// each row: the homogenised rows (n_i, offset_i). With `with_extra_row` a last vertex (0, 1) joins
/// the hull, and lambda gets one more entry for it; point then has one more entry at its end.
struct MinimumNormProblem {
  const BlockRows* rows = nullptr;
  std::span<const Index> selection;
  std::span<const double> offsets = {};
  bool with_extra_row = false;
};

[[nodiscard]] MinimumNormPoint minimum_norm_point(const MinimumNormProblem& problem);

}  // namespace carom::solvers
