#pragma once

#include <hdf5.h>

#include "carom/recording/detail/file.h"

namespace carom::detail {

/// The file below an HDF5 file that is being made. When a write fails, HDF5 1.10 cannot close what
/// it holds: handles leak, and the end of the process tries again. So this file never tells: it
/// remembers the first errno, lets HDF5 believe that all went well, and whoever makes the file asks
/// error() and throws the file away.
class LatchedFile {
 public:
  /// Takes a file that is open for reading and writing, and empty.
  explicit LatchedFile(FileDescriptor file) : file_(std::move(file)) {}

  [[nodiscard]] int error() const { return error_; }

  /// Lets files that are opened with the property list `access` read and write this one.
  void use_in(hid_t access);

  /// Waits until everything is on the disk.
  void sync();

  void write(std::span<const std::byte> bytes, std::uint64_t offset);
  void read(std::span<std::byte> bytes, std::uint64_t offset);
  void resize(std::uint64_t size);
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  FileDescriptor file_;
  std::uint64_t size_ = 0;
  int error_ = 0;
};

}  // namespace carom::detail
