// Text files read whole, unless they are too large for one of ours.
#include "carom/scene/detail/text_file.h"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "carom/core/error.h"

namespace carom::detail {
namespace {

constexpr std::uintmax_t kMaxBytes = 64U << 20U;

}  // namespace

void check_size(std::uintmax_t bytes, const std::string& file) {
  if (bytes > kMaxBytes) {
    throw InputError({file, 0, 0, ""}, "larger than 64 MiB: not a scene or an instant");
  }
}

std::string read_text_file(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw InputError({path.string(), 0, 0, ""}, "is a directory; expected a file");
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw InputError({path.string(), 0, 0, ""},
                     "cannot be opened: " + std::generic_category().message(errno));
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error) check_size(size, path.string());
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) {
    throw InputError({path.string(), 0, 0, ""},
                     "cannot be read: " + std::generic_category().message(errno));
  }
  return text;
}

}  // namespace carom::detail
