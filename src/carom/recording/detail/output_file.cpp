// Files that exporters write.

#include "carom/recording/detail/output_file.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fcntl.h>
#include <system_error>
#include <utility>

#include "carom/core/error.h"
#include "carom/recording/error.h"
#include "carom/recording/place.h"

namespace carom::detail {
namespace {

constexpr std::size_t kBufferSize = 1U << 18U;

MadeFile made_as(std::string_view suffix) {
  if (suffix.ends_with(".csv")) return MadeFile::csv_export;
  if (suffix.ends_with(".lammpstrj")) return MadeFile::lammps_export;
  if (suffix.ends_with(".glb")) return MadeFile::glb_export;
  return MadeFile::vtk_export;
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_TRUNC, 0666)) {
  if (!file_.open()) {
    refuse_file(path_, "cannot be opened: " + system_message(errno));
  }
}

OutputFile& OutputFile::operator<<(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kBufferSize) flush();
  return *this;
}

OutputFile& OutputFile::operator<<(char letter) { return *this << std::string_view(&letter, 1); }

OutputFile& OutputFile::operator<<(double value) {
  if (std::isnan(value)) return *this << "nan";
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void OutputFile::write(std::span<const std::byte> bytes) {
  *this << std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void OutputFile::flush() {
  int error = 0;
  const std::span<const std::byte> bytes = std::as_bytes(std::span(buffer_));
  if (write_at(file_.get(), bytes, written_, error) < bytes.size()) {
    throw RecordingError(path_.string(), system_message(error));
  }
  written_ += bytes.size();
  buffer_.clear();
}

void OutputFile::close() {
  flush();
  if (const int error = file_.close(); error != 0) {
    throw RecordingError(path_.string(), system_message(error));
  }
}

std::filesystem::path export_path(const ExportOptions& options, const std::string& suffix) {
  if (options.every == 0) {
    throw InputError({"", 0, 0, "every"}, "0 frames; expected 1 or more");
  }
  std::error_code error;
  std::filesystem::create_directories(options.directory, error);
  if (error) {
    refuse_file(options.directory, "cannot be created: " + error.message());
  }
  std::filesystem::path path = options.directory / (options.prefix + suffix);
  if (!options.replace_others) demand_replaceable(path, made_as(suffix));
  return path;
}

}  // namespace carom::detail
