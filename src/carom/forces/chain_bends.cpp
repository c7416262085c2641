// Bending of chains: equations (1) to (5) of the header.

#include "carom/forces/chain_bends.h"

#include <cmath>
#include <numbers>
#include <string>

#include "carom/forces/detail/element_input.h"
#include "carom/forces/detail/stable_step.h"

namespace carom {

struct ChainBends::Turn {
  Vec3 a;
  Vec3 b;
  Vec3 n;  ///< zero where it is not defined
  double phi = 0.0;
};

ChainBends::Turn ChainBends::turn_of(const std::array<Index, 3>& body,
                                     std::span<const Vec3> position) const {
  Turn turn;
  turn.a = position[body[1]] - position[body[0]];
  turn.b = position[body[2]] - position[body[1]];
  const double along = dot(turn.a, turn.b);
  if (is_flat_) {
    turn.n = {0.0, 0.0, 1.0};
    turn.phi = std::atan2(turn.a.x * turn.b.y - turn.a.y * turn.b.x, along);  // (2)
    return turn;
  }
  const Vec3 across = cross(turn.a, turn.b);
  const double length = norm(across);
  turn.phi = std::atan2(length, along);  // (3)
  if (length > 0.0) turn.n = (1.0 / length) * across;
  return turn;
}

ChainBends::ChainBends(const std::vector<ChainBend>& bends, int dimension)
    : is_flat_(dimension == 2) {
  if (dimension != 2 && dimension != 3) {
    throw InputError({"", 0, 0, "dimension"}, "must be 2 or 3, found " + std::to_string(dimension));
  }
  elements_.reserve(bends.size());
  for (std::size_t i = 0; i < bends.size(); ++i) {
    const ChainBend& bend = bends[i];
    const detail::InputNames input{name(), i};
    input.demand_different(bend.body);
    input.demand_finite(bend.rest);
    input.demand_not_negative(bend.stiffness, "stiffness");
    input.demand_not_negative(bend.damping, "damping");
    if (!(bend.yield >= 0.0)) {
      input.refuse("yield", "must be at least 0, found " + number_text(bend.yield));
    }
    const double a = norm(bend.rest[1] - bend.rest[0]);
    const double b = norm(bend.rest[2] - bend.rest[1]);
    if (!(a > 0.0 && b > 0.0)) input.refuse("rest", "has an edge without length");
    const double rest_angle = bend.rest_angle.value_or(turn_of({0, 1, 2}, bend.rest).phi);
    if (!std::isfinite(rest_angle)) input.refuse("rest_angle", "must be finite");
    if (!is_flat_ && !(rest_angle >= 0.0 && rest_angle <= std::numbers::pi)) {
      input.refuse("rest_angle", "must be from 0 to pi in space, found " + number_text(rest_angle));
    }

    const double factor = 1.0 / (a + b);  // (1)
    elements_.push_back({.body = bend.body,
                         .law = {.stiffness = factor * bend.stiffness,
                                 .damping = factor * bend.damping,
                                 .yield = bend.yield,
                                 .rest = rest_angle},
                         .steep_0 = 1.0 / a,
                         .steep_2 = 1.0 / b});
  }
}

double ChainBends::potential(Index element, std::span<const Vec3> position,
                             std::span<const double> memory) const {
  const Element& e = elements_[element];
  return detail::bend_potential(
      e.law, turn_of(e.body, position).phi,
      memory.empty() ? nullptr : &memory[std::size_t{kBendMemory} * element]);
}

void ChainBends::kick(std::span<const Index> elements, const KickTask& task) const {
  double taken = 0.0;
  for (const Index element : elements) {
    const Element& e = elements_[element];
    const Turn turn = turn_of(e.body, task.position);
    const double J = detail::bend_impulse(e.law, task.step, turn.phi,
                                          &task.memory[std::size_t{kBendMemory} * element], taken);
    const double square_a = norm_squared(turn.a);
    const double square_b = norm_squared(turn.b);
    if (square_a == 0.0 || square_b == 0.0) continue;         // no direction there
    const Vec3 J_0 = (J / square_a) * cross(turn.n, turn.a);  // (4)
    const Vec3 J_2 = (J / square_b) * cross(turn.n, turn.b);
    const auto& [i_0, i_1, i_2] = e.body;
    task.velocity[i_0] -= task.inverse_mass[i_0] * J_0;
    task.velocity[i_1] += task.inverse_mass[i_1] * (J_0 + J_2);
    task.velocity[i_2] -= task.inverse_mass[i_2] * J_2;
  }
  if (task.dissipated != nullptr) *task.dissipated += taken;
}

double ChainBends::stable_step(Index element, std::span<const double> inverse_mass) const {
  const Element& e = elements_[element];
  const double steep_1 = e.steep_0 + e.steep_2;
  const double sum = e.steep_0 * e.steep_0 * inverse_mass[e.body[0]] +
                     steep_1 * steep_1 * inverse_mass[e.body[1]] +
                     e.steep_2 * e.steep_2 * inverse_mass[e.body[2]];
  return detail::stable_step_of(2.0 * e.law.stiffness * sum, 2.0 * e.law.damping * sum);  // (5)
}

void ChainBends::start(std::span<const Vec3> position, std::span<double> memory) const {
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Element& e = elements_[i];
    memory[kBendMemory * i] = detail::nearest_turn(turn_of(e.body, position).phi, e.law.rest);
    memory[kBendMemory * i + 1] = e.law.rest;
  }
}

}  // namespace carom
