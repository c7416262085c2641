#pragma once

#include <vector>

#include "carom/asynchronous/problem.h"
#include "carom/geometry/stencil.h"

namespace carom::asynchronous::detail {

/// The laws of contact, row by row, and behind them one for each length limit.
[[nodiscard]] std::vector<ContactLaw> all_laws(const Problem& problem);

/// The gap of a limit between vertices at x_a and x_b, as a stencil of these two: what is left to
/// the bound, and its gradient c_i n.
[[nodiscard]] Stencil gap_of(const LengthLimit& limit, const Vec3& x_a, const Vec3& x_b);

/// The step of each limit's first layer before any rounding, s: c / sqrt((n_a / m_a + n_b / m_b)
/// r_1), where n_i is how many limits vertex i has. They may all act together.
[[nodiscard]] std::vector<double> first_steps_of_limits(const Problem& problem,
                                                        const Settings& settings);

/// The stiffness of first layers that forces on each vertex may press on, N/m: of contact, and of
/// its limits together.
[[nodiscard]] std::vector<double> pressed_stiffness(const Problem& problem);

/// How long |apart + t motion| + t vague stays at or below `bound`, vague >= 0: infinite if for
/// ever, 0 if it is not so now. It is a convex function of t, so that being below at both ends of a
/// time is being below throughout.
[[nodiscard]] double time_within(const Vec3& apart, const Vec3& motion, double vague, double bound);

}  // namespace carom::asynchronous::detail
