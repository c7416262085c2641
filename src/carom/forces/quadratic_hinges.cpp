// Quadratic bending: equations (1) to (5) of the header.

#include "carom/forces/quadratic_hinges.h"

#include <cmath>

#include "carom/forces/detail/element_input.h"
#include "carom/forces/detail/hinge_geometry.h"
#include "carom/forces/detail/stable_step.h"

namespace carom {

QuadraticHinges::QuadraticHinges(const std::vector<QuadraticHinge>& hinges) {
  elements_.reserve(hinges.size());
  for (std::size_t i = 0; i < hinges.size(); ++i) {
    const QuadraticHinge& hinge = hinges[i];
    const detail::InputNames input{name(), i};
    input.demand_hinge(hinge.body, hinge.rest);
    input.demand_not_negative(hinge.stiffness, "stiffness");
    input.demand_not_negative(hinge.damping, "damping");
    if (hinge.damping > 0.0) is_damped_ = true;

    const detail::HingeLengths lengths = detail::hinge_lengths(hinge.rest);
    const double a = lengths.edge / lengths.height[0];
    const double b = lengths.edge / lengths.height[1];
    const auto& [s_a, s_b] = lengths.foot;
    elements_.push_back(
        {.body = hinge.body,
         .kappa = {(1.0 - s_a) * a + (1.0 - s_b) * b, s_a * a + s_b * b, -a, -b},  // (2)
         .stiffness = 6.0 / lengths.area * hinge.stiffness,
         .damping = 6.0 / lengths.area * hinge.damping});
  }
}

// c, as a sum of differences: exactly zero where all four are in one place, and near to it no
// worse.
Vec3 QuadraticHinges::bend_of(const Element& element, std::span<const Vec3> position) {
  const auto& [i_0, i_1, i_2, i_3] = element.body;
  const Vec3& x_0 = position[i_0];
  return element.kappa[1] * (position[i_1] - x_0) + element.kappa[2] * (position[i_2] - x_0) +
         element.kappa[3] * (position[i_3] - x_0);
}

double QuadraticHinges::potential(Index element, std::span<const Vec3> position,
                                  std::span<const double> /*memory*/) const {
  const Element& e = elements_[element];
  return 0.5 * e.stiffness * norm_squared(bend_of(e, position));  // (1)
}

void QuadraticHinges::kick(std::span<const Index> elements, const KickTask& task) const {
  double taken = 0.0;
  for (const Index element : elements) {
    const Element& e = elements_[element];
    const Vec3 c = bend_of(e, task.position);
    double factor = task.step * e.stiffness;
    if (is_damped_) {
      double* const last = &task.memory[3 * std::size_t{element}];
      const Vec3 c_last = {last[0], last[1], last[2]};
      last[0] = c.x;
      last[1] = c.y;
      last[2] = c.z;
      const double length = norm(c);
      const double change = length - std::copysign(norm(c_last), dot(c, c_last));
      if (length > 0.0) {
        factor += e.damping * change / length;
        taken += e.damping * change * change;
      }
    }
    const Vec3 J = factor * c;
    for (std::size_t i = 0; i < 4; ++i) {
      task.velocity[e.body[i]] -= (task.inverse_mass[e.body[i]] * e.kappa[i]) * J;  // (3)
    }
  }
  if (task.dissipated != nullptr) *task.dissipated += taken / task.step;  // (4)
}

double QuadraticHinges::stable_step(Index element, std::span<const double> inverse_mass) const {
  const Element& e = elements_[element];
  double sum = 0.0;
  for (std::size_t i = 0; i < 4; ++i) sum += e.kappa[i] * e.kappa[i] * inverse_mass[e.body[i]];
  return detail::stable_step_of(e.stiffness * sum, e.damping * sum);  // (5)
}

void QuadraticHinges::start(std::span<const Vec3> position, std::span<double> memory) const {
  if (!is_damped_) return;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Vec3 c = bend_of(elements_[i], position);
    memory[3 * i] = c.x;
    memory[3 * i + 1] = c.y;
    memory[3 * i + 2] = c.z;
  }
}

}  // namespace carom
