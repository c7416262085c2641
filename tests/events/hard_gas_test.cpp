// What every gas of hard balls does, whoever simulates it.

#include "support/hard_gas.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "carom/events/event_driven.h"

#include "support/worlds.h"

namespace carom {
namespace {

using test::HardGas;

constexpr double kPi = std::numbers::pi;

// Collisions per ball and unit of time, after the lattice has melted.
struct Rate {
  double per_ball = 0.0;
  double mean_speed = 0.0;
};

Rate measured_rate(const HardGas& gas, double melting, double collisions_per_ball) {
  Simulation simulation = test::make_hard_gas(gas);
  simulation.time.step = 0.5;
  EventDrivenStepper stepper(simulation);
  const auto balls = static_cast<double>(simulation.world.bodies.size());
  const auto run_until = [&](double wanted) {
    double collisions = 0.0;
    const double begin = stepper.state().time;
    while (collisions < 0.5 * wanted * balls) {
      const StepReport report = stepper.step();
      EXPECT_TRUE(report.can_go_on()) << report.message;
      if (!report.can_go_on()) break;
      collisions += static_cast<double>(stepper.counts().collisions);
    }
    return 2.0 * collisions / balls / (stepper.state().time - begin);
  };
  static_cast<void>(run_until(melting));
  Rate rate;
  rate.per_ball = run_until(collisions_per_ball);
  for (const Vec3& v : stepper.state().velocity) rate.mean_speed += norm(v) / balls;
  return rate;
}

// With kT = m = 1 and diameter 1 a ball collides at the rate 4 sqrt(pi) n g (spheres) or
// 2 sqrt(pi) n g (discs), g the density of pairs in touch. The pressure is then
//   Z = p / n kT = 1 + (2 pi / 3) n g   (spheres),   1 + (pi / 2) n g   (discs).
// A finite system at rest as a whole has (N - 1) / N of the kinetic energy per degree of freedom.
double pressure_of(const HardGas& gas, double rate) {
  if (gas.dimension == 3) return 1.0 + rate * std::sqrt(kPi) / 6.0;
  return 1.0 + rate * std::sqrt(kPi) / 4.0;
}

double carnahan_starling(double y) {
  return (1.0 + y + y * y - y * y * y) / std::pow(1.0 - y, 3.0);
}

double henderson(double y) { return (1.0 + y * y / 8.0) / std::pow(1.0 - y, 2.0); }

TEST(HardGas, SpheresHaveThePressureOfCarnahanAndStarling) {
  for (const double packing : {0.1, 0.25, 0.4, 0.49}) {
    const HardGas gas = {3, 10, packing, 1};
    const Rate rate = measured_rate(gas, 200.0, 400.0);
    const double expected = carnahan_starling(packing);
    EXPECT_NEAR(pressure_of(gas, rate.per_ball) / expected, 1.0, 0.01) << "packing " << packing;
  }
}

TEST(HardGas, DiscsHaveThePressureOfHenderson) {
  for (const double packing : {0.1, 0.3, 0.5, 0.55}) {
    const HardGas gas = {2, 10, packing, 2};
    const Rate rate = measured_rate(gas, 100.0, 400.0);
    EXPECT_NEAR(pressure_of(gas, rate.per_ball) / henderson(packing), 1.0, 0.01)
        << "packing " << packing;
  }
}

// l = <v> / rate, and in a thin gas 1 / (sqrt 2 pi n) to first order, over g.
TEST(HardGas, TheMeanFreePathIsEnskogs) {
  const double packing = 0.05;
  const HardGas gas = {3, 12, packing, 3};
  const Rate rate = measured_rate(gas, 30.0, 60.0);
  const double density = 6.0 * packing / kPi;
  const double g = (1.0 - 0.5 * packing) / std::pow(1.0 - packing, 3.0);
  EXPECT_NEAR(rate.mean_speed / rate.per_ball * (std::sqrt(2.0) * kPi * density * g), 1.0, 0.02);
  EXPECT_NEAR(rate.mean_speed, std::sqrt(8.0 / kPi), 0.03);
}

// All start with one speed; collisions make it Maxwell's distribution.
TEST(HardGas, SpeedsBecomeMaxwells) {
  Simulation simulation = test::make_hard_gas({3, 12, 0.3, 4});
  for (Vec3& v : simulation.start.velocity) v *= std::sqrt(3.0) / norm(v);
  simulation.time.step = 1.0;
  EventDrivenStepper stepper(simulation);
  std::vector<double> speeds;
  for (int k = 0; k < 40; ++k) {
    ASSERT_TRUE(stepper.step().can_go_on());
    if (k < 10) continue;
    for (const Vec3& v : stepper.state().velocity) speeds.push_back(norm(v));
  }
  std::sort(speeds.begin(), speeds.end());
  // Kolmogorov's distance between the two distributions.
  double distance = 0.0;
  for (std::size_t k = 0; k < speeds.size(); ++k) {
    const double v = speeds[k];
    const double expected =
        std::erf(v / std::sqrt(2.0)) - std::sqrt(2.0 / kPi) * v * std::exp(-0.5 * v * v);
    const double found = static_cast<double>(k) / static_cast<double>(speeds.size());
    distance = std::max(distance, std::abs(found - expected));
  }
  EXPECT_LT(distance, 0.015);
}

// A homogeneous gas that loses (1 - e^2) in each collision cools as 1 / (1 + t / tau)^2, with
// 1 / tau = (1 - e^2) rate_0 / 6 for spheres.
TEST(HardGas, CoolsByHaffsLaw) {
  Simulation simulation = test::make_hard_gas({3, 12, 0.1, 5});
  const double e = 0.9;
  Material material = simulation.world.materials.material(0);
  simulation.time.step = 0.5;
  {
    // The start of the law is an elastic gas without a lattice.
    EventDrivenStepper melting(simulation);
    for (int k = 0; k < 40; ++k) ASSERT_TRUE(melting.step().can_go_on());
    simulation.start.position = melting.state().position;
    simulation.start.velocity = melting.state().velocity;
  }
  material.restitution = e;
  simulation.world.materials.replace(0, material);
  EventDrivenStepper stepper(simulation);
  const double density = 0.6 / kPi;
  const double g = (1.0 - 0.05) / std::pow(0.9, 3.0);
  const double rate = 4.0 * std::sqrt(kPi) * density * g;
  const double tau = 6.0 / ((1.0 - e * e) * rate);
  const double start = totals(simulation, simulation.start).kinetic;
  for (int k = 1; k <= 200; ++k) {
    const StepReport report = stepper.step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    const double expected = std::pow(1.0 + report.time / tau, -2.0);
    if (k % 20 == 0) {
      EXPECT_NEAR(report.totals.kinetic / start / expected, 1.0, 0.08) << "time " << report.time;
    }
  }
}

void expect_no_overlap(const HardGas& gas, double collisions) {
  Simulation simulation = test::make_hard_gas(gas);
  simulation.time.step = 0.05;
  EventDrivenStepper stepper(simulation);
  const double start = totals(simulation, simulation.start).kinetic;
  double sum = 0.0;
  double overlap = 0.0;
  double drift = 0.0;
  while (sum < collisions) {
    const StepReport report = stepper.step();
    ASSERT_TRUE(report.can_go_on()) << report.message;
    sum += static_cast<double>(stepper.counts().collisions);
    overlap = std::max(overlap, report.penetration.relative);
    drift = std::max(drift, std::abs(report.totals.kinetic / start - 1.0));
  }
  EXPECT_LT(overlap, 1e-12);
  EXPECT_LT(drift, 1e-10);
}

TEST(HardGas, AMillionCollisionsLeaveNoOverlapAndAllTheEnergy) {
  expect_no_overlap({3, 10, 0.49, 6}, 1e6);
}

TEST(SlowHardGas, AHundredMillionCollisionsLeaveNoOverlapAndAllTheEnergy) {
  expect_no_overlap({3, 16, 0.49, 7}, 1e8);
}

TEST(SlowHardGas, SpheresHaveThePressureOfCarnahanAndStarlingToThreeDigits) {
  for (const double packing : {0.1, 0.3, 0.45}) {
    const HardGas gas = {3, 16, packing, 8};
    const Rate rate = measured_rate(gas, 200.0, 2000.0);
    EXPECT_NEAR(pressure_of(gas, rate.per_ball) / carnahan_starling(packing), 1.0, 0.004)
        << "packing " << packing;
  }
}

}  // namespace
}  // namespace carom
