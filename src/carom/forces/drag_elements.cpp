// Linear drag as a family of elements of one body each.

#include "carom/forces/drag_elements.h"

#include <utility>

#include "carom/forces/detail/element_input.h"
#include "carom/forces/detail/stable_step.h"

namespace carom {

DragElements::DragElements(const LinearDrag& drag, std::vector<Index> bodies,
                           const Periodicity& periodicity)
    : coefficient_(drag.coefficient), bodies_(std::move(bodies)), periodicity_(periodicity) {
  detail::InputNames{name()}.demand_not_negative(coefficient_, "coefficient");
}

void DragElements::kick(std::span<const Index> elements, const KickTask& task) const {
  double taken = 0.0;
  for (const Index element : elements) {
    const Index body = bodies_[element];
    double* const last = &task.memory[3 * std::size_t{element}];
    const Vec3& x = task.position[body];
    const Vec3 change = nearest_image(periodicity_, x - Vec3{last[0], last[1], last[2]});
    last[0] = x.x;
    last[1] = x.y;
    last[2] = x.z;
    taken += coefficient_ * norm_squared(change);
    task.velocity[body] -= (coefficient_ * task.inverse_mass[body]) * change;  // (1)
  }
  if (task.dissipated != nullptr) *task.dissipated += taken / task.step;
}

double DragElements::stable_step(Index element, std::span<const double> inverse_mass) const {
  return detail::stable_step_of(0.0, coefficient_ * inverse_mass[bodies_[element]]);  // (2)
}

void DragElements::start(std::span<const Vec3> position, std::span<double> memory) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Vec3& x = position[bodies_[i]];
    memory[3 * i] = x.x;
    memory[3 * i + 1] = x.y;
    memory[3 * i + 2] = x.z;
  }
}

}  // namespace carom
