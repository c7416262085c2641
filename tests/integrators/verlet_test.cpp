#include "carom/integrators/verlet.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace carom {
namespace {

struct Flight {
  ForceSet forces;
  BodySet bodies;
  Periodicity world;
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;

  void add(const Vec3& q, const Vec3& v, double mass) {
    bodies.mass.push_back(mass);
    bodies.radius.push_back(0.1);
    bodies.material.push_back(0);
    bodies.name.push_back(std::to_string(bodies.mass.size()));
    position.push_back(q);
    velocity.push_back(v);
  }
  void run(double step, int steps) {
    VerletFlight flight(forces, bodies, world, step);
    flight.start(position);
    std::vector<Vec3> end(position.size());
    for (int k = 0; k < steps; ++k) {
      flight.positions(position, velocity, end);
      flight.velocities(end, velocity);
      position = end;
    }
  }
  [[nodiscard]] double energy() const {
    double sum = potential_energy(forces, bodies, world, position);
    for (std::size_t i = 0; i < position.size(); ++i) {
      sum += 0.5 * bodies.mass[i] * norm_squared(velocity[i]);
    }
    return sum;
  }
};

// q = q0 + v0 t + g t^2 / 2
TEST(Verlet, AThrowIsExact) {
  Flight flight;
  flight.forces.gravity = {0, -9.81, 0};
  flight.add({1, 2, 0}, {3, 4, 0}, 0.7);
  const double energy = flight.energy();
  flight.run(1e-2, 1000);
  EXPECT_NEAR(flight.position[0].x, 1 + 3 * 10.0, 1e-11);
  EXPECT_NEAR(flight.position[0].y, 2 + 4 * 10.0 - 0.5 * 9.81 * 100.0, 1e-9);
  EXPECT_NEAR(flight.velocity[0].y, 4 - 98.1, 1e-11);
  const double kinetic = 0.5 * 0.7 * norm_squared(flight.velocity[0]);
  EXPECT_NEAR((flight.energy() - energy) / kinetic, 0.0, 1e-13);
}

// A spring turns the phase by asin(h omega / 2) twice per step; the energy error stays of order
// h^2.
TEST(Verlet, ASpringKeepsItsEnergyNearly) {
  for (const double step : {1e-2, 5e-3}) {
    Flight flight;
    flight.forces.springs = {{0, kNone, {}, 4.0, 0.0}};
    flight.add({1, 0, 0}, {0, 0, 0}, 1.0);
    const double energy = flight.energy();
    const double omega = 2.0 / step * std::asin(step * 2.0 / 2.0);
    flight.run(step, 10000);
    EXPECT_NEAR(flight.position[0].x, std::cos(omega * step * 10000), 1e-10);
    EXPECT_NEAR(flight.energy() / energy, 1.0, step * step) << "step " << step;
  }
}

TEST(Verlet, DragSlowsDownAsTheExponential) {
  Flight flight;
  flight.forces.drag.coefficient = 0.3;
  flight.add({0, 0, 0}, {2, 1, 0}, 0.5);
  flight.run(1e-2, 500);
  EXPECT_NEAR(flight.velocity[0].x, 2 * std::exp(-0.3 / 0.5 * 5.0), 1e-13);
  EXPECT_NEAR(flight.velocity[0].y, std::exp(-0.3 / 0.5 * 5.0), 1e-13);
}

// Kepler's circle: angular momentum is kept to round-off, the radius to order h^2.
TEST(Verlet, ACircularOrbitStaysOne) {
  Flight flight;
  flight.forces.centers = {{{0, 0, 0}, 1.0, -2.0}};
  flight.add({1, 0, 0}, {0, 1, 0}, 1.0);
  flight.run(1e-3, 62832);  // ten turns
  EXPECT_NEAR(cross(flight.position[0], flight.velocity[0]).z, 1.0, 1e-12);
  EXPECT_NEAR(norm(flight.position[0]), 1.0, 1e-6);
}

TEST(Verlet, IsReversible) {
  Flight flight;
  flight.forces.centers = {{{0, 0, 0}, 1.0, -2.0}};
  flight.forces.gravity = {0, -0.1, 0};
  flight.add({1, 0, 0}, {0.1, 0.9, 0}, 1.0);
  flight.run(1e-3, 1000);
  flight.velocity[0] = -flight.velocity[0];
  flight.run(1e-3, 1000);
  EXPECT_NEAR(flight.position[0].x, 1.0, 1e-12);
  EXPECT_NEAR(flight.velocity[0].y, -0.9, 1e-12);
}

}  // namespace
}  // namespace carom
