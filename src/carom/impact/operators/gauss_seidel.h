#pragma once

#include <memory>
#include <string_view>

#include "carom/impact/operator.h"

namespace carom {

/// One violated row at a time bounces as if it were alone.
///
/// Reference: Smith2012 section 3.2, Vouga2017 eq. (1).
///   lambda_i = -(1 + r_i) b_i / (n_i' W n_i)                                              (1)
/// Orders: lexicographic (the smallest row), random (uniform among the violated, seeded), worst
/// (the fastest closing in scaled speed; the smallest row of equals). Dividing by the computed
/// n' W n keeps the energy of very long cascades to round-off per reflection.
/// Guarantees ONE, MOM, KIN, BRK, FEAS, FIN (with anti-locking); which row is first breaks SYM.
[[nodiscard]] const OperatorInfo& gauss_seidel_info();
[[nodiscard]] std::unique_ptr<ImpactOperator> make_gauss_seidel(std::string_view options);

}  // namespace carom
