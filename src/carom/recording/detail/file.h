#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace carom::detail {

/// An open file; closed, and with it unlocked, when it goes.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { close(); }

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool open() const { return number_ >= 0; }
  /// Returns the errno of what only showed now, 0 when all is well.
  int close();

 private:
  int release();

  int number_ = -1;
};

/// Throws InputError about a file.
[[noreturn]] void refuse_file(const std::filesystem::path& path, const std::string& message);

/// What the system says about an errno.
[[nodiscard]] std::string system_message(int error);

/// Writes all of `bytes` at `offset`. Returns how many were written, fewer only when the system
/// refused the rest; `error` is then its errno.
[[nodiscard]] std::size_t write_at(int file, std::span<const std::byte> bytes, std::uint64_t offset,
                                   int& error);
/// Reads at most bytes.size(); fewer at the end of the file or on an error.
[[nodiscard]] std::size_t read_at(int file, std::span<std::byte> bytes, std::uint64_t offset);

/// Opens and locks the journal at `path` for this process, creating it where `create` says so.
/// nullopt when there is none. Throws InputError, naming `recording`, when another process holds
/// it or when it cannot be opened.
[[nodiscard]] std::optional<FileDescriptor> lock_journal(const std::filesystem::path& path,
                                                         const std::filesystem::path& recording,
                                                         bool create);

/// Makes the names in the directory of `path` durable. Systems that cannot do that are forgiven:
/// only a power failure could tell.
void sync_directory_of(const std::filesystem::path& path);

}  // namespace carom::detail
