// Knots under scheme = "asynchronous": pulled tight without a crossing, and let go.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "carom/asynchronous/stepper.h"
#include "carom/core/names.h"
#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/gallery/detail/ledger_watch.h"
#include "carom/gallery/detail/tightness.h"
#include "carom/runs/scene_check.h"

namespace carom::detail {
namespace {

using Own = asynchronous::OwnNumber;

enum Column : std::size_t {
  kTime,
  kMeanStretch,
  kLargeStretch,
  kMostStretch,
  kZoneShare,
  kZoneSize,
  kMirrorError,
  kLayers
};

RecordedFrame frame_of(const State& state) {
  RecordedFrame frame;
  frame.time = state.time;
  for (const Vec3& x : state.position) {
    frame.positions.insert(frame.positions.end(), {x.x, x.y, x.z});
  }
  return frame;
}

Figure tightness_figure(const std::string& title, const DataTable& table) {
  Figure figure;
  figure.title = title;
  PlotPanel stretch;
  stretch.x_label = "time (s)";
  stretch.y_label = "stretch of edges";
  stretch.series = {table_series(table, kTime, kMeanStretch, "mean"),
                    table_series(table, kTime, kLargeStretch, "95th percentile"),
                    table_series(table, kTime, kMostStretch, "largest")};
  PlotPanel zone;
  zone.x_label = "time (s)";
  zone.y_label = "size of the contact zone";
  zone.series = {table_series(table, kTime, kZoneSize, "")};
  figure.panels = {std::move(stretch), std::move(zone)};
  return figure;
}

// The row at a time, or the last before it.
const std::vector<double>& row_at(const DataTable& table, double time) {
  const std::vector<double>* found = &table.rows.front();
  for (const std::vector<double>& row : table.rows) {
    if (row[kTime] <= time * (1.0 + 1e-9)) found = &row;
  }
  return *found;
}

}  // namespace

// C7, C8. Two or more surfaces knotted into each other are pulled: the ledger closes, nothing
// crosses, the surfaces stretch once the knot is tight, and where it is its own mirror image it
// stays so as long as rounding lets it. `let_go`: from that time on nobody pulls, and friction
// holds the knot if the zone in which the surfaces touch stays of its size.
CheckOutcome check_knot(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"set", "band", "momentum_tolerance", "near", "large_stretch_at_least",
                          "zone_size_at_most", "mirror", "mirror_until", "mirror_error", "let_go",
                          "zone_growth_at_most"});
  const Scene scene = chosen_scene(input);
  const World& world = scene.simulation.world;
  const double near = parameters.number("near");
  const bool is_mirrored = parameters.has("mirror");
  SymmetryExpectation mirror;
  mirror.kind = SymmetryExpectation::Kind::mirror;
  if (is_mirrored) {
    const std::vector<double> axis = parameters.numbers("mirror");
    if (axis.size() != 3) parameters.refuse("mirror", "is a direction of three numbers");
    mirror.axis = {axis[0], axis[1], axis[2]};
  }
  const double mirror_until = is_mirrored ? parameters.number("mirror_until") : 0.0;
  const RecordedFrame start = frame_of(scene.simulation.start);
  DataTable table{"tightness",
                  {"time", "mean_stretch", "large_stretch", "most_stretch", "zone_share",
                   "zone_size", "mirror_error", "deepest_layer"},
                  {}};
  const LedgerWatch run(scene, input.watch, [&](const Stepper& stepper, const StepReport& report) {
    const Tightness now = tightness(world, stepper.state().position, near);
    const double error =
        is_mirrored ? symmetry_error(mirror, start, frame_of(stepper.state())) : 0.0;
    table.rows.push_back({report.time, now.mean_stretch, now.large_stretch, now.most_stretch,
                          now.zone_share, now.zone_size, error, report.own[Own::kDeepestLayer]});
  });
  CheckOutcome outcome;
  run.add_claims(parameters, outcome);
  if (table.rows.empty()) return outcome;
  const std::vector<double>& end = table.rows.back();
  if (parameters.has("large_stretch_at_least")) {
    outcome.claims.push_back(claim_at_least("95th percentile of the stretch at the end",
                                            end[kLargeStretch],
                                            parameters.number("large_stretch_at_least")));
  }
  if (parameters.has("zone_size_at_most")) {
    outcome.claims.push_back(claim_at_most("size of the contact zone at the end", end[kZoneSize],
                                           parameters.number("zone_size_at_most")));
  }
  if (is_mirrored) {
    double error = 0.0;
    for (const std::vector<double>& row : table.rows) {
      if (row[kTime] <= mirror_until) error = std::max(error, row[kMirrorError]);
    }
    outcome.claims.push_back(
        claim_at_most("distance from its own mirror image until " + number_text(mirror_until),
                      error, parameters.number("mirror_error")));
  }
  if (parameters.has("let_go")) {
    const double before = row_at(table, parameters.number("let_go"))[kZoneSize];
    outcome.claims.push_back(claim_at_most(
        "size of the contact zone after it was let go, over that before",
        end[kZoneSize] / std::max(before, 1e-300), parameters.number("zone_growth_at_most")));
  }
  run.add_figure(scene.title, outcome);
  outcome.figures.push_back({"tightness", tightness_figure(scene.title, table)});
  outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace carom::detail
