#pragma once

#include <memory>
#include <string_view>

#include "carom/impact/operator.h"

namespace carom {

/// Newton's restitution as one linear complementarity problem over ALL active rows.
///
/// Reference: Smith2012 eq. (3) (Moreau, Baraff, Stewart).
///   0 <= lambda  perp  A lambda + (1 + r) b >= 0                                           (1)
/// One application is all. Guarantees ONE, MOM, KIN, SYM when elastic. Sticks where bodies should
/// break away (no BRK), and may leave rows closing (no FEAS): three equal balls with velocities
/// (1, 0, 0.6) end as (0, 1, 0.6). With different coefficients of restitution inside one solve it
/// can gain energy (Glocker2013): `interpolated` and `qce_lcp` clip that, `propagated` shows it.
[[nodiscard]] const OperatorInfo& lcp_info();
[[nodiscard]] std::unique_ptr<ImpactOperator> make_lcp(std::string_view options);

}  // namespace carom
