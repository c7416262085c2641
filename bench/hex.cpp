// ./dev bench hex: a layer of grains on a shaken plate; the columns of Smith2012, Table 3, and
// Zhang2015, Table 2, and what pattern there is.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "carom/measures/measurements.h"
#include "carom/measures/pattern_watch.h"
#include "carom/plots/height_map.h"
#include "carom/plots/plot.h"
#include "carom/schemes/registry.h"
#include "carom/stepping/stepper.h"

#include "common/program.h"
#include "common/progress.h"
#include "common/results.h"
#include "hex/layer.h"

namespace carom::bench {
namespace {

struct HexOptions {
  std::vector<std::string> patterns = {"hexagons"};
  std::vector<double> steps = {2e-4};
  std::vector<std::string> operators = {"gr"};
  std::string friction = "slip";
  Index rounds = 1;
  double width = 0.0;
  double across = 0.0;
  double acceleration = 0.0;
  std::uint64_t seed = 1;
  double cycles = 60.0;
  double from = 20.0;
  std::string pictures;
  std::string series;
  std::string trace;
  std::string plot;
};

// Mean, largest and smallest of a column.
struct Column {
  double sum = 0.0;
  double most = 0.0;
  double least = kInfinity;
  std::uint64_t count = 0;

  void add(double value) {
    sum += value;
    most = std::max(most, value);
    least = std::min(least, value);
    ++count;
  }
  [[nodiscard]] double average() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
};

// The heights of the last cycle and the waves of all that count, as pictures.
void write_pictures(const HexOptions& options, const std::string& name, const Layer& layer,
                    const PatternWatch& watch) {
  if (options.pictures.empty() || watch.cycles().empty()) return;
  const std::filesystem::path directory = options.pictures;
  std::filesystem::create_directories(directory);
  const Simulation& simulation = layer.scene.simulation;
  const LayerLabel label{fmt::format("{} grains, {}", simulation.world.bodies.size(), name),
                         simulation.impact.impact_operator, watch.cycles().back().time,
                         pattern_limits(*layer.scene.measure.heights)};
  static_cast<void>(
      write_height_map(height_map_of(watch.heights(), label), directory / (name + "_heights.png")));
  static_cast<void>(write_height_map(spectrum_map_of(watch.spectrum(), watch.whole(), label),
                                     directory / (name + "_spectrum.png")));
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

// The numbers of the pattern in every cycle of the plate, when its waves are highest.
class Series {
 public:
  explicit Series(const std::string& path) {
    if (path.empty()) return;
    file_.reset(std::fopen(path.c_str(), "ab"));
    if (file_ == nullptr) throw std::runtime_error("cannot write " + path);
    fmt::print(file_.get(),
               "cycle,pattern,length,amplitude,ring,twofold,fourfold,sixfold,triads\n");
  }

  void add(const Layer& layer, const PatternWatch& watch) {
    if (file_ == nullptr || watch.cycles().size() == written_) return;
    written_ = watch.cycles().size();
    const PatternReport& seen = watch.cycles().back().report;
    fmt::print(file_.get(), "{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f}\n",
               watch.cycles().back().number, to_string(seen.pattern), seen.wavelength / layer.depth,
               seen.amplitude / layer.diameter, seen.in_ring, seen.twofold, seen.fourfold,
               seen.sixfold, seen.triads);
    std::fflush(file_.get());
  }

 private:
  FileHandle file_;
  std::size_t written_ = 0;
};

// Where the time of each step went.
class Trace {
 public:
  explicit Trace(const std::string& path) {
    if (path.empty()) return;
    file_.reset(std::fopen(path.c_str(), "ab"));
    if (file_ == nullptr) throw std::runtime_error("cannot write " + path);
    fmt::print(file_.get(),
               "time,rows,largest_part,redetections,held,detection,impact,layout,front,small_parts,"
               "linked_parts,other_parts,inelastic,friction,general\n");
  }

  void add(const StepReport& report) {
    if (file_ == nullptr) return;
    const SolverSeconds& s = report.solvers;
    fmt::print(file_.get(),
               "{:.6f},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},"
               "{:.6f}\n",
               report.time, report.rows, report.largest_part, report.redetections, report.held_rows,
               report.detection.cpu, report.impact.cpu, s.layout, s.front, s.small_parts,
               s.linked_parts, s.other_parts, s.inelastic, s.friction, s.general);
  }

 private:
  FileHandle file_;
};

// How long waves are for every step size, in depths.
class StepStudy {
 public:
  void begin(const std::string& label) { groups_.push_back({label, {}, {}}); }

  void add(double step, double from, const Layer& layer, const PatternWatch& watch) {
    grains_ = layer.scene.simulation.world.bodies.size();
    Group& group = groups_.back();
    group.whole.x.push_back(step);
    group.whole.y.push_back(watch.whole().wavelength / layer.depth);
    for (const PatternCycle& cycle : watch.cycles()) {
      if (cycle.number <= from) continue;
      group.cycles.x.push_back(step);
      group.cycles.y.push_back(cycle.report.wavelength / layer.depth);
    }
  }

  void write(const HexOptions& options) const {
    if (options.plot.empty()) return;
    PlotPanel panel;
    panel.x_label = "step (s)";
    panel.y_label = "wavelength (depths)";
    panel.log_x = true;
    panel.markers = {{3e-4, "the papers: converged"}, {1e-3, "the papers: shorter"}};
    for (const Group& group : groups_) {
      PlotSeries whole = group.whole;
      whole.label = group.label;
      PlotSeries cycles = group.cycles;
      cycles.label = group.label + ", each cycle";
      cycles.style = SeriesStyle::points;
      panel.series.push_back(whole);
      panel.series.push_back(cycles);
    }
    Figure figure;
    figure.title = "Waves of a shaken layer against the step size";
    figure.subtitle =
        fmt::format("{} grains, cycles {} to {}", grains_, options.from, options.cycles);
    figure.panels = {panel};
    figure.panel_height = 320.0;
    for (const std::filesystem::path& path : write_figure(figure, options.plot)) {
      fmt::print("wrote {}\n", path.string());
    }
  }

 private:
  struct Group {
    std::string label;
    PlotSeries whole;
    PlotSeries cycles;
  };
  std::vector<Group> groups_;
  std::size_t grains_ = 0;
};

void run_one(const HexOptions& options, const std::string& pattern, double step,
             const std::string& name, StepStudy& study) {
  LayerOptions wanted;
  wanted.pattern = pattern;
  wanted.width = options.width;
  wanted.across = options.across;
  wanted.acceleration = options.acceleration;
  wanted.seed = options.seed;
  wanted.step = step;
  wanted.impact_operator = name;
  wanted.friction_model = options.friction;
  wanted.rounds = options.rounds;
  const Layer layer = make_layer(wanted);
  const std::unique_ptr<Stepper> stepper = make_stepper(layer.scene.simulation);
  const auto steps = static_cast<std::uint64_t>(options.cycles * layer.period / step);
  const double from = options.from * layer.period;
  Column integration;
  Column detection;
  Column impact;
  Column applications;
  Column rows;
  Progress progress(pattern + " " + name);
  PatternWatch watch(layer.period, options.from, pattern_limits(*layer.scene.measure.heights));
  Series series(options.series);
  Trace trace(options.trace);
  for (std::uint64_t k = 0; k < steps; ++k) {
    const StepReport report = stepper->step();
    if (!report.can_go_on()) throw std::runtime_error(report.message);
    progress.show(k + 1, steps);
    const State& state = stepper->state();
    if (watch.is_due(state.time)) {
      watch.look(state.time, measured_heights(layer.scene, state.position, state.time));
    }
    series.add(layer, watch);
    if (report.time < from) continue;
    trace.add(report);
    integration.add(report.integration.cpu);
    detection.add(report.detection.cpu);
    impact.add(report.impact.cpu);
    applications.add(static_cast<double>(report.applications));
    rows.add(static_cast<double>(report.rows));
  }
  const PatternReport seen = watch.whole();
  const std::string what = fmt::format("{} of {} grains under {} h {:.0e}", pattern,
                                       layer.scene.simulation.world.bodies.size(), name, step);
  record_result(what, "integration average", "s", integration.average());
  record_result(what, "detection average", "s", detection.average());
  record_result(what, "impact and friction average", "s", impact.average());
  record_result(what, "impact and friction maximum", "s", impact.most);
  fmt::print(
      "{:<10}{:<6}{:>8}{:>8.0e}{:>9.4f}{:>9.4f}{:>9.4f}{:>9.4f}{:>9.4f}{:>9.1f}{:>6.0f}{:>9.0f}"
      "{:>9.0f}  {:<11}{:>5.1f}{:>6.2f}{:>6.2f}{:>6.2f}{:>6.2f}{:>7.2f}\n",
      pattern, name, layer.scene.simulation.world.bodies.size(), step, integration.average(),
      detection.average(), detection.most, impact.average(), impact.most, applications.average(),
      applications.most, rows.average(), rows.most, to_string(seen.pattern),
      seen.wavelength / layer.depth, seen.in_ring, seen.twofold, seen.fourfold, seen.sixfold,
      seen.triads);
  std::fflush(stdout);
  write_pictures(options, fmt::format("{}_{}_{:.0e}", pattern, name, step), layer, watch);
  study.add(step, options.from, layer, watch);
}

void run_all(const HexOptions& options) {
  fmt::print("Measured from plate cycle {} to {}\n\n", options.from, options.cycles);
  fmt::print("{:<32}{:>9}{:>18}{:>18}{:>15}{:>18}  {:<11}{:>5}{:>6}{:>18}{:>7}\n", "", "integr.",
             "detection", "impact, friction", "applications", "rows", "pattern", "length", "ring",
             "two/four/sixfold", "triads");
  fmt::print("{:<16}{:>8}{:>8}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>6}{:>9}{:>9}{:>18}\n", "", "grains",
             "step, s", "average", "average", "maximum", "average", "maximum", "average", "max",
             "average", "maximum", "/ depth");
  StepStudy study;
  for (const std::string& pattern : options.patterns) {
    for (const std::string& name : options.operators) {
      study.begin(fmt::format("{}, {}", pattern, name));
      for (const double step : options.steps) run_one(options, pattern, step, name, study);
    }
  }
  study.write(options);
}

int run_program(int argc, char** argv) {
  HexOptions options;
  CLI::App app("A layer of grains on a shaken plate: times and patterns");
  app.name("./dev bench hex");
  app.add_option("--patterns", options.patterns, "squares, stripes, hexagons")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--steps", options.steps, "Step sizes, s")->delimiter(',')->capture_default_str();
  app.add_option("--operators", options.operators, "gr, qce")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--friction", options.friction, "slip or box")->capture_default_str();
  app.add_option("--rounds", options.rounds, "Of re-detection; 0: as printed in the papers")
      ->capture_default_str();
  app.add_option(
         "--width", options.width,
         "Of a square as large as the plate, in diameters; 100: 60,000 grains; 0: the plate of "
         "the gallery's large layer")
      ->check(CLI::Range(0.0, 1000.0))
      ->capture_default_str();
  app.add_option(
         "--across", options.across,
         "Of the plate along x, in diameters; 0: as the gallery's large layer, two waves of "
         "squares and stripes, four of hexagons")
      ->check(CLI::Range(0.0, 1000.0))
      ->capture_default_str();
  app.add_option("--acceleration", options.acceleration,
                 "Gamma, of the plate in units of gravity; 0: that of the pattern")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Of the grains' places and velocities at the start")
      ->capture_default_str();
  app.add_option("--cycles", options.cycles, "Of the plate")
      ->check(CLI::Range(0.01, 1e6))
      ->capture_default_str();
  app.add_option("--from", options.from, "Cycle from which on times and waves count")
      ->capture_default_str();
  app.add_option("--pictures", options.pictures,
                 "Directory for maps of the last cycle's heights and of all waves (PNG)");
  app.add_option("--series", options.series, "Append the pattern's numbers in each cycle (CSV)");
  app.add_option("--plot", options.plot, "Draw wavelengths against step sizes (SVG, PNG)");
  app.add_option("--trace", options.trace, "Append where the time of each step went (CSV)");
  return parse_and_run(app, argc, argv, [&] { run_all(options); });
}

}  // namespace
}  // namespace carom::bench

int main(int argc, char** argv) {
  return carom::bench::guarded_main(argc, argv, carom::bench::run_program);
}
