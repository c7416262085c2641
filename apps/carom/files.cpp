#include "files.h"

#include <fstream>
#include <sstream>

#include "carom/core/error.h"

namespace carom::cli {

std::string read_text(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw InputError({path.string(), 0, 0, ""}, "is a directory, not a file");
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw InputError({path.string(), 0, 0, ""}, "cannot be read");
  return text.str();
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::path part = path;
  part += ".part";
  std::ofstream stream(part, std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  std::error_code error;
  if (stream) std::filesystem::rename(part, path, error);
  if (!stream || error) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    throw InputError({path.string(), 0, 0, ""}, "cannot be written");
  }
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

bool is_toml(const std::filesystem::path& path) { return path.extension() == ".toml"; }

std::string stem_of(const std::filesystem::path& path) {
  const std::string stem = path.stem().string();
  return stem.empty() ? "carom" : stem;
}

}  // namespace carom::cli
