// Chains with limits of length beside springs, struck at rising speeds: the limits hold at all of
// them, springs do not.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "carom/asynchronous/stepper.h"
#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/gallery/detail/ledger_watch.h"

namespace carom::detail {
namespace {

// Of the edges of one kind of surface.
struct Stretched {
  double longest = 0.0;   ///< length over that at rest, less 1
  double shortest = 0.0;  ///< 1 less that, likewise
};

bool is_limited(const Simulation& simulation, std::size_t surface) {
  return simulation.forces.elasticity[surface].stretch_limit > 0.0;
}

void note_stretch(const Simulation& simulation, const std::vector<Vec3>& places,
                  std::array<Stretched, 2>& kinds) {
  for (std::size_t k = 0; k < simulation.world.surfaces.size(); ++k) {
    const Surface& surface = simulation.world.surfaces[k];
    Stretched& kind = kinds[is_limited(simulation, k) ? 0 : 1];
    for (const auto& edge : surface.edges) {
      const double rest = norm(surface.rest[edge[1]] - surface.rest[edge[0]]);
      const double now = norm(places[surface.first + edge[1]] - places[surface.first + edge[0]]);
      kind.longest = std::max(kind.longest, now / rest - 1.0);
      kind.shortest = std::max(kind.shortest, 1.0 - now / rest);
    }
  }
}

// All bodies that fly at the start, at another speed, over the same way.
Scene at_speed(const Scene& scene, double speed, double way, std::uint64_t steps) {
  Scene changed = scene;
  for (Vec3& velocity : changed.simulation.start.velocity) {
    if (velocity != Vec3{}) velocity = (speed / norm(velocity)) * velocity;
  }
  changed.simulation.time.step = way / speed / static_cast<double>(steps);
  changed.simulation.time.duration = way / speed;
  return changed;
}

// The chains as they are at one moment, one curve each.
PlotPanel shapes(const Simulation& simulation, const std::vector<Vec3>& places, double speed) {
  PlotPanel panel;
  panel.title = fmt::format("{:g} m/s", speed);
  panel.x_label = "x (m)";
  panel.y_label = "y (m)";
  for (const Surface& surface : simulation.world.surfaces) {
    PlotSeries series;
    for (Index i = surface.first; i < surface.first + surface.size(); ++i) {
      series.x.push_back(places[i].x);
      series.y.push_back(places[i].y);
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

Figure stretch_figure(const std::string& title, const DataTable& table) {
  PlotPanel panel;
  panel.x_label = "speed of the projectile (m/s)";
  panel.y_label = "largest stretch of a link";
  panel.log_x = true;
  panel.log_y = true;
  panel.series = {table_series(table, 0, 1, "with limits of length"),
                  table_series(table, 0, 4, "springs")};
  Figure figure;
  figure.title = title;
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace

// C13. At every speed no edge passes its limits: the run proves that of all motion, from the paths
// alone (audit = "motion"), and the claim says how far an edge was stretched at the end of a step.
// The chains of springs beside them, struck alike, show what there is to hold: springs that stop a
// mass m at the speed v store m v^2 / 2, and stretch by more the faster it comes, whatever their
// stiffness is. Energy and momentum are those of every run.
CheckOutcome check_stretch_limit(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only(
      {"speeds", "way", "steps", "springs_stretch_at_least", "band", "momentum_tolerance"});
  const double way = parameters.number("way");
  const auto steps = static_cast<std::uint64_t>(parameters.number("steps"));
  DataTable table{"stretch",
                  {"speed", "limited_longest", "limited_shortest", "limit_used", "springs_longest",
                   "deepest_layer"},
                  {}};
  CheckOutcome outcome;
  Figure chains;
  chains.title = input.scene->title;
  const SurfaceElasticity& limits = input.scene->simulation.forces.elasticity.front();
  for (const double speed : parameters.numbers("speeds")) {
    const Scene scene = at_speed(*input.scene, speed, way, steps);
    std::array<Stretched, 2> kinds;
    double used = 0.0;
    double deepest = 0.0;
    std::vector<Vec3> places;
    const LedgerWatch run(scene, input.watch,
                          [&](const Stepper& stepper, const StepReport& report) {
                            const std::vector<Vec3>& now = stepper.state().position;
                            note_stretch(scene.simulation, now, kinds);
                            used = report.own[asynchronous::OwnNumber::kLimitUsed];
                            deepest = report.own[asynchronous::OwnNumber::kDeepestLayer];
                            if (report.step <= (2 * steps) / 5) places = now;
                          });
    CheckOutcome one;
    run.add_claims(parameters, one);
    for (Claim& claim : one.claims) {
      claim.text = fmt::format("{:g} m/s: {}", speed, claim.text);
      outcome.claims.push_back(std::move(claim));
    }
    outcome.claims.push_back(
        claim_at_most(fmt::format("{:g} m/s: largest stretch of a limited link", speed),
                      kinds[0].longest, limits.stretch_limit));
    outcome.claims.push_back(
        claim_at_most(fmt::format("{:g} m/s: largest compression of a limited link", speed),
                      kinds[0].shortest, limits.compression_limit));
    outcome.claims.push_back(claim_true(
        fmt::format("{:g} m/s: no link was seen to use up its limit: {:.3g} of it", speed, used),
        used < 1.0));
    table.rows.push_back(
        {speed, kinds[0].longest, kinds[0].shortest, used, kinds[1].longest, deepest});
    if (!places.empty()) chains.panels.push_back(shapes(scene.simulation, places, speed));
  }
  outcome.claims.push_back(claim_at_least("largest stretch of a spring at the highest speed",
                                          table.rows.back()[4],
                                          parameters.number("springs_stretch_at_least")));
  outcome.figures.push_back({"chains", std::move(chains)});
  outcome.figures.push_back({"stretch", stretch_figure(input.scene->title, table)});
  outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace carom::detail
