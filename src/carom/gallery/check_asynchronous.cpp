// Scenes under scheme = "asynchronous" without surfaces: energy and momentum of many points,
// energies in the order of their restitution, clusters, one particle between walls.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "carom/asynchronous/scheme_settings.h"
#include "carom/asynchronous/stepper.h"
#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/schemes/registry.h"

namespace carom::detail {
namespace {

using asynchronous::AsynchronousSettings;
using Own = asynchronous::OwnNumber;

// What a run of a scene keeps, and what it loses.
struct PointRun {
  bool went_on = true;
  double lowest = 0.0;    ///< of E - E0 + losses - work, over the first kinetic energy
  double highest = 0.0;   ///< likewise
  double momentum = 0.0;  ///< largest change of momentum + what walls took, over the sum of m |v|
  double smallest_gap = kInfinity;
  double deepest_layer = 0.0;
  std::vector<double> times = {0.0};
  std::vector<double> energies;  ///< over the first kinetic energy
  std::vector<double> kinetic;   ///< likewise
  std::vector<double> moving;    ///< likewise: all but what contacts store
};

PointRun run_points(const Simulation& simulation) {
  PointRun run;
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  const Totals start = totals(simulation, *stepper);
  double scale = 0.0;
  for (Index i = 0; i < simulation.world.bodies.size(); ++i) {
    scale += simulation.world.bodies.mass[i] * norm(simulation.start.velocity[i]);
  }
  run.energies.push_back(start.energy() / start.kinetic);
  run.kinetic.push_back(1.0);
  run.moving.push_back(run.energies.front());
  double account = start.energy();
  Vec3 given;
  for (std::uint64_t k = 0; k < step_count(simulation.time) && run.went_on; ++k) {
    const StepReport report = stepper->step();
    run.went_on = report.can_go_on();
    if (!run.went_on) break;
    account += report.external_work - report.dissipated;
    const double off = (report.totals.energy() - account) / start.kinetic;
    run.lowest = std::min(run.lowest, off);
    run.highest = std::max(run.highest, off);
    // Gravity, too, takes part in the account of momentum.
    given += Vec3{report.own[Own::kTakenX], report.own[Own::kTakenY], report.own[Own::kTakenZ]};
    run.momentum =
        std::max(run.momentum, norm(report.totals.momentum + given - start.momentum) / scale);
    run.smallest_gap = report.own[Own::kSmallestGap];
    run.deepest_layer = report.own[Own::kDeepestLayer];
    run.times.push_back(report.time);
    run.energies.push_back(report.totals.energy() / start.kinetic);
    run.kinetic.push_back(report.totals.kinetic / start.kinetic);
    const double potential = totals(simulation, stepper->state()).potential;
    run.moving.push_back((report.totals.kinetic + potential) / start.kinetic);
  }
  return run;
}

Simulation with_restitution(const Simulation& simulation, double restitution) {
  Simulation changed = simulation;
  Material material = changed.world.materials.material(0);
  material.restitution = restitution;
  changed.world.materials.replace(0, material);
  return changed;
}

Figure energy_figure(const std::string& title, std::vector<PlotSeries> series) {
  PlotPanel panel;
  panel.x_label = "time (s)";
  panel.y_label = "energy over the first kinetic energy";
  panel.series = std::move(series);
  Figure figure;
  figure.title = title;
  figure.panels.push_back(std::move(panel));
  return figure;
}

PlotSeries energy_series(const PointRun& run, std::string label) {
  PlotSeries series;
  series.label = std::move(label);
  series.x = run.times;
  series.y = run.energies;
  return series;
}

}  // namespace

// C2. Energy is that of a symplectic method: bounded without drift. Momentum changes only by what
// walls and gravity give, to round-off.
CheckOutcome check_points_keep_energy(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"set", "gravities", "band", "momentum_tolerance"});
  const Scene scene = chosen_scene(input);
  CheckOutcome outcome;
  std::vector<PlotSeries> curves;
  for (const double gravity : parameters.numbers("gravities")) {
    Simulation simulation = scene.simulation;
    simulation.forces.gravity = {0.0, -gravity, 0.0};
    const PointRun run = run_points(simulation);
    const std::string with = fmt::format(", gravity {:g}", gravity);
    outcome.claims.push_back(claim_true("it went on to the end" + with, run.went_on));
    outcome.claims.push_back(
        claim_at_most("largest change of energy, in the first kinetic energy" + with,
                      std::max(run.highest, -run.lowest), parameters.number("band")));
    outcome.claims.push_back(claim_at_most(
        "largest change of momentum with what walls and gravity gave, relative" + with,
        run.momentum, parameters.number("momentum_tolerance")));
    curves.push_back(energy_series(run, fmt::format("gravity {:g}", gravity)));
  }
  outcome.figures.push_back({"energy", energy_figure(scene.title, std::move(curves))});
  return outcome;
}

namespace {

// What orders runs of several coefficients: without gravity kinetic energies, at all times; with
// it, where what has fallen is faster, those and the height together, until the first run rests.
std::vector<double> ordered_of(const PointRun& run, double gravity) {
  return gravity == 0.0 ? run.kinetic : run.moving;
}

// The first time at which less than a share of the energy at the start is left: what moves then is
// the fall of all, whose order is another matter; steps.
std::size_t rests_after(const PointRun& run, double share) {
  const auto found = std::find_if(run.moving.begin(), run.moving.end(),
                                  [&](double energy) { return energy < share; });
  return static_cast<std::size_t>(found - run.moving.begin());
}

}  // namespace

// C3. The papers' e is a ratio of energies; restitution here is its root, a ratio of speeds.
// What contacts store is left out, as a pair that gives nothing back keeps what it stored until it
// parts. `band`: runs of little energy left differ by chance, too.
CheckOutcome check_points_in_order(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"set", "energy_ratios", "gravities", "rest_share", "band"});
  const Scene scene = chosen_scene(input);
  CheckOutcome outcome;
  for (const double gravity : parameters.numbers("gravities")) {
    const std::string with = fmt::format(", gravity {:g}", gravity);
    std::vector<PlotSeries> curves;
    std::vector<std::vector<double>> runs;
    std::size_t rest = std::numeric_limits<std::size_t>::max();
    for (const double ratio : parameters.numbers("energy_ratios")) {
      Simulation simulation = with_restitution(scene.simulation, std::sqrt(ratio));
      simulation.forces.gravity = {0.0, -gravity, 0.0};
      const PointRun run = run_points(simulation);
      outcome.claims.push_back(
          claim_true(fmt::format("it went on to the end, e = {:g}{}", ratio, with), run.went_on));
      runs.push_back(ordered_of(run, gravity));
      if (gravity != 0.0) rest = std::min(rest, rests_after(run, parameters.number("rest_share")));
      curves.push_back({fmt::format("e = {:g}", ratio), run.times, runs.back()});
    }
    double worst = -kInfinity;
    for (std::size_t r = 1; r < runs.size(); ++r) {
      for (std::size_t k = 0; k < std::min({runs[r].size(), runs[r - 1].size(), rest}); ++k) {
        worst = std::max(worst, runs[r][k] - runs[r - 1][k]);
      }
    }
    outcome.claims.push_back(
        claim_at_most("most by which a run has more energy than one with a higher e" + with, worst,
                      parameters.number("band")));
    outcome.figures.push_back({gravity == 0.0 ? "energies" : "energies_with_gravity",
                               energy_figure(scene.title + with, std::move(curves))});
  }
  return outcome;
}

namespace {

// Variance over mean of the numbers of points in square cells: 1 of points thrown at random, less
// of points that keep each other at a distance, more of clusters.
double clustering(const std::vector<Vec3>& places, const BoxInside& box, double cell) {
  const auto count = [&](double length) {
    return static_cast<std::size_t>(std::max(1.0, std::round(length / cell)));
  };
  const std::size_t columns = count(box.upper.x - box.lower.x);
  const std::size_t rows = count(box.upper.y - box.lower.y);
  std::vector<double> numbers(columns * rows, 0.0);
  const auto place_in = [](double x, double lower, double upper, std::size_t cells) {
    const double at = (x - lower) / (upper - lower) * static_cast<double>(cells);
    return std::min(static_cast<std::size_t>(std::max(at, 0.0)), cells - 1);
  };
  for (const Vec3& q : places) {
    const std::size_t column = place_in(q.x, box.lower.x, box.upper.x, columns);
    numbers[place_in(q.y, box.lower.y, box.upper.y, rows) * columns + column] += 1.0;
  }
  const auto cells = static_cast<double>(numbers.size());
  const double mean = static_cast<double>(places.size()) / cells;
  double sum = 0.0;
  for (const double number : numbers) sum += (number - mean) * (number - mean);
  return sum / cells / mean;
}

}  // namespace

// C4. Points that lose all of their normal speed gather; elastic ones stay evenly spread. Measured
// as the mean over the second half of the run.
CheckOutcome check_points_cluster(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"cell", "ratio_at_least"});
  const std::vector<PlacedShape>& shapes = input.scene->simulation.world.shapes;
  const auto* box = shapes.empty() ? nullptr : std::get_if<BoxInside>(&shapes.front().shape);
  if (box == nullptr) parameters.refuse("name", "needs a scene whose first shape is a box");
  CheckOutcome outcome;
  DataTable table{"clusters", {"time", "e_0", "e_1"}, {}};
  const auto measured = [&](double restitution) {
    const Simulation simulation = with_restitution(input.scene->simulation, restitution);
    const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
    const auto measure = [&] {
      return clustering(stepper->state().position, *box, parameters.number("cell"));
    };
    std::vector<double> measures = {measure()};
    bool went_on = true;
    for (std::uint64_t k = 0; k < step_count(simulation.time) && went_on; ++k) {
      went_on = stepper->step().can_go_on();
      measures.push_back(measure());
    }
    outcome.claims.push_back(
        claim_true(fmt::format("it went on to the end, e = {:g}", restitution), went_on));
    return measures;
  };
  const std::vector<double> lossy = measured(0.0);
  const std::vector<double> elastic = measured(1.0);
  const std::size_t count = std::min(lossy.size(), elastic.size());
  double lossy_sum = 0.0;
  double elastic_sum = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    table.rows.push_back(
        {static_cast<double>(k) * input.scene->simulation.time.step, lossy[k], elastic[k]});
    if (2 * k < count) continue;
    lossy_sum += lossy[k];
    elastic_sum += elastic[k];
  }
  outcome.claims.push_back(
      claim_at_least("variance over mean of the numbers in cells, e = 0 over e = 1",
                     lossy_sum / elastic_sum, parameters.number("ratio_at_least")));
  PlotPanel panel;
  panel.x_label = "time (s)";
  panel.y_label = "variance over mean of the numbers in cells";
  panel.series = {table_series(table, 0, 1, "e = 0"), table_series(table, 0, 2, "e = 1")};
  Figure figure;
  figure.title = input.scene->title;
  figure.panels.push_back(std::move(panel));
  outcome.figures.push_back({"clusters", std::move(figure)});
  outcome.tables.push_back(std::move(table));
  return outcome;
}

// C12. One particle between two walls, for every thickness and stiffness: its energy is bounded.
// The paper's cases have its layers, k l^3 (d - 2 eta / l)^2.
CheckOutcome check_bounded_energy(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only(
      {"set", "paper_thicknesses", "paper_stiffnesses", "thicknesses", "stiffnesses", "band"});
  const Scene scene = chosen_scene(input);
  CheckOutcome outcome;
  DataTable table{
      "particle",
      {"paper", "thickness", "stiffness", "lowest", "highest", "layers", "smallest_gap"},
      {}};
  Figure energies;
  energies.title = scene.title;
  double worst = 0.0;
  bool went_on = true;
  const auto run_cases = [&](bool paper, const std::string& thickness_key,
                             const std::string& stiffness_key) {
    for (const double thickness : parameters.numbers(thickness_key)) {
      PlotPanel panel;
      panel.title = fmt::format("thickness {:g} m{}", thickness, paper ? ", as printed" : "");
      panel.x_label = "time (s)";
      panel.y_label = "energy over that at the start";
      for (const double stiffness : parameters.numbers(stiffness_key)) {
        Simulation simulation = scene.simulation;
        auto& settings = simulation.settings.of<AsynchronousSettings>();
        if (paper) settings.layers = "vouga";
        settings.stiffness = paper ? 2.0 * stiffness : stiffness;
        for (double& radius : simulation.world.bodies.radius) {
          radius = paper ? 2.0 * thickness : thickness;
        }
        const PointRun run = run_points(simulation);
        went_on = went_on && run.went_on;
        worst = std::max({worst, run.highest, -run.lowest});
        table.rows.push_back({paper ? 1.0 : 0.0, thickness, stiffness, run.lowest, run.highest,
                              run.deepest_layer, run.smallest_gap});
        panel.series.push_back(energy_series(run, fmt::format("k = {:g}", stiffness)));
      }
      energies.panels.push_back(std::move(panel));
    }
  };
  run_cases(true, "paper_thicknesses", "paper_stiffnesses");
  run_cases(false, "thicknesses", "stiffnesses");
  outcome.claims.push_back(claim_true("every run went on to its end", went_on));
  outcome.claims.push_back(claim_at_most("largest change of energy, relative, of all runs", worst,
                                         parameters.number("band")));
  outcome.figures.push_back({"energies", std::move(energies)});
  outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace carom::detail
