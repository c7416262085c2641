#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace carom {

/// What a damaged recording still held.
struct Recovery {
  struct Count {
    std::size_t kept = 0;
    std::size_t lost = 0;
  };
  Count frames;
  Count rows;  ///< of diagnostics
  Count events;
  Count checkpoints;
  std::vector<std::uint64_t> lost_frames;  ///< their steps
  /// What cannot be known for sure: lost frames, rows or events may change what a run that goes on
  /// would have recorded, so checkpoints behind the first loss are left out.
  std::size_t checkpoints_left_out = 0;

  [[nodiscard]] bool complete() const {
    return frames.lost + rows.lost + events.lost + checkpoints.lost == 0;
  }
};
/// "3 of 101 frames (steps 20, 40, 60), 512 of 2000 rows of diagnostics"; "nothing" where all is
/// there.
[[nodiscard]] std::string describe_losses(const Recovery& recovery);

/// Makes a new recording at `to` of everything at `from` whose checksums hold. What is lost is said
/// in its end, whose status then is `crashed`: such a run can be resumed from its last checkpoint.
/// Diagnostics and events are kept or lost in small blocks. Throws InputError where the beginning
/// of the file is damaged, without which nothing can be read, and RecordingError when there is no
/// room.
Recovery recover_recording(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace carom
