// Constant-strain triangles: equations (1) to (7) of the header.

#include "carom/forces/stretch_triangles.h"

#include <algorithm>
#include <cmath>

#include "carom/forces/detail/element_input.h"
#include "carom/forces/detail/stable_step.h"

namespace carom {
namespace {

// A symmetric 2 by 2 tensor: strain or stress.
struct Plane {
  double xx = 0.0;
  double yy = 0.0;
  double xy = 0.0;
};

Plane operator-(const Plane& a, const Plane& b) { return {a.xx - b.xx, a.yy - b.yy, a.xy - b.xy}; }

// Stress of a strain for c = 1, times c: (4).
Plane stress_of(const Plane& strain, double poisson, double c) {
  return {c * (strain.xx + poisson * strain.yy), c * (strain.yy + poisson * strain.xx),
          c * (1.0 - poisson) * strain.xy};
}

double product(const Plane& a, const Plane& b) {
  return a.xx * b.xx + a.yy * b.yy + 2.0 * a.xy * b.xy;
}

}  // namespace

struct StretchTriangles::Strain {
  Vec3 F_1;
  Vec3 F_2;
  Plane E;
};

StretchTriangles::Strain StretchTriangles::strain_of(const Element& element,
                                                     std::span<const Vec3> position) {
  const Vec3& x_0 = position[element.body[0]];
  const Vec3 d_1 = position[element.body[1]] - x_0;
  const Vec3 d_2 = position[element.body[2]] - x_0;
  Strain strain;
  strain.F_1 = element.a * d_1;  // (1)
  strain.F_2 = element.b * d_1 + element.c * d_2;
  strain.E = {0.5 * (norm_squared(strain.F_1) - 1.0), 0.5 * (norm_squared(strain.F_2) - 1.0),
              0.5 * dot(strain.F_1, strain.F_2)};  // (2)
  return strain;
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
  const Plane E = strain_of(e, position).E;
  return 0.5 * product(stress_of(E, e.poisson, e.stiffness), E);  // (3)
}

void StretchTriangles::kick(std::span<const Index> elements, const KickTask& task) const {
  double taken = 0.0;
  for (const Index element : elements) {
    const Element& e = elements_[element];
    const Strain strain = strain_of(e, task.position);
    Plane S = stress_of(strain.E, e.poisson, task.step * e.stiffness);  // (4), times A h
    if (is_damped_) {
      double* const last = &task.memory[3 * std::size_t{element}];
      const Plane change = strain.E - Plane{last[0], last[1], last[2]};
      last[0] = strain.E.xx;
      last[1] = strain.E.yy;
      last[2] = strain.E.xy;
      const Plane damping = stress_of(change, e.poisson, e.damping);
      S = {S.xx + damping.xx, S.yy + damping.yy, S.xy + damping.xy};
      taken += product(damping, change);
    }
    const Vec3 FS_1 = S.xx * strain.F_1 + S.xy * strain.F_2;
    const Vec3 FS_2 = S.xy * strain.F_1 + S.yy * strain.F_2;
    const Vec3 J_1 = e.a * FS_1 + e.b * FS_2;  // (5)
    const Vec3 J_2 = e.c * FS_2;
    const auto [i, j, k] = e.body;
    task.velocity[i] += task.inverse_mass[i] * (J_1 + J_2);
    task.velocity[j] -= task.inverse_mass[j] * J_1;
    task.velocity[k] -= task.inverse_mass[k] * J_2;
  }
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
    const Plane E = strain_of(elements_[i], position).E;
    memory[3 * i] = E.xx;
    memory[3 * i + 1] = E.yy;
    memory[3 * i + 2] = E.xy;
  }
}

}  // namespace carom
