// Files that exporters write.

#include "carom/recording/detail/output_file.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
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
  if (suffix.ends_with(".obj")) return MadeFile::obj_export;
  return MadeFile::vtk_export;
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path)
    : path_(std::move(path)), target_(followed(path_)), part_(target_) {
  part_ += ".part";
  open();
  if (!file_.open()) {
    refuse_file(path_, "cannot be opened: " + system_message(errno));
  }
}

void OutputFile::open() {
  std::error_code none;
  if (std::filesystem::exists(target_, none) && !std::filesystem::is_regular_file(target_, none)) {
    place_ = Place::itself;
    file_ = FileDescriptor(::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_TRUNC));
    return;
  }
#ifdef O_TMPFILE
  const std::filesystem::path directory =
      target_.has_parent_path() ? target_.parent_path() : std::filesystem::path(".");
  place_ = Place::nameless;
  file_ = FileDescriptor(::open(directory.c_str(), O_WRONLY | O_CLOEXEC | O_TMPFILE, 0666));
  if (file_.open()) return;
#endif
  place_ = Place::beside;
  file_ = FileDescriptor(::open(part_.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_TRUNC, 0666));
}

OutputFile::~OutputFile() {
  std::error_code none;
  if (place_ == Place::beside) std::filesystem::remove(part_, none);
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
  take_place();
}

void OutputFile::take_place() {
  std::error_code none;
  if (place_ == Place::nameless) {
    const std::string open_file = "/proc/self/fd/" + std::to_string(file_.get());
    std::filesystem::remove(part_, none);
    if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, part_.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      throw RecordingError(path_.string(), system_message(errno));
    }
    place_ = Place::beside;  // now it has a name
  }
  if (const int error = file_.close(); error != 0) {
    throw RecordingError(path_.string(), system_message(error));
  }
  if (place_ == Place::beside) {
    std::error_code unmoved;
    std::filesystem::rename(part_, target_, unmoved);
    if (unmoved) refuse_file(path_, "cannot be written: " + unmoved.message());
  }
  place_ = Place::done;
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
