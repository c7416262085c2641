#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "carom/runs/run_record.h"
#include "carom/runs/scene_run.h"

namespace carom {

/// How a recording compares with a new run of its scene.
struct Verification {
  std::uint64_t steps = 0;                       ///< recorded states compared, the start included
  std::size_t frames = 0;                        ///< compared
  std::optional<std::uint64_t> first_different;  ///< the step; none: all are equal
  std::string what;                              ///< differs there, e.g. "the frame"
  /// The run itself came out otherwise. False: only what was written down of it did, as when a
  /// file was edited or damaged.
  bool state_differs = false;
  bool cancelled = false;
  /// Of a run that a program drove: its first step that the scene alone does not give. From there
  /// on frames are held against the hashes of their steps.
  std::optional<std::uint64_t> driven_from;
  std::size_t frames_held = 0;  ///< that have those hashes
  /// That have not: where contacts last they show other velocities than the state has, or they were
  /// changed.
  std::size_t frames_not_held = 0;
};

/// Runs a recording's scene again and compares, bit by bit, what was recorded of every step: the
/// hash of the state, diagnostics, contact events, and frames. Of the options only threads and
/// observer count. Steps that a program changed (RecordingHeader::driven_from) cannot be made
/// again. Throws InputError when the scene cannot be run.
[[nodiscard]] Verification verify_record(const RunRecord& record, const RunOptions& options = {});

}  // namespace carom
