#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/recording/detail/contents.h"
#include "carom/recording/detail/hdf5.h"
#include "carom/recording/detail/records.h"
#include "carom/recording/recording.h"

namespace carom::detail {

/// The HDF5 file of a recording, as it stands on the disk.
class RecordingFile final : public RecordingContents {
 public:
  explicit RecordingFile(std::filesystem::path path);

  [[nodiscard]] const std::filesystem::path& path() const override { return path_; }
  [[nodiscard]] const RecordingHeader& header() const override { return header_; }
  [[nodiscard]] const RunEnd& end() const override { return end_; }
  [[nodiscard]] const std::vector<std::uint64_t>& frame_steps() const override {
    return frame_steps_;
  }
  [[nodiscard]] const std::vector<double>& frame_times() const override { return frame_times_; }
  [[nodiscard]] const std::vector<Checkpoint>& checkpoints() const override { return checkpoints_; }
  [[nodiscard]] std::size_t diagnostics_count() const override { return diagnostics_count_; }
  [[nodiscard]] std::size_t event_count() const override { return event_count_; }

  void read_frame(std::size_t number, RecordedFrame& frame) const override;
  [[nodiscard]] Checkpoint checkpoint(std::size_t number) const override;
  [[nodiscard]] std::vector<ContactEvent> events(std::size_t first,
                                                 std::size_t count) const override;
  [[nodiscard]] std::vector<std::uint64_t> stored_column(std::string_view name,
                                                         ColumnType type) const override;
  void visit_rows(std::size_t count,
                  const std::function<void(const DiagnosticBits&)>& visit) const override;

  /// Rows first .. first + size - 1 of the diagnostics; all of them or, where one is damaged, none.
  void visit_block(std::size_t first, std::size_t size,
                   const std::function<void(const DiagnosticBits&)>& visit) const;

  /// How many events there are up to and including a step.
  [[nodiscard]] std::size_t events_until(std::uint64_t last_step) const;

 private:
  void open();
  void check_format() const;
  void read_end();
  void read_columns();
  void read_frame_index();
  void read_body_columns(hid_t frames);
  void read_checkpoint_index();
  [[nodiscard]] std::vector<ContactEvent> read_events(std::size_t first, std::size_t count) const;
  [[noreturn]] void refuse(const std::string& message) const;
  /// Runs `action` and turns what fails in it into InputError.
  void guarded(const std::function<void()>& action) const;

  std::filesystem::path path_;
  Handle file_;
  Handle positions_;
  Handle velocities_;
  Handle orientations_;        ///< where bodies turn
  Handle angular_velocities_;  ///< likewise
  std::vector<Handle> body_numbers_;
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
