#pragma once

#include <optional>
#include <span>
#include <vector>

#include "carom/geometry/vec3.h"
#include "carom/impact/resolve.h"

namespace carom::detail {

/// Lasting contact of any number of bodies, as an impact problem whose restitution is not used.
struct LastingContact {
  const ImpactProblem* problem = nullptr;
  bool rubs = true;  ///< false: coefficients of friction are not used
};

/// What gravity and the contacts make of bodies in a contact duration [DeSaxce1998]:
///
///   (1)  v' = v + g t + M^-1 J' r,   u = J v',   (u_n + mu |u_t|, u_t) in K*,  r in K,  the two
///        perpendicular
///
/// v velocities, g gravity, t the contact duration, J normals and tangents of the contacts, r
/// impulses, K = {r_n >= 0, |r_t| <= mu r_n} Coulomb's cone. A body whose v' is 0 is at rest: r / t
/// are forces within Coulomb's cone that carry it, and what it had of motion friction and the
/// contacts take within t.
struct Rest {
  std::vector<char> is_still;            ///< by body of the problem; scripted ones are not
  bool all = false;                      ///< that can move
  std::vector<double> impulses;          ///< r: normal, of each row
  std::vector<double> tangent_impulses;  ///< two per row, along its tangents
  double residual = 0.0;                 ///< of (1), in units of g t
};
struct RestQuestion {
  Vec3 gravity;
  double duration = 0.0;  ///< t, s
};
/// Nobody is still where (1) was not solved.
[[nodiscard]] Rest find_rest(const LastingContact& contact, const RestQuestion& question);

/// What a contact that goes on is to do, one per row of a problem.
struct SlowContact {
  Vec3 acceleration;     ///< of body a less that of the other side, until the next collision
  double opening = 0.0;  ///< speed at which it is to part, at least
};

/// A micro-collision of lasting contact [Mirtich1995, section 4.3], of any number of contacts at
/// once. Normal speeds become the opening speeds w, or more. Friction brings the velocity across
/// the normal as near as it can to
///
///   (2)  u_t = -a_t tau / 2,   tau = 2 w / |a_n|
///
/// with the relative acceleration a and the length tau of the flight that follows: a flight that
/// ends where it begins, so that what rests does not creep. Where nothing presses (a_n is not
/// against the opening) slip ends. Both are found together, with the cone of (1) for u less these
/// targets.
///
/// `is_still`, by body: those do not move and take every impulse. None where there is no answer.
///
/// Departs from the paper: all contacts at once; (2) instead of the reversal -u_t, which is the
/// same for what rests but turns the last slow slip round where friction is just enough; contacts
/// that slide are answered likewise.
[[nodiscard]] std::optional<ImpactResult> hold_contacts(const LastingContact& contact,
                                                        std::span<const SlowContact> contacts,
                                                        std::span<const char> is_still);

}  // namespace carom::detail
