// Files of the system below recordings.

#include "carom/recording/detail/file.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include "carom/core/error.h"

namespace carom::detail {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    close();
    number_ = other.release();
  }
  return *this;
}

int FileDescriptor::close() {
  const int number = release();
  return number >= 0 && ::close(number) != 0 ? errno : 0;
}

int FileDescriptor::release() { return std::exchange(number_, -1); }

void refuse_file(const std::filesystem::path& path, const std::string& message) {
  throw InputError({path.string(), 0, 0, ""}, message);
}

std::string system_message(int error) { return std::generic_category().message(error); }

std::size_t write_at(int file, std::span<const std::byte> bytes, std::uint64_t offset, int& error) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count =
        ::pwrite(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (count > 0) {
      done += static_cast<std::size_t>(count);
    } else if (count == 0 || errno != EINTR) {
      error = count == 0 ? ENOSPC : errno;
      break;
    }
  }
  return done;
}

std::size_t read_at(int file, std::span<std::byte> bytes, std::uint64_t offset) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count =
        ::pread(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (count > 0) {
      done += static_cast<std::size_t>(count);
    } else if (count == 0 || errno != EINTR) {
      break;
    }
  }
  return done;
}

namespace {

// Between opening and locking the file may have been finished and removed by its owner.
bool still_there(int file, const std::filesystem::path& path) {
  struct stat here {};
  struct stat there {};
  return ::fstat(file, &here) == 0 && ::stat(path.c_str(), &there) == 0 &&
         here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

}  // namespace

std::optional<FileDescriptor> lock_journal(const std::filesystem::path& path,
                                           const std::filesystem::path& recording, bool create) {
  // Somebody who only looks whether a run goes on holds the lock for a moment.
  constexpr auto kMoment = std::chrono::milliseconds(5);
  for (int patience = 10;;) {
    const int flags = O_RDWR | O_CLOEXEC | (create ? O_CREAT : 0);
    FileDescriptor file(::open(path.c_str(), flags, 0666));
    if (!file.open()) {
      const int error = errno;
      if (!create && error == ENOENT) return std::nullopt;
      refuse_file(recording, "cannot open " + path.string() + ": " + system_message(error));
    }
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno == EWOULDBLOCK) {
        if (--patience > 0) {
          std::this_thread::sleep_for(kMoment);
          continue;
        }
        refuse_file(recording, "is being written by another process (it holds " + path.string() +
                                   "); wait until it has ended");
      }
      refuse_file(recording, "cannot lock " + path.string() + ": " + system_message(errno));
    }
    if (still_there(file.get(), path)) return file;
  }
}

void sync_directory_of(const std::filesystem::path& path) {
  const std::filesystem::path parent = path.has_parent_path() ? path.parent_path() : ".";
  const FileDescriptor directory(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.open()) ::fsync(directory.get());
}

}  // namespace carom::detail
