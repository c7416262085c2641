// G14 and U16: grains that are shaken, and grains that cool.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "carom/core/random.h"
#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

namespace carom::detail {
namespace {

void throw_at_random(Simulation& simulation, std::uint64_t seed, double speed) {
  Random random(seed);
  for (Vec3& v : simulation.start.velocity) {
    v.x = random.uniform(-speed, speed);
    v.y = random.uniform(-speed, speed);
    if (simulation.world.dimension == 3) v.z = random.uniform(-speed, speed);
  }
}

// Of the bodies, how many are on the fuller side of x = 0.
double fuller_share(const State& state) {
  std::size_t right = 0;
  for (const Vec3& q : state.position) right += q.x > 0.0 ? 1 : 0;
  const double share = static_cast<double>(right) / static_cast<double>(state.position.size());
  return std::max(share, 1.0 - share);
}

struct Population {
  double most = 0.0;  ///< of all times
  double time = 0.0;  ///< when `share` was reached; the end where it was not
  bool went_on = true;
};

Population watch_population(const Simulation& simulation, double share) {
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  Population population;
  const std::uint64_t steps = step_count(simulation.time);
  for (std::uint64_t step = 0; step < steps && population.most < share; ++step) {
    const StepReport report = stepper->step();
    if (!report.can_go_on()) {
      population.went_on = false;
      break;
    }
    population.most = std::max(population.most, fuller_share(stepper->state()));
    population.time = report.time;
  }
  return population;
}

// The same gas, so many times as large along every axis, with velocities of its own.
Simulation copied(const Simulation& from, std::uint64_t copies) {
  if (copies <= 1) return from;
  Simulation to = from;
  const Vec3 length = from.world.periodicity.length;
  to.world.bodies = BodySet();
  to.start.position.clear();
  to.start.velocity.clear();
  for (std::uint64_t n = 0; n < copies * copies * copies; ++n) {
    const std::uint64_t row = n / copies % copies;
    const std::uint64_t level = n / copies / copies;
    const Vec3 shift = {length.x * static_cast<double>(n % copies),
                        length.y * static_cast<double>(row), length.z * static_cast<double>(level)};
    for (Index i = 0; i < from.world.bodies.size(); ++i) {
      to.world.bodies.mass.push_back(from.world.bodies.mass[i]);
      to.world.bodies.radius.push_back(from.world.bodies.radius[i]);
      to.world.bodies.material.push_back(from.world.bodies.material[i]);
      to.world.bodies.name.push_back(from.world.bodies.name[i] + "-" + std::to_string(n));
      to.start.position.push_back(from.start.position[i] + shift);
      to.start.velocity.emplace_back();
    }
  }
  to.world.periodicity.length = static_cast<double>(copies) * length;
  throw_at_random(to, 1, 1.0);
  return to;
}

double temperature(const Totals& totals, Index bodies, int dimension) {
  return 2.0 * totals.kinetic / (dimension * static_cast<double>(bodies));
}

Figure cooling_figure(const std::string& title, const DataTable& table) {
  PlotPanel panel;
  panel.x_label = "time (s)";
  panel.y_label = "temperature (J)";
  panel.log_y = true;
  panel.series = {table_series(table, 0, 1, "measured"), table_series(table, 0, 2, "Haff's law")};
  panel.series.back().style = SeriesStyle::dashes;
  return {title, "", {panel}};
}

}  // namespace

// Grains that lose energy gather where there are more of them already: there they lose more, and
// stay low. Elastic ones spread evenly. Sides are those of x = 0.
CheckOutcome check_maxwell_demon(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only(
      {"seeds", "speed", "share", "clusters_at_least", "elastic_seeds", "elastic_seconds"});
  const auto seeds = parameters.count("seeds");
  const auto elastic_seeds = parameters.count("elastic_seeds");
  const double share = parameters.number("share");
  DataTable table{"demon", {"restitution", "seed", "largest_share", "time"}, {}};
  CheckOutcome outcome;
  bool went_on = true;
  const auto clusters = [&](double restitution, std::uint64_t count, double seconds) {
    Simulation simulation = input.scene->simulation;
    Material material = simulation.world.materials.material(0);
    material.restitution = restitution;
    simulation.world.materials.replace(0, material);
    simulation.time.duration = seconds;
    double number = 0.0;
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
      throw_at_random(simulation, seed, parameters.number("speed"));
      const Population population = watch_population(simulation, share);
      went_on = went_on && population.went_on;
      if (population.most >= share) number += 1.0;
      table.rows.push_back(
          {restitution, static_cast<double>(seed), population.most, population.time});
    }
    return number;
  };
  const double restitution = input.scene->simulation.world.materials.material(0).restitution;
  outcome.claims.push_back(
      claim_at_least("seeds of " + std::to_string(seeds) + " in which they gather on one side",
                     clusters(restitution, seeds, input.scene->simulation.time.duration),
                     parameters.number("clusters_at_least")));
  outcome.claims.push_back(
      claim_at_most("elastic seeds of " + std::to_string(elastic_seeds) + " in which they do",
                    clusters(1.0, elastic_seeds, parameters.number("elastic_seconds")), 0.0));
  outcome.claims.push_back(claim_true("no run had to stop", went_on));
  outcome.tables.push_back(table);
  return outcome;
}

// Haff's law. A pair loses (1 - e^2) m g_n^2 / 4, g_n its normal speed, whose mean square over
// collisions is 4 T / m; a sphere of a gas has nu = 4 sqrt(pi) n s^2 g0 sqrt(T / m) of them in a
// second (n per volume, s diameter, g0 = (1 - f/2) / (1 - f)^3 for the share f of the volume). So
//   dT/dt = -(1 - e^2) nu T / 3,   T = T0 (1 + t / tau)^-2,   1 / tau = (1 - e^2) nu0 / 6:
// T^(-1/2) is a straight line in time.
CheckOutcome check_haff(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"cooled_to", "measured_from", "slope_tolerance", "line_tolerance",
                          "most_seconds", "copies"});
  const Simulation simulation = copied(input.scene->simulation, parameters.count("copies"));
  const Vec3& length = simulation.world.periodicity.length;
  if (simulation.world.bodies.any_turns() || simulation.world.dimension != 3 ||
      !(length.x * length.y * length.z > 0.0)) {
    parameters.refuse("name", "needs a gas of balls that repeats itself along three axes");
  }
  const Index bodies = simulation.world.bodies.size();
  const double mass = simulation.world.bodies.mass[0];
  const double diameter = 2.0 * simulation.world.bodies.radius[0];
  const double number = bodies / (length.x * length.y * length.z);
  const double filled = number * std::numbers::pi / 6.0 * std::pow(diameter, 3);
  const double crowding = (1.0 - 0.5 * filled) / std::pow(1.0 - filled, 3);
  const double e = simulation.world.materials.material(0).restitution;
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  const double start =
      temperature(totals(simulation, stepper->state()), bodies, simulation.world.dimension);
  const double from = parameters.number("measured_from") * start;
  const double until = parameters.number("cooled_to") * start;
  DataTable table{"haff", {"time", "temperature", "law"}, {}};
  std::vector<std::array<double, 2>> line;  // time, T^(-1/2)
  bool went_on = true;
  double now = start;
  double time = 0.0;
  while (now > until && went_on && time < parameters.number("most_seconds")) {
    const StepReport report = stepper->step();
    went_on = report.can_go_on();
    time = report.time;
    now = temperature(report.totals, bodies, simulation.world.dimension);
    if (now <= from) line.push_back({time, 1.0 / std::sqrt(now)});
  }
  CheckOutcome outcome;
  outcome.claims.push_back(claim_true("it went on until it had cooled", went_on && now <= until));
  if (line.size() < 10) return outcome;
  // T^(-1/2) rises by (1 - e^2) nu / 6 / sqrt(T), a constant.
  const double rate = (1.0 - e * e) / 6.0 * 4.0 * std::sqrt(std::numbers::pi / mass) * number *
                      diameter * diameter * crowding;
  const auto [first, first_root] = line.front();
  const auto [last, last_root] = line.back();
  const double slope = (last_root - first_root) / (last - first);
  double bend = 0.0;
  for (const auto& [t, root] : line) {
    bend = std::max(bend, std::abs(first_root + slope * (t - first) - root) / root);
  }
  constexpr std::size_t kPoints = 100;
  for (std::size_t k = 0; k < line.size(); k += std::max<std::size_t>(1, line.size() / kPoints)) {
    const double law = first_root + rate * (line[k][0] - first);
    table.rows.push_back({line[k][0], 1.0 / (line[k][1] * line[k][1]), 1.0 / (law * law)});
  }
  outcome.claims.push_back(claim_at_most("rate of cooling, relative error against Haff's law",
                                         std::abs(slope / rate - 1.0),
                                         parameters.number("slope_tolerance")));
  outcome.claims.push_back(claim_at_most("T^(-1/2): largest relative distance from a straight line",
                                         bend, parameters.number("line_tolerance")));
  outcome.figures.push_back({table.name, cooling_figure(input.scene->title, table)});
  outcome.tables.push_back(table);
  return outcome;
}

}  // namespace carom::detail
