#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/recording/detail/records.h"
#include "carom/recording/recording.h"

namespace carom::detail {

/// What a recording holds, wherever it stands: in its HDF5 file, or in the journal of a run that
/// has not ended. Every function throws InputError, with the file's name, when the file is not what
/// it should be.
class RecordingContents {
 public:
  RecordingContents() = default;
  RecordingContents(const RecordingContents&) = delete;
  RecordingContents& operator=(const RecordingContents&) = delete;
  virtual ~RecordingContents() = default;

  /// The file that is read.
  [[nodiscard]] virtual const std::filesystem::path& path() const = 0;
  [[nodiscard]] virtual const RecordingHeader& header() const = 0;
  [[nodiscard]] virtual const RunEnd& end() const = 0;
  [[nodiscard]] virtual const std::vector<std::uint64_t>& frame_steps() const = 0;
  [[nodiscard]] virtual const std::vector<double>& frame_times() const = 0;
  /// Without their states.
  [[nodiscard]] virtual const std::vector<Checkpoint>& checkpoints() const = 0;
  [[nodiscard]] virtual std::size_t diagnostics_count() const = 0;
  [[nodiscard]] virtual std::size_t event_count() const = 0;

  virtual void read_frame(std::size_t number, RecordedFrame& frame) const = 0;
  [[nodiscard]] virtual Checkpoint checkpoint(std::size_t number) const = 0;
  [[nodiscard]] virtual std::vector<ContactEvent> events(std::size_t first,
                                                         std::size_t count) const = 0;
  /// The bits of a column's values; the column is there and of this type.
  [[nodiscard]] virtual std::vector<std::uint64_t> stored_column(std::string_view name,
                                                                 ColumnType type) const = 0;
  /// The first `count` rows of the diagnostics, in order and in bounded memory.
  virtual void visit_rows(std::size_t count,
                          const std::function<void(const DiagnosticBits&)>& visit) const = 0;

  [[nodiscard]] bool has_column(std::string_view name) const;
  /// stored_column(), or InputError with the nearest name.
  [[nodiscard]] std::vector<std::uint64_t> column_bits(std::string_view name,
                                                       ColumnType type) const;

 private:
  [[noreturn]] void refuse_column(std::string_view name, ColumnType type) const;
};

}  // namespace carom::detail
