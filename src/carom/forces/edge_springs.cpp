// Springs along edges: equations (1) to (4) of the header.

#include "carom/forces/edge_springs.h"

#include <cmath>

#include "carom/forces/detail/element_input.h"
#include "carom/forces/detail/stable_step.h"

namespace carom {

double edge_factor(EdgeLaw law, double length) {
  if (law == EdgeLaw::per_strain) return 1.0 / length;
  if (law == EdgeLaw::discrete_shells) return 2.0 / length;
  return 1.0;
}

EdgeSprings::EdgeSprings(const std::vector<EdgeSpring>& springs) : springs_(springs) {
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const EdgeSpring& spring = springs_[i];
    const detail::InputNames input{name(), i};
    input.demand_different(spring.body);
    input.demand_not_negative(spring.length, "length");
    input.demand_not_negative(spring.stiffness, "stiffness");
    input.demand_not_negative(spring.damping, "damping");
    if (spring.damping > 0.0) is_damped_ = true;
  }
}

double EdgeSprings::potential(Index element, std::span<const Vec3> position,
                              std::span<const double> /*memory*/) const {
  const EdgeSpring& spring = springs_[element];
  const double stretch = norm(position[spring.body[1]] - position[spring.body[0]]) - spring.length;
  return 0.5 * spring.stiffness * stretch * stretch;  // (1)
}

void EdgeSprings::kick(std::span<const Index> elements, const KickTask& task) const {
  double taken = 0.0;
  for (const Index element : elements) {
    const EdgeSpring& spring = springs_[element];
    const auto [a, b] = spring.body;
    const Vec3 e = task.position[b] - task.position[a];
    const double length = norm(e);
    double impulse = task.step * spring.stiffness * (length - spring.length);
    if (is_damped_) {
      const double change = length - task.memory[element];
      task.memory[element] = length;
      impulse += spring.damping * change;
      taken += spring.damping * change * change;
    }
    if (length == 0.0) continue;  // no direction there
    const Vec3 J = (impulse / length) * e;
    task.velocity[a] += task.inverse_mass[a] * J;  // (2)
    task.velocity[b] -= task.inverse_mass[b] * J;
  }
  if (task.dissipated != nullptr) *task.dissipated += taken / task.step;  // (3)
}

double EdgeSprings::stable_step(Index element, std::span<const double> inverse_mass) const {
  const EdgeSpring& spring = springs_[element];
  const double w = inverse_mass[spring.body[0]] + inverse_mass[spring.body[1]];
  return detail::stable_step_of(spring.stiffness * w, spring.damping * w);  // (4)
}

void EdgeSprings::start(std::span<const Vec3> position, std::span<double> memory) const {
  if (!is_damped_) return;
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const auto [a, b] = springs_[i].body;
    memory[i] = norm(position[b] - position[a]);
  }
}

}  // namespace carom
