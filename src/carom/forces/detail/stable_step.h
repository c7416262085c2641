#pragma once

#include <cmath>

#include "carom/core/types.h"

namespace carom::detail {

/// The longest stable step of one mode with frequency omega whose rate is damped from positions
/// that were cached a step earlier:
///   v_k+1 = v_k - h omega^2 x_k - gamma (x_k - x_k-1),   x_k+1 = x_k + h v_k+1.
/// As x_k - x_k-1 = h v_k, its eigenvalues solve
///   z^2 - (2 - gamma h - omega^2 h^2) z + 1 - gamma h = 0
/// and stay in the unit circle exactly while omega^2 h^2 + 2 gamma h <= 4, that is, while
///   h <= 4 / (gamma + sqrt(gamma^2 + 4 omega^2)):                                            (1)
/// 2 / omega without damping, 2 / gamma without stiffness. It falls with both, so bounds on them
/// from above give a bound on the step from below.
[[nodiscard]] inline double stable_step_of(double omega_squared, double gamma) {
  const double rate = gamma + std::sqrt(gamma * gamma + 4.0 * omega_squared);
  return rate > 0.0 ? 4.0 / rate : kInfinity;  // (1)
}

}  // namespace carom::detail
