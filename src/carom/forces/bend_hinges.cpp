// The hinges of Discrete Shells: equations (1) to (6) of the header.

#include "carom/forces/bend_hinges.h"

#include <cmath>

#include "carom/forces/detail/element_input.h"
#include "carom/forces/detail/hinge_geometry.h"
#include "carom/forces/detail/stable_step.h"

namespace carom {

double hinge_angle(const std::array<Vec3, 4>& position) {
  return detail::hinge_angle({0, 1, 2, 3}, position);
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
  const double theta = detail::hinge_angle(e.body, position);
  return detail::bend_potential(
      e.law, theta, memory.empty() ? nullptr : &memory[std::size_t{kBendMemory} * element]);
}

// As many hinges as a Number has lanes; `chosen` are theirs.
template <class Number>
CAROM_INLINE void BendHinges::kick_some(const Index* chosen, const KickTask& task,
                                        double& taken) const {
  const Element* const elements = elements_.data();
  double* const memory = task.memory.data();
  const auto hinge = [&](std::size_t k) -> const Element& { return elements[chosen[k]]; };
  detail::HingePose<Number> pose;
  detail::set_pose([&](std::size_t k) -> const std::array<Index, 4>& { return hinge(k).body; },
                   task.position.data(), pose);
  Number J;
  detail::fill(J, [&](std::size_t k) {
    return detail::bend_impulse(hinge(k).law, task.step, detail::lane_of(pose.theta, k),
                                memory + std::size_t{kBendMemory} * chosen[k], taken);
  });
  Number square_a;
  Number square_b;
  Number s_a;
  Number s_b;
  detail::dot(pose.n_a, pose.n_a, square_a);
  detail::dot(pose.n_b, pose.n_b, square_b);
  detail::dot(pose.to_a, pose.e, s_a);
  detail::dot(pose.to_b, pose.e, s_b);
  s_a = s_a / pose.square;
  s_b = s_b / pose.square;
  detail::LaneVector<Number> J_2;
  detail::LaneVector<Number> J_3;
  const Number J_a = J * pose.length / square_a;
  const Number J_b = J * pose.length / square_b;
  detail::scale(J_a, pose.n_a, J_2);  // (3), (5)
  detail::scale(J_b, pose.n_b, J_3);
  Vec3* const velocity = task.velocity.data();
  const double* const w = task.inverse_mass.data();
  for (std::size_t k = 0; k < detail::kLaneCount<Number>; ++k) {
    // No direction there.
    if (detail::lane_of(square_a, k) == 0.0 || detail::lane_of(square_b, k) == 0.0) continue;
    const auto& [i_0, i_1, i_2, i_3] = hinge(k).body;
    const Vec3 on_2 = detail::lane_of(J_2, k);
    const Vec3 on_3 = detail::lane_of(J_3, k);
    const double of_a = detail::lane_of(s_a, k);
    const double of_b = detail::lane_of(s_b, k);
    velocity[i_0] -= w[i_0] * ((1.0 - of_a) * on_2 + (1.0 - of_b) * on_3);
    velocity[i_1] -= w[i_1] * (of_a * on_2 + of_b * on_3);  // (4)
    velocity[i_2] += w[i_2] * on_2;
    velocity[i_3] += w[i_3] * on_3;
  }
}

// Returns what damping and plasticity take.
CAROM_WIDER_TOO double BendHinges::kick_all(std::span<const Index> elements,
                                            const KickTask& task) const {
  double taken = 0.0;
  std::size_t k = 0;
  for (; k + detail::kLaneCount<detail::Lanes> <= elements.size();
       k += detail::kLaneCount<detail::Lanes>) {
    kick_some<detail::Lanes>(&elements[k], task, taken);
  }
  for (; k < elements.size(); ++k) kick_some<double>(&elements[k], task, taken);
  return taken;
}

void BendHinges::kick(std::span<const Index> elements, const KickTask& task) const {
  const double taken = kick_all(elements, task);
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
    const double theta = detail::hinge_angle(e.body, position);
    memory[kBendMemory * i] = detail::nearest_turn(theta, e.law.rest);
    memory[kBendMemory * i + 1] = e.law.rest;
  }
}

}  // namespace carom
