// Random cone programs for the tests of their solvers.
#include "solvers/cone_families.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/core/random.h"

namespace carom::solvers {
namespace {

using Triple = std::array<double, 3>;

Triple cross_product(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Triple unit(Triple a) {
  const double length = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  for (double& part : a) part /= length;
  return a;
}

Triple random_vector(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

struct Body {
  double mass = 1.0;
  double inertia = 0.4;
  Triple place{};
};

ConeContact::Gradient gradient_of(const Body& body, const std::array<Triple, 3>& frame,
                                  const Triple& place, double sign) {
  ConeContact::Gradient gradient{};
  Triple arm;
  for (std::size_t d = 0; d < 3; ++d) arm[d] = place[d] - body.place[d];
  for (std::size_t row = 0; row < 3; ++row) {
    const Triple turn = cross_product(arm, frame[row]);
    for (std::size_t d = 0; d < 3; ++d) {
      gradient[6 * row + d] = sign * frame[row][d] / std::sqrt(body.mass);
      gradient[6 * row + 3 + d] = sign * turn[d] / std::sqrt(body.inertia);
    }
  }
  return gradient;
}

}  // namespace

ConeProgram random_cone_program(std::uint64_t seed) {
  Random random(seed);
  ConeProgram program;
  program.speed = 0.1;
  const Index count = 1 + random.below(6);
  const bool rests = random.below(3) != 0;
  const double spread = random.below(4) == 0 ? 6.0 : 1.0;  // decades of mass
  std::vector<Body> bodies;
  for (Index i = 0; i < count; ++i) {
    Body body;
    body.mass = std::pow(10.0, random.uniform(-0.5, 0.5) * spread);
    body.inertia = body.mass * random.uniform(0.05, 0.5);
    body.place = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 1.0 * i};
    bodies.push_back(body);
    const double speed = rests ? 0.0 : 2.0;
    for (std::size_t k = 0; k < 6; ++k) {
      const double scale = std::sqrt(k < 3 ? body.mass : body.inertia);
      const double fall = k == 2 ? -program.speed : 0.0;
      program.free_velocity.push_back(scale * (random.uniform(-speed, speed) + fall));
    }
  }
  const Index patches = 1 + random.below(2 * count);
  for (Index patch = 0; patch < patches; ++patch) {
    const Index a = random.below(count);
    Index b = random.below(count + 1);
    if (b == a || b == count || patch == 0) b = kNone;
    const Triple normal = unit({random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 1.0});
    const Triple first = unit(cross_product(normal, {1.0, 0.3, 0.1}));
    const std::array<Triple, 3> frame = {normal, first, cross_product(normal, first)};
    const Triple middle = random_vector(random, 0.7);
    const double friction = random.below(5) == 0 ? 0.0 : random.uniform(0.0, 1.5);
    const Index places = 1 + random.below(4);
    for (Index k = 0; k < places; ++k) {
      Triple place = bodies[a].place;
      const double along = random.uniform(-0.5, 0.5);
      const double across = random.uniform(-0.5, 0.5);
      for (std::size_t d = 0; d < 3; ++d) {
        place[d] += middle[d] - 0.5 * normal[d] + along * frame[1][d] + across * frame[2][d];
      }
      ConeContact contact;
      contact.body_a = a;
      contact.body_b = b;
      contact.gradient_a = gradient_of(bodies[a], frame, place, 1.0);
      if (b != kNone) contact.gradient_b = gradient_of(bodies[b], frame, place, -1.0);
      contact.friction = friction;
      if (random.below(4) == 0) contact.bias[0] = random.uniform(0.0, rests ? 0.05 : 1.0);
      program.contacts.push_back(contact);
      if (random.below(8) == 0) program.contacts.push_back(contact);
    }
  }
  return program;
}

}  // namespace carom::solvers
