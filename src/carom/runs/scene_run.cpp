// The one loop over steps, and the ways into it: in memory, into a recording, resumed.

#include "carom/runs/scene_run.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "carom/core/error.h"
#include "carom/core/long_work.h"
#include "carom/recording/writer.h"
#include "carom/runs/detail/run_header.h"
#include "carom/runs/detail/run_sink.h"
#include "carom/scene/settings.h"
#include "carom/schemes/registry.h"

namespace carom {
namespace {

using detail::FileSink;
using detail::make_header;
using detail::MemoryRecord;
using detail::RunSink;
using detail::table_of;

// The scene with the operator and the threads that run.
Scene with_operator(const Scene& scene, const RunOptions& options) {
  Scene copy = scene;
  copy.simulation.threads = options.threads;
  if (!options.impact_operator.empty()) {
    copy.simulation.impact.impact_operator = options.impact_operator;
  }
  return copy;
}

std::uint64_t steps_of(const Scene& scene, const RunOptions& options) {
  return options.steps ? *options.steps : step_count(scene.simulation.time);
}

constexpr double kCheckpointSeconds = 60.0;  // of wall time, at most, between two checkpoints

// The one loop over steps.
class Runner final : private WorkObserver {
 public:
  /// The scene is told whom to ask while a step takes long.
  Runner(Scene& scene, std::uint64_t steps, RunObserver* observer)
      : scene_(&scene), steps_(steps), observer_(observer), work_(*this) {
    // Of the other schemes none could leave a step undone while an impact is on its way.
    const SchemeInfo& scheme = scheme_info(scene.simulation.time.scheme);
    const bool takes_steps = scheme.collisions == CollisionTimes::at_steps;
    scene.simulation.impact.work = takes_steps && scheme.can.impact_problems ? &work_ : nullptr;
    stepper_ = make_stepper(scene.simulation);
    stepper_->note_impulses(scene.record.impulses);
  }

  [[nodiscard]] Stepper& stepper() { return *stepper_; }
  [[nodiscard]] RunSummary& summary() { return summary_; }

  /// What stands before the first step.
  void begin(RunSink& sink) {
    const DiagnosticRow row = start_row(scene_->simulation, *stepper_);
    summary_.statistics.add(row);
    sink.row(row);
    sink.frame(*stepper_);
    sink.checkpoint(*stepper_);
  }

  void run(RunSink& sink) {
    start_ = std::chrono::steady_clock::now();
    watch_within();
    bool stopped_within = false;
    summary_.first_step = stepper_->state().step;
    summary_.scheme = &scheme_info(scene_->simulation.time.scheme);
    first_impulses_ = summary_.statistics.impulses();
    summary_.end.status = RunStatus::finished;
    std::uint64_t checkpoint = stepper_->state().step;
    double checkpoint_seconds = 0.0;
    while (stepper_->state().step < steps_) {
      work_.begin();
      const StepReport report = stepper_->step();
      summary_.wall_seconds = seconds_since(start_);
      summary_.integration_seconds += report.integration.wall;
      summary_.detection_seconds += report.detection.wall;
      summary_.impact_seconds += report.impact.wall;
      summary_.measurement_seconds += report.measurement.wall;
      if (report.status == ImpactStatus::cancelled && !report.can_go_on()) {
        summary_.end.status = RunStatus::interrupted;
        break;
      }
      if (report.failure == kStoppedWithin) {
        summary_.end.status = RunStatus::interrupted;
        stopped_within = true;
        break;
      }
      if (!report.can_go_on()) {
        summary_.end.status = RunStatus::failed;
        summary_.end.reason = detail::failure_text(report, stepper_->state().time);
        summary_.statistics.note_status(report.status);
        break;
      }
      record(report, sink);
      const std::uint64_t step = stepper_->state().step;
      const bool due =
          scene_->record.checkpoint_every > 0 && step % scene_->record.checkpoint_every == 0;
      // Slow scenes do not wait for the number of steps.
      if (due || summary_.wall_seconds - checkpoint_seconds > kCheckpointSeconds) {
        sink.checkpoint(*stepper_);
        checkpoint = step;
        checkpoint_seconds = summary_.wall_seconds;
      }
      if (!go_on(report) && step < steps_) {
        summary_.end.status = RunStatus::interrupted;
        break;
      }
    }
    if (stepper_->state().step > checkpoint || stopped_within) sink.checkpoint(*stepper_);
    summary_.wall_seconds = seconds_since(start_);
    summary_.end.wall_seconds = summary_.wall_seconds;
  }

 private:
  static double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  bool on_work(const Work& work) override {
    if (observer_ == nullptr) return true;
    return observer_->on_work({stepper_ ? stepper_->state().step + 1 : 0, steps_, work});
  }

  void record(const StepReport& report, RunSink& sink) {
    const State& state = stepper_->state();
    const DiagnosticRow row = step_row(report, state);
    summary_.statistics.add(row);
    sink.row(row);
    if (scene_->record.impulses) sink.events(state, stepper_->impulses());
    if (detail::has_frame(*scene_, state.step, steps_)) sink.frame(*stepper_);
  }

  void watch_within() {
    auto* stepper = dynamic_cast<LongStepper*>(stepper_.get());
    if (stepper == nullptr || observer_ == nullptr) return;
    stepper->watch_within([this](const StepProgress& inside) {
      summary_.wall_seconds = seconds_since(start_);
      return observer_->within_step(inside, progress());
    });
  }

  bool go_on(const StepReport& report) {
    if (observer_ == nullptr) return true;
    RunProgress now = progress();
    now.report = &report;
    return observer_->on_step(now);
  }

  [[nodiscard]] RunProgress progress() const {
    RunProgress progress;
    progress.steps_total = steps_;
    progress.statistics = &summary_.statistics;
    progress.wall_seconds = summary_.wall_seconds;
    progress.first_step = summary_.first_step;
    progress.scheme = summary_.scheme;
    progress.impulses = summary_.statistics.impulses() - first_impulses_;
    return progress;
  }

  const Scene* scene_;
  std::uint64_t steps_;
  RunObserver* observer_;
  LongWork work_;
  std::unique_ptr<Stepper> stepper_;
  RunSummary summary_;
  std::uint64_t first_impulses_ = 0;
  std::chrono::steady_clock::time_point start_;
};

RunSummary finish(Runner& runner, FileSink& sink) {
  runner.summary().in_journal = !sink.writer().finish(runner.summary().end);
  return runner.summary();
}

std::string_view bytes_text(const std::vector<std::byte>& bytes) {
  // The one place where opaque bytes of a file are looked at as characters.
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

MemoryRun run_in_memory(const Scene& scene, const RunOptions& options) {
  Scene chosen = with_operator(scene, options);
  const std::uint64_t steps = steps_of(chosen, options);
  auto record = std::make_unique<MemoryRecord>(make_header(chosen, steps), table_of(chosen));
  Runner runner(chosen, steps, options.observer);
  runner.begin(*record);
  runner.run(*record);
  record->set_end(runner.summary().end);
  return {runner.summary(), std::move(record)};
}

RunSummary record_scene(const Scene& scene, const std::filesystem::path& path,
                        const RunOptions& options) {
  if (!scene.simulation.forces.functions.empty()) {
    throw InputError({}, "forces of the program cannot be recorded: no file holds them");
  }
  Scene chosen = with_operator(scene, options);
  const std::uint64_t steps = steps_of(chosen, options);
  Runner runner(chosen, steps, options.observer);
  FileSink sink(RecordingWriter::create(path, make_header(chosen, steps)), table_of(chosen));
  runner.begin(sink);
  runner.run(sink);
  return finish(runner, sink);
}

namespace {

// What is damaged must be seen before a journal is begun: finishing copies all of it.
void demand_sound(const FileRecord& record) {
  RecordedFrame frame;
  for (std::size_t k = 0; k < record.frame_times().size(); ++k)
    record.reader().read_frame(k, frame);
  constexpr std::size_t kBlock = 65536;
  for (std::size_t k = 0; k < record.reader().event_count(); k += kBlock) {
    static_cast<void>(
        record.reader().events(k, std::min(kBlock, record.reader().event_count() - k)));
  }
}

// A row of another version does not fit.
void demand_same_columns(const FileRecord& record, const Scene& scene,
                         const std::filesystem::path& path) {
  const auto same = [](const DiagnosticColumn& a, const DiagnosticColumn& b) {
    return a.name == b.name && a.type == b.type;
  };
  const std::vector<DiagnosticColumn>& columns = record.header().columns;
  const DiagnosticTable table = table_of(scene);
  const std::vector<DiagnosticColumn>& own = table.columns();
  const SchemeInfo& scheme = scheme_info(scene.simulation.time.scheme);
  const std::vector<BodyColumn>& of_bodies = record.header().body_columns;
  const bool same_of_bodies = std::equal(
      of_bodies.begin(), of_bodies.end(), scheme.body_columns.begin(), scheme.body_columns.end(),
      [](const BodyColumn& a, const StepColumnText& b) { return a.name == b.name; });
  if (same_of_bodies && std::equal(columns.begin(), columns.end(), own.begin(), own.end(), same)) {
    return;
  }
  throw InputError({path.string(), 0, 0, ""},
                   "was begun by another version of Carom, which records other columns: it can be "
                   "read and verified, but not continued");
}

// The scene with the length that the options ask for.
RecordedScene with_length(const RecordingHeader& header, const RunOptions& options) {
  RecordedScene recorded = scene_of(header);
  if (options.duration) {
    const std::vector<std::string> length = {"time.duration=" + exact_number(*options.duration)};
    Scene scene = read_scene(recorded.scene.text, recorded.scene.file, length);
    scene.simulation.impact.impact_operator = header.impact_operator;
    recorded = {std::move(scene), 0};
    recorded.steps = step_count(recorded.scene.simulation.time);
  }
  if (options.steps) recorded.steps = *options.steps;
  recorded.scene.simulation.threads = options.threads;
  return recorded;
}

// What a resumed run begins with.
struct Resumption {
  RecordedScene recorded;
  RecordingHeader header;
  std::uint64_t steps_before = 0;  ///< how long the run was to be
  std::optional<Checkpoint> checkpoint;
  std::optional<std::uint64_t> last_frame;  ///< its step
  RunStatistics statistics;
};

Resumption read_resumption(const std::filesystem::path& path, const RunOptions& options) {
  const FileRecord record(open_newest_run(path));
  if (record.end().status == RunStatus::running) {
    throw InputError({path.string(), 0, 0, ""},
                     "is being written by another process; wait until it has ended");
  }
  if (record.header().driven_from) {
    throw InputError({path.string(), 0, 0, ""},
                     "was driven by a program, which changed something before step " +
                         std::to_string(*record.header().driven_from) +
                         ": no file holds that program, so the run can be read but not continued");
  }
  Resumption resumption;
  resumption.header = record.header();
  resumption.recorded = with_length(record.header(), options);
  resumption.steps_before = scene_of(record.header()).steps;
  const std::vector<Checkpoint>& list = record.reader().checkpoints();
  if (list.empty()) return resumption;
  resumption.checkpoint = record.reader().checkpoint(list.size() - 1);
  const std::uint64_t step = resumption.checkpoint->step;
  if (resumption.recorded.steps < step) {
    throw InputError({path.string(), 0, 0, ""},
                     "has " + std::to_string(step) + " steps (time " +
                         exact_number(resumption.checkpoint->time) +
                         ") already; expected a longer duration, found " +
                         std::to_string(resumption.recorded.steps) + " steps");
  }
  demand_same_columns(record, resumption.recorded.scene, path);
  demand_sound(record);
  for (const std::uint64_t frame : record.reader().frame_steps()) {
    if (frame <= step) resumption.last_frame = frame;
  }
  resumption.statistics = recorded_statistics(record, step);
  return resumption;
}

// The header and the last frame of a run that goes on for longer, or less long.
void give_length(const Resumption& resumption, RecordingWriter& writer) {
  const auto& [scene, steps] = resumption.recorded;
  if (steps == resumption.steps_before && scene.text == resumption.header.scene_text) return;
  const RecordingHeader fresh = make_header(scene, steps);
  RecordingHeader header = resumption.header;
  header.scene_text = fresh.scene_text;
  header.shapes_json = fresh.shapes_json;
  header.settings_json = fresh.settings_json;
  const bool stays =
      !resumption.last_frame || detail::has_frame(scene, *resumption.last_frame, steps);
  writer.extend(header, stays ? std::nullopt : resumption.last_frame);
}

}  // namespace

RunSummary resume_recording(const std::filesystem::path& file, const RunOptions& options) {
  const std::filesystem::path path = recording_path(file);  // its journal may be named too
  Resumption resumption = read_resumption(path, options);
  auto& [scene, steps] = resumption.recorded;
  if (!resumption.checkpoint) {
    // It ended before its first checkpoint, the one at the start: begin again.
    RunOptions again = options;
    again.impact_operator = scene.simulation.impact.impact_operator;
    again.steps = steps;
    return record_scene(scene, path, again);
  }
  Runner runner(scene, steps, options.observer);
  runner.stepper().load(bytes_text(resumption.checkpoint->state));
  if (state_hash(runner.stepper().state()) != resumption.checkpoint->state_hash) {
    throw InputError({path.string(), 0, 0, ""}, "its checkpoint does not have the recorded hash");
  }
  runner.summary().statistics = resumption.statistics;
  FileSink sink(RecordingWriter::resume(path, resumption.checkpoint->step), table_of(scene));
  give_length(resumption, sink.writer());
  runner.run(sink);
  return finish(runner, sink);
}

Instant instant_of_step(const Scene& scene, std::uint64_t step, const RunOptions& options) {
  const Scene chosen = with_operator(scene, options);
  const std::uint64_t steps = steps_of(chosen, options);
  if (step == 0 || step > steps) {
    throw InputError(
        {}, "the run has steps 1 to " + std::to_string(steps) + ", found " + std::to_string(step));
  }
  if (!scheme_info(chosen.simulation.time.scheme).can.impact_problems) {
    throw InputError({"", 0, 0, "time.scheme"}, "there are no impact problems under \"" +
                                                    chosen.simulation.time.scheme + "\"");
  }
  const std::unique_ptr<Stepper> stepper = make_stepper(chosen.simulation);
  while (stepper->state().step < step) {
    // Impacts in closed form are only kept where somebody asks for them.
    stepper->note_impulses(stepper->state().step + 1 == step);
    const StepReport report = stepper->step();
    if (!report.can_go_on()) {
      throw InputError(
          {}, "the run ends at step " + std::to_string(report.step) + ": " + report.message);
    }
  }
  Instant instant;
  instant.title = scene.title + ", step " + std::to_string(step);
  instant.problem = stepper->resolved_problem();
  instant.settings = chosen.simulation.impact;
  instant.operators = {chosen.simulation.impact.impact_operator};
  return instant;
}

}  // namespace carom
