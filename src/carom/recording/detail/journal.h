#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "carom/recording/detail/file.h"

namespace carom::detail {

/// What a record of the journal is. The numbers are part of the format.
enum class RecordKind : std::uint32_t {
  header = 1,        ///< first record of a new recording
  continuation = 2,  ///< first record of a resumed one
  frame = 3,
  diagnostics = 4,
  events = 5,
  checkpoint = 6,
  end = 7,
  extension = 8,     ///< the run goes on under another header: it was given another length
  changes = 9,       ///< a program changed something: bodies join and leave
  shape_places = 10  ///< where a program has brought the shapes
};

/// Where a journal is before it has its first record.
[[nodiscard]] std::filesystem::path fresh_journal_path(const std::filesystem::path& journal);

/// True for a file that begins as a journal.
[[nodiscard]] bool is_journal(const std::filesystem::path& path);

/// Between two records: where it is, and the checksum of the one before.
struct JournalPlace {
  std::uint64_t offset = 0;
  std::uint64_t checksum = 0;
};

/// Appends framed records to a locked journal (docs/recording-format.md, "The journal"). The
/// checksum of a record covers the one before, so no record is valid behind a damaged one.
class JournalWriter {
 public:
  /// Starts a journal with its first record, under the lock of the journal that stands at `path`
  /// (an empty one where there was none). The new one takes its place in one move, so a journal
  /// that is not empty always has its first record. Throws InputError when the directory cannot be
  /// written, RecordingError when there is no room.
  JournalWriter(std::filesystem::path path, const FileDescriptor& lock, RecordKind kind,
                std::span<const std::byte> payload);

  /// Goes on with a journal that is open and locked, behind its record that ends there; what
  /// follows is dropped.
  JournalWriter(std::filesystem::path path, FileDescriptor file, const JournalPlace& behind);

  void append(RecordKind kind, std::span<const std::byte> payload);
  /// Hands everything to the system. Throws RecordingError; what could not be written is kept and
  /// the next call goes on with it.
  void flush();
  /// The same, and waits for the disk.
  void sync();

  [[nodiscard]] const FileDescriptor& file() const { return file_; }

 private:
  FileDescriptor file_;
  std::filesystem::path path_;
  std::vector<std::byte> buffer_;
  std::uint64_t written_ = 0;
  std::uint64_t checksum_ = 0;
};

struct JournalRecord {
  RecordKind kind = RecordKind::end;
  std::vector<std::byte> payload;
};

/// Reads the records of a journal up to the last one that is whole.
class JournalScanner {
 public:
  explicit JournalScanner(int file);

  /// The next record into `record`, whose memory is used again; false at the end of what is valid.
  [[nodiscard]] bool next(JournalRecord& record);
  /// True when there is nothing at all: a writer was killed before its first record.
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// Where the payload of the last record begins.
  [[nodiscard]] std::uint64_t payload_offset() const { return payload_at_; }
  /// Behind the last record.
  [[nodiscard]] JournalPlace place() const { return {at_, checksum_}; }

 private:
  int file_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t payload_at_ = 0;
  std::uint64_t checksum_ = 0;
};

}  // namespace carom::detail
