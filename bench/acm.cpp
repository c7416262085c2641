// ./dev bench acm: asynchronous contact by the fast engine and by the papers', on a sheet on spikes
// (1,704 vertices) and two hooked ribbons (960); what the papers' mechanisms save, one by one
// (--mechanisms); cost against the number of vertices (--growth); threads on a
// large sheet (--threads); the papers' large scenes (--scene).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "carom/asynchronous/engine.h"
#include "carom/asynchronous/reference/reference_engine.h"
#include "carom/plots/plot.h"

#include "acm/paper_scenes.h"
#include "acm/rebound.h"
#include "acm/scenes.h"
#include "common/clock.h"
#include "common/program.h"
#include "common/results.h"

namespace carom::bench {
namespace {

using asynchronous::AdvanceReport;
using asynchronous::AdvanceStatus;
using asynchronous::Configuration;
using asynchronous::Engine;
using asynchronous::EventCounts;
using asynchronous::Problem;
using asynchronous::Settings;
using asynchronous::reference::Mechanisms;
using asynchronous::reference::ReferenceEngine;
using asynchronous::reference::WorkCounts;

struct NamedScene {
  std::string name;
  Problem problem;
};

struct Cost {
  double seconds = 0.0;  ///< of the processor
  AdvanceReport report;
  EventCounts before;  ///< at the beginning of the span
  WorkCounts work;     ///< of the reference engine

  [[nodiscard]] std::uint64_t events() const {
    return report.counts.force_kicks + report.counts.contact_ticks - before.force_kicks -
           before.contact_ticks;
  }
};

// What part of a run is measured: from `begin`, when lists and certificates have settled.
struct Span {
  double begin = 0.0;
  double end = 0.0;

  [[nodiscard]] double length() const { return end - begin; }
};

template <class AnyEngine>
Cost measure(AnyEngine& engine, const Span& span) {
  Cost cost;
  cost.before = engine.advance(span.begin).counts;
  const double begin = thread_seconds();
  cost.report = engine.advance(span.end);
  cost.seconds = thread_seconds() - begin;
  if (cost.report.status != AdvanceStatus::reached) {
    throw std::runtime_error("a run did not come to its end");
  }
  return cost;
}

Cost run_fast(const Problem& problem, const Span& span) {
  Engine engine(problem);
  return measure(engine, span);
}

// Counts are those of the span.
Cost run_reference(const Problem& problem, const Span& span, const Mechanisms& mechanisms) {
  ReferenceEngine engine(problem, {}, mechanisms);
  static_cast<void>(engine.advance(span.begin));
  const WorkCounts before = engine.work();
  Cost cost = measure(engine, span);
  cost.work = engine.work();
  cost.work.slab_reschedules -= before.slab_reschedules;
  cost.work.box_reschedules -= before.box_reschedules;
  cost.work.slabs -= before.slabs;
  cost.work.box_certificates -= before.box_certificates;
  cost.work.corner_looks -= before.corner_looks;
  cost.work.axis_looks -= before.axis_looks;
  return cost;
}

// The problem as it is at a later time.
Problem later(const Problem& problem, double time) {
  Engine engine(problem);
  static_cast<void>(engine.advance(time));
  const asynchronous::Configuration now = engine.configuration();
  Problem result = problem;
  result.position = now.position;
  result.velocity = now.velocity;
  return result;
}

std::vector<NamedScene> measured_scenes() {
  return {{"spikes", sheet_on_spikes({})}, {"ribbons", hooked_ribbons(60, 8)}};
}

double millions(std::uint64_t count) { return 1e-6 * static_cast<double>(count); }

void print_line(const std::string& scene, const std::string& engine, const Cost& cost,
                const Span& span) {
  const double rate = 1e-3 * cost.seconds / span.length();
  const double events = millions(cost.events()) / cost.seconds;
  fmt::print(
      "{:<10}{:>22}{:>9.3g}{:>10.3g}{:>10.3g}{:>12.3g}{:>11.4g}", scene, engine,
      1e3 * span.length(), rate, events,
      millions(cost.work.slab_reschedules + cost.work.box_reschedules) / (1e3 * span.length()),
      cost.report.smallest_gap);
  record_result(scene + " " + engine, "per simulated ms", "s", rate);
  record_result(scene + " " + engine, "events", "M/s", events);
}

// Fast, and reference with and without vague trajectories, over the second half of the time; the
// last over a small part of it.
void compare(double duration, double sharp_duration) {
  fmt::print("{:<10}{:>22}{:>9}{:>10}{:>10}{:>12}{:>11}{:>9}\n", "scene", "engine", "ms", "s",
             "events", "reschedules", "smallest", "times");
  fmt::print("{:<10}{:>22}{:>9}{:>10}{:>10}{:>12}{:>11}{:>9}\n", "", "", "", "per ms", "M per s",
             "M per ms", "gap", "as long");
  const Span half = {0.5 * duration, duration};
  for (const NamedScene& scene : measured_scenes()) {
    const Cost fast = run_fast(scene.problem, half);
    print_line(scene.name, "fast", fast, half);
    fmt::print("{:>9}\n", 1);
    for (const bool vague : {true, false}) {
      Mechanisms mechanisms;
      mechanisms.vague_trajectories = vague;
      const Span span = vague ? half : Span{0.0, sharp_duration};
      const Problem problem = vague ? scene.problem : later(scene.problem, half.begin);
      const Cost slow = run_reference(problem, span, mechanisms);
      const std::string who = vague ? "reference" : "reference not vague";
      print_line(scene.name, who, slow, span);
      const double times = (slow.seconds / span.length()) / (fast.seconds / half.length());
      fmt::print("{:>9.3g}\n", times);
      record_result(scene.name + " " + who, "times as long as fast", "", times);
    }
  }
}

// Each mechanism left out alone, on a small scene: what has to be done more.
void compare_mechanisms(double duration) {
  struct Variant {
    std::string name;
    Mechanisms mechanisms;
  };
  std::vector<Variant> variants(7);
  variants[0].name = "all";
  variants[1].name = "no vague trajectories";
  variants[1].mechanisms.vague_trajectories = false;
  variants[2].name = "no envelopes";
  variants[2].mechanisms.envelopes = false;
  variants[3].name = "no adaptive axes";
  variants[3].mechanisms.adaptive_axes = false;
  variants[6].name = "no envelopes nor axes";
  variants[6].mechanisms.envelopes = false;
  variants[6].mechanisms.adaptive_axes = false;
  variants[4].name = "no hierarchy";
  variants[4].mechanisms.hierarchy = false;
  variants[5].name = "no supports";
  variants[5].mechanisms.supports = false;
  const std::vector<NamedScene> scenes = {
      {"spikes, small", sheet_on_spikes({9, 9, 0.0256, 2, 0.008})},
      {"ribbons, small", hooked_ribbons(24, 4)}};
  for (const NamedScene& scene : scenes) {
    fmt::print("{}: {} vertices, {:.3g} ms\n", scene.name, scene.problem.mass.size(),
               1e3 * duration);
    fmt::print("{:<24}{:>9}{:>12}{:>12}{:>9}{:>10}{:>12}{:>12}\n", "", "s", "slabs", "volumes",
               "slabs", "volumes", "axes", "vertices");
    fmt::print("{:<24}{:>9}{:>12}{:>12}{:>9}{:>10}{:>12}{:>12}\n", "", "", "resched.", "resched.",
               "failed", "looked at", "looked at", "looked at");
    const Problem late = later(scene.problem, duration);
    for (const Variant& variant : variants) {
      // Looking at everything after every event is for a tenth of the time.
      const double span = variant.mechanisms.supports ? duration : 0.1 * duration;
      const double scale = duration / span;
      const Cost cost = run_reference(late, {0.0, span}, variant.mechanisms);
      const WorkCounts& work = cost.work;
      const auto scaled = [&](std::uint64_t count) { return scale * static_cast<double>(count); };
      fmt::print("{:<24}{:>9.3g}{:>12.4g}{:>12.4g}{:>9.4g}{:>10.4g}{:>12.4g}{:>12.4g}\n",
                 variant.name, scale * cost.seconds, scaled(work.slab_reschedules),
                 scaled(work.box_reschedules), scaled(work.slabs), scaled(work.box_certificates),
                 scaled(work.axis_looks), scaled(work.corner_looks));
      const std::string what = scene.name.substr(0, scene.name.find(',')) + " " + variant.name;
      record_result(what, "slab reschedules", "", scaled(work.slab_reschedules));
      record_result(what, "volume reschedules", "", scaled(work.box_reschedules));
      record_result(what, "vertices looked at", "", scaled(work.corner_looks));
      record_result(what, "time", "s", scale * cost.seconds);
    }
    fmt::print("\n");
  }
}

// The slope of log cost over log size, through all points.
double exponent(const std::vector<double>& size, const std::vector<double>& cost) {
  double mean_x = 0.0;
  double mean_y = 0.0;
  const auto count = static_cast<double>(size.size());
  for (std::size_t k = 0; k < size.size(); ++k) {
    mean_x += std::log(size[k]) / count;
    mean_y += std::log(cost[k]) / count;
  }
  double xx = 0.0;
  double xy = 0.0;
  for (std::size_t k = 0; k < size.size(); ++k) {
    const double x = std::log(size[k]) - mean_x;
    xx += x * x;
    xy += x * (std::log(cost[k]) - mean_y);
  }
  return xy / xx;
}

// Less than half of the finest pitch: else every vertex has more neighbours within its thickness.
constexpr double kThin = 0.002;

// Cost of the fast engine per simulated time: larger sheets of one pitch, and one sheet finer.
void compare_sizes(double duration, int most, const std::string& plot) {
  PlotPanel panel;
  panel.x_label = "vertices";
  panel.y_label = "s of the processor per simulated ms";
  panel.log_x = true;
  panel.log_y = true;
  for (const bool refines : {false, true}) {
    fmt::print("{}\n{:>10}{:>12}{:>14}\n",
               refines ? "One sheet of 0.6 m, finer and finer" : "Larger and larger sheets",
               "vertices", "s per ms", "us per vertex");
    std::vector<double> sizes;
    std::vector<double> costs;
    for (int side = 12; side <= most; side *= 2) {
      const double pitch = refines ? 0.6 / (side - 1) : 0.0256;
      const int spikes = refines ? 4 : std::max(1, side / 6);
      const Problem problem = sheet_on_spikes({side, side, pitch, spikes, kThin});
      const auto vertices = static_cast<double>(side) * side;
      const Span span = {0.5 * duration, duration};
      const double cost = 1e-3 * run_fast(problem, span).seconds / span.length();
      fmt::print("{:>10}{:>12.4g}{:>14.4g}\n", side * side, cost, 1e6 * cost / vertices);
      sizes.push_back(vertices);
      costs.push_back(cost);
      record_result(fmt::format("{} {}", refines ? "finer" : "larger", side * side),
                    "per simulated ms", "s", cost);
    }
    const double power = exponent(sizes, costs);
    fmt::print("cost grows as n^{:.2f}\n\n", power);
    record_result(refines ? "finer" : "larger", "exponent", "", power);
    const std::string label = refines ? "finer" : "larger";
    panel.series.push_back({fmt::format("{}: n^{:.2f}", label, power), sizes, costs});
  }
  if (plot.empty()) return;
  Figure figure;
  figure.title = "Cost of the fast engine, sheets on spikes";
  figure.panels.push_back(std::move(panel));
  static_cast<void>(write_figure(figure, plot));
}

// A large sheet, the second half of the time, by one thread and by several.
void compare_threads(double duration, unsigned threads, int side) {
  const Problem problem = sheet_on_spikes({side, side, 0.0256, side / 6, kThin});
  fmt::print("sheet of {} vertices on spikes, {:.3g} ms; s as they pass\n",
             static_cast<long>(side) * side, 1e3 * duration);
  fmt::print("{:>10}{:>12}{:>12}{:>12}\n", "threads", "s", "s of CPU", "of the first");
  Configuration reference;
  double alone = 0.0;
  for (const unsigned count : {1U, threads}) {
    Settings settings;
    settings.threads = count;
    Engine engine(problem, settings);
    static_cast<void>(engine.advance(0.5 * duration));
    const double begin = wall_seconds();
    const double begin_all = process_seconds();
    static_cast<void>(engine.advance(duration));
    const double passed = wall_seconds() - begin;
    const double all = process_seconds() - begin_all;
    const Configuration end = engine.configuration();
    if (count == 1) {
      alone = passed;
      reference = end;
    } else if (end.position != reference.position || end.velocity != reference.velocity) {
      throw std::runtime_error("other bits with other threads");
    }
    fmt::print("{:>10}{:>12.4g}{:>12.4g}{:>12.3g}\n", count, passed, all, alone / passed);
    record_result(fmt::format("{} threads", count), "per simulated ms", "s",
                  1e-3 * passed / (0.5 * duration));
    record_result(fmt::format("{} threads", count), "times as fast as one", "", alone / passed);
  }
}

int run(int argc, char** argv) {
  CLI::App app{"asynchronous contact: the fast engine and the papers'", "bench_acm"};
  bool mechanisms = false;
  bool growth = false;
  bool rebound = false;
  double duration = 8e-3;
  double sharp_duration = 5e-5;
  int most = 48;
  unsigned threads = 1;
  int side = 142;
  std::string plot;
  PaperRun paper;
  app.add_option("--scene", paper.scene, "a large scene of the papers, fast engine, no audit")
      ->check(CLI::IsMember(paper_scene_names()));
  app.add_option("--seconds", paper.seconds, "of --scene: simulated, at most (s); 0: all")
      ->capture_default_str();
  app.add_option("--budget", paper.budget, "of --scene: CPU time, at most (s); 0: without end")
      ->capture_default_str();
  app.add_flag("--small", paper.is_small, "of --scene: as small as the gallery's ordinary run");
  app.add_option("--set", paper.set, "of --scene: a value of its file, table.key=value");
  app.add_option("--threads", threads,
                 "that many beside one, on a sheet of 20,164 vertices; with --scene: that many")
      ->capture_default_str();
  app.add_option("--side", side, "of the sheet of --threads, in vertices")->capture_default_str();
  app.add_flag("--mechanisms", mechanisms, "the papers' mechanisms, each left out alone");
  app.add_flag("--growth", growth, "cost against the number of vertices");
  app.add_flag("--rebound", rebound, "two thin spheres meet: does their rebound depend on a step?");
  app.add_option("--duration", duration, "simulated time of a run (s)")->capture_default_str();
  app.add_option("--sharp-duration", sharp_duration,
                 "the same without vague trajectories, which takes many times as long")
      ->capture_default_str();
  app.add_option("--most", most, "vertices along the side of the largest sheet of --growth")
      ->capture_default_str();
  app.add_option("--plot", plot, "file (.svg or .png) for the curves of --growth or --rebound");
  return parse_and_run(app, argc, argv, [&] {
    paper.threads = threads;
    if (!paper.scene.empty()) {
      run_paper_scene(paper);
    } else if (threads != 1) {
      compare_threads(duration, threads, side);
    } else if (rebound) {
      compare_rebounds(plot);
    } else if (mechanisms) {
      compare_mechanisms(duration);
    } else if (growth) {
      compare_sizes(duration, most, plot);
    } else {
      compare(duration, sharp_duration);
    }
  });
}

}  // namespace
}  // namespace carom::bench

int main(int argc, char** argv) {
  return carom::bench::guarded_main(argc, argv, carom::bench::run);
}
