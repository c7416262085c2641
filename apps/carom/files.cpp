// Names and places of the files that commands write.

#include "files.h"

#include <algorithm>
#include <system_error>

#include "carom/core/error.h"
#include "carom/page/page.h"
#include "carom/recording/place.h"

namespace carom::cli {

std::size_t page_frames(const RecordingHeader& header, std::size_t runs) {
  constexpr std::size_t kMost = 5000;
  // Each coordinate, each speed and each component of an orientation takes a byte at least, four
  // thirds of one in base64.
  const int components = header.dimension == 3 ? 4 : 2;
  const int numbers = header.dimension + 1 + (header.any_turns() ? components : 0);
  const double bytes = 4.0 / 3.0 * static_cast<double>(numbers) *
                       static_cast<double>(header.body_count()) * static_cast<double>(runs);
  const double fit = 1e6 * PageSettings{}.max_megabytes / std::max(bytes, 1.0);
  return std::max<std::size_t>(2, static_cast<std::size_t>(std::min<double>(kMost, fit)));
}

void demand_other_file(const std::filesystem::path& output, const std::filesystem::path& input) {
  std::error_code error;
  if (!std::filesystem::equivalent(output, input, error)) return;
  throw InputError({output.string(), 0, 0, ""}, "is the input; name another file");
}

void demand_directory_of(const std::filesystem::path& path) {
  const std::filesystem::path directory = path.parent_path();
  std::error_code error;
  if (directory.empty() || std::filesystem::is_directory(directory, error)) return;
  throw InputError({directory.string(), 0, 0, ""}, "there is no such directory");
}

void demand_pictures_replaceable(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".svg" || extension == ".png") {
    demand_replaceable(path, extension == ".svg" ? MadeFile::svg : MadeFile::png);
    return;
  }
  demand_replaceable(path + ".svg", MadeFile::svg);
  demand_replaceable(path + ".png", MadeFile::png);
}

std::string file_part(std::string text) {
  for (char& c : text) {
    if (c == ':' || c == ',' || c == '=') c = '-';
  }
  return text;
}

bool is_toml(const std::filesystem::path& path) { return path.extension() == ".toml"; }

std::string stem_of(const std::filesystem::path& path) {
  const std::string stem = path.stem().string();
  return stem.empty() ? "carom" : stem;
}

}  // namespace carom::cli
