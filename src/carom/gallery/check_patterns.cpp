// G15, Q6 and Q5: patterns of a shaken layer, and the wave of a single shake.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "carom/gallery/detail/check_tools.h"
#include "carom/gallery/detail/checks.h"
#include "carom/measures/measurements.h"
#include "carom/measures/pattern_watch.h"
#include "carom/plots/plot.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

namespace carom::detail {
namespace {

// Of the shape that heights are measured from.
double plate_period(const Scene& scene, const Parameters& parameters) {
  if (!scene.measure.heights || scene.measure.heights->floor == kNone) {
    parameters.refuse("name", "needs [measure] heights with a floor");
  }
  const PlacedShape& floor = scene.simulation.world.shapes[scene.measure.heights->floor];
  const auto* sinusoid = std::get_if<SinusoidMotion>(&floor.motion);
  if (sinusoid == nullptr) parameters.refuse("name", "needs a floor that is shaken");
  return 1.0 / sinusoid->frequency;
}

double entry(const Parameters& parameters, const std::string& key, std::size_t number) {
  const std::vector<double> list = parameters.numbers(key);
  if (number >= list.size()) parameters.refuse(key, "expected one number for each pattern");
  return list[number];
}

struct PatternExpectation {
  std::string pattern;
  double cycles = 0.0;               ///< of the plate
  double last = 0.0;                 ///< cycles that count
  double wavelength_at_least = 0.0;  ///< in depths of the layer
  double wavelength_at_most = 0.0;
};

DataTable cycle_table(const std::string& name, const PatternWatch& watch, double depth) {
  DataTable table{name,
                  {"cycle", "time", "amplitude", "wavelength", "in_ring", "twofold", "fourfold",
                   "sixfold", "triads"},
                  {}};
  for (const PatternCycle& cycle : watch.cycles()) {
    const PatternReport& r = cycle.report;
    table.rows.push_back({cycle.number, cycle.time, r.amplitude / depth, r.wavelength / depth,
                          r.in_ring, r.twofold, r.fourfold, r.sixfold, r.triads});
  }
  return table;
}

// The heights of the last cycle, and the waves of all that count.
void draw_layer(const Scene& scene, const PatternWatch& watch, const std::string& name,
                CheckOutcome& outcome) {
  if (watch.cycles().empty()) return;
  const LayerLabel label{scene.title, scene.simulation.impact.impact_operator,
                         watch.cycles().back().time, pattern_limits(*scene.measure.heights)};
  HeightMap heights = height_map_of(watch.heights(), label);
  const Vec3& period = scene.simulation.world.periodicity.length;
  if (period.x > 0.0 && period.y > 0.0) {
    heights.copies = 2;
    heights.title += ", 2 x 2 copies";
  }
  outcome.maps.push_back({name + "_heights", std::move(heights)});
  outcome.maps.push_back(
      {name + "_spectrum", spectrum_map_of(watch.spectrum(), watch.whole(), label)});
}

void judge_layer(const Scene& scene, double period, const PatternExpectation& expected,
                 const CheckWatch& told, CheckOutcome& outcome) {
  const std::string& name = scene.simulation.impact.impact_operator;
  const std::string who = expected.pattern + ", " + name;
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.simulation);
  const HeightsMeasure& heights = *scene.measure.heights;
  PatternWatch watch(period, expected.cycles - expected.last, pattern_limits(heights));
  bool went_on = true;
  while (went_on && stepper->state().time < expected.cycles * period) {
    went_on = stepper->step().can_go_on();
    const State& state = stepper->state();
    if (told) told(who, state.time / (expected.cycles * period));
    if (watch.is_due(state.time)) {
      watch.look(state.time, measured_heights(scene, state.position, state.time));
    }
  }
  const PatternReport whole = watch.whole();
  const double wavelength = whole.wavelength / heights.depth;
  outcome.claims.push_back(
      claim_true(who + ": the heights show them", to_string(whole.pattern) == expected.pattern));
  outcome.claims.push_back(claim_at_least(who + ": wavelength, in depths of the layer", wavelength,
                                          expected.wavelength_at_least));
  outcome.claims.push_back(claim_at_most(who + ": wavelength, in depths of the layer", wavelength,
                                         expected.wavelength_at_most));
  outcome.claims.push_back(claim_true(who + ": the run went on", went_on));
  const std::string file = expected.pattern + "_" + name;
  outcome.tables.push_back(cycle_table(file, watch, heights.depth));
  draw_layer(scene, watch, file, outcome);
}

/// Heights of layers while a pile is shaken once.
struct LayerPaths {
  std::vector<double> times;
  std::vector<std::vector<double>> risen;  ///< by time, then layer
  bool went_on = true;
};

LayerPaths watch_layers(const Scene& scene, const std::string& name, const CheckWatch& told) {
  const LayersMeasure& layers = *scene.measure.layers;
  Simulation simulation = scene.simulation;
  simulation.impact.impact_operator = name;
  const std::unique_ptr<Stepper> stepper = make_stepper(simulation);
  std::unique_ptr<LayerMarkers> markers;
  LayerPaths paths;
  const std::uint64_t steps = step_count(simulation.time);
  for (std::uint64_t step = 0; step < steps; ++step) {
    const StepReport report = stepper->step();
    paths.went_on = report.can_go_on();
    if (!paths.went_on) break;
    if (told) told(name, static_cast<double>(step + 1) / static_cast<double>(steps));
    if (report.time < layers.from) continue;
    if (!markers) {
      markers = std::make_unique<LayerMarkers>(stepper->state().position, layers.count,
                                               -1.0 * simulation.forces.gravity,
                                               simulation.world.dimension);
    }
    paths.times.push_back(report.time);
    paths.risen.push_back(markers->risen(stepper->state().position));
  }
  return paths;
}

// Of a layer, upwards, in the step that ends at the k-th time; k > 0.
double layer_speed(const LayerPaths& paths, std::size_t layer, std::size_t k) {
  return (paths.risen[k][layer] - paths.risen[k - 1][layer]) /
         (paths.times[k] - paths.times[k - 1]);
}

// When the wave of the landing reaches a layer: when it has lost half of the largest speed with
// which it fell. Between two steps on the straight line. Infinite where it never does.
double arrival(const LayerPaths& paths, std::size_t layer) {
  const auto speed = [&](std::size_t k) { return layer_speed(paths, layer, k); };
  std::size_t fastest = 1;
  for (std::size_t k = 1; k < paths.times.size(); ++k) {
    if (speed(k) < speed(fastest)) fastest = k;
  }
  const double half = 0.5 * speed(fastest);
  for (std::size_t k = fastest + 1; k < paths.times.size(); ++k) {
    if (speed(k) < half) continue;
    const double share = (half - speed(k - 1)) / (speed(k) - speed(k - 1));
    return paths.times[k - 1] + share * (paths.times[k] - paths.times[k - 1]);
  }
  return kInfinity;
}

// The landing against depth and time: how fast each layer moves, and when the wave reaches it.
Figure wave_figure(const std::string& title, const std::string& name, const LayerPaths& paths,
                   const DataTable& wave) {
  constexpr double kAround = 0.05;  // s, before the first arrival and after the last
  PlotPanel speeds;
  speeds.title = "speed of the layers, upwards";
  speeds.x_label = "time (s)";
  speeds.y_label = "speed (m/s)";
  speeds.x_range = PlotRange{wave.rows.front()[1] - kAround, wave.rows.back()[1] + kAround};
  PlotPanel arrivals;
  arrivals.title = "the landing reaches each layer";
  arrivals.x_label = speeds.x_label;
  arrivals.y_label = "layer, from the bottom";
  arrivals.whole_y = true;
  arrivals.x_range = speeds.x_range;
  PlotSeries points{"arrival", {}, {}, SeriesStyle::points};
  for (std::size_t layer = 0; layer < wave.rows.size(); ++layer) {
    PlotSeries speed{"layer " + std::to_string(layer + 1), {}, {}};
    for (std::size_t k = 1; k < paths.times.size(); ++k) {
      if (paths.times[k] < speeds.x_range->lower || paths.times[k] > speeds.x_range->upper)
        continue;
      speed.x.push_back(paths.times[k]);
      speed.y.push_back(layer_speed(paths, layer, k));
    }
    speeds.series.push_back(std::move(speed));
    points.x.push_back(wave.rows[layer][1]);
    points.y.push_back(wave.rows[layer][0]);
  }
  arrivals.series.push_back(std::move(points));
  return {title, "operator " + name, {std::move(speeds), std::move(arrivals)}};
}

}  // namespace

// The patterns of a shaken layer [Bizon1998]: by the angles of the strongest waves of its heights.
// Each has overrides of the scene, `set_<pattern>`, and an entry in each list.
CheckOutcome check_pattern(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"patterns", "operators", "cycles", "last", "wavelength_at_least",
                          "wavelength_at_most", "set_stripes", "set_squares", "set_hexagons"});
  const std::vector<std::string> patterns = parameters.texts("patterns");
  CheckOutcome outcome;
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    const PatternExpectation expected{
        patterns[k], entry(parameters, "cycles", k), parameters.number("last"),
        entry(parameters, "wavelength_at_least", k), entry(parameters, "wavelength_at_most", k)};
    const std::string set = "set_" + patterns[k];
    Scene scene = *input.scene;
    if (parameters.has(set)) scene = read_scene(scene.text, scene.file, parameters.texts(set));
    const double period = plate_period(scene, parameters);
    for (const std::string& name : parameters.texts("operators")) {
      scene.simulation.impact.impact_operator = name;
      judge_layer(scene, period, expected, input.watch, outcome);
    }
  }
  return outcome;
}

// A pile is thrown up by one shake and lands: the layers stop one after the other, the lowest
// first.
CheckOutcome check_single_shake(const CheckInput& input) {
  const Parameters& parameters = input.parameters;
  parameters.demand_only({"set", "operators", "in_order_at_least", "delay_at_least"});
  const Scene scene = chosen_scene(input);
  if (!scene.measure.layers) parameters.refuse("name", "needs [measure] layers");
  CheckOutcome outcome;
  outcome.headline = 1;  // that the wave goes upwards
  for (const std::string& name : parameters.texts("operators")) {
    const LayerPaths paths = watch_layers(scene, name, input.watch);
    outcome.claims.push_back(claim_true(name + ": the run went on", paths.went_on));
    const std::size_t layers = scene.measure.layers->count;
    if (!paths.went_on || paths.times.size() < 3) {
      outcome.headline = 0;
      continue;
    }
    DataTable wave{"arrival_" + name, {"layer", "time"}, {}};
    double in_order = 0.0;
    for (std::size_t layer = 0; layer < layers; ++layer) {
      wave.rows.push_back({static_cast<double>(layer + 1), arrival(paths, layer)});
      if (layer > 0 && wave.rows[layer][1] > wave.rows[layer - 1][1]) in_order += 1.0;
    }
    const double delay = wave.rows.back()[1] - wave.rows.front()[1];
    outcome.claims.push_back(
        claim_at_least(name + ": layers that the wave reaches after the one below", in_order,
                       parameters.number("in_order_at_least")));
    outcome.claims.push_back(claim_at_least(name + ": from the lowest layer to the highest, s",
                                            std::isfinite(delay) ? delay : 0.0,
                                            parameters.number("delay_at_least")));
    DataTable risen{"layers_" + name, {"time"}, {}};
    for (std::size_t layer = 0; layer < layers; ++layer) {
      risen.columns.push_back("layer_" + std::to_string(layer + 1));
    }
    for (std::size_t k = 0; k < paths.times.size(); ++k) {
      std::vector<double> row = {paths.times[k]};
      row.insert(row.end(), paths.risen[k].begin(), paths.risen[k].end());
      risen.rows.push_back(std::move(row));
    }
    if (std::isfinite(delay)) {
      outcome.figures.push_back({wave.name, wave_figure(scene.title, name, paths, wave)});
    }
    outcome.tables.push_back(std::move(wave));
    outcome.tables.push_back(std::move(risen));
  }
  return outcome;
}

}  // namespace carom::detail
