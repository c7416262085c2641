// Sums of gravity, springs, centres, drag and the program's own forces.
#include "carom/forces/force.h"

#include "carom/forces/detail/simple_forces.h"

namespace carom {
namespace {

void add_spring(const SpringForce& spring, const BodySet& bodies, const Periodicity& periodicity,
                std::span<const Vec3> position, std::span<Vec3> out) {
  const Vec3 line = detail::spring_line(spring, periodicity, position);
  const double tension = detail::spring_tension(spring, norm(line));
  out[spring.body_a] -= (tension / bodies.mass[spring.body_a]) * line;
  if (spring.body_b != kNone) out[spring.body_b] += (tension / bodies.mass[spring.body_b]) * line;
}

void add_center(const CentralForce& force, std::span<const Vec3> position, std::span<Vec3> out) {
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Vec3 line = position[i] - force.center;
    const double distance = norm(line);
    if (distance == 0.0) continue;  // no direction there
    out[i] -= detail::center_pull(force, distance) * line;
  }
}

}  // namespace

void accelerations(const ForceSet& forces, const BodySet& bodies, const Periodicity& periodicity,
                   std::span<const Vec3> position, std::span<Vec3> out) {
  for (Vec3& a : out) a = forces.gravity;
  for (const SpringForce& spring : forces.springs) {
    add_spring(spring, bodies, periodicity, position, out);
  }
  for (const CentralForce& force : forces.centers) add_center(force, position, out);
}

double potential_energy(const ForceSet& forces, const BodySet& bodies,
                        const Periodicity& periodicity, std::span<const Vec3> position) {
  const Vec3 gravity = detail::field_with_potential(forces.gravity, periodicity);
  double sum = 0.0;
  const bool is_anywhere = gravity != Vec3{} || !forces.centers.empty();
  const std::size_t count = is_anywhere ? position.size() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    double per_mass = -dot(gravity, position[i]);
    for (const CentralForce& force : forces.centers) {
      per_mass += detail::center_potential(force, norm(position[i] - force.center));
    }
    sum += bodies.mass[i] * per_mass;
  }
  for (const SpringForce& spring : forces.springs) {
    sum +=
        detail::spring_potential(spring, norm(detail::spring_line(spring, periodicity, position)));
  }
  for (const auto& function : forces.functions) {
    if (function->has_potential()) sum += function->potential(position);
  }
  return sum;
}

bool depends_on_position(const ForceSet& forces) {
  return !forces.springs.empty() || !forces.centers.empty() || !forces.functions.empty();
}

}  // namespace carom
