#pragma once

#include <memory>
#include <string_view>

#include "carom/impact/operator.h"

namespace carom {

/// Quadratic Contact Energy: violated contacts load together along one time-like parameter s.
///
/// Reference: Zhang2015 sections 3.1 to 3.3, Alg. 1. For the violated rows (unscaled: the loads are
/// speeds), with F_j = -b_j the load:
///   P_j(s) = s F_j while j is loading, constant after j has ended                          (1)
///   v_i(s) = b_i + sum_j A_ij P_j(s),   slope a_i = sum_{j loading} A_ij F_j               (2)
///   dE_i/ds = -F_i v_i(s):  E_i is piecewise quadratic                                     (3)
/// Contact i ends at the first s after now where E_i returns to 0; a heap orders the ends. When k
/// ends, P_k = s F_k is fixed and every loading neighbour is brought to s and loses A_ik F_k from
/// its slope. While a_i <= 0 a contact may have no root; it waits for a neighbour. Since
/// sum F_i a_i = |N F|^2 > 0 without lineality, somebody always ends; with lineality the
/// application answers `locked`. A contact with response 0 ends at the end of compression, v_i = 0.
/// Departs from the paper: signs, the factor one half, F_k for J_k, the velocity at the end of its
/// Alg. 1 and the choice of the root are put right; P is scaled per part, so that energy is kept to
/// round-off.
/// Guarantees ONE, MOM, KIN, SYM, BRK, FEAS, FIN (with anti-locking), and WAV approximately.
/// Writing a contact point twice changes the result (not so with `gr`).
[[nodiscard]] const OperatorInfo& quadratic_contact_energy_info();
[[nodiscard]] std::unique_ptr<ImpactOperator> make_quadratic_contact_energy(
    std::string_view options);

}  // namespace carom
