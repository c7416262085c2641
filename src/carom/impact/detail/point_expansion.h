#pragma once

#include <cstddef>
#include <functional>

#include "carom/core/types.h"
#include "carom/impact/points.h"

namespace carom {

/// Whether a component could blow up uniformly: with x_i = q_i - c, q_i the places of its points
/// and some centre c, every row opens, n . (x_a - x_b) > 0. Between balls that holds for any c,
/// because n lies along q_a - q_b; walls ask n . q_a > n . c, which a centre far behind all of them
/// grants where their normals lie in a half-space. Such an x is strictly feasible, so there is no
/// lineality. The converse does not hold: `false` says nothing. `belongs` names the component's
/// rows.
template <std::size_t D>
[[nodiscard]] bool can_expand(const PointProblem& problem,
                              const std::function<bool(Index)>& belongs);

}  // namespace carom
