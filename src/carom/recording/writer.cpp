// Records a run: into a journal, which becomes the file when the run ends.

#include "carom/recording/writer.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <system_error>
#include <utility>

#include "carom/core/assert.h"
#include "carom/recording/detail/body_changes.h"
#include "carom/recording/detail/convert.h"
#include "carom/recording/detail/file.h"
#include "carom/recording/detail/file_reader.h"
#include "carom/recording/detail/journal.h"
#include "carom/recording/detail/journal_contents.h"
#include "carom/recording/detail/records.h"
#include "carom/recording/place.h"

namespace carom {
namespace {

bool name_is_usable(const std::string& name) {
  return !name.empty() && name != "." && name != "step" && name != "time" &&
         name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
}

// Headers are made by our own code, so a faulty one is a bug.
void demand_sound(const RecordingHeader& header, const RecordingOptions& options) {
  const std::size_t bodies = header.body_count();
  CAROM_DEMAND(header.body_names.size() == bodies);
  CAROM_DEMAND(header.radii.size() == bodies);
  CAROM_DEMAND(header.materials.size() == bodies);
  CAROM_DEMAND(header.dimension >= 1 && header.dimension <= 3);
  for (const DiagnosticColumn& column : header.columns) {
    CAROM_DEMAND(name_is_usable(column.name));
    CAROM_DEMAND(std::count_if(header.columns.begin(), header.columns.end(),
                               [&](const auto& other) { return other.name == column.name; }) == 1);
  }
  CAROM_DEMAND(options.kept_checkpoints > 0 && options.compression <= 9);
}

void demand_checkpoint(const detail::RecordingContents& file, std::uint64_t step) {
  const bool known = std::any_of(file.checkpoints().begin(), file.checkpoints().end(),
                                 [&](const Checkpoint& kept) { return kept.step == step; });
  if (!known) {
    detail::refuse_file(file.path(), "holds no checkpoint at step " + std::to_string(step));
  }
}

// The journal that a resumed run writes on.
class ResumedJournal {
 public:
  ResumedJournal(std::filesystem::path recording, std::uint64_t step,
                 const RecordingOptions& options)
      : recording_(std::move(recording)),
        place_(detail::journal_of(recording_)),
        step_(step),
        options_(options),
        lock_(*detail::lock_journal(place_, recording_, true)) {
    std::error_code ignored;
    std::filesystem::remove(detail::fresh_journal_path(place_), ignored);
  }

  [[nodiscard]] detail::JournalWriter open() {
    if (!detail::JournalScanner(lock_.get()).empty()) {
      if (std::optional<detail::JournalWriter> there = go_on()) return std::move(*there);
    }
    try {
      const detail::RecordingFile base(recording_);
      return continuation_of(base);
    } catch (...) {
      remove_empty();
      throw;
    }
  }

  [[nodiscard]] const RecordingHeader& header() const { return header_; }

 private:
  // The journal of a run that has not ended, up to the checkpoint; nullopt when the run is in the
  // file after all.
  std::optional<detail::JournalWriter> go_on() {
    RunStatus status = RunStatus::crashed;
    {
      const detail::JournalContents contents(place_, recording_, lock_);
      demand_checkpoint(contents, step_);
      header_ = contents.header();
      status = contents.end().status;
      const std::optional<detail::JournalPlace> place = contents.place_after(step_);
      if (status != RunStatus::finished && place) {
        demand_sound(header_, options_);
        return detail::JournalWriter(place_, std::move(lock_), *place);
      }
    }
    // It had finished, but not its file; or it is resumed from before the journal.
    if (status == RunStatus::finished) {
      detail::convert_journal(recording_, lock_);
      lock_ = *detail::lock_journal(place_, recording_, true);
    }
    return std::nullopt;
  }

  detail::JournalWriter continuation_of(const detail::RecordingFile& base) {
    demand_checkpoint(base, step_);
    demand_sound(base.header(), options_);
    header_ = base.header();
    detail::ByteWriter first;
    detail::encode(detail::Continuation{detail::header_hash(header_), step_}, first);
    detail::encode(options_, first);
    return {place_, lock_, detail::RecordKind::continuation, first.bytes()};
  }

  void remove_empty() const {
    std::error_code ignored;
    if (detail::JournalScanner(lock_.get()).empty()) std::filesystem::remove(place_, ignored);
  }

  std::filesystem::path recording_;
  std::filesystem::path place_;
  std::uint64_t step_;
  RecordingOptions options_;
  detail::FileDescriptor lock_;
  RecordingHeader header_;
};

// Steps must grow; nullopt before the first.
void advance(std::optional<std::uint64_t>& last, std::uint64_t step) {
  CAROM_DEMAND(!last || step > *last);
  last = step;
}

}  // namespace

class RecordingWriter::Implementation {
 public:
  Implementation(std::filesystem::path path, RecordingHeader header, detail::JournalWriter journal)
      : path_(std::move(path)), header_(std::move(header)), journal_(std::move(journal)) {}

  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;
  ~Implementation() {
    if (finished_) return;
    try {
      journal_.flush();
    } catch (const RecordingError&) {
      // No room: the journal is valid up to its last whole record, and nobody is left to tell.
      return;
    }
  }

  [[nodiscard]] const RecordingHeader& header() const { return header_; }

  void continue_after(std::uint64_t step) {
    frame_step_ = diagnostics_step_ = checkpoint_step_ = step;
  }

  void append(const Frame& frame) {
    demand_open(frame.step);
    const std::size_t there = detail::bodies_there(header_, frame.step);
    CAROM_DEMAND(frame.positions.size() == 3 * there);
    CAROM_DEMAND(frame.velocities.size() == 3 * there);
    const bool none_turns = !header_.presence.empty() && frame.orientations.empty();
    const std::size_t turning = header_.any_turns() && !none_turns ? there : 0;
    CAROM_DEMAND(frame.orientations.size() == 4 * turning);
    CAROM_DEMAND(frame.angular_velocities.size() == 3 * turning);
    CAROM_DEMAND(frame.body_numbers.size() == header_.body_columns.size() * there);
    advance(frame_step_, frame.step);
    append_record(detail::RecordKind::frame, frame);
  }

  void append(std::uint64_t step, double time, std::span<const DiagnosticValue> values) {
    demand_open(step);
    CAROM_DEMAND(values.size() == header_.columns.size());
    advance(diagnostics_step_, step);
    row_.step = step;
    row_.time = time;
    row_.values.clear();
    for (std::size_t k = 0; k < values.size(); ++k) {
      const bool real = header_.columns[k].type == ColumnType::real;
      CAROM_DEMAND(std::holds_alternative<double>(values[k]) == real);
      row_.values.push_back(real ? std::bit_cast<std::uint64_t>(std::get<double>(values[k]))
                                 : std::get<std::uint64_t>(values[k]));
    }
    append_record(detail::RecordKind::diagnostics, row_);
  }

  void append(std::span<const ContactEvent> events) {
    if (events.empty()) return;
    for (const ContactEvent& event : events) {
      demand_open(event.step);
      CAROM_DEMAND(event.step >= event_step_);
      event_step_ = event.step;
    }
    append_record(detail::RecordKind::events, events);
  }

  void append(const BodyChanges& changes) {
    CAROM_DEMAND(!ended_);
    const std::size_t count = changes.ids.size();
    CAROM_DEMAND(changes.names.size() == count && changes.masses.size() == count);
    CAROM_DEMAND(changes.radii.size() == count && changes.materials.size() == count);
    CAROM_DEMAND(changes.solids.size() == count);
    detail::take_changes(changes, header_);
    append_record(detail::RecordKind::changes, changes);
  }

  void append(const detail::ShapePlaces& places) {
    CAROM_DEMAND(!ended_);
    append_record(detail::RecordKind::shape_places, places);
  }

  void append(const Checkpoint& checkpoint) {
    // A run that is stopped within a step has a further one at the step before.
    CAROM_DEMAND(!checkpoint_step_ || checkpoint.step >= *checkpoint_step_);
    checkpoint_step_ = checkpoint.step;
    append_record(detail::RecordKind::checkpoint, checkpoint);
    journal_.sync();
  }

  void flush() { journal_.flush(); }

  /// Goes on under another header, which differs in what depends on the length of the run.
  void extend(RecordingHeader header, std::optional<std::uint64_t> dropped_frame) {
    CAROM_DEMAND(header.columns == header_.columns && header.body_names == header_.body_names);
    CAROM_DEMAND(header.solids == header_.solids);
    header_ = std::move(header);
    append_record(detail::RecordKind::extension,
                  detail::Extension{dropped_frame.has_value(), dropped_frame.value_or(0), header_});
    journal_.sync();
  }

  bool finish(const RunEnd& end) {
    CAROM_DEMAND(!finished_);
    if (!ended_) {
      RunEnd stored = end;
      stored.reason.resize(std::min<std::size_t>(stored.reason.size(), kLongestReason));
      ended_ = true;
      append_record(detail::RecordKind::end, stored);
    }
    journal_.sync();
    const bool made = detail::convert_journal(path_, journal_.file());
    finished_ = true;
    return made;
  }

 private:
  static constexpr std::size_t kLongestReason = 4096;  // an attribute has to fit its header

  void demand_open(std::uint64_t step) const {
    CAROM_DEMAND(!ended_);
    CAROM_DEMAND(!checkpoint_step_ || step > *checkpoint_step_);
  }

  template <typename T>
  void append_record(detail::RecordKind kind, const T& value) {
    bytes_.clear();
    detail::encode(value, bytes_);
    journal_.append(kind, bytes_.bytes());
  }

  std::filesystem::path path_;
  RecordingHeader header_;
  detail::JournalWriter journal_;
  detail::ByteWriter bytes_;
  detail::DiagnosticBits row_;
  std::optional<std::uint64_t> frame_step_;
  std::optional<std::uint64_t> diagnostics_step_;
  std::optional<std::uint64_t> checkpoint_step_;
  std::uint64_t event_step_ = 0;
  bool ended_ = false;     ///< the journal says how the run ended
  bool finished_ = false;  ///< the file is made
};

RecordingWriter::RecordingWriter(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;
RecordingWriter& RecordingWriter::operator=(RecordingWriter&&) noexcept = default;
RecordingWriter::~RecordingWriter() = default;

RecordingWriter RecordingWriter::create(const std::filesystem::path& path,
                                        const RecordingHeader& header,
                                        const RecordingOptions& options) {
  demand_sound(header, options);
  const std::filesystem::path place = followed(path);
  if (std::filesystem::is_directory(place)) {
    detail::refuse_file(path, "is a directory; expected the name of a file");
  }
  const std::filesystem::path journal = detail::journal_of(place);
  const std::optional<detail::FileDescriptor> lock = detail::lock_journal(journal, path, true);
  detail::ByteWriter first;
  detail::encode(header, first);
  detail::encode(options, first);
  return RecordingWriter(std::make_unique<Implementation>(
      place, header,
      detail::JournalWriter(journal, *lock, detail::RecordKind::header, first.bytes())));
}

RecordingWriter RecordingWriter::resume(const std::filesystem::path& path, std::uint64_t step,
                                        const RecordingOptions& options) {
  const std::filesystem::path place = followed(path);
  ResumedJournal resumed(place, step, options);
  detail::JournalWriter journal = resumed.open();
  auto implementation =
      std::make_unique<Implementation>(place, resumed.header(), std::move(journal));
  implementation->continue_after(step);
  return RecordingWriter(std::move(implementation));
}

void RecordingWriter::extend(const RecordingHeader& header,
                             std::optional<std::uint64_t> dropped_frame) {
  implementation_->extend(header, dropped_frame);
}

void RecordingWriter::append_frame(const Frame& frame) { implementation_->append(frame); }

void RecordingWriter::append_diagnostics(std::uint64_t step, double time,
                                         std::span<const DiagnosticValue> values) {
  implementation_->append(step, time, values);
}

void RecordingWriter::append_events(std::span<const ContactEvent> events) {
  implementation_->append(events);
}

void RecordingWriter::append_changes(const BodyChanges& changes) {
  implementation_->append(changes);
}

void RecordingWriter::append_shape_places(double time,
                                          std::span<const std::array<double, 3>> offsets) {
  implementation_->append(detail::ShapePlaces{time, {offsets.begin(), offsets.end()}});
}

void RecordingWriter::append_checkpoint(const Checkpoint& checkpoint) {
  implementation_->append(checkpoint);
}

void RecordingWriter::flush() { implementation_->flush(); }

bool RecordingWriter::finish(const RunEnd& end) { return implementation_->finish(end); }

const RecordingHeader& RecordingWriter::header() const { return implementation_->header(); }

}  // namespace carom
