#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/solvers/detail/block_pivoting.h"
#include "carom/solvers/detail/block_roots.h"
#include "carom/solvers/detail/dual_active_set.h"
#include "carom/solvers/detail/interior_point.h"
#include "carom/solvers/detail/minimum_norm_solution.h"
#include "carom/solvers/detail/mprgp.h"
#include "carom/solvers/detail/qp_core.h"
#include "carom/solvers/detail/sparse_pivoting.h"
#include "carom/solvers/quadratic_program.h"

namespace carom::solvers {

/// Whether |y| over |c|, in scaled variables, says that the condition of N must not be squared, if
/// that can be afforded: impulses add up along stacks of honest contacts too, and the more rows,
/// the dearer the remedy.
[[nodiscard]] bool near_locked(std::span<const double> y, std::span<const double> c);

enum class QpMethod : std::uint8_t {
  automatic,
  closed_form,
  dense_attempt,  ///< dense_pivoting, a few times
  dense_pivoting,
  interior_point,
  mprgp
};

[[nodiscard]] std::string_view to_string(QpMethod method);

/// What all solvers share: rows that cannot move are taken out, the rest is scaled, a method runs,
/// its answer is judged with a gradient computed afresh from the rows, unboundedness is told from
/// a large solution, and the minimum-norm solution is found where asked for.
class QpEngine {
 public:
  void solve(const QuadraticProgram& problem, const QpSettings& settings, QpMethod method,
             QpResult& result);

 private:
  [[nodiscard]] bool solve_small(const QuadraticProgram& problem, const QpSettings& settings,
                                 QpResult& result);
  [[nodiscard]] bool solve_without_fixed_rows(const QuadraticProgram& problem,
                                              const QpSettings& settings, QpMethod method,
                                              QpResult& result);
  [[nodiscard]] bool solve_without_repeated_rows(const QuadraticProgram& problem,
                                                 const QpSettings& settings, QpResult& result);
  void scale(const QuadraticProgram& problem);
  void solve_scaled(const QpSettings& settings, QpMethod method, QpResult& result);
  void choose(std::vector<QpMethod>& sequence);
  CoreOutcome run(QpMethod method, const CoreSettings& settings);
  void assemble();
  CoreOutcome pivot_from_there(const CoreOutcome& interior, const CoreSettings& settings);
  CoreOutcome pivot_densely(const CoreSettings& settings);
  CoreOutcome attempt_densely(const CoreSettings& settings);
  [[nodiscard]] bool is_good(double tolerance);
  CoreOutcome run_dense(const CoreSettings& settings);
  CoreOutcome run_dual_active_set(const CoreSettings& settings);
  [[nodiscard]] bool improve_near_locked();
  [[nodiscard]] bool proves_unbounded();
  [[nodiscard]] bool may_be_singular(const CoreOutcome& outcome, double tolerance,
                                     std::span<const double> y);

  ScaledProgram program_;
  EnvelopeMatrix envelope_;
  BlockPivoting pivoting_;
  BlockRoots roots_;
  SparseColumns columns_;
  DualActiveSet dual_active_set_;
  AssembledRows assembled_;
  SparsePivoting sparse_pivoting_;
  InteriorPoint interior_point_;
  Mprgp mprgp_;
  MinimumNormSolution minimum_norm_;

  bool envelope_ready_ = false;
  bool assembled_ready_ = false;
  std::vector<double> scale_, c_, lower_, upper_, start_, ordered_, gradient_;
  std::vector<double> y_, best_, given_start_;
  std::vector<QpMethod> sequence_;
};

}  // namespace carom::solvers
