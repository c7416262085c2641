#pragma once

#include <memory>
#include <string_view>

#include "carom/impact/operator.h"

namespace carom {

/// Generalized Reflections: the rows violated NOW are reflected together.
///
/// Reference: Smith2012 section 4, Alg. 2. With V the violated rows and r the response (1 elastic):
///   0 <= lambda  perp  A_VV lambda + (1 + r) b_V >= 0                                     (1)
/// solved as  min 1/2 l'A_VV l + ((1 + r) b_V)' l,  l >= 0.                                 (2)
/// Departs from the paper: the objective is written with b = n.v - w, so that scripted surfaces
/// count (the paper's |G y + 2 p| form forgets them); each connected part of V is solved alone,
/// which is exact; among the solutions the one of minimum norm is taken, so that redundant rows
/// share alike; each part's impulse is scaled so that energy is kept to round-off.
/// Guarantees ONE, MOM, KIN, SYM, BRK, FEAS, FIN (with anti-locking).
[[nodiscard]] const OperatorInfo& generalized_reflections_info();
[[nodiscard]] std::unique_ptr<ImpactOperator> make_generalized_reflections(
    std::string_view options);

}  // namespace carom
