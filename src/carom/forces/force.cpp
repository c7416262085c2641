#include "carom/forces/force.h"

#include <cmath>

namespace carom {
namespace {

// From the other end to body a.
Vec3 spring_line(const SpringForce& spring, const Periodicity& periodicity,
                 std::span<const Vec3> position) {
  const Vec3& other = spring.body_b == kNone ? spring.point : position[spring.body_b];
  return nearest_image(periodicity, position[spring.body_a] - other);
}

void add_spring(const SpringForce& spring, const BodySet& bodies, const Periodicity& periodicity,
                std::span<const Vec3> position, std::span<Vec3> out) {
  const Vec3 line = spring_line(spring, periodicity, position);
  const double distance = norm(line);
  // A spring of no length pulls along the line itself; any other has no direction at distance 0.
  const double tension = spring.length == 0.0 ? spring.stiffness
                         : distance > 0.0 ? spring.stiffness * (distance - spring.length) / distance
                                          : 0.0;
  out[spring.body_a] -= (tension / bodies.mass[spring.body_a]) * line;
  if (spring.body_b != kNone) out[spring.body_b] += (tension / bodies.mass[spring.body_b]) * line;
}

void add_center(const CentralForce& force, std::span<const Vec3> position, std::span<Vec3> out) {
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Vec3 line = position[i] - force.center;
    const double distance = norm(line);
    if (distance == 0.0) continue;  // no direction there
    out[i] -= (force.strength * std::pow(distance, force.exponent - 1.0)) * line;
  }
}

// Per unit of mass; its derivative along r is strength * r^exponent.
double center_potential(const CentralForce& force, double distance) {
  if (force.exponent == -1.0) return force.strength * std::log(distance);
  return force.strength * std::pow(distance, force.exponent + 1.0) / (force.exponent + 1.0);
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
  // Along a periodic axis a uniform field has no potential.
  const Vec3& length = periodicity.length;
  const Vec3 gravity = {length.x > 0.0 ? 0.0 : forces.gravity.x,
                        length.y > 0.0 ? 0.0 : forces.gravity.y,
                        length.z > 0.0 ? 0.0 : forces.gravity.z};
  double sum = 0.0;
  const bool is_anywhere = gravity != Vec3{} || !forces.centers.empty();
  const std::size_t count = is_anywhere ? position.size() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    double per_mass = -dot(gravity, position[i]);
    for (const CentralForce& force : forces.centers) {
      per_mass += center_potential(force, norm(position[i] - force.center));
    }
    sum += bodies.mass[i] * per_mass;
  }
  for (const SpringForce& spring : forces.springs) {
    const double stretch = norm(spring_line(spring, periodicity, position)) - spring.length;
    sum += 0.5 * spring.stiffness * stretch * stretch;
  }
  return sum;
}

bool depends_on_position(const ForceSet& forces) {
  return !forces.springs.empty() || !forces.centers.empty();
}

}  // namespace carom
