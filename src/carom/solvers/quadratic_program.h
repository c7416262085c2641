#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/types.h"
#include "carom/solvers/block_rows.h"

namespace carom::solvers {

/// minimise  1/2 x' A_SS x + c' x   subject to  lower <= x <= upper,            (1)
///
/// A = N' W N of `rows`, positive semidefinite (redundant rows are the normal case), S the selected
/// rows in their order. The impact problem is lower = 0, upper = infinity; friction uses a box.
struct QuadraticProgram {
  const BlockRows* rows = nullptr;     ///< finish() must have been called
  std::span<const Index> selection;    ///< the rows S; each at most once
  std::span<const double> c;           ///< as long as the selection
  std::span<const double> lower = {};  ///< empty: all 0; finite where given
  std::span<const double> upper = {};  ///< empty: all +infinity; lower <= upper
  std::span<const double> start = {};  ///< empty, or a guess of x that may save work
};

enum class QpStatus : std::uint8_t {
  solved,            ///< the KKT residual is at most the tolerance
  inaccurate,        ///< stalled above the tolerance; x is the best iterate
  budget_exhausted,  ///< max_iterations reached; x is the best iterate
  unbounded,         ///< some d >= 0 has N d = 0 and c'd < 0: x(s) = x + s d falls without end
};

[[nodiscard]] std::string_view to_string(QpStatus status);

struct QpSettings {
  double tolerance = 1e-12;          ///< on kkt_residual, dimensionless
  std::uint64_t max_iterations = 0;  ///< 0: the method's own, proportional to the size
  /// Among all solutions the one with the smallest Euclidean norm (unique, hence symmetric). Costs
  /// nothing where A has full rank on the rows that can carry an impulse.
  bool minimum_norm = false;
};

struct QpResult {
  QpStatus status = QpStatus::solved;
  std::vector<double> x;
  /// |x - clamp(x - (A x + c), lower, upper)|_inf / (|c|_inf + |A|_inf |x|_inf);             (2)
  /// for lower = 0 and no upper bound this is |min(x, A x + c)|_inf over the same scale.
  /// Where rows have more than 64 neighbours each, |A|_inf is taken over a sample of the rows,
  /// which makes the number at most larger.
  double kkt_residual = 0.0;
  std::uint64_t iterations = 0;
  std::string_view method;  ///< name of the solver that produced x
};

/// One way to solve (1). Solvers keep their working memory between calls; one object must not be
/// used by two threads at once.
class QpSolver {
 public:
  QpSolver() = default;
  QpSolver(const QpSolver&) = delete;
  QpSolver& operator=(const QpSolver&) = delete;
  virtual ~QpSolver() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  virtual void solve(const QuadraticProgram& problem, const QpSettings& settings,
                     QpResult& result) = 0;
};

/// "auto" (the chooser by size), "closed_form" (one row, or two that are not parallel),
/// "dense_pivoting", "interior_point" (sparse), "mprgp" (matrix-free). Throws InputError on another
/// name.
[[nodiscard]] std::unique_ptr<QpSolver> make_qp_solver(std::string_view name);
[[nodiscard]] std::vector<std::string> qp_solver_names();

/// Solves with the chooser.
[[nodiscard]] QpResult solve_qp(const QuadraticProgram& problem, const QpSettings& settings = {});

/// The residual (2) of a given x, computed afresh from the rows.
[[nodiscard]] double kkt_residual(const QuadraticProgram& problem, std::span<const double> x);

}  // namespace carom::solvers
