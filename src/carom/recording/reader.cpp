#include "carom/recording/reader.h"

#include <bit>
#include <utility>

#include "carom/recording/detail/convert.h"
#include "carom/recording/detail/file_reader.h"

namespace carom {

class RecordingReader::Implementation {
 public:
  Implementation(const std::filesystem::path& path, bool was_repaired)
      : file(path), repaired(was_repaired) {}

  detail::RecordingFile file;
  bool repaired = false;
};

RecordingReader::RecordingReader(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
RecordingReader::RecordingReader(RecordingReader&&) noexcept = default;
RecordingReader& RecordingReader::operator=(RecordingReader&&) noexcept = default;
RecordingReader::~RecordingReader() = default;

RecordingReader open_recording(const std::filesystem::path& path) {
  const bool repaired = detail::repair_recording(path);
  return RecordingReader(std::make_unique<RecordingReader::Implementation>(path, repaired));
}

std::filesystem::path journal_path(const std::filesystem::path& path) {
  return detail::journal_of(path);
}

const std::filesystem::path& RecordingReader::path() const { return implementation_->file.path(); }
const RecordingHeader& RecordingReader::header() const { return implementation_->file.header(); }
const RunEnd& RecordingReader::end() const { return implementation_->file.end(); }
bool RecordingReader::repaired() const { return implementation_->repaired; }

std::size_t RecordingReader::frame_count() const { return frame_steps().size(); }
const std::vector<std::uint64_t>& RecordingReader::frame_steps() const {
  return implementation_->file.frame_steps();
}
const std::vector<double>& RecordingReader::frame_times() const {
  return implementation_->file.frame_times();
}

RecordedFrame RecordingReader::frame(std::size_t number) const {
  RecordedFrame result;
  read_frame(number, result);
  return result;
}

void RecordingReader::read_frame(std::size_t number, RecordedFrame& frame) const {
  implementation_->file.read_frame(number, frame);
}

std::size_t RecordingReader::diagnostics_count() const {
  return implementation_->file.diagnostics_count();
}

std::vector<double> RecordingReader::real_column(std::string_view name) const {
  const std::vector<std::uint64_t> bits = implementation_->file.column_bits(name, ColumnType::real);
  std::vector<double> values;
  values.reserve(bits.size());
  for (const std::uint64_t value : bits) values.push_back(std::bit_cast<double>(value));
  return values;
}

std::vector<std::uint64_t> RecordingReader::integer_column(std::string_view name) const {
  return implementation_->file.column_bits(name, ColumnType::integer);
}

bool RecordingReader::has_column(std::string_view name) const {
  return implementation_->file.has_column(name);
}

std::size_t RecordingReader::event_count() const { return implementation_->file.event_count(); }

std::vector<ContactEvent> RecordingReader::events(std::size_t first, std::size_t count) const {
  return implementation_->file.events(first, count);
}

std::vector<ContactEvent> RecordingReader::events() const { return events(0, event_count()); }

const std::vector<Checkpoint>& RecordingReader::checkpoints() const {
  return implementation_->file.checkpoints();
}

Checkpoint RecordingReader::checkpoint(std::size_t number) const {
  return implementation_->file.checkpoint(number);
}

}  // namespace carom
