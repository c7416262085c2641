// Springs between two bodies, or a body and a point, as a family of elements.

#include "carom/forces/spring_elements.h"

#include "carom/forces/detail/element_input.h"
#include "carom/forces/detail/simple_forces.h"
#include "carom/forces/detail/stable_step.h"

namespace carom {

SpringElements::SpringElements(const std::vector<SpringForce>& springs,
                               const Periodicity& periodicity)
    : springs_(springs), periodicity_(periodicity) {
  bodies_.reserve(springs_.size());
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const SpringForce& spring = springs_[i];
    const detail::InputNames input{name(), i};
    if (spring.body_a == kNone) input.refuse("body_a", "names no body");
    if (spring.body_a == spring.body_b) {
      input.refuse("body_b", "is the body at the spring's other end");
    }
    if (!is_finite(spring.point)) input.refuse("point", "must be finite");
    input.demand_not_negative(spring.stiffness, "stiffness");
    input.demand_not_negative(spring.length, "length");
    bodies_.push_back({spring.body_a, spring.body_b});
  }
}

std::span<const Index> SpringElements::stencil(Index element) const {
  return {bodies_[element].data(), bodies_[element][1] == kNone ? 1U : 2U};
}

double SpringElements::potential(Index element, std::span<const Vec3> position,
                                 std::span<const double> /*memory*/) const {
  const SpringForce& spring = springs_[element];
  return detail::spring_potential(
      spring, norm(detail::spring_line(spring, periodicity_, position)));  // (1)
}

void SpringElements::kick(std::span<const Index> elements, const KickTask& task) const {
  for (const Index element : elements) {
    const SpringForce& spring = springs_[element];
    const Vec3 line = detail::spring_line(spring, periodicity_, task.position);
    const Vec3 J = (task.step * detail::spring_tension(spring, norm(line))) * line;
    task.velocity[spring.body_a] -= task.inverse_mass[spring.body_a] * J;
    if (spring.body_b != kNone) {
      task.velocity[spring.body_b] += task.inverse_mass[spring.body_b] * J;
    }
  }
}

double SpringElements::stable_step(Index element, std::span<const double> inverse_mass) const {
  double w = 0.0;
  for (const Index body : stencil(element)) w += inverse_mass[body];
  return detail::stable_step_of(springs_[element].stiffness * w, 0.0);  // (1)
}

}  // namespace carom
