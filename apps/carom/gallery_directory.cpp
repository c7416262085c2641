#include "gallery_directory.h"

#include <system_error>

#include "carom/core/error.h"

namespace carom::cli {
namespace fs = std::filesystem;

namespace {

bool is_gallery(const fs::path& directory) {
  std::error_code error;
  return fs::exists(directory / "G1-desiderata.toml", error);
}

}  // namespace

fs::path find_gallery(const std::string& given) {
  std::error_code error;
  if (!given.empty()) {
    if (!fs::is_directory(given, error)) throw InputError({given, 0, 0, ""}, "is not a directory");
    return given;
  }
  // Relative to the program, so that no path of the machine it was built on is inside it.
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    fs::path installed = program.parent_path().parent_path() / "share" / "carom" / "gallery";
    if (is_gallery(installed)) return installed;
    for (fs::path up = program.parent_path(); up.has_relative_path(); up = up.parent_path()) {
      if (is_gallery(up / "gallery")) return up / "gallery";
    }
  }
  if (is_gallery("gallery")) return "gallery";
  throw InputError({"", 0, 0, ""},
                   "the gallery was not found near the program; give it with --gallery DIR");
}

}  // namespace carom::cli
