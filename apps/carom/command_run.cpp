// carom run: a scene into a recording, and the way back into one.

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/measures/settled.h"
#include "carom/recording/place.h"
#include "carom/recording/reader.h"
#include "carom/runs/scene_run.h"
#include "carom/scene/instant.h"
#include "carom/scene/scene.h"
#include "carom/schemes/registry.h"

#include "commands.h"
#include "file_kind.h"
#include "files.h"
#include "progress.h"
#include "run_text.h"
#include "scene_commands.h"
#include "scene_input.h"

namespace carom::cli {
namespace {

RunOptions options_of(const RunCommand& command, RunObserver& observer) {
  RunOptions options;
  options.impact_operator = command.impact_operator;
  options.steps = command.steps;
  options.threads = command.threads;
  options.observer = &observer;
  return options;
}

// A run that waits to be resumed is not thrown away by a second one, and a good recording is not
// replaced by a run that makes no step.
void guard_recording(const std::filesystem::path& path, std::uint64_t steps) {
  // An empty journal is what a run leaves that was killed before it had begun.
  std::error_code none;
  const std::uintmax_t journal = std::filesystem::file_size(journal_path(path), none);
  const bool begun = !none && journal > 0;
  demand_replaceable(path, MadeFile::recording);
  if (!begun && !std::filesystem::exists(path)) return;
  const RecordingReader reader = open_newest_run(path);
  const auto refuse = [&](const std::string& message) {
    throw InputError({path.string(), 0, 0, ""}, message);
  };
  switch (reader.end().status) {
    case RunStatus::running:
      refuse(
          "is being written by another process; wait until it has ended, or name another file "
          "with -o");
      break;
    case RunStatus::interrupted:
    case RunStatus::crashed:
      refuse("holds an unfinished run: continue it with --resume, or replace it with --force");
      break;
    case RunStatus::finished:
      if (!reader.from_journal()) break;
      refuse(
          "has a run in its journal that finished and found no room for its file: make that "
          "with --resume, or replace it with --force");
      break;
    case RunStatus::failed:
      break;
  }
  if (steps == 0 && reader.diagnostics_count() > 1) {
    refuse(
        fmt::format("holds a run of {} steps, and this one would make none: --force "
                    "replaces it, -o names another file",
                    reader.diagnostics_count() - 1));
  }
}

// Whether it came to rest; a scene without gravity says nothing but by its [measure] settled.
void print_settled(const std::string& path, const Scene* scene) {
  const FileRecord record(open_newest_run(path));
  const std::optional<Settled> settled =
      scene != nullptr ? settled_state(record, *scene)
                       : settled_state(record, scene_of(record.header()).scene);
  if (settled) fmt::print("{}\n", describe(*settled));
}

// `scene`: where it is at hand.
int report_end(const RunSummary& summary, const std::string& path, const Scene* scene) {
  print_summary(summary);
  if (summary.end.status == RunStatus::finished) print_settled(path, scene);
  const std::string place = summary.in_journal ? journal_path(path).string() : path;
  if (summary.in_journal) {
    fmt::print("{} holds a finished run and stays as it was; this one is in {}\n", path, place);
  }
  switch (summary.end.status) {
    case RunStatus::interrupted:
      fmt::print("interrupted; continue with: carom run --resume {}\n", path);
      return kExitInterrupted;
    case RunStatus::failed:
      fmt::print("recording: {}\n", place);
      std::fflush(stdout);
      fmt::print(stderr, "carom: the run stopped: {}\n", summary.end.reason);
      return kExitNumerical;
    case RunStatus::finished:
    case RunStatus::crashed:
    case RunStatus::running:
      break;
  }
  fmt::print("recording: {}\n", place);
  return summary.statistics.worst_status() >= ImpactStatus::collapsed ? kExitNumerical : kExitFine;
}

int resume(const RunCommand& command) {
  const bool more = !command.scene.empty() || !command.settings.empty() ||
                    !command.impact_operator.empty() || !command.output.empty() ||
                    command.dump_impact || command.audit;
  if (more) {
    throw InputError({"", 0, 0, "--resume"},
                     "continues the recording as it was begun: scene, operator, settings and file "
                     "are the recording's; only --duration or --steps may be given");
  }
  ProgressDisplay display({command.quiet, ""});
  const InterruptGuard guard;
  RunOptions options = options_of(command, display);
  options.duration = command.duration;
  const RunSummary summary = read_as(FileKind::recording, command.resume,
                                     [&] { return resume_recording(command.resume, options); });
  display.finish();
  fmt::print("resumed from step {}\n", summary.first_step);
  return report_end(summary, command.resume, nullptr);
}

Scene scene_to_run(const RunCommand& command) {
  Scene scene = read_scene_for(command.scene, command.settings, command.duration);
  if (!command.audit) return scene;
  const std::string& scheme = scene.simulation.time.scheme;
  if (!scheme_info(scheme).exact_audit) {
    throw InputError({"", 0, 0, "--audit"},
                     "is for scenes with time.scheme " +
                         schemes_where([](const SchemeInfo& i) { return i.exact_audit; }) +
                         "; this one has \"" + scheme + "\"");
  }
  std::vector<std::string> settings = command.settings;
  settings.push_back(scheme + ".audit=motion");
  return read_scene_for(command.scene, settings, command.duration);
}

int dump_impact(const RunCommand& command, const Scene& scene) {
  const std::string path =
      command.output.empty()
          ? fmt::format("{}-step{}.toml", stem_of(command.scene), *command.dump_impact)
          : command.output;
  if (!command.force) demand_replaceable(path, MadeFile::instant);
  ProgressDisplay display({true, ""});
  const Instant instant =
      instant_of_step(scene, *command.dump_impact, options_of(command, display));
  if (instant.problem.row_count() == 0) {
    throw InputError({"", 0, 0, "--dump-impact"},
                     "no contact is active in step " + std::to_string(*command.dump_impact));
  }
  write_whole(path, fmt::format("# {} from step {} of {}\n{}", kMadeByCarom, *command.dump_impact,
                                command.scene, write_instant(instant)));
  fmt::print("{} rows of step {} written; resolve them with: carom impact {}\n",
             instant.problem.row_count(), *command.dump_impact, path);
  return kExitFine;
}

}  // namespace

int run_run(const RunCommand& command) {
  if (!command.resume.empty()) return resume(command);
  if (command.scene.empty()) throw InputError({}, "a scene file is missing; see: carom run --help");
  const Scene scene = scene_to_run(command);
  if (!command.impact_operator.empty()) demand_operator(command.impact_operator, "--operator");
  if (command.dump_impact) return dump_impact(command, scene);
  const std::string path = command.output.empty() ? stem_of(command.scene) + ".h5" : command.output;
  if (!command.force) {
    guard_recording(path, command.steps.value_or(step_count(scene.simulation.time)));
  }
  ProgressDisplay display({command.quiet, ""});
  const InterruptGuard guard;
  const RunSummary summary = record_scene(scene, path, options_of(command, display));
  display.finish();
  return report_end(summary, path, &scene);
}

}  // namespace carom::cli
