#pragma once

#include <vector>

#include "carom/bodies/world.h"
#include "carom/core/worker_pool.h"
#include "carom/integrators/verlet.h"
#include "carom/stepping/stepper.h"

namespace carom::detail {

/// A step as it knows its velocities: at its first node before the impact (v-) and after it (v+).
struct StepVelocities {
  const std::vector<Vec3>& before;
  const std::vector<Vec3>& after;
  const std::vector<Vec3>& angular_before;
  const std::vector<Vec3>& angular_after;
};

/// What lies on a floor is stopped once in every step: it has v- = -h g / 2 before, v+ = h g / 2
/// after that impact, and moves with v_m = v+ - h g / 2 = 0. With a the acceleration of free
/// flight, the impact of a contact that lasts changes the velocity by about -h a. So a body whose
/// velocity an impact changed by no more than 2 h |a| is shown half-way between what the next
/// impact finds and what it leaves, when it does what this one did:
///
///   v = v-' + (v+ - v-) / 2        v-' at the end of the step
///
/// 0 at rest, on a slope without friction the velocity at the node. It is never farther from the
/// velocity with which the body moves than v-' is, h |a| / 2. What came to rest in this very step
/// (v_m is 0, to a tenth of h |a|) is shown at rest; everything else with v-'.
class ShownVelocities {
 public:
  explicit ShownVelocities(const World& world) : world_(&world) {}

  /// Of the step that has just been taken; the flight is still at its beginning.
  void find(const StepVelocities& velocities, const VerletFlight& flight);
  /// Once the state is that of the step's end.
  void finish(const State& end);
  void clear() { changes_.clear(); }

  [[nodiscard]] const std::vector<VelocityChange>& changes() const { return changes_; }
  /// Totals of the state with the velocities that are shown. Their sum, and momenta, stay those of
  /// the state: kinetic energy that is not shown counts as potential energy.
  [[nodiscard]] Totals shown(Totals of_state) const;

 private:
  const World* world_;
  std::vector<VelocityChange> changes_;
  double kinetic_ = 0.0;  ///< what they add, J
};

}  // namespace carom::detail
