// Velocities that are shown after a step: those with which bodies move.
#include "carom/steps/detail/shown_velocities.h"

#include <cmath>

namespace carom::detail {

void ShownVelocities::find(const StepVelocities& velocities, const VerletFlight& flight) {
  constexpr double kLasting = 2.0;  // |v+ - v-| over h |a|, at most
  constexpr double kStopped = 0.1;  // |v_m| over h |a|, at most
  changes_.clear();
  const BodySet& bodies = world_->bodies;
  for (Index i = 0; i < bodies.size(); ++i) {
    const Vec3 change = velocities.after[i] - velocities.before[i];
    const bool turns = bodies.turns(i);
    const Vec3 turned = turns ? velocities.angular_after[i] - velocities.angular_before[i] : Vec3{};
    if (change == Vec3{} && turned == Vec3{}) continue;
    const double pull = 2.0 * norm(flight.middle_of(i, Vec3{}));  // h |a|
    if (!(pull > 0.0)) continue;
    const double size = bodies.radius[i];
    if (norm(change) <= kLasting * pull && norm(turned) * size <= kLasting * pull) {
      changes_.push_back({i, 0.5 * change, 0.5 * turned});
      continue;
    }
    const double moves = norm(flight.middle_of(i, velocities.after[i]));
    const double turning = turns ? norm(velocities.angular_after[i]) * size : 0.0;
    if (moves > kStopped * pull || turning > kStopped * pull) continue;
    // Its velocity at the step's end is what the acceleration of half a step makes of v_m.
    changes_.push_back({i, -flight.middle_of(i, Vec3{}), {}});
  }
}

void ShownVelocities::finish(const State& end) {
  kinetic_ = 0.0;
  const BodySet& bodies = world_->bodies;
  for (const VelocityChange& change : changes_) {
    const Index i = change.body;
    kinetic_ += bodies.mass[i] * dot(change.linear, end.velocity[i] + 0.5 * change.linear);
    if (!bodies.turns(i)) continue;
    const Mat3 inertia = world_inertia(bodies, i, end.orientation[i]);
    kinetic_ += dot(change.angular, inertia * (end.angular_velocity[i] + 0.5 * change.angular));
  }
}

Totals ShownVelocities::shown(Totals of_state) const {
  if (changes_.empty()) return of_state;
  of_state.kinetic += kinetic_;
  of_state.potential -= kinetic_;
  return of_state;
}

}  // namespace carom::detail
