// Writes and reads the records of a journal.

#include "carom/recording/detail/journal.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "carom/core/assert.h"
#include "carom/core/hash.h"
#include "carom/recording/error.h"

namespace carom::detail {
namespace {

constexpr std::array<char, 8> kMagic = {'C', 'A', 'R', 'O', 'M', 'J', '2', '\n'};
constexpr std::size_t kFrontSize = 16;    // kind, zero, length
constexpr std::size_t kChecksumSize = 8;  // behind the payload
constexpr std::size_t kBufferSize = 1U << 18U;

struct RecordFront {
  std::uint32_t kind = 0;
  std::uint32_t zero = 0;
  std::uint64_t length = 0;
};
static_assert(sizeof(RecordFront) == kFrontSize);

std::uint64_t record_checksum(std::uint64_t before, const RecordFront& front,
                              std::span<const std::byte> payload) {
  Hash64 hash;
  hash.add(before);
  hash.add(std::as_bytes(std::span(&front, 1)));
  hash.add(payload);
  return hash.value();
}

template <typename T>
void push(std::vector<std::byte>& buffer, std::span<const T> values) {
  const std::span<const std::byte> raw = std::as_bytes(values);
  buffer.insert(buffer.end(), raw.begin(), raw.end());
}

}  // namespace

std::filesystem::path fresh_journal_path(const std::filesystem::path& journal) {
  std::filesystem::path path = journal;
  return path += ".new";
}

bool is_journal(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::array<char, kMagic.size()> front{};
  return file.open() &&
         read_at(file.get(), std::as_writable_bytes(std::span(front)), 0) == front.size() &&
         front == kMagic;
}

JournalWriter::JournalWriter(std::filesystem::path path, const FileDescriptor& lock,
                             RecordKind kind, std::span<const std::byte> payload)
    : path_(std::move(path)) {
  CAROM_DEMAND(lock.open());
  const std::filesystem::path fresh = fresh_journal_path(path_);
  file_ = FileDescriptor(::open(fresh.c_str(), O_RDWR | O_CLOEXEC | O_CREAT | O_TRUNC, 0666));
  if (!file_.open() || ::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    refuse_file(fresh, "cannot be opened: " + system_message(errno));
  }
  push(buffer_, std::span<const char>(kMagic));
  try {
    append(kind, payload);
    sync();
    if (::rename(fresh.c_str(), path_.c_str()) != 0) {
      throw RecordingError(path_.string(), system_message(errno));
    }
  } catch (const RecordingError&) {
    ::unlink(fresh.c_str());
    throw;
  }
  sync_directory_of(path_);
}

JournalWriter::JournalWriter(std::filesystem::path path, FileDescriptor file,
                             const JournalPlace& behind)
    : file_(std::move(file)),
      path_(std::move(path)),
      written_(behind.offset),
      checksum_(behind.checksum) {
  if (::ftruncate(file_.get(), static_cast<off_t>(behind.offset)) != 0) {
    throw RecordingError(path_.string(), system_message(errno));
  }
}

void JournalWriter::append(RecordKind kind, std::span<const std::byte> payload) {
  const RecordFront front{static_cast<std::uint32_t>(kind), 0, payload.size()};
  checksum_ = record_checksum(checksum_, front, payload);
  push(buffer_, std::span<const RecordFront>(&front, 1));
  push(buffer_, payload);
  push(buffer_, std::span<const std::uint64_t>(&checksum_, 1));
  if (buffer_.size() >= kBufferSize) flush();
}

void JournalWriter::flush() {
  int error = 0;
  const std::size_t count = write_at(file_.get(), buffer_, written_, error);
  written_ += count;
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(count));
  if (!buffer_.empty()) throw RecordingError(path_.string(), system_message(error));
}

void JournalWriter::sync() {
  flush();
  if (::fdatasync(file_.get()) != 0) throw RecordingError(path_.string(), system_message(errno));
}

JournalScanner::JournalScanner(int file) : file_(file) {
  struct stat status {};
  if (::fstat(file, &status) == 0) size_ = static_cast<std::uint64_t>(status.st_size);
  std::array<char, kMagic.size()> magic{};
  const std::size_t read = read_at(file_, std::as_writable_bytes(std::span(magic)), 0);
  at_ = kMagic.size();
  if (read < magic.size() || magic != kMagic) {
    file_ = -1;
  }
}

bool JournalScanner::next(JournalRecord& record) {
  if (file_ < 0) return false;
  RecordFront front;
  const std::uint64_t left = size_ - at_;
  const bool has_front =
      left >= kFrontSize + kChecksumSize &&
      read_at(file_, std::as_writable_bytes(std::span(&front, 1)), at_) == kFrontSize;
  if (!has_front || front.length > left - kFrontSize - kChecksumSize) {
    file_ = -1;
    return false;
  }
  record.payload.resize(front.length);
  std::uint64_t checksum = 0;
  const bool whole = read_at(file_, record.payload, at_ + kFrontSize) == front.length &&
                     read_at(file_, std::as_writable_bytes(std::span(&checksum, 1)),
                             at_ + kFrontSize + front.length) == kChecksumSize &&
                     checksum == record_checksum(checksum_, front, record.payload);
  if (!whole) {
    file_ = -1;
    return false;
  }
  record.kind = static_cast<RecordKind>(front.kind);
  checksum_ = checksum;
  payload_at_ = at_ + kFrontSize;
  at_ += kFrontSize + front.length + kChecksumSize;
  return true;
}

}  // namespace carom::detail
