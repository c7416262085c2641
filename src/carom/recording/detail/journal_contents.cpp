// Reads the journal of a run as a recording, without making a file of it.

#include "carom/recording/detail/journal_contents.h"

#include <algorithm>
#include <bit>
#include <ranges>
#include <utility>

#include "carom/core/assert.h"

namespace carom::detail {
namespace {

constexpr std::size_t kEventSize = 13 * sizeof(double);

}  // namespace

JournalContents::JournalContents(std::filesystem::path place,
                                 const std::filesystem::path& recording,
                                 const FileDescriptor& journal)
    : place_(std::move(place)), file_(journal.get()) {
  JournalScanner scanner(file_);
  JournalRecord record;
  if (!scanner.next(record)) {
    refuse(
        "is damaged at its beginning; expected the journal of a recording. "
        "Remove it to use what was there before");
  }
  begin(record, recording);
  if (!checkpoints_.empty()) places_.emplace_back(checkpoints_.back().step, scanner.place());
  while (scanner.next(record) && take(record, scanner)) {
  }
  if (!shape_places_.empty()) {
    header_.shapes_json = with_motions(header_.shapes_json, shape_places_);
  }
  if (base_ == nullptr) return;
  // When making the file was cut short behind its last move, the base is the new file already,
  // with the header of an extended run.
  const std::uint64_t hash = header_hash(base_->header());
  if (std::find(base_hashes_.begin(), base_hashes_.end(), hash) == base_hashes_.end()) {
    refuse_file(base_->path(), "its journal continues another recording; move one of the two away");
  }
}

void JournalContents::refuse(const std::string& message) const { refuse_file(place_, message); }

void JournalContents::begin(const JournalRecord& record, const std::filesystem::path& recording) {
  ByteReader in(record.payload);
  bool good = false;
  if (record.kind == RecordKind::header) {
    good = decode(in, header_) && decode(in, options_);
  } else if (record.kind == RecordKind::continuation) {
    std::error_code none;
    if (!std::filesystem::exists(recording, none)) {
      refuse("continues the recording " + recording.string() + ", which is not there");
    }
    base_ = std::make_unique<RecordingFile>(recording);
    Continuation continuation;
    good = decode(in, continuation) && decode(in, options_);
    base_hashes_.push_back(continuation.header_hash);
    header_ = base_->header();
    if (good) take_base(continuation.step);
  }
  if (!good) refuse("does not begin as the journal of a recording");
}

void JournalContents::take_base(std::uint64_t last_step) {
  const auto count_until = [&](const std::vector<std::uint64_t>& steps) {
    return static_cast<std::size_t>(std::upper_bound(steps.begin(), steps.end(), last_step) -
                                    steps.begin());
  };
  base_frames_ = count_until(base_->frame_steps());
  frame_steps_.assign(base_->frame_steps().begin(),
                      base_->frame_steps().begin() + static_cast<std::ptrdiff_t>(base_frames_));
  frame_times_.assign(base_->frame_times().begin(),
                      base_->frame_times().begin() + static_cast<std::ptrdiff_t>(base_frames_));
  base_rows_ = count_until(base_->column_bits("step", ColumnType::integer));
  base_events_ = event_count_ = base_->events_until(last_step);
  for (const Checkpoint& checkpoint : base_->checkpoints()) {
    if (checkpoint.step <= last_step) checkpoints_.push_back(checkpoint);
  }
  base_checkpoints_ = checkpoints_.size();
}

bool JournalContents::take_extension(ByteReader& in) {
  Extension extension;
  if (!decode(in, extension)) return false;
  base_hashes_.push_back(header_hash(extension.header));
  header_ = std::move(extension.header);
  // The last frame of the shorter run, which the longer one does not record.
  if (!extension.drops_frame || frame_steps_.empty() ||
      frame_steps_.back() != extension.dropped_frame) {
    return true;
  }
  frame_steps_.pop_back();
  frame_times_.pop_back();
  if (frames_.empty()) {
    --base_frames_;
  } else {
    frames_.pop_back();
  }
  return true;
}

bool JournalContents::take(const JournalRecord& record, const JournalScanner& scanner) {
  const Piece piece{scanner.payload_offset(), record.payload.size()};
  ByteReader in(record.payload);
  switch (record.kind) {
    case RecordKind::frame: {
      RecordedFrame frame;
      if (!decode(in, header_, frame)) return false;
      frame_steps_.push_back(frame.step);
      frame_times_.push_back(frame.time);
      frames_.push_back(piece);
      return true;
    }
    case RecordKind::diagnostics:
      if (piece.size != (2 + header_.columns.size()) * sizeof(std::uint64_t)) return false;
      rows_.push_back(piece);
      return true;
    case RecordKind::events:
      if (piece.size % kEventSize != 0) return false;
      events_.push_back({event_count_, piece});
      event_count_ += piece.size / kEventSize;
      return true;
    case RecordKind::checkpoint: {
      Checkpoint checkpoint;
      if (!decode(in, checkpoint)) return false;
      checkpoint.state.clear();
      places_.emplace_back(checkpoint.step, scanner.place());
      checkpoints_.push_back(std::move(checkpoint));
      states_.push_back(piece);
      return true;
    }
    case RecordKind::extension:
      if (!take_extension(in)) return false;
      // Whoever resumes after the checkpoint before keeps the new length.
      if (!places_.empty()) places_.back().second = scanner.place();
      return true;
    case RecordKind::end:
      return decode(in, end_);
    case RecordKind::changes: {
      BodyChanges changes;
      if (!decode(in, header_, changes)) return false;
      take_changes(changes, header_);
      return true;
    }
    case RecordKind::shape_places:
      return decode(in, shape_places_.emplace_back());
    case RecordKind::header:
    case RecordKind::continuation:
      break;
  }
  return false;
}

std::vector<std::byte> JournalContents::read(const Piece& piece) const {
  std::vector<std::byte> bytes(piece.size);
  if (read_at(file_, bytes, piece.offset) != bytes.size()) {
    refuse("was changed while it was read; try again");
  }
  return bytes;
}

void JournalContents::read_frame(std::size_t number, RecordedFrame& frame) const {
  CAROM_DEMAND(number < frame_steps_.size());
  if (number < base_frames_) {
    base_->read_frame(number, frame);
    return;
  }
  const std::vector<std::byte> bytes = read(frames_[number - base_frames_]);
  ByteReader in(bytes);
  if (!decode(in, header_, frame)) refuse("was changed while it was read; try again");
}

Checkpoint JournalContents::checkpoint(std::size_t number) const {
  CAROM_DEMAND(number < checkpoints_.size());
  if (number < base_checkpoints_) return base_->checkpoint(number);
  const std::vector<std::byte> bytes = read(states_[number - base_checkpoints_]);
  ByteReader in(bytes);
  Checkpoint checkpoint;
  if (!decode(in, checkpoint)) refuse("was changed while it was read; try again");
  return checkpoint;
}

std::vector<ContactEvent> JournalContents::events(std::size_t first, std::size_t count) const {
  CAROM_DEMAND(first <= event_count_ && count <= event_count_ - first);
  std::vector<ContactEvent> events;
  if (first < base_events_) events = base_->events(first, std::min(count, base_events_ - first));
  auto at = std::upper_bound(
      events_.begin(), events_.end(), first + events.size(),
      [](std::size_t number, const EventPiece& piece) { return number < piece.first; });
  if (at != events_.begin()) --at;
  std::vector<ContactEvent> batch;
  for (; events.size() < count; ++at) {
    const std::vector<std::byte> bytes = read(at->piece);
    ByteReader in(bytes);
    if (!decode(in, batch)) refuse("was changed while it was read; try again");
    const std::size_t skipped = first + events.size() - at->first;
    const std::size_t taken = std::min(batch.size() - skipped, count - events.size());
    const auto begin = batch.begin() + static_cast<std::ptrdiff_t>(skipped);
    events.insert(events.end(), begin, begin + static_cast<std::ptrdiff_t>(taken));
  }
  return events;
}

std::vector<std::uint64_t> JournalContents::stored_column(std::string_view name,
                                                          ColumnType type) const {
  std::vector<std::uint64_t> bits;
  if (base_ != nullptr) {
    bits = base_->column_bits(name, type);
    bits.resize(base_rows_);
  }
  std::size_t at = name == "time" ? 1 : 0;
  for (std::size_t k = 0; k < header_.columns.size(); ++k) {
    if (header_.columns[k].name == name) at = 2 + k;
  }
  for (const Piece& row : rows_) {
    const std::vector<std::byte> bytes =
        read({row.offset + at * sizeof(std::uint64_t), sizeof(std::uint64_t)});
    bits.push_back(ByteReader(bytes).get<std::uint64_t>());
  }
  return bits;
}

void JournalContents::visit_rows(std::size_t count,
                                 const std::function<void(const DiagnosticBits&)>& visit) const {
  CAROM_DEMAND(count <= diagnostics_count());
  if (base_ != nullptr) base_->visit_rows(std::min(count, base_rows_), visit);
  DiagnosticBits row;
  for (std::size_t k = base_rows_; k < count; ++k) {
    const std::vector<std::byte> bytes = read(rows_[k - base_rows_]);
    ByteReader in(bytes);
    if (!decode(in, header_.columns.size(), row))
      refuse("was changed while it was read; try again");
    visit(row);
  }
}

std::optional<JournalPlace> JournalContents::place_after(std::uint64_t step) const {
  // Of several at one step, made while the next one was under way, the last.
  for (const auto& [checkpoint, place] : std::views::reverse(places_)) {
    if (checkpoint == step) return place;
  }
  return std::nullopt;
}

}  // namespace carom::detail
