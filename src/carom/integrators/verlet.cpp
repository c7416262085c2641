#include "carom/integrators/verlet.h"

#include <cmath>

namespace carom {

VerletFlight::VerletFlight(const ForceSet& forces, const BodySet& bodies,
                           const Periodicity& periodicity, double step)
    : forces_(&forces),
      bodies_(&bodies),
      periodicity_(&periodicity),
      step_(step),
      acceleration_(bodies.size()) {
  if (forces.drag.coefficient == 0.0) return;
  decay_.reserve(bodies.size());
  for (const double mass : bodies.mass) {
    decay_.push_back(std::exp(-0.5 * forces.drag.coefficient * step / mass));
  }
}

void VerletFlight::start(std::span<const Vec3> position) {
  accelerations(*forces_, *bodies_, *periodicity_, position, acceleration_);
}

void VerletFlight::positions(std::span<const Vec3> position, std::span<const Vec3> velocity,
                             std::span<Vec3> end) const {
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Vec3 middle = decay(i) * velocity[i] + (0.5 * step_) * acceleration_[i];  // (1)
    end[i] = position[i] + step_ * middle;                                          // (2)
  }
}

void VerletFlight::velocities(std::span<const Vec3> end, std::span<Vec3> velocity) {
  for (std::size_t i = 0; i < end.size(); ++i) {
    velocity[i] = decay(i) * velocity[i] + (0.5 * step_) * acceleration_[i];  // (1)
  }
  if (depends_on_position(*forces_)) start(end);
  for (std::size_t i = 0; i < end.size(); ++i) {
    velocity[i] = decay(i) * (velocity[i] + (0.5 * step_) * acceleration_[i]);  // (3)
  }
}

}  // namespace carom
