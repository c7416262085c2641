#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "carom/forces/family.h"

namespace carom::test {

// One element of a family through time, by itself: symplectic Euler, from rest.
class LoneElement {
 public:
  LoneElement(const ForceFamily& family, Index element, std::vector<Vec3> position,
              std::vector<double> inverse_mass)
      : family_(&family),
        element_(element),
        inverse_mass_(std::move(inverse_mass)),
        position_(std::move(position)),
        velocity_(position_.size()),
        memory_(std::size_t{family.memory_size()} * family.size()) {
    family.start(position_, memory_);
  }

  [[nodiscard]] double stable_step() const { return family_->stable_step(element_, inverse_mass_); }
  void advance(double step) {
    kick(step);
    for (std::size_t i = 0; i < position_.size(); ++i) position_[i] += step * velocity_[i];
  }
  void kick(double step) {
    family_->kick(std::span(&element_, 1), {.step = step,
                                            .position = position_,
                                            .inverse_mass = inverse_mass_,
                                            .velocity = velocity_,
                                            .memory = memory_,
                                            .dissipated = &dissipated_});
  }
  [[nodiscard]] double potential() const {
    return family_->potential(element_, position_, memory_);
  }
  [[nodiscard]] double energy() const {
    double sum = potential();
    for (std::size_t i = 0; i < position_.size(); ++i) {
      if (inverse_mass_[i] > 0.0) sum += 0.5 * norm_squared(velocity_[i]) / inverse_mass_[i];
    }
    return sum;
  }
  [[nodiscard]] double dissipated() const { return dissipated_; }
  [[nodiscard]] std::vector<Vec3>& position() { return position_; }
  [[nodiscard]] std::vector<Vec3>& velocity() { return velocity_; }
  [[nodiscard]] std::vector<double>& memory() { return memory_; }

 private:
  const ForceFamily* family_;
  Index element_;
  std::vector<double> inverse_mass_;
  std::vector<Vec3> position_;
  std::vector<Vec3> velocity_;
  std::vector<double> memory_;
  double dissipated_ = 0.0;
};

// How many times its first energy the element reaches within so many steps.
[[nodiscard]] inline double energy_growth(LoneElement element, double step, int steps) {
  const double first = element.energy();
  double largest = first;
  for (int k = 0; k < steps; ++k) {
    element.advance(step);
    largest = std::max(largest, element.energy());
  }
  return largest / first;
}

}  // namespace carom::test
