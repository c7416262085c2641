// ./dev bench peers: elastic balls dropped into a box under Carom and under other engines, in one
// run and on one thread: seconds per step, energy, mirror symmetry, overlap.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "common/clock.h"
#include "common/mirror.h"
#include "common/program.h"
#include "common/progress.h"
#include "common/results.h"
#include "peers/engine.h"
#include "peers/scene.h"

namespace carom::bench {
namespace {

constexpr double kMirrorLost = 1e-6;  // radii

struct Contender {
  std::string name;
  std::function<std::unique_ptr<PeerEngine>(const PeerScene&)> make;
};

std::vector<Contender> contenders() {
  std::vector<Contender> all;
  const auto add_carom = [&](const std::string& name, const CaromOptions& options) {
    all.push_back({name, [=](const PeerScene& scene) { return make_carom(scene, options); }});
  };
  add_carom("carom gr", {"gr", false, "none"});
  add_carom("carom qce", {"qce", false, "none"});
  add_carom("carom gr as printed", {"gr", true, "none"});
  add_carom("carom qce as printed", {"qce", true, "none"});
  add_carom("carom gr exact", {"gr", true, "exact"});
  all.push_back({"box2d", make_box2d});
  all.push_back({"bullet", make_bullet});
  all.push_back({"ode", make_ode});
  return all;
}

struct Outcome {
  double cpu_average = 0.0;  ///< s per step
  double cpu_most = 0.0;
  double energy_ratio = 1.0;             ///< at the end over the start
  double mirror_error = 0.0;             ///< at the end, radii
  std::optional<double> mirror_lost_at;  ///< s
  double overlap = 0.0;                  ///< the deepest after any step, radii
};

Outcome run(const Contender& contender, const PeerScene& scene, std::uint64_t steps) {
  const MirrorPairs mirror(scene.start);
  const std::unique_ptr<PeerEngine> engine = contender.make(scene);
  State state;
  state.position = scene.start;
  state.velocity.resize(scene.start.size());
  const double energy_at_start = energy(scene, state);
  Outcome outcome;
  Progress progress(contender.name);
  double cpu_sum = 0.0;
  for (std::uint64_t step = 1; step <= steps; ++step) {
    const double begin = thread_seconds();
    engine->step();
    const double cpu = thread_seconds() - begin;
    cpu_sum += cpu;
    outcome.cpu_most = std::max(outcome.cpu_most, cpu);
    engine->read(state);
    outcome.mirror_error = mirror.error(state.position) / scene.radius;
    if (outcome.mirror_error > kMirrorLost && !outcome.mirror_lost_at) {
      outcome.mirror_lost_at = scene.step * static_cast<double>(step);
    }
    outcome.overlap = std::max(outcome.overlap, deepest_overlap(scene, state));
    progress.show(step, steps);
  }
  outcome.cpu_average = cpu_sum / static_cast<double>(steps);
  outcome.energy_ratio = energy(scene, state) / energy_at_start;
  return outcome;
}

void print_title(const PeerScene& scene, std::uint64_t steps) {
  fmt::print("{} balls dropped into a box as a {}, {} steps of {} s, one thread\n\n",
             scene.start.size(), scene.name, steps, scene.step);
  fmt::print("{:<22}{:>24}{:>16}{:>14}{:>14}{:>10}\n", "", "CPU seconds per step", "energy ratio",
             "mirror error", "mirror lost", "overlap");
  fmt::print("{:<22}{:>12}{:>12}{:>16}{:>14}{:>14}{:>10}\n", "", "average", "maximum", "at the end",
             "radii", "after s", "radii");
}

void print_row(const std::string& name, const Outcome& outcome) {
  fmt::print("{:<22}{:>12.6f}{:>12.6f}{:>16.9f}{:>14.1e}{:>14}{:>10.1e}\n", name,
             outcome.cpu_average, outcome.cpu_most, outcome.energy_ratio, outcome.mirror_error,
             outcome.mirror_lost_at ? fmt::format("{:.2f}", *outcome.mirror_lost_at) : "never",
             outcome.overlap);
}

void print_csv_row(const std::string& name, Index n, const PeerScene& scene,
                   const Outcome& outcome) {
  fmt::print("{},{},{},{},{:.6g},{:.6g},{:.15g},{:.3g},{:.4g},{:.3g}\n", scene.name, name, n,
             scene.start.size(), outcome.cpu_average, outcome.cpu_most, outcome.energy_ratio,
             outcome.mirror_error, outcome.mirror_lost_at.value_or(std::nan("")), outcome.overlap);
}

struct PeerOptions {
  std::vector<Index> n = {1000, 10000};
  std::vector<std::string> scenes = peer_scene_names();
  std::vector<std::string> engines;  ///< empty: all
  double seconds = 2.0;
  bool csv = false;

  [[nodiscard]] bool runs(const std::string& engine) const {
    return engines.empty() || std::find(engines.begin(), engines.end(), engine) != engines.end();
  }
};

void run_scene(const PeerOptions& options, const PeerScene& scene, Index n) {
  const auto steps = static_cast<std::uint64_t>(std::llround(options.seconds / scene.step));
  if (!options.csv) print_title(scene, steps);
  for (const Contender& contender : contenders()) {
    if (!options.runs(contender.name)) continue;
    const Outcome outcome = run(contender, scene, steps);
    const std::string what = fmt::format("{} of {} balls", scene.name, scene.start.size());
    record_result(what, contender.name + " average step", "s", outcome.cpu_average);
    record_result(what, contender.name + " energy at the end", "ratio", outcome.energy_ratio);
    record_result(what, contender.name + " overlap", "radii", outcome.overlap);
    if (options.csv) {
      print_csv_row(contender.name, n, scene, outcome);
    } else {
      print_row(contender.name, outcome);
    }
    std::fflush(stdout);
  }
  if (!options.csv) fmt::print("\n");
}

void run_all(const PeerOptions& options) {
  if (options.csv) {
    fmt::print(
        "scene,engine,n,balls,step_avg,step_max,energy_ratio,mirror_error,mirror_lost_at,"
        "overlap\n");
  }
  for (const Index n : options.n) {
    for (const std::string& name : options.scenes) run_scene(options, make_peer_scene(name, n), n);
  }
}

int run_program(int argc, char** argv) {
  PeerOptions options;
  CLI::App app("Elastic balls dropped into a box under Carom, Box2D, Bullet and ODE");
  app.name("./dev bench peers");
  app.add_option("--n", options.n, "Numbers of balls, e.g. 1000,10000")
      ->delimiter(',')
      ->check(CLI::Range(Index{1}, Index{1'000'000}))
      ->capture_default_str();
  std::vector<std::string> names;
  for (const Contender& contender : contenders()) names.push_back(contender.name);
  app.add_option("--scenes", options.scenes, "How the balls stand at first")
      ->delimiter(',')
      ->check(CLI::IsMember(peer_scene_names()))
      ->capture_default_str();
  app.add_option("--engines", options.engines, "Only these, e.g. \"carom gr as printed,ode\"")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  app.add_option("--seconds", options.seconds, "Simulated time")
      ->check(CLI::Range(0.01, 1e6))
      ->capture_default_str();
  app.add_flag("--csv", options.csv, "A header line and one row per engine and number of balls");
  return parse_and_run(app, argc, argv, [&] { run_all(options); });
}

}  // namespace
}  // namespace carom::bench

int main(int argc, char** argv) {
  return carom::bench::guarded_main(argc, argv, carom::bench::run_program);
}
