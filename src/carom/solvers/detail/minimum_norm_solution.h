#pragma once

#include <span>
#include <vector>

#include "carom/solvers/detail/envelope_matrix.h"
#include "carom/solvers/detail/orthogonal_basis.h"
#include "carom/solvers/detail/qp_core.h"
#include "carom/solvers/detail/sparse_cholesky.h"

namespace carom::solvers {

/// N_F N_F' + delta I over the dofs, dense for a few dofs and sparse for many.
class DofSystem {
 public:
  /// Pattern of the columns `rows` of the program; `columns` holds their numbers in the same order.
  void prepare(const SelectedRows& rows, std::span<const Index> chosen,
               const SparseColumns& columns);
  /// Sums a_i a_i' over the columns with use[i] != 0 and factors.
  bool factor(std::span<const unsigned char> use, double delta);
  void solve(std::span<double> x);

 private:
  void prepare_sparse(const SelectedRows& rows, std::span<const Index> chosen);

  const SparseColumns* columns_ = nullptr;
  bool dense_ = true;
  EnvelopeMatrix matrix_;
  EnvelopeFactor factor_;
  std::vector<Index> all_;
  SparseCholesky cholesky_;
  SparsePattern pattern_;
  std::vector<double> values_;
  std::vector<std::size_t> diagonal_;
  std::vector<std::size_t> place_;  ///< of every pair of entries of every column, in order
};

/// Among all solutions of a quadratic program the one with the smallest |x|.
///
/// All solutions share the gradient g and the impulse N x. Rows with g = 0 (set Z) may change:
///   minimise 1/2 |x_Z|^2  subject to  N_Z x_Z = b := N_Z x*_Z,  lower <= x_Z <= upper.         (1)
/// Its dual is smooth, concave and piecewise quadratic in eta, one number per dof:
///   x_i = clamp(n_i'eta),   residual r = b - N x,   (N_F N_F' + delta) d_eta = r,              (2)
/// F the rows strictly inside or just at their bounds: semismooth Newton with an exact line search.
/// The solution of (1) is unique, so it has every symmetry that the problem has. Each step of (2)
/// is also a refinement, so delta = 1e-12 leaves no trace in x.
/// Dofs are equilibrated. Numbers that are round-off (the torque of a normal impulse on a sphere)
/// are taken as 0 before, or they would be constraints like any other. Guarantee: y is only
/// replaced where the new KKT residual is within the tolerance.
class MinimumNormSolution {
 public:
  /// Replaces the solution y by the smallest one; false where it had to keep the old one.
  bool run(ScaledProgram& program, double tolerance, std::span<double> y);

 private:
  void choose_rows(ScaledProgram& program, double tolerance, std::span<const double> y);
  void make_columns(const ScaledProgram& program, std::span<const double> y);
  void evaluate(double step);
  [[nodiscard]] double slope(double step) const;
  [[nodiscard]] bool newton_step_is_exact() const;
  [[nodiscard]] double find_step() const;
  [[nodiscard]] double newton();

  DofSystem system_;
  SparseColumns columns_;      ///< of the rows of Z, unscaled, dofs equilibrated
  std::vector<Index> chosen_;  ///< Z
  std::vector<double> lower_, upper_;
  std::vector<double> equilibrium_;
  std::vector<double> b_, r_, d_eta_;
  std::vector<double> t_, dt_, x_;
  std::vector<unsigned char> inside_;
  std::vector<double> g_, candidate_;
  double d_eta_b_ = 0.0;
};

}  // namespace carom::solvers
