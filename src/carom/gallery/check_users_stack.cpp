// U4: a ball and a ball and a floor, above each other.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "carom/core/types.h"
#include "carom/gallery/detail/checks.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

namespace carom::detail {
namespace {

// Ball 0 is the lower one, ball 1 the upper one, above the floor y = 0.
struct Speeds {
  double lower = 0.0;  // upwards
  double upper = 0.0;
};

// Elastic impacts one after the other: off the floor whenever the lower ball falls, otherwise of
// the pair while it closes. No two of them close at once after the first: a reflection opens its
// own row. `ratio` is the upper mass over the lower one.
Speeds one_after_the_other(Speeds v, double ratio) {
  for (;;) {
    if (v.lower < 0.0) {
      v.lower = -v.lower;
    } else if (v.upper < v.lower) {
      v = {((1.0 - ratio) * v.lower + 2.0 * ratio * v.upper) / (1.0 + ratio),
           ((ratio - 1.0) * v.upper + 2.0 * v.lower) / (1.0 + ratio)};
    } else {
      return v;
    }
  }
}

double difference(const Speeds& a, const Speeds& b) {
  return std::max(std::abs(a.lower - b.lower), std::abs(a.upper - b.upper));
}

Simulation stack(const CheckInput& input, double mass_ratio) {
  Simulation simulation = input.scene->simulation;
  if (simulation.world.bodies.size() != 2 || simulation.world.shapes.size() != 1) {
    input.parameters.refuse("name", "needs a scene of two balls and a floor");
  }
  simulation.world.bodies.mass[1] = mass_ratio * simulation.world.bodies.mass[0];
  return simulation;
}

void place(Simulation& simulation, double lower_gap, double upper_gap) {
  const std::vector<double>& radius = simulation.world.bodies.radius;
  simulation.start.position[0].y = radius[0] + lower_gap;
  simulation.start.position[1].y = 2.0 * radius[0] + lower_gap + upper_gap + radius[1];
}

Speeds run_to_the_end(const Simulation& simulation) {
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  const std::uint64_t steps = step_count(simulation.time);
  for (std::uint64_t k = 0; k < steps; ++k) static_cast<void>(stepper->step());
  return {stepper->state().velocity[0].y, stepper->state().velocity[1].y};
}

// Without gravity; the balls start with the given speeds.
Speeds weightless(Simulation simulation, const std::string& name, const Speeds& start) {
  simulation.forces.gravity = {};
  simulation.impact.impact_operator = name;
  simulation.start.velocity[0].y = start.lower;
  simulation.start.velocity[1].y = start.upper;
  return run_to_the_end(simulation);
}

// Steps until the upper ball moves upwards; how high it then rises above the place `touch`.
double rebound_height(const Simulation& simulation, double touch) {
  const double gravity = -simulation.forces.gravity.y;
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  const std::uint64_t steps = step_count(simulation.time);
  for (std::uint64_t k = 0; k < steps; ++k) {
    static_cast<void>(stepper->step());
    const double speed = stepper->state().velocity[1].y;
    if (speed <= 0.0) continue;
    return stepper->state().position[1].y - touch + 0.5 * speed * speed / gravity;
  }
  return kInfinity;
}

}  // namespace

// The superball. Both fall with v; the lower one turns round at the floor, then meets the upper
// one: it leaves with (3M - m) / (M + m) v, 3v where m << M, and the lower one with (M - 3m) / (M +
// m) v, which may meet the floor again. Touching or not makes no difference to gr: where they
// touch, only the floor's row closes at first, and the pair's row after it. Where the gap is so
// small that both happen in one step, the pair is found again with the new velocities. lcp keeps
// touching balls together: both leave with v.
//
// Under gravity the stack that starts with touching balls and the gap h below meets the floor with
// the gap d left and v^2 = 2g (h - d) (see U2), so with k = (3M - m) / (M + m) the upper ball rises
// to k^2 (h - d) + d.
CheckOutcome check_superball(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"mass_ratios", "gaps", "speed", "tolerance"});
  const double speed = parameters.number("speed");
  const double tolerance = parameters.number("tolerance");
  const Speeds start{-speed, -speed};
  double worst_touching = 0.0;
  double worst_apart = 0.0;
  double worst_lcp = 0.0;
  double worst_height = 0.0;
  DataTable table{"superball", {"mass_ratio", "lower", "upper", "rise", "rise_ideal"}, {}};
  for (const double ratio : parameters.numbers("mass_ratios")) {
    const Speeds expected = one_after_the_other(start, ratio);
    Simulation simulation = stack(input, ratio);
    const double drop = simulation.start.position[0].y - simulation.world.bodies.radius[0];
    for (const char* name : {"gr", "gauss_seidel"}) {
      for (const double gap : parameters.numbers("gaps")) {
        place(simulation, drop, gap);
        const double error = difference(weightless(simulation, name, start), expected) / speed;
        double& worst = gap == 0.0 ? worst_touching : worst_apart;
        worst = std::max(worst, error);
      }
    }
    place(simulation, drop, 0.0);
    worst_lcp = std::max(worst_lcp,
                         difference(weightless(simulation, "lcp", start), {speed, speed}) / speed);

    const double gravity = -simulation.forces.gravity.y;
    const double step = simulation.time.step;
    const double falling = std::floor(std::sqrt(2.0 * drop / gravity) / step);
    const double gap = drop - 0.5 * gravity * falling * falling * step * step;
    const double factor = one_after_the_other({-1.0, -1.0}, ratio).upper;
    const double touch =
        2.0 * simulation.world.bodies.radius[0] + simulation.world.bodies.radius[1];
    const double rise = rebound_height(simulation, touch);
    const double form = factor * factor * (drop - gap) + gap;
    worst_height = std::max(worst_height, std::abs(rise - form) / drop);
    table.rows.push_back({ratio, expected.lower, expected.upper, rise, factor * factor * drop});
  }
  CheckOutcome outcome;
  outcome.claims.push_back(claim_at_most("touching: difference from impacts one after the other",
                                         worst_touching, tolerance));
  outcome.claims.push_back(claim_at_most("with gaps: difference from impacts one after the other",
                                         worst_apart, tolerance));
  outcome.claims.push_back(
      claim_at_most("lcp, touching: both leave with v, difference", worst_lcp, tolerance));
  outcome.claims.push_back(
      claim_at_most("under gravity: |rise - (k^2 (h - gap) + gap)| / h", worst_height, tolerance));
  const Speeds light = one_after_the_other(start, 1e-3);
  outcome.claims.push_back(
      claim_equal("a thousandth of the mass leaves with, in v", light.upper / speed, 3.0, 0.01));
  outcome.tables.push_back(std::move(table));
  return outcome;
}

// A ball falls on one that rests on the floor.
//
// Weightless, all elastic: the lower ball does not close on the floor before it is hit, so the
// impacts follow each other, beginning with the pair's.
//
// Under gravity, with a plastic floor (the lower ball rests) and an elastic pair: at the end of
// each step gravity has given the resting ball the velocity -g s / 2, so that both rows close when
// the other one arrives. gr reflects both together: the resting ball stays, the other one rebounds
// with the closing speed v_n - g s / 2, as from a wall. The resting ball lies g s^2 / 2 deep, where
// its first step left it, so the fall is h' = h + g s^2 / 2; with the gap d at the impact v_n^2 =
// 2g (h' - d) and it rises to
//
//   d + (v_n - g s / 2)^2 / 2g = h' - v_n s / 2 + g s^2 / 8:
//
// first order in the step s.
CheckOutcome check_ball_on_ball(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"mass_ratios", "steps", "speed", "tolerance"});
  const double speed = parameters.number("speed");
  const double tolerance = parameters.number("tolerance");
  const Speeds start{0.0, -speed};
  double worst = 0.0;
  for (const double ratio : parameters.numbers("mass_ratios")) {
    Simulation simulation = stack(input, ratio);
    simulation.world.materials = MaterialTable();
    simulation.world.bodies.material.assign(2, 0);
    simulation.world.shapes[0].material = 0;
    const Speeds expected = one_after_the_other(start, ratio);
    for (const char* name : {"gr", "gauss_seidel"}) {
      const Speeds found = weightless(simulation, name, start);
      worst = std::max(worst, difference(found, expected) / speed);
    }
  }
  CheckOutcome outcome;
  outcome.claims.push_back(
      claim_at_most("weightless: difference from impacts one after the other", worst, tolerance));

  DataTable table{"ball_on_ball", {"mass_ratio", "step", "height", "rise"}, {}};
  for (const double step : parameters.numbers("steps")) {
    double worst_form = 0.0;
    double worst_share = 0.0;
    for (const double ratio : parameters.numbers("mass_ratios")) {
      Simulation simulation = stack(input, ratio);
      simulation.time.step = step;
      const double gravity = -simulation.forces.gravity.y;
      const double sunk = 0.5 * gravity * step * step;
      const double touch =
          2.0 * simulation.world.bodies.radius[0] + simulation.world.bodies.radius[1] - sunk;
      const double height = simulation.start.position[1].y - touch;
      const double tolerated =
          simulation.detection.activation *
          std::min(simulation.world.bodies.radius[0], simulation.world.bodies.radius[1]);
      const double falling = std::floor(std::sqrt(2.0 * (height - tolerated) / gravity) / step);
      const double speed_before = gravity * falling * step;
      const double rise = rebound_height(simulation, touch);
      const double form = height - 0.5 * step * speed_before + 0.25 * sunk;
      worst_form = std::max(worst_form, std::abs(rise - form) / height);
      worst_share = std::max(
          worst_share, std::abs(rise - height) / (0.5 * step * std::sqrt(2.0 * gravity * height)));
      table.rows.push_back({ratio, step, height, rise});
    }
    outcome.claims.push_back(
        claim_at_most(fmt::format("step {}: |rise - (h - v s / 2 + g s^2 / 8)| / h", step),
                      worst_form, tolerance));
    outcome.claims.push_back(claim_at_most(
        fmt::format("step {}: |rise - h| / (s sqrt(2gh) / 2)", step), worst_share, 1.0));
  }
  outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace carom::detail
