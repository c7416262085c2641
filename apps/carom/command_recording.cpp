// Commands that look at a recording: plot, check, audit, info, verify, view, export.

#include <algorithm>

#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/gallery/gallery.h"
#include "carom/measures/settled.h"
#include "carom/page/page.h"
#include "carom/page/run_views.h"
#include "carom/plots/plot.h"
#include "carom/recording/export.h"
#include "carom/recording/place.h"
#include "carom/recording/reader.h"
#include "carom/recording/recover.h"
#include "carom/runs/record_audit.h"
#include "carom/runs/scene_check.h"
#include "carom/runs/scene_run.h"
#include "carom/runs/verify.h"
#include "carom/scene/scene.h"

#include "commands.h"
#include "file_kind.h"
#include "files.h"
#include "progress.h"
#include "report_json.h"
#include "run_text.h"
#include "scene_commands.h"
#include "text_table.h"
#include "viewer_template.h"

namespace carom::cli {
namespace {

std::unique_ptr<FileRecord> open(const std::string& path) {
  return read_as(FileKind::recording, path,
                 [&] { return std::make_unique<FileRecord>(open_recording(path)); });
}

// What is shown is not always the whole run, nor the newest.
void print_state(const FileRecord& record, const std::string& path) {
  if (record.end().status == RunStatus::running) {
    fmt::print("the run goes on; this is what has been written of it so far\n");
  } else if (record.end().status == RunStatus::crashed) {
    fmt::print("the run ended without finishing; continue it with: carom run --resume {}\n",
               recording_path(path).string());
  }
  std::error_code none;
  const std::filesystem::path journal = journal_path(path);
  if (!record.reader().from_journal() && std::filesystem::file_size(journal, none) > 0 && !none) {
    fmt::print("a newer run waits in {}\n", journal.string());
  }
}

int judge(const CheckOutcome& outcome) {
  if (outcome.claims.empty()) fmt::print("the file expects nothing\n");
  return print_claims(outcome.claims) ? kExitFine : kExitCheckFailed;
}

int check_file(const std::string& path) {
  if (file_kind_of(path) == "instant") return judge(check_instant(read_instant_file(path)));
  return judge(check_scene(read_scene_file(path)));
}

// Whether what was recorded came to rest; nothing where that has no meaning.
std::string settled_text(const FileRecord& record) {
  const std::optional<Settled> settled = settled_state(record, scene_of(record.header()).scene);
  return settled ? describe(*settled) : "";
}

// Of the bodies of a run that a program drove.
std::string come_and_go(const FileRecord& record) {
  const RecordingHeader& header = record.header();
  if (header.presence.empty() || record.frame_times().empty()) return "";
  const std::uint64_t start = record.reader().frame_steps().front();
  std::size_t joined = 0;
  std::size_t left = 0;
  for (const BodyPresence& body : header.presence) {
    if (body.first_step > start) ++joined;
    if (body.last_step != kStays) ++left;
  }
  return fmt::format("{} join, {} leave", joined, left);
}

Json info_json(const FileRecord& record) {
  const RecordingHeader& header = record.header();
  const RunStatistics s = recorded_statistics(record);
  return {{"scene", header.scene_name},
          {"operator", header.impact_operator},
          {"version", header.carom_version},
          {"build", header.build},
          {"dimension", header.dimension},
          {"bodies", header.body_count()},
          {"come_and_go", come_and_go(record)},
          {"driven_by_program",
           header.driven_from ? "from step " + std::to_string(*header.driven_from) + " on" : ""},
          {"scheme", recorded_scheme(header)},
          {"step", header.step},
          {"steps", s.steps()},
          {"time", s.time()},
          {"frames", record.frame_times().size()},
          {"collisions", s.impulses()},
          {"recorded_impulses", record.reader().event_count()},
          {"checkpoints", record.reader().checkpoints().size()},
          {"status", std::string(to_string(record.end().status))},
          {"file", record.reader().path().string()},
          {"reason", record.end().reason},
          {"settled", settled_text(record)},
          {"worst_impact_status", std::string(to_string(s.worst_status()))},
          {"energy_drift", s.energy_drift()},
          {"momentum_change", s.momentum_change()},
          {"penetration", s.penetration()},
          {"penetration_relative", s.penetration_relative()}};
}

}  // namespace

int run_plot(const FileCommand& command) {
  const std::string output =
      command.output.empty() ? stem_of(command.files.front()) : command.output;
  if (!command.force) demand_pictures_replaceable(output);
  std::vector<std::unique_ptr<FileRecord>> files;
  std::vector<const RunRecord*> records;
  std::vector<std::string> labels;
  for (const std::string& path : command.files) {
    files.push_back(open(path));
    records.push_back(files.back().get());
    labels.push_back(stem_of(path));
  }
  const auto write = [&] {
    const RunRecord& first = *records.front();
    const double time = command.time.value_or(kInfinity);
    if (command.heights) return write_height_map(run_height_map(first, time), output);
    if (command.spectrum) return write_height_map(run_spectrum_map(first, time), output);
    return write_figure(run_figure(records, labels), output);
  };
  for (const std::filesystem::path& path : write()) {
    fmt::print("{}\n", path.string());
  }
  return kExitFine;
}

int run_check(const FileCommand& command) {
  const std::string& path = command.files.front();
  const FileKind kind = kind_of(path);
  if (is_toml(path) || kind == FileKind::scene || kind == FileKind::instant) {
    return check_file(path);
  }
  const auto record = open(path);
  print_state(*record, command.files.front());
  const RecordedScene recorded = scene_of(record->header());
  const SceneExpectation* expectation =
      expectation_for(recorded.scene, record->header().impact_operator);
  if (expectation == nullptr || expectation->empty()) {
    fmt::print("the scene expects nothing of operator {}\n", record->header().impact_operator);
    return kExitFine;
  }
  return print_claims(judge_run(*expectation, *record)) ? kExitFine : kExitCheckFailed;
}

int run_audit(const FileCommand& command) {
  const std::string& path = command.files.front();
  const auto record = open(path);
  print_state(*record, path);
  const RecordAudit audit = [&] {
    try {
      return audit_record(*record);
    } catch (const InputError& error) {
      if (!error.place().file.empty()) throw;
      throw InputError({path, 0, 0, error.place().key}, error.message());
    }
  }();
  if (audit.fault) {
    fmt::print("FAULT in frame {} at time {}: {}\n", audit.fault->frame,
               number_text(audit.fault->time), audit.fault->what);
    return kExitCheckFailed;
  }
  fmt::print("{} frames, {} pairs tested exactly: passed\n", audit.frames, audit.pairs);
  return kExitFine;
}

int run_info(const FileCommand& command) {
  const auto record = open(command.files.front());
  const Json info = info_json(*record);
  if (command.json) {
    fmt::print("{}\n", info.dump(2));
    return kExitFine;
  }
  print_state(*record, command.files.front());
  for (const auto& [key, value] : info.items()) {
    if (value.is_string() && value.get<std::string>().empty()) continue;
    fmt::print("{:<22}{}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return kExitFine;
}

int run_verify(const FileCommand& command) {
  const auto record = open(command.files.front());
  ProgressDisplay display({command.quiet, "verifying"});
  const InterruptGuard guard;
  RunOptions options;
  options.threads = command.threads;
  options.observer = &display;
  const Verification outcome = verify_record(*record, options);
  display.finish();
  if (outcome.cancelled) {
    fmt::print("interrupted after {} steps, all equal so far\n", outcome.steps);
    return kExitInterrupted;
  }
  if (outcome.first_different) {
    fmt::print("DIFFERENT in step {}: {} ({} recorded states compared)\n", *outcome.first_different,
               outcome.what, outcome.steps);
    if (!outcome.state_differs) {
      fmt::print("the run comes out as recorded, but the file says otherwise: it was changed\n");
    } else if (!record->header().build.empty()) {
      fmt::print("recorded by carom {} built with {}\n", record->header().carom_version,
                 record->header().build);
    }
    return kExitCheckFailed;
  }
  if (outcome.driven_from) {
    fmt::print(
        "a program drove this run and changed it before step {}, which no file can repeat:\n"
        "the {} states and {} frames before come out with the same bits; {} frames since have the "
        "hashes of their steps\n",
        *outcome.driven_from, outcome.steps, outcome.frames, outcome.frames_held);
    if (outcome.frames_not_held > 0) {
      fmt::print(
          "{} further frames have not: where contacts last a frame shows other velocities than the "
          "state has, and only the file's checksums guard it\n",
          outcome.frames_not_held);
    }
    return kExitFine;
  }
  fmt::print("all {} recorded states and {} frames come out with the same bits\n", outcome.steps,
             outcome.frames);
  return kExitFine;
}

int run_view(const FileCommand& command) {
  if (viewer_template().empty()) {
    throw InputError({}, "this build of carom has no viewer (npm was missing when it was built)");
  }
  const std::string output =
      command.output.empty() ? stem_of(command.files.front()) + ".html" : command.output;
  for (const std::string& input : command.files) demand_other_file(output, input);
  if (!command.force) demand_replaceable(output, MadeFile::page);
  std::vector<PageRun> runs;
  for (const std::string& path : command.files) {
    const auto record = open(path);
    runs.push_back(page_run(*record, page_frames(record->header(), command.files.size())));
    runs.back().scene_name = command.files.size() == 1 ? path : record->header().scene_name;
    if (command.files.size() > 1) runs.back().title = stem_of(path);
  }
  const PageResult page = make_page(viewer_template(), runs);
  write_whole(output, page.html);
  fmt::print("{}\n", std::filesystem::absolute(output).string());
  if (page.frames_kept < page.frames_given) {
    fmt::print("{} of {} frames kept, so that the page stays small\n", page.frames_kept,
               page.frames_given);
  }
  return kExitFine;
}

int run_export(const FileCommand& command) {
  const auto record = open(command.files.front());
  ExportOptions options;
  options.prefix = stem_of(command.files.front());
  options.directory = command.output.empty() ? "." : command.output;
  options.every = command.every;
  options.replace_others = command.force;
  const RecordedScene recorded = scene_of(record->header());
  const Vec3& gravity = recorded.scene.simulation.forces.gravity;
  options.up = {-gravity.x, -gravity.y, -gravity.z};
  const Periodicity& period = recorded.scene.simulation.world.periodicity;
  options.period = {{{period.lower.x, period.lower.y, period.lower.z},
                     {period.length.x, period.length.y, period.length.z}}};
  std::vector<std::filesystem::path> written;
  if (command.format == "csv") {
    written = export_csv(record->reader(), options);
  } else if (command.format == "lammps") {
    written = export_lammps(record->reader(), options);
  } else if (command.format == "vtk") {
    written = export_vtk(record->reader(), options);
  } else if (command.format == "glb") {
    written = export_glb(record->reader(), options);
  } else if (command.format == "obj") {
    written = export_obj(record->reader(), options);
  } else {
    throw InputError(
        {"", 0, 0, "--format"},
        unknown_name_message("format", command.format,
                             std::vector<std::string>{"csv", "glb", "lammps", "obj", "vtk"}));
  }
  fmt::print("{}{}\n", written.front().string(),
             written.size() > 1 ? fmt::format(" and {} more files", written.size() - 1) : "");
  return kExitFine;
}

int run_recover(const FileCommand& command) {
  const std::string& input = command.files.front();
  demand_other_file(command.output, input);
  if (!command.force && std::filesystem::exists(followed(command.output))) {
    throw InputError({command.output, 0, 0, ""},
                     "exists already; name another file, or replace it with --force");
  }
  const Recovery recovery = recover_recording(input, command.output);
  fmt::print("{}: {} frames, {} rows of diagnostics, {} impulses and {} checkpoints saved\n",
             command.output, recovery.frames.kept, recovery.rows.kept, recovery.events.kept,
             recovery.checkpoints.kept);
  fmt::print("missing: {}\n", describe_losses(recovery));
  if (recovery.checkpoints_left_out > 0) {
    fmt::print(
        "{} checkpoints behind the first loss are left out, so that a run that is resumed "
        "makes it anew\n",
        recovery.checkpoints_left_out);
  }
  return kExitFine;
}

}  // namespace carom::cli
