// Constant-strain triangles: equations (1) to (7) of the header.

#include "carom/forces/stretch_triangles.h"

#include <algorithm>
#include <cmath>

#include "carom/forces/detail/element_input.h"
#include "carom/forces/detail/lanes.h"
#include "carom/forces/detail/stable_step.h"

namespace carom {
namespace {

// A symmetric 2 by 2 tensor: strain or stress, of one triangle (Number = double) or of four.
template <class Number>
struct Plane {
  Number xx{}, yy{}, xy{};
};

// Stress of a strain for c = 1, times c: (4).
template <class Number>
CAROM_INLINE void set_stress(const Plane<Number>& strain, const Number& poisson, const Number& c,
                             Plane<Number>& stress) {
  stress.xx = c * (strain.xx + poisson * strain.yy);
  stress.yy = c * (strain.yy + poisson * strain.xx);
  stress.xy = c * (1.0 - poisson) * strain.xy;
}

template <class Number>
CAROM_INLINE void set_product(const Plane<Number>& a, const Plane<Number>& b, Number& product) {
  product = a.xx * b.xx + a.yy * b.yy + 2.0 * a.xy * b.xy;
}

}  // namespace

template <class Number>
struct StretchTriangles::Strain {
  detail::LaneVector<Number> F_1, F_2;
  Plane<Number> E;
};

// triangle(k): the element in lane k, whose numbers are a, b, c.
template <class Number, class Triangle>
CAROM_INLINE void StretchTriangles::set_strain(const Triangle& triangle, const Vec3* position,
                                               Strain<Number>& strain) {
  std::array<detail::LaneVector<Number>, 3> x;
  for (std::size_t i = 0; i < 3; ++i) {
    detail::fill(x[i], [&](std::size_t k) -> const Vec3& { return position[triangle(k).body[i]]; });
  }
  Number a;
  Number b;
  Number c;
  detail::fill(a, [&](std::size_t k) { return triangle(k).a; });
  detail::fill(b, [&](std::size_t k) { return triangle(k).b; });
  detail::fill(c, [&](std::size_t k) { return triangle(k).c; });
  detail::LaneVector<Number> d_1;
  detail::LaneVector<Number> d_2;
  detail::subtract(x[1], x[0], d_1);
  detail::subtract(x[2], x[0], d_2);
  detail::scale(a, d_1, strain.F_1);  // (1)
  detail::set_sum(b, d_1, c, d_2, strain.F_2);
  Number xx;
  Number yy;
  Number xy;
  detail::dot(strain.F_1, strain.F_1, xx);
  detail::dot(strain.F_2, strain.F_2, yy);
  detail::dot(strain.F_1, strain.F_2, xy);
  strain.E.xx = 0.5 * (xx - 1.0);  // (2)
  strain.E.yy = 0.5 * (yy - 1.0);
  strain.E.xy = 0.5 * xy;
}

StretchTriangles::StretchTriangles(const std::vector<StretchTriangle>& triangles) {
  elements_.reserve(triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const StretchTriangle& triangle = triangles[i];
    const detail::InputNames input{name(), i};
    input.demand_different(triangle.body);
    input.demand_finite(triangle.rest);
    input.demand_not_negative(triangle.stiffness, "stiffness");
    input.demand_not_negative(triangle.damping, "damping");
    if (!(std::abs(triangle.poisson) < 1.0)) {
      input.refuse("poisson", "must lie between -1 and 1, found " + number_text(triangle.poisson));
    }
    const auto& [p_0, p_1, p_2] = triangle.rest;
    if (detail::has_no_area(p_0, p_1, p_2)) input.refuse("rest", "has no area");

    // The rest triangle in its plane: u_0 = (0, 0), u_1 = (length, 0), u_2 = (along, height).
    const double length = norm(p_1 - p_0);
    const double along = dot(p_1 - p_0, p_2 - p_0) / length;
    const double height = norm(cross(p_1 - p_0, p_2 - p_0)) / length;
    const double area_per_modulus =
        0.5 * length * height / (1.0 - triangle.poisson * triangle.poisson);
    elements_.push_back({.body = triangle.body,
                         .a = 1.0 / length,
                         .b = -along / (length * height),
                         .c = 1.0 / height,
                         .stiffness = area_per_modulus * triangle.stiffness,
                         .damping = area_per_modulus * triangle.damping,
                         .poisson = triangle.poisson});
    if (triangle.damping > 0.0) is_damped_ = true;
  }
}

double StretchTriangles::potential(Index element, std::span<const Vec3> position,
                                   std::span<const double> /*memory*/) const {
  const Element& e = elements_[element];
  Strain<double> strain;
  set_strain([&](std::size_t) -> const Element& { return e; }, position.data(), strain);
  Plane<double> stress;
  set_stress(strain.E, e.poisson, e.stiffness, stress);
  double energy = 0.0;
  set_product(stress, strain.E, energy);
  return 0.5 * energy;  // (3)
}

// As many triangles as a Number has lanes; `chosen` are theirs.
template <class Number>
CAROM_INLINE void StretchTriangles::kick_some(const Index* chosen, const KickTask& task,
                                              double& taken) const {
  const Element* const elements = elements_.data();
  const auto triangle = [&](std::size_t k) -> const Element& { return elements[chosen[k]]; };
  Strain<Number> strain;
  set_strain(triangle, task.position.data(), strain);
  Number a;
  Number b;
  Number c;
  Number nu;
  Number modulus;
  detail::fill(a, [&](std::size_t k) { return triangle(k).a; });
  detail::fill(b, [&](std::size_t k) { return triangle(k).b; });
  detail::fill(c, [&](std::size_t k) { return triangle(k).c; });
  detail::fill(nu, [&](std::size_t k) { return triangle(k).poisson; });
  detail::fill(modulus, [&](std::size_t k) { return task.step * triangle(k).stiffness; });
  Plane<Number> S;
  set_stress(strain.E, nu, modulus, S);  // (4), times A h
  if (is_damped_) {
    Plane<Number> change;
    Plane<Number> damping;
    double* const memory = task.memory.data();
    const auto last = [&](std::size_t k) { return memory + 3 * std::size_t{chosen[k]}; };
    detail::fill(change.xx, [&](std::size_t k) { return last(k)[0]; });
    detail::fill(change.yy, [&](std::size_t k) { return last(k)[1]; });
    detail::fill(change.xy, [&](std::size_t k) { return last(k)[2]; });
    change.xx = strain.E.xx - change.xx;
    change.yy = strain.E.yy - change.yy;
    change.xy = strain.E.xy - change.xy;
    detail::fill(modulus, [&](std::size_t k) { return triangle(k).damping; });
    set_stress(change, nu, modulus, damping);
    S.xx = S.xx + damping.xx;
    S.yy = S.yy + damping.yy;
    S.xy = S.xy + damping.xy;
    Number lost;
    set_product(damping, change, lost);
    for (std::size_t k = 0; k < detail::kLaneCount<Number>; ++k) {
      last(k)[0] = detail::lane_of(strain.E.xx, k);
      last(k)[1] = detail::lane_of(strain.E.yy, k);
      last(k)[2] = detail::lane_of(strain.E.xy, k);
      taken += detail::lane_of(lost, k);
    }
  }
  detail::LaneVector<Number> FS_1;
  detail::LaneVector<Number> FS_2;
  detail::LaneVector<Number> J_1;
  detail::LaneVector<Number> J_2;
  detail::set_sum(S.xx, strain.F_1, S.xy, strain.F_2, FS_1);
  detail::set_sum(S.xy, strain.F_1, S.yy, strain.F_2, FS_2);
  detail::set_sum(a, FS_1, b, FS_2, J_1);  // (5)
  detail::scale(c, FS_2, J_2);
  Vec3* const velocity = task.velocity.data();
  const double* const w = task.inverse_mass.data();
  for (std::size_t k = 0; k < detail::kLaneCount<Number>; ++k) {
    const auto& [i_0, i_1, i_2] = triangle(k).body;
    const Vec3 on_1 = detail::lane_of(J_1, k);
    const Vec3 on_2 = detail::lane_of(J_2, k);
    velocity[i_0] += w[i_0] * (on_1 + on_2);
    velocity[i_1] -= w[i_1] * on_1;
    velocity[i_2] -= w[i_2] * on_2;
  }
}

// Returns what damping and plasticity take, times the step.
CAROM_WIDER_TOO double StretchTriangles::kick_all(std::span<const Index> elements,
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

void StretchTriangles::kick(std::span<const Index> elements, const KickTask& task) const {
  const double taken = kick_all(elements, task);
  if (task.dissipated != nullptr) *task.dissipated += taken / task.step;  // (6)
}

double StretchTriangles::stable_step(Index element, std::span<const double> inverse_mass) const {
  const Element& e = elements_[element];
  const std::array<std::array<double, 2>, 3> r = {{{-e.a, -e.b - e.c}, {e.a, e.b}, {0.0, e.c}}};
  double xx = 0.0;
  double yy = 0.0;
  double xy = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double w = inverse_mass[e.body[i]];
    xx += w * r[i][0] * r[i][0];
    yy += w * r[i][1] * r[i][1];
    xy += w * r[i][0] * r[i][1];
  }
  // X = C G for c = 1: E_11 moves along one axis only, E_22 along the other, E_12 along both.
  const double nu = e.poisson;
  const double mu = 0.5 * (1.0 - nu);
  const std::array<std::array<double, 3>, 3> X = {{{xx, nu * yy, (1.0 + nu) * xy},
                                                   {nu * xx, yy, (1.0 + nu) * xy},
                                                   {mu * xy, mu * xy, mu * (xx + yy)}}};
  double trace_of_square = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) trace_of_square += X[i][j] * X[j][i];
  }
  const double mean = (X[0][0] + X[1][1] + X[2][2]) / 3.0;
  const double spread = std::max(0.0, trace_of_square / 3.0 - mean * mean);
  const double largest = mean + std::sqrt(2.0 * spread);  // (7)
  return detail::stable_step_of(e.stiffness * largest, e.damping * largest);
}

void StretchTriangles::start(std::span<const Vec3> position, std::span<double> memory) const {
  if (!is_damped_) return;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    Strain<double> strain;
    set_strain([&](std::size_t) -> const Element& { return elements_[i]; }, position.data(),
               strain);
    memory[3 * i] = strain.E.xx;
    memory[3 * i + 1] = strain.E.yy;
    memory[3 * i + 2] = strain.E.xy;
  }
}

}  // namespace carom
