// A thin sphere that meets a thin plate, under scheme = "asynchronous" and by decomposition contact
// response.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "carom/asynchronous/problem_of.h"
#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/gallery/detail/decomposition_contact.h"
#include "carom/gallery/detail/ledger_watch.h"

namespace carom::detail {
namespace {

// Energies at the steps of a run, over the energy at the start.
struct Energies {
  std::vector<double> times = {0.0};
  std::vector<double> values = {1.0};

  void add(double time, double value) {
    times.push_back(time);
    values.push_back(value);
  }
  /// Change over each tenth of the run.
  [[nodiscard]] std::vector<double> in_tenths() const {
    std::vector<double> changes;
    const std::size_t last = values.size() - 1;
    for (std::size_t k = 0; k < 10; ++k) {
      changes.push_back(values[(k + 1) * last / 10] - values[k * last / 10]);
    }
    return changes;
  }
};

Energies by_decomposition(const Simulation& simulation, double step) {
  const asynchronous::Problem problem = asynchronous::problem_of(simulation);
  DecompositionContact run(problem, step);
  const double start = run.energy();
  Energies energies;
  for (std::uint64_t k = 1; k <= step_count(simulation.time); ++k) {
    const double until = static_cast<double>(k) * simulation.time.step;
    while (run.time() + 0.5 * step < until) run.advance();
    energies.add(run.time(), run.energy() / start);
  }
  return energies;
}

}  // namespace

// C6. The ledger closes without drift; decomposition contact response with steps of `step` loses
// energy from impact to impact and gets none back. No element has a longer step than that.
CheckOutcome check_shell_impact(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only(
      {"set", "step", "band", "momentum_tolerance", "decomposition_loses_at_least"});
  const Scene scene = chosen_scene(input);
  const double step = parameters.number("step");
  Energies layers;
  double start = 0.0;
  double longest = 0.0;
  const LedgerWatch run(scene, input.watch, [&](const Stepper& stepper, const StepReport& report) {
    if (layers.times.size() == 1) start = totals(scene.simulation, scene.simulation.start).energy();
    layers.add(report.time, report.totals.energy() / start);
    // Behind the deepest layers of all bodies stand their shortest steps.
    const std::vector<double> numbers = stepper.body_numbers();
    const auto steps = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    longest = std::max(longest, *std::max_element(steps, numbers.end()));
  });
  const Energies decomposition = by_decomposition(scene.simulation, step);
  const std::vector<double> changes = decomposition.in_tenths();
  CheckOutcome outcome;
  run.add_claims(parameters, outcome);
  outcome.claims.push_back(
      claim_at_most("longest of the steps in which vertices move, s", longest, step));
  outcome.claims.push_back(claim_at_least(
      "decomposition contact response: energy lost without a cause, in that at the start",
      1.0 - decomposition.values.back(), parameters.number("decomposition_loses_at_least")));
  const double loss = 1.0 - decomposition.values.back();
  outcome.claims.push_back(claim_at_most(
      "decomposition contact response: largest rise over a tenth of the time, in that loss",
      *std::max_element(changes.begin(), changes.end()) / loss, 0.01));
  run.add_figure(scene.title, outcome);
  PlotPanel panel;
  panel.x_label = "time (s)";
  panel.y_label = "energy over the energy at the start";
  panel.series = {{"penalty layers", layers.times, layers.values},
                  {"decomposition contact response", decomposition.times, decomposition.values}};
  Figure figure;
  figure.title = scene.title;
  figure.panels.push_back(std::move(panel));
  outcome.figures.push_back({"energies", std::move(figure)});
  return outcome;
}

}  // namespace carom::detail
