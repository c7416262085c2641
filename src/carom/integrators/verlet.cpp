// Free flight over one step.
#include "carom/integrators/verlet.h"

#include <cmath>

#include "carom/core/stretches.h"

namespace carom {

VerletFlight::VerletFlight(const ForceSet& forces, const BodySet& bodies,
                           const Periodicity& periodicity, double step)
    : forces_(&forces), bodies_(&bodies), periodicity_(&periodicity), acceleration_(bodies.size()) {
  change_step(step);
}

void VerletFlight::change_step(double step) {
  if (step == step_) return;
  step_ = step;
  decay_.clear();
  if (forces_->drag.coefficient == 0.0) return;
  decay_.reserve(bodies_->size());
  for (const double mass : bodies_->mass) {
    decay_.push_back(std::exp(-0.5 * forces_->drag.coefficient * step / mass));
  }
}

void VerletFlight::start(std::span<const Vec3> position) {
  accelerations(*forces_, *bodies_, *periodicity_, position, acceleration_);
  if (!forces_->functions.empty()) add_functions(position);
}

void VerletFlight::add_functions(std::span<const Vec3> position) {
  force_.assign(position.size(), Vec3{});
  working_force_.assign(position.size(), Vec3{});
  for (const auto& function : forces_->functions) {
    function->add(position, function->has_potential() ? force_ : working_force_);
  }
  for (std::size_t i = 0; i < position.size(); ++i) {
    acceleration_[i] += (1.0 / bodies_->mass[i]) * (force_[i] + working_force_[i]);
  }
}

void VerletFlight::positions(std::span<const Vec3> position, std::span<const Vec3> velocity,
                             std::span<Vec3> end) const {
  for_each_stretch(pool_, position.size(), kLongStretch, [&](const Stretch& stretch) {
    for (std::size_t i = stretch.first; i < stretch.last; ++i) {
      end[i] = end_of(i, position[i], velocity[i]);
    }
  });
}

void VerletFlight::velocities(std::span<const Vec3> end, std::span<Vec3> velocity) {
  const auto kick = [&](std::size_t i) {
    velocity[i] = decay(i) * velocity[i] + (0.5 * step_) * acceleration_[i];  // (1)
  };
  const auto kick_again = [&](std::size_t i) {
    velocity[i] = decay(i) * (velocity[i] + (0.5 * step_) * acceleration_[i]);  // (3)
  };
  const auto for_all = [&](const auto& change) {
    for_each_stretch(pool_, end.size(), kLongStretch, [&](const Stretch& stretch) {
      for (std::size_t i = stretch.first; i < stretch.last; ++i) change(i);
    });
  };
  if (!depends_on_position(*forces_)) {
    for_all([&](std::size_t i) {
      kick(i);
      kick_again(i);
    });
    return;
  }
  // (4), in the order of the bodies: any number of threads has the same bits.
  const auto work_of = [&](bool is_before) {
    if (working_force_.empty()) return;
    for (std::size_t i = 0; i < end.size(); ++i) {
      const Vec3 change = (0.5 * step_) * acceleration_[i];
      const Vec3 first = is_before ? decay(i) * velocity[i] : velocity[i];
      work_ += 0.25 * step_ * dot(working_force_[i], first + first + change);
    }
  };
  work_ = 0.0;
  work_of(true);
  for_all(kick);
  start(end);
  work_of(false);
  for_all(kick_again);
}

}  // namespace carom
