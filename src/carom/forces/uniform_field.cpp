// A uniform field, of gravity for one, as a family of elements of one body each.

#include "carom/forces/uniform_field.h"

#include <string>
#include <utility>

#include "carom/forces/detail/element_input.h"
#include "carom/forces/detail/simple_forces.h"

namespace carom {

UniformField::UniformField(const Vec3& field, std::vector<Index> bodies,
                           std::span<const double> mass, const Periodicity& periodicity)
    : field_(field),
      potential_field_(detail::field_with_potential(field, periodicity)),
      bodies_(std::move(bodies)) {
  if (!is_finite(field)) throw InputError({"", 0, 0, "uniform_field"}, "must be finite");
  mass_.reserve(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const detail::ElementInput input{name(), i};
    if (bodies_[i] >= mass.size()) {
      input.refuse("body", "is " + std::to_string(bodies_[i]) + ", but the world has " +
                               std::to_string(mass.size()) + " bodies");
    }
    input.demand_positive(mass[bodies_[i]], "mass");
    mass_.push_back(mass[bodies_[i]]);
  }
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
