#include "carom/recording/writer.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <system_error>
#include <utility>

#include "carom/core/assert.h"
#include "carom/recording/detail/convert.h"
#include "carom/recording/detail/file.h"
#include "carom/recording/detail/file_reader.h"
#include "carom/recording/detail/journal.h"
#include "carom/recording/detail/records.h"
#include "carom/recording/reader.h"

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

void demand_checkpoint(const detail::RecordingFile& file, std::uint64_t step) {
  const bool known = std::any_of(file.checkpoints().begin(), file.checkpoints().end(),
                                 [&](const Checkpoint& kept) { return kept.step == step; });
  if (!known) {
    detail::refuse_file(file.path(), "holds no checkpoint at step " + std::to_string(step));
  }
}

// An empty journal under our lock, after whatever another run may have left is repaired.
detail::FileDescriptor lock_repaired(const std::filesystem::path& path) {
  while (true) {
    detail::repair_recording(path);
    std::optional<detail::FileDescriptor> lock =
        detail::lock_journal(detail::journal_of(path), path, true);
    if (detail::JournalScanner(lock->get()).empty()) return std::move(*lock);
  }
}

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
    CAROM_DEMAND(frame.positions.size() == 3 * header_.body_count());
    CAROM_DEMAND(frame.velocities.size() == 3 * header_.body_count());
    const std::size_t turning = header_.any_turns() ? header_.body_count() : 0;
    CAROM_DEMAND(frame.orientations.size() == 4 * turning);
    CAROM_DEMAND(frame.angular_velocities.size() == 3 * turning);
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

  void append(const Checkpoint& checkpoint) {
    advance(checkpoint_step_, checkpoint.step);
    append_record(detail::RecordKind::checkpoint, checkpoint);
    journal_.sync();
  }

  void flush() { journal_.flush(); }

  void finish(const RunEnd& end) {
    CAROM_DEMAND(!finished_);
    if (!ended_) {
      RunEnd stored = end;
      stored.reason.resize(std::min<std::size_t>(stored.reason.size(), kLongestReason));
      ended_ = true;
      append_record(detail::RecordKind::end, stored);
    }
    journal_.sync();
    detail::convert_journal(path_, journal_.file());
    finished_ = true;
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
  if (std::filesystem::is_directory(path)) {
    detail::refuse_file(path, "is a directory; expected the name of a file");
  }
  const std::filesystem::path journal = detail::journal_of(path);
  const std::optional<detail::FileDescriptor> lock = detail::lock_journal(journal, path, true);
  detail::ByteWriter first;
  detail::encode(header, first);
  detail::encode(options, first);
  return RecordingWriter(std::make_unique<Implementation>(
      path, header,
      detail::JournalWriter(journal, *lock, detail::RecordKind::header, first.bytes())));
}

RecordingWriter RecordingWriter::resume(const std::filesystem::path& path, std::uint64_t step,
                                        const RecordingOptions& options) {
  const std::filesystem::path journal = detail::journal_of(path);
  const detail::FileDescriptor lock = lock_repaired(path);
  try {
    const detail::RecordingFile base(path);
    demand_checkpoint(base, step);
    demand_sound(base.header(), options);
    detail::ByteWriter first;
    detail::encode(detail::Continuation{detail::header_hash(base.header()), step}, first);
    detail::encode(options, first);
    auto implementation = std::make_unique<Implementation>(
        path, base.header(),
        detail::JournalWriter(journal, lock, detail::RecordKind::continuation, first.bytes()));
    implementation->continue_after(step);
    return RecordingWriter(std::move(implementation));
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(journal, ignored);  // ours, and empty
    throw;
  }
}

void RecordingWriter::append_frame(const Frame& frame) { implementation_->append(frame); }

void RecordingWriter::append_diagnostics(std::uint64_t step, double time,
                                         std::span<const DiagnosticValue> values) {
  implementation_->append(step, time, values);
}

void RecordingWriter::append_events(std::span<const ContactEvent> events) {
  implementation_->append(events);
}

void RecordingWriter::append_checkpoint(const Checkpoint& checkpoint) {
  implementation_->append(checkpoint);
}

void RecordingWriter::flush() { implementation_->flush(); }

void RecordingWriter::finish(const RunEnd& end) { implementation_->finish(end); }

const RecordingHeader& RecordingWriter::header() const { return implementation_->header(); }

}  // namespace carom
