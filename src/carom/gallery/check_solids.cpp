// Checks of scenes with bodies that turn.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/core/names.h"
#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/runs/scene_run.h"
#include "carom/schemes/registry.h"

namespace carom::detail {
namespace {

double across(const Vec3& v) { return std::hypot(v.x, v.y); }

// Complete elliptic integral of the first kind by the arithmetic-geometric mean, m = k^2.
double complete_elliptic(double m) {
  double a = 1.0;
  double b = std::sqrt(1.0 - m);
  while (std::abs(a - b) > 4.0 * kRoundOff * a) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::numbers::pi / (2.0 * a);
}

}  // namespace

// The vertical through the origin is the axis: how far the first body's centre and its angular
// velocity come off it.
CheckOutcome check_keeps_its_axis(const CheckInput& input) {
  input.parameters.demand_only({"name", "keeps", "loses", "tolerance", "lost_at_least"});
  CheckOutcome outcome;
  const auto measure = [&](const std::string& name) {
    const MemoryRun run = run_with(*input.scene, name);
    double worst = 0.0;
    for (std::size_t k = 0; k < run.record->frame_times().size(); ++k) {
      const RecordedFrame frame = run.record->frame(k);
      worst = std::max({worst, across(vector_at(frame.positions, 0)),
                        across(vector_at(frame.angular_velocities, 0))});
    }
    return worst;
  };
  for (const std::string& name : input.parameters.texts("keeps")) {
    outcome.claims.push_back(claim_at_most(name + ": off its axis, m and rad/s", measure(name),
                                           input.parameters.number("tolerance")));
  }
  for (const std::string& name : input.parameters.texts("loses")) {
    outcome.claims.push_back(claim_at_least(name + ": off its axis, m and rad/s", measure(name),
                                            input.parameters.number("lost_at_least")));
  }
  return outcome;
}

// Vertical speeds just after the first step in which a body rises: the same of all, or not.
CheckOutcome check_separation(const CheckInput& input) {
  input.parameters.demand_only({"name", "together", "apart", "together_at_most", "apart_at_least"});
  CheckOutcome outcome;
  const auto measure = [&](const std::string& name) {
    const MemoryRun run = run_with(*input.scene, name);
    for (std::size_t k = 0; k < run.record->frame_times().size(); ++k) {
      const RecordedFrame frame = run.record->frame(k);
      double lowest = kInfinity;
      double highest = -kInfinity;
      for (std::size_t i = 0; 3 * i < frame.velocities.size(); ++i) {
        lowest = std::min(lowest, frame.velocities[3 * i + 2]);
        highest = std::max(highest, frame.velocities[3 * i + 2]);
      }
      if (highest > 0.0) return highest - lowest;
    }
    return -1.0;
  };
  for (const std::string& name : input.parameters.texts("together")) {
    const double spread = measure(name);
    outcome.claims.push_back(claim_true(name + ": something rises", spread >= 0.0));
    outcome.claims.push_back(claim_at_most(name + ": spread of vertical speeds", spread,
                                           input.parameters.number("together_at_most")));
  }
  for (const std::string& name : input.parameters.texts("apart")) {
    outcome.claims.push_back(claim_at_least(name + ": spread of vertical speeds", measure(name),
                                            input.parameters.number("apart_at_least")));
  }
  return outcome;
}

// A body that spins about its middle axis turns over again and again. In body coordinates the
// momentum goes round with the period 4 K(m) / rate [Landau and Lifshitz, Mechanics, section 37];
// its middle component changes its sign twice in each.
CheckOutcome check_tennis_racket(const CheckInput& input) {
  input.parameters.demand_only({"name", "flips_at_least", "period_error", "energy_drift"});
  const Scene& scene = *input.scene;
  CheckOutcome outcome;
  if (!scene.simulation.world.bodies.any_turns()) input.parameters.refuse("name", "needs a solid");
  const Vec3 given = scene.simulation.world.bodies.moments(0);
  std::array<double, 3> moments = {given.x, given.y, given.z};
  std::array<std::size_t, 3> order = {0, 1, 2};
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return moments[a] < moments[b]; });
  const auto body_velocity = [&](const Quaternion& q, const Vec3& w) {
    const Vec3 omega = transposed_times(matrix_of(q), w);
    return std::array<double, 3>{omega.x, omega.y, omega.z};
  };
  const std::array<double, 3> start = body_velocity(scene.simulation.start.orientation[0],
                                                    scene.simulation.start.angular_velocity[0]);
  double twice_energy = 0.0;
  double square = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    twice_energy += moments[k] * start[k] * start[k];
    square += moments[k] * moments[k] * start[k] * start[k];
  }
  double small = moments[order[0]];
  const double middle = moments[order[1]];
  double large = moments[order[2]];
  // Which of the outer axes the momentum goes round.
  if (square < twice_energy * middle) std::swap(small, large);
  const double rate =
      std::sqrt((large - middle) * (square - twice_energy * small) / (small * middle * large));
  const double m = (middle - small) * (twice_energy * large - square) /
                   ((large - middle) * (square - twice_energy * small));
  const double half_period = 2.0 * complete_elliptic(m) / std::abs(rate);

  const MemoryRun run = run_with(scene, scene.operators.front());
  std::vector<double> flips;
  double last = start[order[1]];
  double last_time = 0.0;
  for (std::size_t k = 1; k < run.record->frame_times().size(); ++k) {
    const RecordedFrame frame = run.record->frame(k);
    const std::vector<double>& q = frame.orientations;
    const double now =
        body_velocity({q[0], q[1], q[2], q[3]}, vector_at(frame.angular_velocities, 0))[order[1]];
    if (now * last < 0.0) {
      flips.push_back(last_time + (frame.time - last_time) * last / (last - now));
    }
    last = now;
    last_time = frame.time;
  }
  const auto count = static_cast<double>(flips.size());
  outcome.claims.push_back(
      claim_at_least("flips", count, input.parameters.number("flips_at_least")));
  if (flips.size() > 1) {
    const double found = (flips.back() - flips.front()) / (count - 1.0);
    outcome.claims.push_back(claim_at_most("time between flips, relative error",
                                           std::abs(found / half_period - 1.0),
                                           input.parameters.number("period_error")));
  }
  outcome.claims.push_back(claim_at_most("energy drift", run.summary.statistics.energy_drift(),
                                         input.parameters.number("energy_drift")));
  return outcome;
}

namespace {

// The scene with elastic impacts and without friction.
Simulation made_elastic(Simulation simulation) {
  for (Index k = 0; k < simulation.world.materials.size(); ++k) {
    Material material = simulation.world.materials.material(k);
    material.restitution = 1.0;
    material.friction = 0.0;
    simulation.world.materials.replace(k, material);
  }
  const std::vector<MaterialTable::Pair> pairs = simulation.world.materials.pairs();
  for (MaterialTable::Pair pair : pairs) {
    pair.coefficients.restitution = 1.0;
    pair.coefficients.friction = 0.0;
    simulation.world.materials.set_pair(pair.a, pair.b, pair.coefficients);
  }
  return simulation;
}

// Runs the scene, and looks at the energy of its impacts. Interpolated restitution takes lambda = c
// lambda_1 + (1 - c) lambda_0, so that the velocity is v = c v_1 + (1 - c) v_0, and
//   K(v) = c K(v_1) + (1 - c) K(v_0) - c (1 - c) K(v_1 - v_0).
// The inelastic v_0 is the feasible velocity of least energy and friction minimises energy, so no
// step gains more than c times what its elastic solve v_1 does: that error is what can go wrong.
// It is asked for from the states of the run themselves: one step from there with c = 1 and without
// friction must keep the energy, relative to the kinetic energy there. Steps without impulses do
// not count.
State run_watching_energy(const CheckInput& input, const Scene& scene, CheckOutcome& outcome) {
  const std::uint64_t every = input.parameters.count("energy_every");
  Simulation given = scene.simulation;
  given.impact.impact_operator = scene.operators.front();
  const Simulation elastic = made_elastic(given);
  const auto stepper = make_stepper(given);
  const auto elastic_stepper = make_stepper(elastic);
  const std::uint64_t steps = step_count(given.time);
  double sum = 0.0;
  double gain = 0.0;
  double largest_kinetic = 0.0;
  std::uint64_t impacts = 0;
  bool went_on = true;
  for (std::uint64_t k = 0; k < steps && went_on; ++k) {
    const Totals before = totals(given, stepper->state());
    if (k % every == 0) {
      elastic_stepper->load(stepper->save());
      const StepReport report = elastic_stepper->step();
      went_on = report.can_go_on();
      if (report.impulses > 0 && before.kinetic > 0.0) {
        sum += std::abs(totals(elastic, elastic_stepper->state()).energy() - before.energy()) /
               before.kinetic;
        ++impacts;
      }
    }
    went_on = went_on && stepper->step().can_go_on();
    gain = std::max(gain, totals(given, stepper->state()).energy() - before.energy());
    largest_kinetic = std::max(largest_kinetic, before.kinetic);
  }
  outcome.claims.push_back(claim_true("every step is made", went_on));
  outcome.claims.push_back(
      claim_at_least("elastic solves", static_cast<double>(impacts),
                     0.5 * static_cast<double>(steps) / static_cast<double>(every)));
  outcome.claims.push_back(claim_at_most("mean relative energy error of the elastic solve",
                                         sum / static_cast<double>(impacts),
                                         input.parameters.number("elastic_energy_error_at_most")));
  outcome.claims.push_back(
      claim_at_most("largest energy gain of a step, in the largest kinetic energy",
                    gain / largest_kinetic, input.parameters.number("energy_gain_at_most")));
  return stepper->state();
}

State run_to_the_end(const Scene& scene, CheckOutcome& outcome) {
  const MemoryRun run = run_with(scene, scene.operators.front());
  outcome.claims.push_back(
      claim_true("the run is completed", run.summary.end.status == RunStatus::finished));
  const RecordedFrame frame = run.record->frame(run.record->frame_times().size() - 1);
  State state;
  for (std::size_t i = 0; 3 * i < frame.positions.size(); ++i) {
    state.position.push_back(vector_at(frame.positions, i));
    state.velocity.push_back(vector_at(frame.velocities, i));
    state.angular_velocity.push_back(vector_at(frame.angular_velocities, i));
  }
  return state;
}

}  // namespace

// Largest speed and angular speed at the end; optionally how high or low bodies ended, and what the
// impacts on the way did to the energy.
CheckOutcome check_comes_to_rest(const CheckInput& input) {
  input.parameters.demand_only({"name", "speed_at_most", "angular_speed_at_most", "height_at_most",
                                "height_at_least", "elastic_energy_error_at_most",
                                "energy_gain_at_most", "energy_every", "set"});
  CheckOutcome outcome;
  const Scene scene = chosen_scene(input);
  const State end = input.parameters.has("elastic_energy_error_at_most")
                        ? run_watching_energy(input, scene, outcome)
                        : run_to_the_end(scene, outcome);
  double speed = 0.0;
  double angular = 0.0;
  double highest = -kInfinity;
  double lowest = kInfinity;
  const Vec3 up = -1.0 / norm(scene.simulation.forces.gravity) * scene.simulation.forces.gravity;
  for (std::size_t i = 0; i < end.position.size(); ++i) {
    speed = std::max(speed, norm(end.velocity[i]));
    angular = std::max(angular, norm(end.angular_velocity[i]));
    highest = std::max(highest, dot(up, end.position[i]));
    lowest = std::min(lowest, dot(up, end.position[i]));
  }
  outcome.headline = outcome.claims.size();
  outcome.claims.push_back(
      claim_at_most("largest speed at the end", speed, input.parameters.number("speed_at_most")));
  outcome.claims.push_back(claim_at_most("largest angular speed at the end", angular,
                                         input.parameters.number("angular_speed_at_most")));
  if (input.parameters.has("height_at_most")) {
    outcome.claims.push_back(claim_at_most("highest centre of mass at the end", highest,
                                           input.parameters.number("height_at_most")));
  }
  if (input.parameters.has("height_at_least")) {
    outcome.claims.push_back(claim_at_least("lowest centre of mass at the end", lowest,
                                            input.parameters.number("height_at_least")));
  }
  return outcome;
}

// Drift of each component, relative to the sum of the bodies' magnitudes at the start.
CheckOutcome check_momenta(const CheckInput& input) {
  input.parameters.demand_only({"name", "steps", "linear", "angular"});
  const Scene& given = *input.scene;
  CheckOutcome outcome;
  const auto stepper = make_stepper(given.simulation);
  const State& state = stepper->state();
  double linear_scale = 0.0;
  double angular_scale = 0.0;
  const BodySet& bodies = given.simulation.world.bodies;
  for (Index i = 0; i < bodies.size(); ++i) {
    linear_scale += bodies.mass[i] * norm(state.velocity[i]);
    Vec3 angular = bodies.mass[i] * cross(state.position[i], state.velocity[i]);
    if (bodies.turns(i)) {
      angular += world_inertia(bodies, i, state.orientation[i]) * state.angular_velocity[i];
    }
    angular_scale += norm(angular);
  }
  const Totals before = totals(given.simulation, state);
  double linear = 0.0;
  double angular = 0.0;
  bool went_on = true;
  std::uint64_t impacts = 0;
  for (std::uint64_t k = 0; k < input.parameters.count("steps") && went_on; ++k) {
    const StepReport report = stepper->step();
    went_on = report.can_go_on();
    impacts += report.impulses > 0 ? 1 : 0;
    const Vec3 p = report.totals.momentum - before.momentum;
    const Vec3 l = report.totals.angular_momentum - before.angular_momentum;
    linear = std::max({linear, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    angular = std::max({angular, std::abs(l.x), std::abs(l.y), std::abs(l.z)});
  }
  outcome.claims.push_back(claim_true("every step is made", went_on));
  outcome.claims.push_back(claim_at_least("steps with impacts", static_cast<double>(impacts), 1.0));
  outcome.claims.push_back(claim_at_most("drift of linear momentum, percent",
                                         100.0 * linear / linear_scale,
                                         input.parameters.number("linear")));
  outcome.claims.push_back(claim_at_most("drift of angular momentum, percent",
                                         100.0 * angular / angular_scale,
                                         input.parameters.number("angular")));
  outcome.headline = 3;
  return outcome;
}

// The same scene with other coefficients: the energy that is left rises with them.
CheckOutcome check_restitution_order(const CheckInput& input) {
  input.parameters.demand_only({"name", "restitutions", "steps", "set"});
  CheckOutcome outcome;
  const Scene scene = chosen_scene(input);
  double last = -kInfinity;
  for (const double e : input.parameters.numbers("restitutions")) {
    Simulation simulation = scene.simulation;
    Material material = simulation.world.materials.material(0);
    material.restitution = e;
    simulation.world.materials.replace(0, material);
    const auto stepper = make_stepper(simulation);
    double energy = 0.0;
    bool went_on = true;
    for (std::uint64_t k = 0; k < input.parameters.count("steps") && went_on; ++k) {
      const StepReport report = stepper->step();
      went_on = report.can_go_on();
      energy = report.totals.energy();
    }
    const std::string text = "energy with restitution " + number_text(e);
    outcome.claims.push_back(claim_true(text + ": every step is made", went_on));
    if (std::isfinite(last)) outcome.claims.push_back(claim_at_least(text, energy, last));
    last = energy;
  }
  return outcome;
}

}  // namespace carom::detail
