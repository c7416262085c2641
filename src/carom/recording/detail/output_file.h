#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "carom/recording/detail/file.h"
#include "carom/recording/export.h"

namespace carom::detail {

/// A text or binary file that an exporter writes. It takes its place when it is closed: until then
/// what stood there stays, and of one that is never closed nothing is left, not even when the
/// process is killed where the system has files without names (Linux). Throws InputError when it
/// cannot be opened and RecordingError when it cannot be written.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  OutputFile& operator<<(std::string_view text);
  OutputFile& operator<<(char letter);
  /// As many digits as it takes to read the same bits back.
  OutputFile& operator<<(double value);
  OutputFile& operator<<(std::integral auto value) { return *this << std::to_string(value); }

  void write(std::span<const std::byte> bytes);
  /// Writes what is left; an error that only shows when a file is closed shows here.
  void close();

 private:
  /// Where the bytes go before the file is closed.
  enum class Place : std::uint8_t {
    nameless,  ///< into a file without a name in the directory
    beside,    ///< into a file beside the place
    itself,    ///< at once into what is no regular file
    done,      ///< closed
  };

  void open();
  void flush();
  void take_place();

  std::filesystem::path path_;  ///< as given, for messages
  std::filesystem::path target_;
  std::filesystem::path part_;
  Place place_ = Place::beside;
  FileDescriptor file_;
  std::string buffer_;
  std::uint64_t written_ = 0;
};

/// Checks the options and what stands there, and makes the directory; PREFIX + suffix inside it.
[[nodiscard]] std::filesystem::path export_path(const ExportOptions& options,
                                                const std::string& suffix);

}  // namespace carom::detail
