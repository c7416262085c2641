#pragma once

#include <memory>
#include <string_view>

#include "carom/impact/operator.h"

namespace carom {

/// Every violated row computes its own two-body impulse at the same velocity; all are applied.
///
/// Reference: Smith2012 section 3.2 (pairwise propagation, Jacobi variant).
///   lambda_i = -(1 + r_i) b_i / (n_i' W n_i)                                              (1)
/// with r_i the response (1 elastic). Guarantees ONE, MOM, SYM. Two rows that share a body each
/// answer for the whole closing speed, so energy is not kept and nothing proves that it ends.
[[nodiscard]] const OperatorInfo& jacobi_info();
[[nodiscard]] std::unique_ptr<ImpactOperator> make_jacobi(std::string_view options);

}  // namespace carom
