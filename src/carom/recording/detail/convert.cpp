#include "carom/recording/detail/convert.h"

#include <cerrno>
#include <deque>
#include <fcntl.h>
#include <optional>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "carom/recording/detail/file_reader.h"
#include "carom/recording/detail/hdf5_sink.h"
#include "carom/recording/detail/journal.h"
#include "carom/recording/detail/records.h"
#include "carom/recording/error.h"

namespace carom::detail {
namespace {

std::filesystem::path with_suffix(std::filesystem::path path, const char* suffix) {
  return path += suffix;
}

// What the first record of a journal says.
struct Beginning {
  RecordingHeader header;
  RecordingOptions options;
  std::optional<std::uint64_t> continues_after;  // step of the checkpoint, for a resumed run
};

bool decode_continuation(ByteReader& in, const RecordingFile& base, Beginning& beginning) {
  Continuation continuation;
  if (!decode(in, continuation) || !decode(in, beginning.options)) return false;
  if (continuation.header_hash != header_hash(base.header())) {
    refuse_file(base.path(), "its journal continues another recording; move one of the two away");
  }
  beginning.header = base.header();
  beginning.continues_after = continuation.step;
  return true;
}

// The newest checkpoints, as many as are kept.
class KeptCheckpoints {
 public:
  explicit KeptCheckpoints(std::size_t count) : count_(count) {}

  void add(Checkpoint checkpoint) {
    if (checkpoints_.size() == count_) checkpoints_.pop_front();
    checkpoints_.push_back(std::move(checkpoint));
  }
  [[nodiscard]] std::vector<Checkpoint> take() {
    return {std::make_move_iterator(checkpoints_.begin()),
            std::make_move_iterator(checkpoints_.end())};
  }

 private:
  std::size_t count_;
  std::deque<Checkpoint> checkpoints_;
};

// Carries what a recording consists of into the new file.
class Conversion {
 public:
  Conversion(LatchedFile& target, const Beginning& beginning)
      : target_(target),
        header_(beginning.header),
        sink_(target, beginning.header, beginning.options),
        checkpoints_(beginning.options.kept_checkpoints) {}

  void copy(const RecordingFile& base, std::uint64_t last_step);
  /// False when the record is none that can stand here: the journal is valid up to it.
  bool take(const JournalRecord& record);
  void finish() {
    sink_.finish(checkpoints_.take(), end_);
    target_.sync();
  }

 private:
  void demand_room() const {
    if (target_.error() != 0) throw Hdf5Error("write");
  }

  LatchedFile& target_;
  const RecordingHeader& header_;
  Hdf5Sink sink_;
  KeptCheckpoints checkpoints_;
  RunEnd end_{.status = RunStatus::crashed, .reason = {}};
  RecordedFrame frame_;
  DiagnosticBits row_;
  std::vector<ContactEvent> events_;
};

void Conversion::copy(const RecordingFile& base, std::uint64_t last_step) {
  base.visit_frames(last_step, [&](const RecordedFrame& frame) {
    sink_.add(frame);
    demand_room();
  });
  base.visit_diagnostics(last_step, [&](const DiagnosticBits& row) { sink_.add(row); });
  base.visit_events(last_step, [&](std::span<const ContactEvent> events) {
    sink_.add(events);
    demand_room();
  });
  for (std::size_t k = 0; k < base.checkpoints().size(); ++k) {
    if (base.checkpoints()[k].step <= last_step) checkpoints_.add(base.checkpoint(k));
  }
}

bool Conversion::take(const JournalRecord& record) {
  demand_room();
  ByteReader in(record.payload);
  switch (record.kind) {
    case RecordKind::frame:
      if (!decode(in, header_, frame_)) return false;
      sink_.add(frame_);
      return true;
    case RecordKind::diagnostics:
      if (!decode(in, header_.columns.size(), row_)) return false;
      sink_.add(row_);
      return true;
    case RecordKind::events:
      if (!decode(in, events_)) return false;
      sink_.add(events_);
      return true;
    case RecordKind::checkpoint: {
      Checkpoint checkpoint;
      if (!decode(in, checkpoint)) return false;
      checkpoints_.add(std::move(checkpoint));
      return true;
    }
    case RecordKind::end:
      return decode(in, end_);
    case RecordKind::header:
    case RecordKind::continuation:
      break;
  }
  return false;
}

// Makes the new file at `part`, complete and on the disk.
void make_file(const std::filesystem::path& part, const Beginning& beginning,
               const RecordingFile* base, JournalScanner& scanner) {
  FileDescriptor file(::open(part.c_str(), O_RDWR | O_CLOEXEC | O_CREAT | O_TRUNC, 0666));
  if (!file.open()) throw RecordingError(part.string(), system_message(errno));
  LatchedFile target(std::move(file));
  const QuietErrors quiet;
  std::string fault;
  try {
    Conversion conversion(target, beginning);
    if (base != nullptr) conversion.copy(*base, *beginning.continues_after);
    JournalRecord record;
    while (scanner.next(record) && conversion.take(record)) {
    }
    conversion.finish();
  } catch (const Hdf5Error& error) {
    fault = error.what();
  }
  if (target.error() != 0) fault = system_message(target.error());
  if (!fault.empty()) throw RecordingError(part.string(), fault);
}

void put_into_place(const std::filesystem::path& part, const std::filesystem::path& recording) {
  if (::rename(part.c_str(), recording.c_str()) != 0) {
    throw RecordingError(recording.string(), system_message(errno));
  }
  sync_directory_of(recording);
}

}  // namespace

std::filesystem::path journal_of(const std::filesystem::path& recording) {
  return with_suffix(recording, ".journal");
}

std::filesystem::path partial_of(const std::filesystem::path& recording) {
  return with_suffix(recording, ".part");
}

void convert_journal(const std::filesystem::path& recording, const FileDescriptor& journal) {
  JournalScanner scanner(journal.get());
  JournalRecord record;
  if (!scanner.next(record)) {
    refuse_file(journal_of(recording),
                "is damaged at its beginning; expected the journal of a recording. "
                "Remove it to use what was there before");
  }
  ByteReader in(record.payload);
  Beginning beginning;
  std::optional<RecordingFile> base;
  bool good = false;
  if (record.kind == RecordKind::header) {
    good = decode(in, beginning.header) && decode(in, beginning.options);
  } else if (record.kind == RecordKind::continuation) {
    base.emplace(recording);
    good = decode_continuation(in, *base, beginning);
  }
  if (!good) refuse_file(journal_of(recording), "does not begin as the journal of a recording");

  const std::filesystem::path part = partial_of(recording);
  try {
    make_file(part, beginning, base ? &*base : nullptr, scanner);
    base.reset();
    put_into_place(part, recording);
  } catch (...) {
    ::unlink(part.c_str());
    throw;
  }
  ::unlink(journal_of(recording).c_str());
}

bool repair_recording(const std::filesystem::path& recording) {
  const std::filesystem::path path = journal_of(recording);
  std::optional<FileDescriptor> journal = lock_journal(path, recording, false);
  if (!journal) return false;
  ::unlink(fresh_journal_path(path).c_str());
  if (JournalScanner(journal->get()).empty()) {
    ::unlink(path.c_str());
    return false;
  }
  convert_journal(recording, *journal);
  return true;
}

}  // namespace carom::detail
