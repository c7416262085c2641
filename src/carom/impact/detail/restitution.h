#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/iterate.h"
#include "carom/impact/operator.h"
#include "carom/impact/resolve.h"
#include "carom/solvers/quadratic_program.h"

namespace carom {

/// Models of restitution for one component.
///
/// With l1 the impulses of the elastic response (any operator) and l0 those of the inelastic one,
///   0 <= l0  perp  A l0 + b >= 0   (the least-energy feasible velocity),                      (1)
/// and W(l) = 1/2 l'Al + b'l the energy balance in the frame of the surfaces:
///
/// interpolated (Smith2012 section 5): l = c l1 + (1-c) l0. Rows with different coefficients are
///   combined in layers (docs/restitution.md): for a level t in [0,1) let rows with c_i > t be
///   elastic and the others inelastic, and l_t the outcome; then
///     l = integral of l_t over t = sum over the distinct levels.                              (2)
///   Equal coefficients give the papers' formula, a lone contact its own coefficient; l is
///   piecewise linear and continuous in every c_i; ONE, MOM, FEAS, SYM hold because they hold for
///   every layer and are convex, and W <= 0 because W is convex and W(l_t) <= 0. `direct` blends
///   once instead, l_i = c_i l1_i + (1-c_i) l0_i, adds the inelastic response from there, and moves
///   toward l0 until W <= 0.
/// propagated: c_i inside the iteration (Smith2012 Fig. 4); collapses for small c, needs a budget.
/// qce_lcp (Zhang2015 eq. 19):  0 <= l  perp  A l + b - C (n.v1 - w) >= 0 with v1 the elastic
///   outcome; moved toward l0 where W > 0 (the paper takes that for granted).
struct RestitutionProblem {
  ImpactOperator* impact_operator = nullptr;
  ImpactLoop* loop = nullptr;
  const ImpactSettings* settings = nullptr;
  IterationRows rows;
  std::span<const double> coefficients;  ///< per row of `rows`
  IterationSettings iteration;
};

struct RestitutionOutcome {
  IterationEnd end = IterationEnd::feasible;
  std::uint64_t applications = 0;
  bool solver_failed = false;
  std::uint64_t layers = 1;
  std::uint64_t layers_finished_inelastically = 0;
  bool energy_clipped = false;
  bool infeasible = false;  ///< the inelastic response does not exist: rows contradict each other
};

/// Velocity (all dofs of the rows) and impulses (per row) are updated in place.
[[nodiscard]] RestitutionOutcome apply_restitution(const RestitutionProblem& problem,
                                                   std::span<double> velocity,
                                                   std::span<double> lambda);

/// (1) from the given velocity, added to velocity and impulses.
[[nodiscard]] solvers::QpStatus apply_inelastic(const IterationRows& rows,
                                                std::span<double> velocity,
                                                std::span<double> lambda);

}  // namespace carom
