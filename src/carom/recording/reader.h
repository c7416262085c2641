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
  /// True when what is read stands in a journal: the run goes on, was cut short, or was
  /// interrupted beside a finished recording that it may not replace.
  [[nodiscard]] bool from_journal() const;

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
  friend RecordingReader open_newest_run(const std::filesystem::path& path);
  class Implementation;
  explicit RecordingReader(std::unique_ptr<Implementation> implementation);

  std::unique_ptr<Implementation> implementation_;
};

/// Opens a recording and writes nothing. A run that has ended is read from its file; where there is
/// none, what its journal holds up to the last whole record: of a run that goes on what has been
/// written so far, with the status `running`. The journal itself may be named too. Throws
/// InputError when there is no recording or when it is damaged.
[[nodiscard]] RecordingReader open_recording(const std::filesystem::path& path);
/// The same, of the run that RecordingWriter::resume() continues: that of the journal, where there
/// is one, also beside the file of a run that has ended.
[[nodiscard]] RecordingReader open_newest_run(const std::filesystem::path& path);

/// The journal that stands beside a recording while it is being written.
[[nodiscard]] std::filesystem::path journal_path(const std::filesystem::path& path);
/// The recording that a file belongs to: of a journal the one that it becomes, else itself.
[[nodiscard]] std::filesystem::path recording_path(const std::filesystem::path& path);

}  // namespace carom
