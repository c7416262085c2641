#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/core/long_work.h"
#include "carom/runs/diagnostics.h"
#include "carom/runs/run_record.h"
#include "carom/scene/instant.h"
#include "carom/scene/scene.h"
#include "carom/stepping/long_step.h"
#include "carom/stepping/scheme.h"

namespace carom {

/// Where a run is, for whoever shows it.
struct RunProgress {
  std::uint64_t steps_total = 0;
  const RunStatistics* statistics = nullptr;
  const StepReport* report = nullptr;  ///< of the last step; null within a step
  double wall_seconds = 0.0;           ///< of this process
  std::uint64_t first_step = 0;        ///< where this process began (a resumed run)
  /// Where each collision has its own moment they are counted, not steps.
  const SchemeInfo* scheme = nullptr;
  std::uint64_t impulses = 0;  ///< of this process
};

/// What a step does that takes long.
struct StepWork {
  std::uint64_t step = 0;  ///< that is being taken, from 1
  std::uint64_t steps_total = 0;
  WorkObserver::Work work;
};

/// Sees every step; returning false stops the run, which then can be resumed.
class RunObserver {
 public:
  RunObserver() = default;
  RunObserver(const RunObserver&) = delete;
  RunObserver& operator=(const RunObserver&) = delete;
  virtual ~RunObserver() = default;

  virtual bool on_step(const RunProgress& progress) = 0;
  /// Some ten times a second while a step takes long, from any of the run's threads, one at a time.
  /// Returning false leaves the step undone; the run ends after the one before it.
  virtual bool on_work(const StepWork& /*work*/) { return true; }
  /// Asked many times a second within steps that take long, where the scheme can be stopped there.
  /// `progress` is as after the last step.
  virtual bool within_step(const StepProgress& /*inside*/, const RunProgress& /*progress*/) {
    return true;
  }
};

struct RunOptions {
  std::string impact_operator;         ///< empty: the scene's first
  std::optional<std::uint64_t> steps;  ///< instead of the scene's duration
  std::optional<double> duration;      ///< s, of a resumed run: in all, instead of the recording's
  unsigned threads = 1;                ///< 0: one for each core; the bits are the same
  RunObserver* observer = nullptr;     ///< not owned
};

/// How a run went.
struct RunSummary {
  RunEnd end;
  RunStatistics statistics;
  std::uint64_t first_step = 0;
  const SchemeInfo* scheme = nullptr;  ///< of the run; null before it began
  /// The run did not finish and the recording at its place has: that stays, and the run waits in
  /// the journal beside it.
  bool in_journal = false;
  double wall_seconds = 0.0;  ///< of this process, as the three parts below
  double integration_seconds = 0.0;
  double detection_seconds = 0.0;
  double impact_seconds = 0.0;
  double measurement_seconds = 0.0;  ///< beside those
};

/// A run kept in memory: for checks and comparisons of moderate size.
struct MemoryRun {
  RunSummary summary;
  std::unique_ptr<RunRecord> record;
};
/// Throws InputError when the scene cannot be run; whatever happens then is in the summary.
[[nodiscard]] MemoryRun run_in_memory(const Scene& scene, const RunOptions& options = {});

/// Runs a scene into a recording. One that is there is replaced only when the run has finished.
/// Throws InputError and RecordingError.
RunSummary record_scene(const Scene& scene, const std::filesystem::path& path,
                        const RunOptions& options = {});

/// Continues a recording, or the run that waits in its journal, from its last checkpoint, to the
/// same bits as an uninterrupted run. The operator is the recording's, and the length too unless
/// the options give another; a finished run is then extended. Throws InputError where the run is
/// longer already.
RunSummary resume_recording(const std::filesystem::path& file, const RunOptions& options = {});

/// The scene that a recording was made from, with its operator and its number of steps.
struct RecordedScene {
  Scene scene;
  std::uint64_t steps = 0;
};
[[nodiscard]] RecordedScene scene_of(const RecordingHeader& header);

/// The scene's `time.scheme`; empty where the recording does not say.
[[nodiscard]] std::string recorded_scheme(const RecordingHeader& header);
/// What is known of it; of recordings that do not say, and of schemes that this program does not
/// have, what "steps" would be: its columns are those that most recordings have.
[[nodiscard]] const SchemeInfo& recorded_scheme_info(const RecordingHeader& header);

/// The statistics of a recorded run, up to a step.
[[nodiscard]] RunStatistics recorded_statistics(const RunRecord& record,
                                                std::uint64_t last_step = UINT64_MAX);

/// The impact problem that `step` (from 1) resolves, with the scene's names and settings, as an
/// instant that `carom impact` reads.
[[nodiscard]] Instant instant_of_step(const Scene& scene, std::uint64_t step,
                                      const RunOptions& options = {});

}  // namespace carom
