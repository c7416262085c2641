// Attraction to a point as a family of elements of one body each.

#include "carom/forces/central_field.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/forces/detail/element_input.h"
#include "carom/forces/detail/simple_forces.h"
#include "carom/forces/detail/stable_step.h"

namespace carom {

CentralField::CentralField(const CentralForce& force, std::vector<Index> bodies,
                           std::span<const double> mass, double distance)
    : force_(force),
      omega_squared_(force.strength * std::max(1.0, std::abs(force.exponent)) *
                     std::pow(distance, force.exponent - 1.0)),
      bodies_(std::move(bodies)),
      mass_(detail::masses_of(name(), bodies_, mass)) {
  const detail::InputNames input{name()};
  if (!is_finite(force.center)) input.refuse("center", "must be finite");
  if (!std::isfinite(force.exponent)) input.refuse("exponent", "must be finite");
  input.demand_not_negative(force.strength, "strength");
  input.demand_positive(distance, "distance");
}

double CentralField::potential(Index element, std::span<const Vec3> position,
                               std::span<const double> /*memory*/) const {
  const double distance = norm(position[bodies_[element]] - force_.center);
  return mass_[element] * detail::center_potential(force_, distance);  // (1)
}

void CentralField::kick(std::span<const Index> elements, const KickTask& task) const {
  for (const Index element : elements) {
    const Index body = bodies_[element];
    const Vec3 line = task.position[body] - force_.center;
    const double distance = norm(line);
    if (distance == 0.0) continue;  // no direction there
    const double pull = task.step * mass_[element] * detail::center_pull(force_, distance);  // (2)
    task.velocity[body] -= (task.inverse_mass[body] * pull) * line;
  }
}

double CentralField::stable_step(Index element, std::span<const double> inverse_mass) const {
  const double m_w = mass_[element] * inverse_mass[bodies_[element]];
  return detail::stable_step_of(omega_squared_ * m_w, 0.0);  // (3)
}

}  // namespace carom
