#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "carom/impact/iterate.h"
#include "carom/impact/lineality.h"
#include "carom/impact/resolve.h"
#include "carom/impact/system.h"

namespace carom {

/// Friction of one component, after its normal impulses.
///
/// slip (Smith2012 section 6, Alg. 3): one direction d_k per contact, opposing the slip; the
/// impulses
///   minimise the kinetic energy (seen from the surfaces) inside Coulomb's bound,
///     min 1/2 z' D'WD z + z'(D'v_n - w_t),   0 <= z <= mu lambda                             (1)
///   v_n the velocity after the normal impulses. The slip is the one before the impact; where that
///   is zero, the one after the normal impulses; where both are, there is no friction.
///   Departs from the paper: the printed d_k lacks the minus sign and the objective the one half.
/// box (Zhang2015 eq. 20, 21): a pyramid, |z_k| <= mu lambda along two directions, the first along
///   the slip, so that the outcome does not depend on the tangents' choice; a contact without slip
///   uses the given tangents.
/// Both keep momentum (tangent rows act and react), never raise the energy (z = 0 is allowed) and
/// are symmetric (minimum-norm z). Friction may make rows close again: a closing pass, inelastic,
/// ends it.
/// The bounds are cut at an impulse that could reverse the whole motion of the component many times
/// over; only the nearly locked have larger ones.
/// With passes > 1 normal and friction impulses are found in turns (Kaufman2008), the normal ones
/// restoring the normal velocities of v_n; where that would raise the energy, one pass is kept.
/// A component with implicit equalities is rubbed in the coordinates of its UnlockedComponent,
/// where no friction impulse can act against them.
struct FrictionProblem {
  const ComponentSystem* system = nullptr;
  const ImpactSettings* settings = nullptr;
  const UnlockedComponent* unlocked = nullptr;  ///< where the component was anti-locked
  IterationRows rows;                           ///< the normal rows of the working coordinates
  std::span<const double> normal;               ///< scaled normal impulses of the given rows
};

struct FrictionState {
  std::vector<double> velocity;    ///< in: after the normal impulses; out: after friction
  std::vector<double> lambda;      ///< impulses of `rows`, in and out
  std::vector<double> tangential;  ///< two per given row, along its tangents; out
  bool fell_back = false;          ///< staggered passes would have gained energy; out
};

enum class FrictionStatus : std::uint8_t { done, solver_failed, infeasible };

[[nodiscard]] FrictionStatus apply_friction(const FrictionProblem& problem, FrictionState& state);

}  // namespace carom
