#pragma once

#include <memory>
#include <string_view>

#include "carom/impact/operator.h"

namespace carom {

/// Liu, Zhao and Brogliato's distributing law for elastic multiple impacts: the reference that QCE
/// approximates.
///
/// Reference: Liu2008; Zhang2015 eq. (6):
///   dP_j / dP_i = (k_j / k_i)^(1/(eta+1)) (E_j / E_i)^(eta/(eta+1))                          (1)
/// with eta = 1 (linear springs) or 3/2 (Hertz), k the stiffness of a contact and E its energy.
/// With the indentation d_j of a spring, E_j = k_j d_j^(eta+1) / (eta+1), the right side of (1) is
/// the ratio of the forces
///   f_j = k_j max(d_j, 0)^eta,   dP_j/dt = f_j,   dd_j/dt = -v_j,   v = b + A P             (2)
/// so (1) is integrated as (2), in a fictitious time. Unlike (1), (2) is regular where energies
/// vanish: all touching rows start at d = 0, and loads begin in the ratio k_j F_j^eta by
/// themselves. A contact that has opened is taken back to d = 0, so that it can be compressed again
/// at once (bodies do not move at an instant); with response 0 it drops its energy when it stops
/// closing. Dormand and Prince's pair of order 5(4) with step control; contacts whose energy is
/// below the violation threshold are at rest. The result is scaled so that energy is kept to
/// round-off. Departs from the paper: the independent variable (time, not the impulse of the
/// contact with the largest energy); the trajectory P is the same. Acts on all active rows at once.
/// Guarantees ONE, MOM, KIN, SYM, BRK, FEAS, FIN (with anti-locking) and WAV, to the accuracy of
/// the integration.
[[nodiscard]] const OperatorInfo& lzb_info();
[[nodiscard]] std::unique_ptr<ImpactOperator> make_lzb(std::string_view options);
/// eta of an operator's specification: 1, as of linear springs, for every operator but this one.
[[nodiscard]] double lzb_exponent(std::string_view specification);

}  // namespace carom
