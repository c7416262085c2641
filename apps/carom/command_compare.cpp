#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/scene/scene.h"
#include "carom/study/page.h"
#include "carom/study/plot.h"
#include "carom/study/run_views.h"
#include "carom/study/scene_check.h"
#include "carom/study/scene_run.h"

#include "commands.h"
#include "files.h"
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

// The symmetries that the scene speaks of anywhere, each once.
std::vector<SymmetryExpectation> symmetries_of(const Scene& scene) {
  std::vector<SymmetryExpectation> list;
  for (const SceneExpectation& expectation : scene.expectations) {
    for (const SymmetryExpectation& symmetry : expectation.symmetries) {
      const bool known = std::any_of(list.begin(), list.end(), [&](const auto& other) {
        return other.kind == symmetry.kind && other.center == symmetry.center &&
               other.axis == symmetry.axis && other.angle == symmetry.angle;
      });
      if (!known) list.push_back(symmetry);
    }
  }
  return list;
}

double error_at_end(const SymmetryExpectation& symmetry, const RunRecord& record) {
  return symmetry_error(symmetry, record.frame(0), record.frame(record.frame_times().size() - 1));
}

// One of the runs, recorded on the disk.
struct ComparedRun {
  RunSummary summary;
  std::unique_ptr<FileRecord> record;
};

// A directory beside the results, so that it is on a disk that was meant to take something.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(const std::string& prefix) : path_(prefix + ".runs-XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) {
      throw InputError({prefix, 0, 0, ""}, "no directory can be made beside it: " +
                                               std::generic_category().message(errno));
    }
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::filesystem::path file(std::size_t number) const {
    return std::filesystem::path(path_) / (std::to_string(number) + ".h5");
  }

 private:
  std::string path_;
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
    const RunStatistics& s = run.summary.statistics;
    std::vector<std::string> cells = {run.record->header().impact_operator,
                                      run.summary.end.status == RunStatus::finished
                                          ? std::string(to_string(s.worst_status()))
                                          : std::string(to_string(run.summary.end.status)),
                                      residual_text(s.energy_drift()),
                                      residual_text(s.momentum_change()),
                                      residual_text(s.penetration_relative()),
                                      std::to_string(s.applications_most()),
                                      fmt::format("{:.2f}", run.summary.wall_seconds)};
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
  write_text(path, make_page(viewer_template(), pages).html);
  fmt::print("page: {}\n", path);
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
  const InterruptGuard guard;
  const TemporaryDirectory directory(prefix);
  std::vector<ComparedRun> runs;
  for (const std::string& name : operators) {
    ProgressDisplay display({command.quiet, name});
    RunOptions options;
    options.impact_operator = name;
    options.steps = command.steps;
    options.observer = &display;
    const std::filesystem::path file = directory.file(runs.size());
    ComparedRun run{record_scene(scene, file, options), nullptr};
    run.record = std::make_unique<FileRecord>(open_recording(file));
    runs.push_back(std::move(run));
    display.finish();
    if (InterruptGuard::requested()) {
      fmt::print("interrupted; nothing was written\n");
      return kExitInterrupted;
    }
  }
  print_table(scene, runs);
  write_pictures(prefix, runs);
  return kExitFine;
}

}  // namespace carom::cli
