#pragma once

#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/impact/system.h"

namespace carom {

/// Impulses of one component: scaled normal ones, and two tangential ones per row (or none).
struct ComponentImpulses {
  std::span<const double> lambda;
  std::span<const double> tangential;
};

/// What the impulses do to the velocities, W (N lambda + T tangential), in the component's layout.
[[nodiscard]] std::vector<double> velocity_change(const ComponentSystem& system,
                                                  const ComponentImpulses& impulses);

/// |velocity - v - W (N lambda + T tangential)|_M: what the impulses leave unexplained.
[[nodiscard]] double unexplained_speed(const ComponentSystem& system,
                                       const ComponentImpulses& impulses,
                                       std::span<const double> velocity);

/// Gives rows that hold with equality the impulses that explain `velocity` together with the
/// others':
///   minimise |lambda_E|  subject to  N_E lambda_E = M (velocity - v) - N lambda - T tangential,
///   lambda_E >= 0,                                                                            (1)
/// in the scaling of the rows. A positive combination of E vanishes, so (1) has a solution, and the
/// smallest one is bounded by how well E spans what it holds. Where E is only nearly locked, (1) is
/// meant in the sense of least squares; if that explains less than all rows together do, all rows
/// are given their impulses anew.
/// `lambda`: 0 at the rows of E, the iteration's elsewhere; in and out.
void explain_by_equalities(const ComponentSystem& system, std::span<const Index> equalities,
                           std::span<const double> velocity, std::span<const double> tangential,
                           std::span<double> lambda);

}  // namespace carom
