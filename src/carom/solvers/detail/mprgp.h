#pragma once

#include <span>
#include <vector>

#include "carom/solvers/detail/qp_core.h"

namespace carom::solvers {

/// Modified proportioning with reduced gradient projections, for
/// minimise 1/2 y'Ay + c'y, lower <= y <= upper, with products A y only.
///
/// Reference: Dostal2005. g = A y + c splits into the free gradient phi (rows strictly between
/// their bounds) and the chopped gradient beta (rows at a bound, where g points inwards).
///   |beta|^2 <= Gamma^2 phi~'phi:  a step of conjugate gradients on the free rows; where it would
///     leave the box, the longest feasible part of it and y := P(y - a phi), a = 1.9/|A|_inf;   (1)
///   otherwise:  y := y - (g'beta / beta'A beta) beta, the proportioning step.                 (2)
/// Guarantee: for positive definite A R-linear convergence with a rate that depends on the
/// condition of A alone; for semidefinite A the objective falls at every step.
/// Departs from the paper: upper bounds (step (2) is cut where it would pass one); |A|_inf stands
/// for the spectral norm; g is computed afresh every fifty steps.
class Mprgp {
 public:
  CoreOutcome run(ScaledProgram& program, const CoreSettings& settings, std::span<double> y);

 private:
  [[nodiscard]] bool good_enough(ScaledProgram& program, const CoreSettings& settings,
                                 std::span<const double> y, std::uint64_t steps);
  void split(const ScaledProgram& program, std::span<const double> y);
  void product(ScaledProgram& program, std::span<const double> direction);
  [[nodiscard]] static double longest_step(const ScaledProgram& program, std::span<const double> y,
                                           std::span<const double> direction);
  void move(const ScaledProgram& program, std::span<double> y, std::span<const double> direction,
            double length);
  void conjugate_step(ScaledProgram& program, std::span<double> y, double step, double curvature);
  bool proportion(ScaledProgram& program, std::span<double> y);

  std::vector<double> g_, phi_, beta_, p_, ap_, zero_;
  double reduced_ = 0.0;  ///< phi~'phi
  double chopped_ = 0.0;  ///< beta'beta
  double expansion_ = 0.0;
  std::uint64_t deadline_ = 0;  ///< for the strict residual; 0: not set yet
};

}  // namespace carom::solvers
