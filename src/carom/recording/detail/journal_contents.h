#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/recording/detail/contents.h"
#include "carom/recording/detail/file.h"
#include "carom/recording/detail/file_reader.h"
#include "carom/recording/detail/journal.h"

namespace carom::detail {

/// What a journal holds up to its last whole record, behind what the file holds that it continues.
/// Nothing is written; frames, rows, events and states are read as they are asked for.
class JournalContents final : public RecordingContents {
 public:
  /// Reads `journal` (not owned), which stands at `place`; the recording that it belongs to, or
  /// will be, is `recording`. Throws InputError when it does not begin as a journal, or when it
  /// continues another recording.
  JournalContents(std::filesystem::path place, const std::filesystem::path& recording,
                  const FileDescriptor& journal);

  [[nodiscard]] const std::filesystem::path& path() const override { return place_; }
  [[nodiscard]] const RecordingHeader& header() const override { return header_; }
  [[nodiscard]] const RunEnd& end() const override { return end_; }
  [[nodiscard]] const std::vector<std::uint64_t>& frame_steps() const override {
    return frame_steps_;
  }
  [[nodiscard]] const std::vector<double>& frame_times() const override { return frame_times_; }
  [[nodiscard]] const std::vector<Checkpoint>& checkpoints() const override { return checkpoints_; }
  [[nodiscard]] std::size_t diagnostics_count() const override { return base_rows_ + rows_.size(); }
  [[nodiscard]] std::size_t event_count() const override { return event_count_; }

  void read_frame(std::size_t number, RecordedFrame& frame) const override;
  [[nodiscard]] Checkpoint checkpoint(std::size_t number) const override;
  [[nodiscard]] std::vector<ContactEvent> events(std::size_t first,
                                                 std::size_t count) const override;
  [[nodiscard]] std::vector<std::uint64_t> stored_column(std::string_view name,
                                                         ColumnType type) const override;
  void visit_rows(std::size_t count,
                  const std::function<void(const DiagnosticBits&)>& visit) const override;

  [[nodiscard]] const RecordingOptions& options() const { return options_; }
  /// The run is still being written, by a process that lives.
  void mark_running() { end_.status = RunStatus::running; }
  /// Where a run goes on that is resumed after `step`, in this journal; nullopt when the journal
  /// begins later.
  [[nodiscard]] std::optional<JournalPlace> place_after(std::uint64_t step) const;

 private:
  // A payload in the journal.
  struct Piece {
    std::uint64_t offset = 0;
    std::size_t size = 0;
  };
  struct EventPiece {
    std::size_t first = 0;  ///< number of its first event
    Piece piece;
  };

  void begin(const JournalRecord& record, const std::filesystem::path& recording);
  void take_base(std::uint64_t last_step);
  [[nodiscard]] bool take(const JournalRecord& record, const JournalScanner& scanner);
  [[nodiscard]] bool take_extension(ByteReader& in);
  [[nodiscard]] std::vector<std::byte> read(const Piece& piece) const;
  [[noreturn]] void refuse(const std::string& message) const;

  std::filesystem::path place_;
  int file_;
  RecordingHeader header_;
  RecordingOptions options_;
  RunEnd end_{.status = RunStatus::crashed, .reason = {}};
  std::unique_ptr<RecordingFile> base_;     ///< what the journal continues, if anything
  std::vector<std::uint64_t> base_hashes_;  ///< of headers, of which the base has one
  std::size_t base_rows_ = 0;
  std::size_t base_events_ = 0;
  std::size_t base_frames_ = 0;
  std::size_t base_checkpoints_ = 0;
  std::vector<std::uint64_t> frame_steps_;
  std::vector<double> frame_times_;
  std::vector<Checkpoint> checkpoints_;
  std::size_t event_count_ = 0;
  std::vector<Piece> frames_;
  std::vector<Piece> rows_;
  std::vector<EventPiece> events_;
  std::vector<Piece> states_;
  std::vector<ShapePlaces> shape_places_;                       ///< of shapes that a program moves
  std::vector<std::pair<std::uint64_t, JournalPlace>> places_;  ///< behind checkpoints, by step
};

}  // namespace carom::detail
