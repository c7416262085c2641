#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/recording/detail/hdf5.h"
#include "carom/recording/detail/records.h"
#include "carom/recording/recording.h"

namespace carom::detail {

/// The HDF5 file of a recording, as it stands on the disk. Every function throws InputError, with
/// the file's name, when the file is not what it should be.
class RecordingFile {
 public:
  explicit RecordingFile(std::filesystem::path path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const RecordingHeader& header() const { return header_; }
  [[nodiscard]] const RunEnd& end() const { return end_; }
  [[nodiscard]] const std::vector<std::uint64_t>& frame_steps() const { return frame_steps_; }
  [[nodiscard]] const std::vector<double>& frame_times() const { return frame_times_; }
  /// Without their states.
  [[nodiscard]] const std::vector<Checkpoint>& checkpoints() const { return checkpoints_; }
  [[nodiscard]] std::size_t diagnostics_count() const { return diagnostics_count_; }
  [[nodiscard]] std::size_t event_count() const { return event_count_; }

  void read_frame(std::size_t number, RecordedFrame& frame) const;
  [[nodiscard]] Checkpoint checkpoint(std::size_t number) const;
  [[nodiscard]] std::vector<ContactEvent> events(std::size_t first, std::size_t count) const;
  /// The bits of a column's values.
  [[nodiscard]] std::vector<std::uint64_t> column_bits(std::string_view name,
                                                       ColumnType type) const;
  [[nodiscard]] bool has_column(std::string_view name) const;

  // Everything up to and including a step, in order and in bounded memory.
  void visit_frames(std::uint64_t last_step,
                    const std::function<void(const RecordedFrame&)>& visit) const;
  void visit_diagnostics(std::uint64_t last_step,
                         const std::function<void(const DiagnosticBits&)>& visit) const;
  void visit_events(std::uint64_t last_step,
                    const std::function<void(std::span<const ContactEvent>)>& visit) const;

 private:
  void open();
  void check_format() const;
  void read_header();
  void read_columns();
  void read_frame_index();
  void read_checkpoint_index();
  [[nodiscard]] std::vector<ContactEvent> read_events(std::size_t first, std::size_t count) const;
  [[noreturn]] void refuse_column(std::string_view name, ColumnType type) const;
  [[noreturn]] void refuse(const std::string& message) const;
  /// Runs `action` and turns what fails in it into InputError.
  void guarded(const std::function<void()>& action) const;

  std::filesystem::path path_;
  Handle file_;
  Handle positions_;
  Handle velocities_;
  Handle orientations_;        ///< where bodies turn
  Handle angular_velocities_;  ///< likewise
  RecordingHeader header_;
  RunEnd end_;
  std::vector<std::uint64_t> frame_steps_;
  std::vector<double> frame_times_;
  std::vector<Checkpoint> checkpoints_;
  std::vector<std::uint64_t> checkpoint_sizes_;
  std::size_t diagnostics_count_ = 0;
  std::size_t event_count_ = 0;
};

}  // namespace carom::detail
