#pragma once

#include <optional>
#include <span>

#include "carom/geometry/vec3.h"
#include "carom/impact/resolve.h"

namespace carom::detail {

/// What a contact that lasts is to do, one per row of a problem.
struct SlowContact {
  Vec3 acceleration;     ///< of body a less that of the other side, until the next collision
  double opening = 0.0;  ///< speed at which it is to part, at least
};

/// A micro-collision of lasting contact [Mirtich1995, section 4.3], of any number of contacts at
/// once. Normal speeds become the opening speeds w, or more. Friction brings the velocity across
/// the normal as near as it can to
///
///   (1)  u_t = -a_t tau / 2,   tau = 2 w / |a_n|
///
/// with the relative acceleration a and the length tau of the flight that follows: a flight that
/// ends where it begins, so that what rests does not creep. Where nothing presses (a_n is not
/// against the opening) slip ends.
///
/// Both are found together, as one box-constrained quadratic program over the impulses; friction's
/// bounds mu lambda are repeated until they agree with it (two directions per contact, the first
/// along the slip, as of the friction model `box`).
///
/// None where that program has no answer.
///
/// Departs from the paper: all contacts at once; (1) instead of the reversal -u_t, which is the
/// same for what rests but turns the last slow slip round where friction is just enough; contacts
/// that slide are answered likewise.
[[nodiscard]] std::optional<ImpactResult> hold_contacts(const ImpactProblem& problem,
                                                        std::span<const SlowContact> contacts);

}  // namespace carom::detail
