// A uniform field, of gravity for one, as a family of elements of one body each.

#include "carom/forces/uniform_field.h"

#include <utility>

#include "carom/forces/detail/element_input.h"
#include "carom/forces/detail/simple_forces.h"

namespace carom {

UniformField::UniformField(const Vec3& field, std::vector<Index> bodies,
                           std::span<const double> mass, const Periodicity& periodicity)
    : field_(field),
      potential_field_(detail::field_with_potential(field, periodicity)),
      bodies_(std::move(bodies)),
      mass_(detail::masses_of(name(), bodies_, mass)) {
  if (!is_finite(field)) detail::InputNames{name()}.refuse("field", "must be finite");
}

double UniformField::potential(Index element, std::span<const Vec3> position,
                               std::span<const double> /*memory*/) const {
  return -mass_[element] * dot(potential_field_, position[bodies_[element]]);  // (1)
}

void UniformField::kick(std::span<const Index> elements, const KickTask& task) const {
  const Vec3 change = task.step * field_;
  for (const Index element : elements) {
    const Index body = bodies_[element];
    if (task.inverse_mass[body] > 0.0) task.velocity[body] += change;
  }
}

}  // namespace carom
