// The hinges of Discrete Shells: equations (1) to (6) of the header.

#include "carom/forces/bend_hinges.h"

#include <cmath>

#include "carom/forces/detail/element_input.h"
#include "carom/forces/detail/hinge_geometry.h"
#include "carom/forces/detail/stable_step.h"

namespace carom {

double hinge_angle(const std::array<Vec3, 4>& position) {
  return detail::theta_of(detail::hinge_normals({0, 1, 2, 3}, position));
}

BendHinges::BendHinges(const std::vector<BendHinge>& hinges) {
  elements_.reserve(hinges.size());
  steepness_.reserve(hinges.size());
  for (std::size_t i = 0; i < hinges.size(); ++i) {
    const BendHinge& hinge = hinges[i];
    const detail::InputNames input{name(), i};
    input.demand_hinge(hinge.body, hinge.rest);
    input.demand_not_negative(hinge.stiffness, "stiffness");
    input.demand_not_negative(hinge.damping, "damping");
    if (!(hinge.yield >= 0.0)) {
      input.refuse("yield", "must be at least 0, found " + number_text(hinge.yield));
    }
    const double rest_angle = hinge.rest_angle.value_or(hinge_angle(hinge.rest));
    if (!std::isfinite(rest_angle)) input.refuse("rest_angle", "must be finite");

    const detail::HingeLengths lengths = detail::hinge_lengths(hinge.rest);
    const double factor = 3.0 * lengths.edge * lengths.edge / lengths.area;  // (1)
    elements_.push_back({hinge.body,
                         {.stiffness = factor * hinge.stiffness,
                          .damping = factor * hinge.damping,
                          .yield = hinge.yield,
                          .rest = rest_angle}});
    steepness_.push_back(detail::steepness_of(lengths));
  }
}

double BendHinges::potential(Index element, std::span<const Vec3> position,
                             std::span<const double> memory) const {
  const Element& e = elements_[element];
  const double theta = detail::theta_of(detail::hinge_normals(e.body, position));
  return detail::bend_potential(
      e.law, theta, memory.empty() ? nullptr : &memory[std::size_t{kBendMemory} * element]);
}

void BendHinges::kick(std::span<const Index> elements, const KickTask& task) const {
  double taken = 0.0;
  for (const Index element : elements) {
    const Element& hinge = elements_[element];
    const auto& [i_0, i_1, i_2, i_3] = hinge.body;
    const detail::HingeNormals normals = detail::hinge_normals(hinge.body, task.position);
    const double J = detail::bend_impulse(hinge.law, task.step, detail::theta_of(normals),
                                          &task.memory[std::size_t{kBendMemory} * element], taken);
    const double square_a = norm_squared(normals.n_a);
    const double square_b = norm_squared(normals.n_b);
    const double square_e = norm_squared(normals.e);
    if (square_a == 0.0 || square_b == 0.0) continue;  // no direction there

    const double length = std::sqrt(square_e);
    const Vec3 J_2 = (J * length / square_a) * normals.n_a;  // (3), (5)
    const Vec3 J_3 = (J * length / square_b) * normals.n_b;
    const Vec3& x_0 = task.position[i_0];
    const double s_a = dot(task.position[i_2] - x_0, normals.e) / square_e;
    const double s_b = dot(task.position[i_3] - x_0, normals.e) / square_e;
    task.velocity[i_0] -= task.inverse_mass[i_0] * ((1.0 - s_a) * J_2 + (1.0 - s_b) * J_3);  // (4)
    task.velocity[i_1] -= task.inverse_mass[i_1] * (s_a * J_2 + s_b * J_3);
    task.velocity[i_2] += task.inverse_mass[i_2] * J_2;
    task.velocity[i_3] += task.inverse_mass[i_3] * J_3;
  }
  if (task.dissipated != nullptr) *task.dissipated += taken;
}

double BendHinges::stable_step(Index element, std::span<const double> inverse_mass) const {
  const Element& e = elements_[element];
  double sum = 0.0;
  for (std::size_t i = 0; i < 4; ++i) sum += steepness_[element][i] * inverse_mass[e.body[i]];
  return detail::stable_step_of(2.0 * e.law.stiffness * sum, 2.0 * e.law.damping * sum);  // (6)
}

void BendHinges::start(std::span<const Vec3> position, std::span<double> memory) const {
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Element& e = elements_[i];
    const double theta = detail::theta_of(detail::hinge_normals(e.body, position));
    memory[kBendMemory * i] = detail::nearest_turn(theta, e.law.rest);
    memory[kBendMemory * i + 1] = e.law.rest;
  }
}

}  // namespace carom
