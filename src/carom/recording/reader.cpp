// Opens recordings: the file, or the journal of a run that has not ended.

#include "carom/recording/reader.h"

#include <bit>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <utility>

#include "carom/recording/detail/convert.h"
#include "carom/recording/detail/file_reader.h"
#include "carom/recording/detail/journal_contents.h"
#include "carom/recording/place.h"

namespace carom {
namespace {

using detail::FileDescriptor;
using detail::RecordingContents;
using detail::RecordingFile;

// The journal beside a recording; not open where there is none, or one without a first record.
FileDescriptor open_journal(const std::filesystem::path& path) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.open() && detail::JournalScanner(file.get()).empty()) file.close();
  return file;
}

// A writer holds a lock as long as it lives.
bool is_being_written(const FileDescriptor& journal) {
  if (::flock(journal.get(), LOCK_SH | LOCK_NB) != 0) return errno == EWOULDBLOCK;
  ::flock(journal.get(), LOCK_UN);
  return false;
}

bool has_ended(const RecordingContents& contents) {
  return contents.end().status == RunStatus::finished || contents.end().status == RunStatus::failed;
}

}  // namespace

class RecordingReader::Implementation {
 public:
  enum class Choice : std::uint8_t { ended_first, newest };

  Implementation(const std::filesystem::path& path, Choice choice) {
    const std::filesystem::path place = followed(path);
    if (detail::is_journal(place)) {
      journal_ = FileDescriptor(::open(place.c_str(), O_RDONLY | O_CLOEXEC));
      read_journal(place, detail::recording_of(place));
      return;
    }
    const std::filesystem::path beside = detail::journal_of(place);
    journal_ = open_journal(beside);
    std::error_code none;
    if (journal_.open() && (choice == Choice::newest || !std::filesystem::exists(place, none))) {
      read_journal(beside, place);
      return;
    }
    auto file = std::make_unique<RecordingFile>(place);
    if (journal_.open() && !has_ended(*file)) {
      read_journal(beside, place);
    } else {
      contents_ = std::move(file);
    }
  }

  [[nodiscard]] const RecordingContents& contents() const { return *contents_; }
  [[nodiscard]] bool from_journal() const { return from_journal_; }

 private:
  void read_journal(const std::filesystem::path& place, const std::filesystem::path& recording) {
    auto journal = std::make_unique<detail::JournalContents>(place, recording, journal_);
    if (is_being_written(journal_)) journal->mark_running();
    contents_ = std::move(journal);
    from_journal_ = true;
  }

  FileDescriptor journal_;
  std::unique_ptr<RecordingContents> contents_;
  bool from_journal_ = false;
};

RecordingReader::RecordingReader(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
RecordingReader::RecordingReader(RecordingReader&&) noexcept = default;
RecordingReader& RecordingReader::operator=(RecordingReader&&) noexcept = default;
RecordingReader::~RecordingReader() = default;

RecordingReader open_recording(const std::filesystem::path& path) {
  using Implementation = RecordingReader::Implementation;
  return RecordingReader(
      std::make_unique<Implementation>(path, Implementation::Choice::ended_first));
}

RecordingReader open_newest_run(const std::filesystem::path& path) {
  using Implementation = RecordingReader::Implementation;
  return RecordingReader(std::make_unique<Implementation>(path, Implementation::Choice::newest));
}

std::filesystem::path journal_path(const std::filesystem::path& path) {
  return detail::journal_of(followed(path));
}

std::filesystem::path recording_path(const std::filesystem::path& path) {
  const std::filesystem::path place = followed(path);
  return detail::is_journal(place) ? detail::recording_of(place) : path;
}

const std::filesystem::path& RecordingReader::path() const {
  return implementation_->contents().path();
}
const RecordingHeader& RecordingReader::header() const {
  return implementation_->contents().header();
}
const RunEnd& RecordingReader::end() const { return implementation_->contents().end(); }
bool RecordingReader::from_journal() const { return implementation_->from_journal(); }

std::size_t RecordingReader::frame_count() const { return frame_steps().size(); }
const std::vector<std::uint64_t>& RecordingReader::frame_steps() const {
  return implementation_->contents().frame_steps();
}
const std::vector<double>& RecordingReader::frame_times() const {
  return implementation_->contents().frame_times();
}

RecordedFrame RecordingReader::frame(std::size_t number) const {
  RecordedFrame result;
  read_frame(number, result);
  return result;
}

void RecordingReader::read_frame(std::size_t number, RecordedFrame& frame) const {
  implementation_->contents().read_frame(number, frame);
}

std::size_t RecordingReader::diagnostics_count() const {
  return implementation_->contents().diagnostics_count();
}

std::vector<double> RecordingReader::real_column(std::string_view name) const {
  const std::vector<std::uint64_t> bits =
      implementation_->contents().column_bits(name, ColumnType::real);
  std::vector<double> values;
  values.reserve(bits.size());
  for (const std::uint64_t value : bits) values.push_back(std::bit_cast<double>(value));
  return values;
}

std::vector<std::uint64_t> RecordingReader::integer_column(std::string_view name) const {
  return implementation_->contents().column_bits(name, ColumnType::integer);
}

bool RecordingReader::has_column(std::string_view name) const {
  return implementation_->contents().has_column(name);
}

std::size_t RecordingReader::event_count() const {
  return implementation_->contents().event_count();
}

std::vector<ContactEvent> RecordingReader::events(std::size_t first, std::size_t count) const {
  return implementation_->contents().events(first, count);
}

std::vector<ContactEvent> RecordingReader::events() const { return events(0, event_count()); }

const std::vector<Checkpoint>& RecordingReader::checkpoints() const {
  return implementation_->contents().checkpoints();
}

Checkpoint RecordingReader::checkpoint(std::size_t number) const {
  return implementation_->contents().checkpoint(number);
}

}  // namespace carom
