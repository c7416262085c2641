#pragma once

namespace carom {

/// t = -2 b'lambda / lambda' A lambda, given twice the work b'lambda and the square lambda'A
/// lambda: impulses t lambda keep the kinetic energy to round-off, whatever the tolerance of the
/// solver was (complementarity gives t = 1). ONE and the momentum are untouched. Impulses that do
/// no work keep their size.
[[nodiscard]] inline double energy_keeping_scale(double twice_work, double square) {
  return twice_work < 0.0 && square > 0.0 ? -twice_work / square : 1.0;
}

}  // namespace carom
