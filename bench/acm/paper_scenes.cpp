// The papers' large scenes by the fast engine: what they cost, and what for.
#include "acm/paper_scenes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <stdexcept>
#include <string>

#include <fmt/core.h>

#include "carom/asynchronous/engine.h"
#include "carom/asynchronous/problem_of.h"
#include "carom/core/error.h"
#include "carom/scene/scene.h"

#include "common/clock.h"
#include "common/results.h"

namespace carom::bench {
namespace {

using asynchronous::AdvanceReport;
using asynchronous::AdvanceStatus;
using asynchronous::Engine;
using asynchronous::WorkSeconds;

// What others need for a whole run, as they say or as it was measured on the same mesh.
struct Known {
  std::string who;
  double vertices = 0.0;
  double seconds = 0.0;
};

struct PaperScene {
  std::string name;
  std::string file;  ///< of the gallery
  std::vector<Known> known;
};

// The papers' times are those of their tables. Codim-IPC was measured on the mesh of this scene,
// one thread of a two-core Xeon, h = 0.04 s.
const std::vector<PaperScene>& paper_scenes() {
  static const std::vector<PaperScene> scenes = {
      {"reef", "C7-reef-knot", {{"Harmon2009", 10642, 66'600}, {"Codim-IPC", 10642, 775}}},
      {"bowline", "C8-bowline", {{"Harmon2009", 3995, 520'000}}},
      {"compactor", "C9-compactor", {{"Harmon2009", 714, 193'000}}},
      {"draped", "C10-draped-sheets", {{"Harmon2009", 15982, 956'000}}},
      {"pulled", "C10-pulled-sheet", {{"Harmon2009", 15982, 1'172'000}}},
  };
  return scenes;
}

const PaperScene& scene_of(const std::string& name) {
  for (const PaperScene& scene : paper_scenes()) {
    if (scene.name == name) return scene;
  }
  std::string known;
  for (const std::string& one : paper_scene_names()) known += (known.empty() ? "" : ", ") + one;
  throw InputError({}, "there is no scene '" + name + "'; known: " + known);
}

Scene read_chosen(const PaperScene& scene, const PaperRun& chosen) {
  const std::string path = std::string(CAROM_SOURCE_DIR) + "/gallery/" + scene.file + ".toml";
  std::vector<std::string> set;
  if (!chosen.is_small) {
    const Scene ordinary = read_scene_file(path);
    if (ordinary.slow_parameters.has("set")) set = ordinary.slow_parameters.texts("set");
  }
  set.insert(set.end(), chosen.set.begin(), chosen.set.end());
  return read_scene_file(path, set);
}

// A line each for ten parts of the run: what a simulated second costs as it goes on.
class Course {
 public:
  explicit Course(double end) : end_(end) {
    fmt::print("{:>10}{:>12}{:>14}{:>12}{:>10}{:>12}\n", "time", "CPU so far", "CPU per sim. s",
               "M events/s", "deepest", "smallest");
    fmt::print("{:>10}{:>12}{:>14}{:>12}{:>10}{:>12}\n", "s", "s", "s", "", "layer", "gap");
  }

  void tell(const AdvanceReport& report, double cpu) {
    if (report.time < next_ * (1.0 - 1e-9)) return;
    const std::uint64_t events = report.counts.force_kicks + report.counts.contact_ticks;
    fmt::print("{:>10.4g}{:>12.4g}{:>14.4g}{:>12.4g}{:>10}{:>12.4g}\n", report.time, cpu,
               (cpu - cpu_) / (report.time - time_),
               1e-6 * static_cast<double>(events - events_) / std::max(cpu - cpu_, 1e-9),
               report.deepest_layer, report.smallest_gap);
    std::fflush(stdout);
    time_ = report.time;
    cpu_ = cpu;
    events_ = events;
    while (next_ <= report.time * (1.0 + 1e-9)) next_ += 0.1 * end_;
  }

 private:
  double end_;
  double next_ = 0.1 * end_;
  double time_ = 0.0;
  double cpu_ = 0.0;
  std::uint64_t events_ = 0;
};

// Of the lines of /proc/self/status, in bytes: VmRSS, resident now, and VmHWM, at most so far.
double resident_bytes(const std::string& line) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != line + ":") continue;
    double kilobytes = 0.0;
    status >> kilobytes;
    return 1024.0 * kilobytes;
  }
  return 0.0;
}

// The engine measures time as it passes, on a machine that may be busy: of it the shares count.
void print_shares(const std::string& what, const WorkSeconds& work, double cpu) {
  const std::array<std::pair<const char*, double>, 4> kinds = {{
      {"lists of pairs", work.lists},
      {"contact ticks", work.contact_ticks},
      {"elastic kicks", work.force_kicks},
      {"certificates and plans", work.certificates},
  }};
  double sum = 0.0;
  for (const auto& [name, seconds] : kinds) sum += seconds;
  for (const auto& [name, seconds] : kinds) {
    const double share = seconds / std::max(sum, 1e-9);
    fmt::print("  {:<24}{:>10.4g} s{:>8.1f}%\n", name, share * cpu, 100.0 * share);
    record_result(what, fmt::format("share of {}", name), "%", 100.0 * share);
  }
}

void print_others(const PaperScene& scene, std::size_t vertices, double cpu) {
  for (const Known& known : scene.known) {
    fmt::print("  {:<12}{:>10.6g} s, {:.4g} times as long{}\n", known.who, known.seconds,
               known.seconds / cpu,
               static_cast<double>(vertices) == known.vertices
                   ? ""
                   : fmt::format(", with {:g} vertices", known.vertices));
  }
}

}  // namespace

const std::vector<std::string>& paper_scene_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const PaperScene& scene : paper_scenes()) all.push_back(scene.name);
    return all;
  }();
  return names;
}

void run_paper_scene(const PaperRun& chosen) {
  const PaperScene& named = scene_of(chosen.scene);
  const Scene scene = read_chosen(named, chosen);
  const double whole = scene.simulation.time.duration;
  const double end = chosen.seconds > 0.0 ? std::min(chosen.seconds, whole) : whole;
  const asynchronous::Problem problem = asynchronous::problem_of(scene.simulation);
  const std::size_t vertices = problem.mass.size();
  fmt::print("{} ({}): {} vertices, {} of them held; {:g} s simulated", named.name, scene.title,
             vertices, problem.held.size(), end);
  fmt::print("{}\n", end < whole ? fmt::format(" of its {:g}", whole) : "");
  asynchronous::Settings settings = asynchronous::settings_of(scene.simulation);
  settings.threads = chosen.threads;
  // Of one thread the time that it computed, of several the time as it passes.
  const auto seconds = [&] { return settings.threads == 1 ? thread_seconds() : wall_seconds(); };
  const double resident = resident_bytes("VmRSS");
  const double begin = seconds();
  Engine engine(problem, settings);
  engine.measure_work(true);
  Course course(end);
  Index most_pairs = 0;
  AdvanceReport report = engine.advance(end, [&](const AdvanceReport& so_far) {
    const double cpu = seconds() - begin;
    course.tell(so_far, cpu);
    most_pairs = std::max(most_pairs, so_far.pairs);
    return chosen.budget <= 0.0 || cpu < chosen.budget;
  });
  const double cpu = seconds() - begin;
  course.tell(report, cpu);
  const bool is_whole = report.status == AdvanceStatus::reached && end == whole;
  std::string what = chosen.is_small ? named.name + " small" : named.name;
  if (settings.threads != 1) what += fmt::format(" {} threads", settings.threads);
  if (!is_whole) what += fmt::format(" first {:.4g} s", report.time);
  fmt::print("\n{}: {:.4g} s {}, {:.4g} s simulated", to_string(report.status), cpu,
             settings.threads == 1 ? "of one thread" : "as they pass, of several threads",
             report.time);
  fmt::print("{}\n", is_whole ? "" : fmt::format(": NOT the whole run of {:g} s", whole));
  print_shares(what, engine.work_seconds(), cpu);
  fmt::print("deepest layer {}, smallest gap {:.4g}\n", report.deepest_layer, report.smallest_gap);
  const double grown = resident_bytes("VmHWM") - resident;
  fmt::print("memory: {:.4g} MB, {:.0f} bytes a vertex; at most {} pairs in the lists\n",
             1e-6 * grown, grown / static_cast<double>(vertices), most_pairs);
  record_result(what, "memory", "MB", 1e-6 * grown);
  record_result(what, "most pairs", "", most_pairs);
  record_result(what, "vertices", "", static_cast<double>(vertices));
  record_result(what, "simulated", "s", report.time);
  record_result(what, "time", "s", cpu);
  record_result(what, "deepest layer", "", report.deepest_layer);
  record_result(what, "smallest gap", "cm", report.smallest_gap);
  if (chosen.is_small) return;
  if (!is_whole) {
    fmt::print("others, for the whole run:\n");
    for (const Known& known : named.known) {
      fmt::print("  {:<12}{:>10.6g} s\n", known.who, known.seconds);
    }
    return;
  }
  print_others(named, vertices, cpu);
}

}  // namespace carom::bench
