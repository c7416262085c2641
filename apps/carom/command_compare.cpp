// carom compare: one scene under several operators.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/page/page.h"
#include "carom/page/run_views.h"
#include "carom/plots/plot.h"
#include "carom/recording/place.h"
#include "carom/recording/reader.h"
#include "carom/runs/scene_check.h"
#include "carom/runs/scene_run.h"
#include "carom/scene/scene.h"

#include "commands.h"
#include "files.h"
#include "kept_runs.h"
#include "progress.h"
#include "scene_commands.h"
#include "scene_input.h"
#include "text_table.h"
#include "viewer_template.h"

namespace carom::cli {
namespace {

// "gr,gauss_seidel:order=random,seed=7,qce": a piece with '=' but no ':' belongs to the one before.
std::vector<std::string> split_operators(const std::string& text) {
  std::vector<std::string> list;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string piece = text.substr(begin, end - begin);
    const bool option =
        piece.find('=') != std::string::npos && piece.find(':') == std::string::npos;
    if (option && !list.empty()) {
      list.back() += "," + piece;
    } else if (!piece.empty()) {
      list.push_back(piece);
    }
    begin = end + 1;
  }
  return list;
}

double error_at_end(const SymmetryExpectation& symmetry, const RunRecord& record) {
  return symmetry_error(symmetry, record.frame(0), record.frame(record.frame_times().size() - 1));
}

// One of the runs, recorded on the disk.
struct ComparedRun {
  std::unique_ptr<FileRecord> record;
  RunStatistics statistics;
};

void print_table(const Scene& scene, const std::vector<ComparedRun>& runs) {
  const std::vector<SymmetryExpectation> symmetries = symmetries_of(scene);
  TextTable table(2);
  std::vector<std::string> titles = {"operator",    "status",       "energy drift", "momentum",
                                     "penetration", "applications", "seconds"};
  for (const SymmetryExpectation& symmetry : symmetries) {
    titles.push_back(std::string(to_string(symmetry.kind)) + " error");
  }
  table.add(titles);
  for (const ComparedRun& run : runs) {
    const RunStatistics& s = run.statistics;
    const RunEnd& end = run.record->end();
    std::vector<std::string> cells = {run.record->header().impact_operator,
                                      end.status == RunStatus::finished
                                          ? std::string(to_string(s.worst_status()))
                                          : std::string(to_string(end.status)),
                                      residual_text(s.energy_drift()),
                                      residual_text(s.momentum_change()),
                                      residual_text(s.penetration_relative()),
                                      std::to_string(s.applications_most()),
                                      fmt::format("{:.2f}", end.wall_seconds)};
    for (const SymmetryExpectation& symmetry : symmetries) {
      cells.push_back(residual_text(error_at_end(symmetry, *run.record)));
    }
    table.add(cells);
  }
  fmt::print("{}", table.text());
}

void write_pictures(const std::string& prefix, const std::vector<ComparedRun>& runs) {
  std::vector<const RunRecord*> records;
  std::vector<PageRun> pages;
  for (const ComparedRun& run : runs) {
    records.push_back(run.record.get());
    pages.push_back(page_run(*run.record, page_frames(run.record->header(), runs.size())));
    pages.back().scene_name = run.record->header().scene_name;
    pages.back().title = run.record->header().impact_operator;
    pages.back().impact_operator.clear();  // it is the title already
  }
  for (const std::filesystem::path& path : write_figure(run_figure(records), prefix)) {
    fmt::print("plot: {}\n", path.string());
  }
  if (viewer_template().empty()) {
    fmt::print("no page: this build of carom has no viewer\n");
    return;
  }
  const std::string path = prefix + ".html";
  write_whole(path, make_page(viewer_template(), pages).html);
  fmt::print("page: {}\n", path);
}

std::uint64_t steps_of(const CompareCommand& command, const Scene& scene) {
  return command.steps.value_or(step_count(scene.simulation.time));
}

// A recording of this very run, begun by an earlier command; null where there is none.
std::unique_ptr<FileRecord> begun_run(const std::filesystem::path& file, const Scene& scene,
                                      const RunOptions& options) {
  std::error_code none;
  const std::uintmax_t journal = std::filesystem::file_size(journal_path(file), none);
  const bool begun = !none && journal > 0;
  if (!begun && !std::filesystem::exists(file)) return nullptr;
  auto record = std::make_unique<FileRecord>(open_newest_run(file));
  if (record->header().scene_text != scene.text ||
      record->header().impact_operator != options.impact_operator ||
      scene_of(record->header()).steps != options.steps) {
    throw InputError({file.string(), 0, 0, ""},
                     "is a run of another comparison (another scene, length or operator): go on "
                     "with that one, begin anew with --force, or name other files with -o");
  }
  return record;
}

// Runs the scene, or what is left of the run where it was begun before.
ComparedRun run_into(const std::filesystem::path& file, const Scene& scene,
                     const RunOptions& options) {
  const std::unique_ptr<FileRecord> begun = begun_run(file, scene, options);
  const bool ended =
      begun != nullptr && !begun->reader().from_journal() &&
      (begun->end().status == RunStatus::finished || begun->end().status == RunStatus::failed);
  if (begun == nullptr) {
    record_scene(scene, file, options);
  } else if (!ended) {
    RunOptions rest;
    rest.observer = options.observer;
    resume_recording(file, rest);
  }
  ComparedRun run;
  run.record = std::make_unique<FileRecord>(open_recording(file));
  run.statistics = recorded_statistics(*run.record);
  return run;
}

}  // namespace

int run_compare(const CompareCommand& command) {
  const Scene scene = read_scene_for(command.scene, command.settings, command.duration);
  const std::vector<std::string> operators =
      command.operators.empty() ? scene.operators : split_operators(command.operators);
  if (operators.empty()) throw InputError({"", 0, 0, "--operators"}, "names no operator");
  for (const std::string& name : operators) demand_operator(name, "--operators");
  const std::string prefix =
      command.output.empty() ? stem_of(command.scene) + "-compare" : command.output;
  demand_directory_of(prefix);
  if (!command.force) {
    demand_pictures_replaceable(prefix);
    demand_replaceable(prefix + ".html", MadeFile::page);
  }
  const InterruptGuard guard;
  KeptRuns kept(prefix + ".runs", command.resume, command.force);
  std::vector<ComparedRun> runs;
  for (const std::string& name : operators) {
    ProgressDisplay display({command.quiet, name});
    RunOptions options;
    options.impact_operator = name;
    options.steps = steps_of(command, scene);
    options.observer = &display;
    ComparedRun run = run_into(kept.file(runs.size(), name), scene, options);
    display.finish();
    if (run.record->end().status == RunStatus::interrupted) break;
    runs.push_back(std::move(run));
    if (InterruptGuard::requested()) break;
  }
  if (!runs.empty()) {
    print_table(scene, runs);
    write_pictures(prefix, runs);
  }
  if (runs.size() < operators.size()) {
    fmt::print("interrupted after {} of {} operators; the same command with --resume goes on\n",
               runs.size(), operators.size());
    return kExitInterrupted;
  }
  kept.remove();
  return kExitFine;
}

}  // namespace carom::cli
