// Scenes under scheme = "asynchronous" with surfaces, and with friction: the ledger closes, nothing
// crosses, and what flows down a slope comes the less far the more it rubs.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "carom/asynchronous/stepper.h"
#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/schemes/registry.h"

namespace carom::detail {
namespace {

using Own = asynchronous::OwnNumber;

PlotSeries series_of(const DataTable& table, std::size_t column, const char* label) {
  return table_series(table, 0, column, label);
}

}  // namespace

// C6, C11, C14. E - work + losses stays what it was, within the band of a symplectic method. Every
// state is audited exactly by the run itself, which ends where something crosses.
CheckOutcome check_ledger_closes(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"set", "band", "momentum_tolerance", "kinetic_at_end_at_least"});
  const Scene scene = chosen_scene(input);
  const Simulation& simulation = scene.simulation;
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  const Totals start = totals(simulation, *stepper);
  DataTable table{"ledger", {"time", "kinetic", "energy", "account", "smallest_gap"}, {}};
  double account = 0.0;
  double largest = start.kinetic;
  double off = 0.0;
  double momentum = 0.0;
  double scale = 0.0;
  Vec3 taken;
  bool went_on = true;
  double gap = kInfinity;
  double kinetic = start.kinetic;
  const std::uint64_t steps = step_count(simulation.time);
  for (std::uint64_t k = 0; k < steps && went_on; ++k) {
    const StepReport report = stepper->step();
    went_on = report.can_go_on();
    if (!went_on) break;
    account += report.dissipated - report.external_work;
    const double balance = report.totals.energy() + account;
    largest = std::max({largest, report.totals.kinetic, std::abs(account)});
    off = std::max(off, std::abs(balance - start.energy()));
    taken += Vec3{report.own[Own::kTakenX], report.own[Own::kTakenY], report.own[Own::kTakenZ]};
    momentum = std::max(momentum, norm(report.totals.momentum + taken - start.momentum));
    scale = std::max({scale, norm(report.totals.momentum), norm(taken)});
    gap = report.own[Own::kSmallestGap];
    kinetic = report.totals.kinetic;
    table.rows.push_back({report.time, kinetic, report.totals.energy(), balance, gap});
    if (input.watch)
      input.watch(scene.title, static_cast<double>(k + 1) / static_cast<double>(steps));
  }
  CheckOutcome outcome;
  outcome.claims.push_back(
      claim_true("it went on to the end, every state free of crossings", went_on));
  outcome.claims.push_back(
      claim_at_most("energy, work and losses: largest change of their sum, in the largest of them",
                    off / largest, parameters.number("band")));
  outcome.claims.push_back(claim_at_most("momentum with what others took: largest change, relative",
                                         momentum / std::max(scale, 1e-300),
                                         parameters.number("momentum_tolerance")));
  outcome.claims.push_back(claim_at_least("smallest distance, m", gap, 0.0));
  if (parameters.has("kinetic_at_end_at_least")) {
    outcome.claims.push_back(claim_at_least("kinetic energy at the end, J", kinetic,
                                            parameters.number("kinetic_at_end_at_least")));
  }
  PlotPanel panel;
  panel.x_label = "time (s)";
  panel.y_label = "J";
  panel.series = {series_of(table, 1, "kinetic"), series_of(table, 2, "energy"),
                  series_of(table, 3, "with work and losses")};
  Figure figure;
  figure.title = scene.title;
  figure.panels.push_back(std::move(panel));
  outcome.figures.push_back({"ledger", std::move(figure)});
  outcome.tables.push_back(std::move(table));
  return outcome;
}

// C5. How far the middle of all points has come down the slope, which is along x.
CheckOutcome check_flow_by_friction(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"frictions", "margin"});
  DataTable table{"flow", {"friction", "distance"}, {}};
  CheckOutcome outcome;
  bool went_on = true;
  double smallest_step = kInfinity;
  for (const double friction : parameters.numbers("frictions")) {
    Simulation simulation = input.scene->simulation;
    Material material = simulation.world.materials.material(0);
    material.friction = friction;
    simulation.world.materials.replace(0, material);
    const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
    for (std::uint64_t k = 0; k < step_count(simulation.time) && went_on; ++k) {
      went_on = stepper->step().can_go_on();
    }
    double distance = 0.0;
    const std::vector<Vec3>& places = stepper->state().position;
    for (std::size_t i = 0; i < places.size(); ++i) {
      distance +=
          (places[i].x - simulation.start.position[i].x) / static_cast<double>(places.size());
    }
    if (!table.rows.empty()) {
      smallest_step = std::min(smallest_step, table.rows.back()[1] - distance);
    }
    table.rows.push_back({friction, distance});
  }
  outcome.claims.push_back(claim_true("every run went on to its end", went_on));
  outcome.claims.push_back(claim_at_least("least by which more friction makes the way shorter, m",
                                          smallest_step, parameters.number("margin")));
  PlotPanel panel;
  panel.x_label = "coefficient of friction";
  panel.y_label = "mean way down the slope (m)";
  panel.series = {series_of(table, 1, "")};
  Figure figure;
  figure.title = input.scene->title;
  figure.panels.push_back(std::move(panel));
  outcome.figures.push_back({"flow", std::move(figure)});
  outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace carom::detail
