#pragma once

#include <array>
#include <span>
#include <vector>

#include "carom/solvers/detail/assembled_rows.h"
#include "carom/solvers/detail/qp_core.h"

namespace carom::solvers {

/// Primal-dual interior point for  minimise 1/2 y'Ay + c'y, lower <= y <= upper, A sparse.
///
/// Reference: Mehrotra1992 (predictor and corrector, sigma = (mu_aff/mu)^3). With s = y - lower,
/// t = upper - y, multipliers z and w of the two bounds, r = A y + c - z + w:
///   (A + Z/S + W/T) dy = -(A y + c) + (sigma mu - dy_a dz_a)/s - (sigma mu + dy_a dw_a)/t,    (1)
///   dz = (sigma mu - dy_a dz_a)/s - z - (z/s) dy,                                             (2)
///   dw = (sigma mu + dy_a dw_a)/t - w + (w/t) dy.                                             (3)
/// The added diagonal makes (1) positive definite whatever the rank of A.
/// Guarantee: none in the strict sense (the method is practical, with a budget); the residual that
/// is reported is that of the y returned.
/// Departs from the paper: one step length for both, as a quadratic objective needs; up to five
/// corrections of centrality after Gondzio (1996) with the same factor; a polish that
/// guesses the free rows from s > z, solves for them alone with 1e-12 on the diagonal, refines
/// against A, and exchanges rows of wrong sign (Judice1994) while their number falls. The same is
/// tried once before the first iteration with the rows that close: many problems end there.
class InteriorPoint {
 public:
  /// `matrix` was assembled from this program.
  CoreOutcome run(ScaledProgram& program, AssembledRows& matrix, const CoreSettings& settings,
                  std::span<double> y);

 private:
  void start(const ScaledProgram& program);
  void start_from_attempt(const ScaledProgram& program);
  bool iterate(ScaledProgram& program, const CoreSettings& settings);
  bool factor_with_diagonal();
  void predictor(const ScaledProgram& program);
  void corrector(const ScaledProgram& program, double target);
  double correct_centrality(const ScaledProgram& program, double target, double step);
  [[nodiscard]] double longest_step(const ScaledProgram& program) const;
  [[nodiscard]] double complementarity(const ScaledProgram& program, double step) const;
  void advance(const ScaledProgram& program, double step);

  void guess_from_iterate(const ScaledProgram& program);
  void guess_from_start(ScaledProgram& program);
  bool polish(ScaledProgram& program, const CoreSettings& settings, double falling);
  bool factor_free();
  [[nodiscard]] std::size_t exchange(const ScaledProgram& program);
  void keep_if_better(double residual, std::span<const double> y);

  AssembledRows* matrix_ = nullptr;
  std::vector<double> added_;  ///< to the diagonal

  std::vector<double> y_, s_, t_, z_, w_, gradient_;
  std::vector<double> dy_, dz_, dw_;
  std::vector<double> cross_z_, cross_w_;
  std::array<std::vector<double>, 3> kept_;
  std::size_t bounds_ = 0;

  std::vector<unsigned char> free_;
  std::vector<double> polished_, step_;
  std::vector<double> newton_;  ///< y after the first Newton step of the first attempt
  std::vector<double> best_;
  double best_residual_ = kInfinity;
  double smallest_pivot_ = 0.0;
  std::uint64_t budget_ = 0;  ///< factorisations left
  std::uint64_t iterations_ = 0;
};

}  // namespace carom::solvers
