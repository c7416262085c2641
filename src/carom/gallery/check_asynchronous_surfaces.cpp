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
#include "carom/gallery/detail/ledger_watch.h"
#include "carom/schemes/registry.h"

namespace carom::detail {
namespace {

// Of each surface with a free vertex that has one: the share of its vertices above a height, and
// the highest.
DataTable above_rim(const Simulation& simulation, const std::vector<Vec3>& places, double rim) {
  DataTable table{"above_rim", {"surface", "share_above", "highest"}, {}};
  const World& world = simulation.world;
  std::vector<char> led(world.bodies.size(), 0);
  for (const LedBody& body : world.led) led[body.body] = 1;
  for (std::size_t s = 0; s < world.surfaces.size() && !places.empty(); ++s) {
    const Surface& surface = world.surfaces[s];
    double above = 0.0;
    double highest = -kInfinity;
    for (Index i = surface.first; i < surface.first + surface.size(); ++i) {
      if (led[i] != 0) continue;
      if (places[i].z > rim) above += 1.0 / static_cast<double>(surface.size());
      highest = std::max(highest, places[i].z);
    }
    if (highest > rim) table.rows.push_back({static_cast<double>(s), above, highest});
  }
  return table;
}

}  // namespace

// C6, C9, C10, C11, C14, C15. E - work + losses stays what it was, within the band of a symplectic
// method. `rest_share`: it has come to rest, with no more than that share of its largest kinetic
// energy. `rim`: what has risen above that z is reported.
CheckOutcome check_ledger_closes(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only(
      {"set", "band", "momentum_tolerance", "kinetic_at_end_at_least", "rest_share", "rim"});
  const Scene scene = chosen_scene(input);
  std::vector<Vec3> places;
  const LedgerWatch run(scene, input.watch, [&](const Stepper& stepper, const StepReport&) {
    places = stepper.state().position;
  });
  CheckOutcome outcome;
  run.add_claims(parameters, outcome);
  if (parameters.has("kinetic_at_end_at_least")) {
    outcome.claims.push_back(claim_at_least("kinetic energy at the end, J", run.kinetic_at_end(),
                                            parameters.number("kinetic_at_end_at_least")));
  }
  if (parameters.has("rest_share")) {
    outcome.claims.push_back(claim_at_most("kinetic energy at the end, in its largest",
                                           run.kinetic_at_end() / run.kinetic_at_most(),
                                           parameters.number("rest_share")));
  }
  if (parameters.has("rim")) {
    outcome.tables.push_back(above_rim(scene.simulation, places, parameters.number("rim")));
  }
  run.add_figure(scene.title, outcome);
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
  panel.series = {table_series(table, 0, 1, "")};
  Figure figure;
  figure.title = input.scene->title;
  figure.panels.push_back(std::move(panel));
  outcome.figures.push_back({"flow", std::move(figure)});
  outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace carom::detail
