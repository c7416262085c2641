// Pages and figures of recorded runs: which of their numbers are drawn, and under which names.
#include "carom/page/run_views.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/measures/measurements.h"
#include "carom/page/detail/run_curves.h"
#include "carom/runs/scene_run.h"
#include "carom/scene/scene.h"
#include "carom/schemes/registry.h"

namespace carom {
namespace {

// The scheme and its contact, of runs that resolve no impacts; empty of others.
std::string method_of(const RecordingHeader& header) {
  const SchemeInfo& scheme = recorded_scheme_info(header);
  if (scheme.can.impact_problems) return "";
  if (!scheme.method) return scheme.name;
  const Scene scene = read_scene(header.scene_text, header.scene_name);
  return scheme.name + ", " + scheme.method(scene.simulation);
}

void read_arrows(const RunRecord& record, PageRun& run) {
  for (const ContactEvent& event : record.events()) {
    PageArrow arrow;
    arrow.time = event.time;
    arrow.point = event.point;
    arrow.impulse = event.impulse;
    arrow.normal = event.normal;
    arrow.body_a = static_cast<Index>(event.body_a);
    arrow.body_b = event.body_b < 0 ? kNone : static_cast<Index>(event.body_b);
    run.arrows.push_back(arrow);
  }
}

PlotPanel& panel_of(Figure& figure, const detail::Curve& curve, const std::string& title) {
  for (PlotPanel& panel : figure.panels) {
    if (panel.title == title) return panel;
  }
  PlotPanel panel;
  panel.title = title;
  panel.x_label = "time (s)";
  panel.y_label = curve.unit.empty() ? title : title + " (" + curve.unit + ")";
  panel.whole_y = curve.is_count;
  panel.log_y = curve.is_logarithmic;
  figure.panels.push_back(panel);
  return figure.panels.back();
}

// Labels that tell the runs apart: equal ones are numbered.
std::vector<std::string> distinct(std::vector<std::string> labels) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& label : labels) ++counts[label];
  std::map<std::string, std::size_t> seen;
  for (std::string& label : labels) {
    if (counts[label] > 1) label += " (" + std::to_string(++seen[label]) + ")";
  }
  return labels;
}

struct LayerView {
  HeightField field;
  LayerLabel label;
};

// Bodies that are not there stand where they were last, or will be first: a page has a place for
// each in every frame, and is told when to show it.
void show_who_is_there(const RecordingHeader& header, std::span<const std::uint64_t> steps,
                       PageRun& run) {
  if (header.presence.empty()) return;
  run.presence.assign(header.body_count(), {1.0, 0.0});
  for (std::size_t body = 0; body < header.body_count(); ++body) {
    std::size_t first = steps.size();
    std::size_t last = 0;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (!header.is_there(body, steps[k])) continue;
      first = std::min(first, k);
      last = k;
    }
    const bool is_shown = first < steps.size();
    if (is_shown) run.presence[body] = {run.times[first], run.times[last]};
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (header.is_there(body, steps[k])) continue;
      // A body that is never shown stands at some other's place, so that it widens no picture.
      const std::size_t known = k < first ? first : last;
      for (std::size_t c = 0; c < 3; ++c) {
        run.velocities[k][3 * body + c] = 0.0;
        run.positions[k][3 * body + c] = is_shown ? run.positions[known][3 * body + c] : 0.0;
      }
      if (!header.any_turns()) continue;
      for (std::size_t c = 0; c < 4; ++c) {
        run.orientations[k][4 * body + c] =
            is_shown ? run.orientations[known][4 * body + c] : (c == 0 ? 1.0 : 0.0);
      }
    }
  }
}

LayerView layer_at(const RunRecord& record, double time) {
  const RecordingHeader& header = record.header();
  const Scene scene = read_scene(header.scene_text, header.scene_name);
  if (!scene.measure.heights) {
    throw InputError({header.scene_name, 0, 0, "measure.heights"},
                     "the scene measures no heights; it would have a table [measure] with heights");
  }
  const std::vector<double>& times = record.frame_times();
  const auto later = std::upper_bound(times.begin(), times.end(), time);
  const auto number = static_cast<std::size_t>(std::max<std::ptrdiff_t>(later - times.begin(), 1));
  return {measured_heights(scene, record.frame(number - 1)),
          {header.scene_name, header.impact_operator, times[number - 1],
           pattern_limits(*scene.measure.heights)}};
}

}  // namespace

namespace {

// What a viewer should know about how a run ended, or what went wrong on its way.
std::string end_text(const RunRecord& record) {
  const RunEnd& end = record.end();
  const RunStatistics statistics = recorded_statistics(record);
  const std::string place = number_text(statistics.time()) + " s";
  const auto settings = nlohmann::json::parse(record.header().settings_json, nullptr, false);
  std::string way = place;
  if (settings.is_object() && settings.contains("steps")) {
    const double planned = settings.value("steps", 0.0) * record.header().step;
    way += " of " + number_text(planned) + " s";
  }
  std::string text;
  switch (end.status) {
    case RunStatus::finished:
      break;
    case RunStatus::running:
      text = "goes on; shown up to " + way;
      break;
    case RunStatus::interrupted:
      text = "interrupted at " + way;
      break;
    case RunStatus::crashed:
      text = (end.reason.empty() ? "cut short" : end.reason) + " at " + way;
      break;
    case RunStatus::failed:
      text = "stopped at " + way + ": " + end.reason;
      break;
  }
  if (statistics.unresolved() > 0) {
    if (!text.empty()) text += "; ";
    text += std::to_string(statistics.unresolved()) +
            " steps not resolved, the worst: " + std::string(to_string(statistics.worst_status()));
  }
  const EnergyLedger& energy = statistics.energy();
  constexpr double kGain = 1e-6;  // of what there was
  if (energy.gained() > kGain * energy.available()) {
    if (!text.empty()) text += "; ";
    const double times = energy.gained() / energy.available();
    const double power = std::pow(10.0, std::floor(std::log10(times)) - 1.0);
    text += "impacts gained energy, " + number_text(std::round(times / power) * power) +
            " times what there was";
  }
  constexpr double kOverlap = 0.05;  // radii
  if (statistics.penetration_relative() > kOverlap) {
    if (!text.empty()) text += "; ";
    text += "bodies overlap by up to " +
            number_text(0.01 * std::round(100.0 * statistics.penetration_relative())) +
            " radii, at " + number_text(statistics.penetration_time()) + " s";
  }
  return text;
}

}  // namespace

PageRun page_run(const RunRecord& record, std::size_t max_frames) {
  const RecordingHeader& header = record.header();
  PageRun run;
  run.title = header.scene_name;
  run.method = method_of(header);
  if (run.method.empty()) run.impact_operator = header.impact_operator;
  run.dimension = header.dimension;
  run.time_step = header.step;
  run.radii = header.radii;
  run.names = header.body_names.texts();
  run.solids = header.solids;
  run.solids_json = header.solids_json;
  run.surfaces_json = header.surfaces_json;
  if (!header.shapes_json.empty()) run.shapes_json = header.shapes_json;
  const Scene scene = read_scene(header.scene_text, header.scene_name);
  run.end = end_text(record);
  run.description = scene.description;
  run.figure = scene.figure;
  for (const SpringForce& spring : scene.simulation.forces.springs) {
    run.springs.push_back({spring.body_a,
                           spring.body_b,
                           {spring.point.x, spring.point.y, spring.point.z},
                           spring.length});
  }
  const Vec3& gravity = scene.simulation.forces.gravity;
  run.up = {-gravity.x, -gravity.y, -gravity.z};
  const Vec3& period = scene.simulation.world.periodicity.length;
  run.period = {period.x, period.y, period.z};
  if (scene.measure.heights) {
    const HeightsMeasure& heights = *scene.measure.heights;
    run.heights = PageHeights{heights.cell,
                              {heights.lower.x, heights.lower.y},
                              {heights.length.x, heights.length.y},
                              heights.floor};
  }
  const std::size_t count = record.frame_times().size();
  run.recorded_frames = count;
  const std::size_t stride =
      max_frames == 0 ? 1 : std::max<std::size_t>(1, (count + max_frames - 1) / max_frames);
  std::vector<std::uint64_t> steps;
  const bool has_layers = has_body_column(header, "layer");
  for (std::size_t k = 0; k < count; ++k) {
    if (k % stride != 0 && k + 1 != count) continue;
    RecordedFrame frame = record.frame(k);
    steps.push_back(frame.step);
    run.times.push_back(frame.time);
    run.positions.push_back(std::move(frame.positions));
    run.velocities.push_back(std::move(frame.velocities));
    if (header.any_turns()) run.orientations.push_back(std::move(frame.orientations));
    if (has_layers) {
      const std::vector<double> layers = body_column(header, frame, "layer");
      std::vector<std::uint32_t>& whole = run.layers.emplace_back();
      // Of bodies that are not there it is NaN.
      for (const double layer : layers) {
        whole.push_back(layer > 0.0 ? static_cast<std::uint32_t>(layer) : 0U);
      }
    }
  }
  show_who_is_there(header, steps, run);
  const std::vector<double> times = record.real_column("time");
  for (detail::Curve& curve : detail::curves_of(record, scene)) {
    PageSeries series;
    series.name = curve.name;
    series.unit = curve.unit;
    series.plot = curve.plot;
    series.scale = curve.scale;
    series.whole = curve.is_count;
    series.logarithmic = curve.is_logarithmic;
    series.times = curve.times.empty() ? times : curve.times;
    series.values = std::move(curve.values);
    run.series.push_back(std::move(series));
  }
  read_arrows(record, run);
  return run;
}

Figure run_figure(std::span<const RunRecord* const> records, std::span<const std::string> labels) {
  Figure figure;
  if (records.empty()) return figure;
  const std::string& name = records.front()->header().scene_name;
  const bool same_scene = std::all_of(records.begin(), records.end(), [&](const RunRecord* record) {
    return record->header().scene_name == name;
  });
  figure.title = same_scene ? name : "Comparison";
  const bool several = records.size() > 1;
  if (!several) {
    const RecordingHeader& header = records.front()->header();
    const std::string method = method_of(header);
    figure.subtitle = method.empty() ? "operator " + header.impact_operator : method;
  }
  std::vector<std::string> names(labels.begin(), labels.end());
  if (names.empty()) {
    for (const RunRecord* record : records) names.push_back(record->header().impact_operator);
  }
  names = distinct(std::move(names));
  for (std::size_t number = 0; number < records.size(); ++number) {
    const RunRecord* record = records[number];
    const std::vector<double> times = record->real_column("time");
    const Scene scene = read_scene(record->header().scene_text, record->header().scene_name);
    for (detail::Curve& curve : detail::curves_of(*record, scene)) {
      // Comparisons show one line per run in each panel, so that a run has one colour throughout.
      if (several && curve.name == "kinetic energy") continue;
      const bool by_name =
          curve.plot == "momentum" || curve.plot == "pattern" || curve.plot == "layers";
      const std::string title = several && by_name ? curve.name : curve.plot;
      PlotSeries series;
      series.label = several ? names[number] : curve.name;
      series.x = curve.times.empty() ? times : curve.times;
      series.y = std::move(curve.values);
      series.scale = curve.scale;
      series.style = curve.is_count ? SeriesStyle::steps : SeriesStyle::line;
      panel_of(figure, curve, title).series.push_back(std::move(series));
    }
  }
  return figure;
}

HeightMap run_height_map(const RunRecord& record, double time) {
  const LayerView view = layer_at(record, time);
  return height_map_of(view.field, view.label);
}

HeightMap run_spectrum_map(const RunRecord& record, double time) {
  const LayerView view = layer_at(record, time);
  const Spectrum spectrum = spectrum_of(view.field);
  return spectrum_map_of(spectrum, classify_pattern(spectrum, view.label.limits), view.label);
}

}  // namespace carom
