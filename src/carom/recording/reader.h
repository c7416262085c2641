#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carom/recording/error.h"
#include "carom/recording/recording.h"

namespace carom {

/// Reads a recording. Frames and events are read as they are asked for, so memory stays small.
/// Every function throws InputError when the file is damaged there: each block of the file carries
/// a checksum, and a number is either returned as it was written or not at all. Not for use from
/// several threads at once.
class RecordingReader {
 public:
  RecordingReader(RecordingReader&&) noexcept;
  RecordingReader& operator=(RecordingReader&&) noexcept;
  RecordingReader(const RecordingReader&) = delete;
  RecordingReader& operator=(const RecordingReader&) = delete;
  ~RecordingReader();

  [[nodiscard]] const std::filesystem::path& path() const;
  [[nodiscard]] const RecordingHeader& header() const;
  [[nodiscard]] const RunEnd& end() const;
  /// True when opening it had to repair what a crash left.
  [[nodiscard]] bool repaired() const;

  [[nodiscard]] std::size_t frame_count() const;
  [[nodiscard]] const std::vector<std::uint64_t>& frame_steps() const;
  [[nodiscard]] const std::vector<double>& frame_times() const;
  /// number < frame_count().
  [[nodiscard]] RecordedFrame frame(std::size_t number) const;
  /// The same into a frame whose memory is used again.
  void read_frame(std::size_t number, RecordedFrame& frame) const;

  [[nodiscard]] std::size_t diagnostics_count() const;
  /// A whole column, "step" and "time" included. InputError, with the nearest name, when there is
  /// no such column or when it is of the other type.
  [[nodiscard]] std::vector<double> real_column(std::string_view name) const;
  [[nodiscard]] std::vector<std::uint64_t> integer_column(std::string_view name) const;
  [[nodiscard]] bool has_column(std::string_view name) const;

  [[nodiscard]] std::size_t event_count() const;
  /// Events first .. first + count - 1, in the order of their steps.
  [[nodiscard]] std::vector<ContactEvent> events(std::size_t first, std::size_t count) const;
  [[nodiscard]] std::vector<ContactEvent> events() const;

  /// The checkpoints that the file holds, oldest first, without their states.
  [[nodiscard]] const std::vector<Checkpoint>& checkpoints() const;
  /// The checkpoint with its state; number < checkpoints().size().
  [[nodiscard]] Checkpoint checkpoint(std::size_t number) const;

 private:
  friend RecordingReader open_recording(const std::filesystem::path& path);
  class Implementation;
  explicit RecordingReader(std::unique_ptr<Implementation> implementation);

  std::unique_ptr<Implementation> implementation_;
};

/// Opens a recording and, where a run ended without finishing, first repairs it: whatever its
/// journal holds up to the last whole record becomes the file. Throws InputError when there is no
/// recording, when it is damaged, or when a living process is writing it; RecordingError when the
/// repair finds no room (the journal then stays as it is).
[[nodiscard]] RecordingReader open_recording(const std::filesystem::path& path);

/// The journal that stands beside a recording while it is being written.
[[nodiscard]] std::filesystem::path journal_path(const std::filesystem::path& path);

}  // namespace carom
