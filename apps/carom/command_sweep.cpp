// carom sweep: one scene over values or seeds.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/recording/place.h"
#include "carom/scene/settings.h"
#include "carom/study/sweep.h"

#include "commands.h"
#include "file_kind.h"
#include "files.h"
#include "progress.h"
#include "scene_commands.h"
#include "scene_input.h"
#include "sweep_tasks.h"
#include "text_table.h"

namespace carom::cli {
namespace {

constexpr double kSecondsBetweenLines = 2.0;
constexpr std::size_t kMostLines = 24;

std::string text_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

SweepAxis seeds_of(const SweepPlan& plan, const std::string& range) {
  SweepAxis seeds = parse_sweep_axis("seed=" + range, "--seeds " + range);
  seeds.keys = generator_seed_keys(plan.text, plan.file);
  if (seeds.keys.empty()) {
    throw InputError({"", 0, 0, "--seeds"},
                     "the scene has no generator; name another key with --vary");
  }
  return seeds;
}

SweepPlan plan_of(const SweepCommand& command) {
  // A file that is no scene is told so before anything else.
  static_cast<void>(read_as(FileKind::scene, command.scene,
                            [&] { return read_scene_file(command.scene, command.settings); }));
  SweepPlan plan;
  plan.file = command.scene;
  plan.text = text_of(command.scene);
  plan.settings = command.settings;
  if (command.duration) {
    plan.settings.push_back("time.duration=" + exact_number(*command.duration));
  }
  if (!command.impact_operator.empty()) {
    demand_operator(command.impact_operator, "--operator");
    plan.settings.push_back("impact.operator=\"" + command.impact_operator + "\"");
  }
  if (!command.cases.empty()) plan.axes.push_back(parse_sweep_cases(command.cases));
  for (const std::string& text : command.vary) {
    plan.axes.push_back(parse_sweep_axis(text, "--vary " + text));
  }
  if (!command.seeds.empty()) plan.axes.push_back(seeds_of(plan, command.seeds));
  if (plan.axes.empty()) {
    throw InputError(
        {},
        "nothing is varied: --vary KEY=FIRST:LAST:COUNT, --seeds FIRST:LAST or --case NAME:...");
  }
  for (const std::string& text : command.measures) plan.measures.emplace_back(text);
  if (plan.measures.empty()) {
    plan.measures.emplace_back("energy");
    plan.measures.emplace_back("collisions");
  }
  return plan;
}

void print_table(const SweepPlan& plan, const SweepTable& table) {
  TextTable text(1);
  std::vector<std::string> heading;
  for (const SweepAxis& axis : plan.axes) heading.push_back(axis.label);
  for (const Measure& measure : plan.measures) heading.push_back(measure.text());
  text.add(heading);
  std::size_t lines = 0;
  for (std::size_t run = 0; run < plan.run_count() && lines < kMostLines; ++run) {
    if (!table.row(run)) continue;
    std::vector<std::string> cells = table.row(run)->values;
    for (const double value : table.row(run)->measured)
      cells.push_back(fmt::format("{:.6g}", value));
    text.add(std::move(cells));
    ++lines;
  }
  fmt::print("{}", text.text());
  if (table.finished() > lines) fmt::print("... and {} more\n", table.finished() - lines);
}

// A line about how far it is, at most every so often; and a table on the disk that holds nearly all
// that has finished, whatever ends the program.
class SweepProgress {
 public:
  SweepProgress(std::size_t total, bool quiet) : total_(total), quiet_(quiet) {}

  bool is_time_to_show() {
    const double now = seconds();
    if (now - shown_ < kSecondsBetweenLines) return false;
    shown_ = now;
    return true;
  }
  void show(std::size_t finished) const {
    if (!quiet_) fmt::print(stderr, "{} of {} runs\n", finished, total_);
  }

  /// Saving takes a tenth of the time at most.
  [[nodiscard]] bool is_time_to_save() const { return seconds() - saved_ >= 9.0 * save_seconds_; }
  template <typename Save>
  void save(const Save& save) {
    const double begin = seconds();
    save();
    saved_ = seconds();
    save_seconds_ = saved_ - begin;
  }

 private:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  std::size_t total_;
  bool quiet_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double shown_ = 0.0;
  double saved_ = 0.0;
  double save_seconds_ = 0.0;
};

}  // namespace

int run_sweep(const SweepCommand& command) {
  const SweepPlan plan = plan_of(command);
  SweepTable table(plan);
  const std::string prefix =
      command.output.empty() ? stem_of(command.scene) + "-sweep" : command.output;
  const std::filesystem::path path = prefix + ".csv";
  demand_directory_of(path);
  if (!command.force) {
    demand_replaceable(path, MadeFile::sweep_table);
    demand_pictures_replaceable(prefix);
  }
  const bool there = std::filesystem::exists(path);
  if (command.resume && !there) {
    throw InputError({path.string(), 0, 0, ""},
                     "there is no such table to go on with; leave out --resume to begin one");
  }
  if (!command.force && there) {
    const std::size_t taken = table.take_over(text_of(path.string()), path.string());
    fmt::print("{} of {} runs were there already\n", taken, plan.run_count());
  }
  SweepProgress progress(plan.run_count(), command.quiet);
  const InterruptGuard guard;
  if (command.slurm) {
    const auto save = [&] {
      write_whole(path, table.csv());
      progress.show(table.finished());
    };
    SweepTasks(command, plan, prefix).run(table, save);
  } else {
    SweepRunner runner;
    runner.threads = command.threads;
    runner.keep_going = [] { return !InterruptGuard::requested(); };
    runner.on_row = [&](const SweepTable& now) {
      if (progress.is_time_to_save()) progress.save([&] { write_whole(path, now.csv()); });
      if (progress.is_time_to_show()) progress.show(now.finished());
    };
    if (!command.runs.empty()) runner.runs = parse_runs(command.runs, plan);
    runner.run(plan, table);
    if (!command.runs.empty()) {  // a part of a table, for others to put together
      write_whole(path, table.csv());
      return InterruptGuard::requested() ? kExitInterrupted : kExitFine;
    }
  }
  const bool interrupted = table.finished() < plan.run_count();
  if (table.finished() > 0 || !there) write_whole(path, table.csv());
  if (!interrupted) print_table(plan, table);
  if (table.finished() > 0) {
    fmt::print("table: {}\n", path.string());
    for (const std::filesystem::path& plot : write_figure(table.figure(), prefix)) {
      fmt::print("plot: {}\n", plot.string());
    }
  }
  if (!interrupted) return kExitFine;
  fmt::print(
      "interrupted after {} of {} runs; the same command {}\n", table.finished(), plan.run_count(),
      command.slurm ? "collects what the job array does meanwhile" : "with --resume goes on");
  return kExitInterrupted;
}

}  // namespace carom::cli
