#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace carom::cli {

/// Throws InputError when the file cannot be read.
[[nodiscard]] std::string read_text(const std::filesystem::path& path);
/// Writes beside the target and renames, so that no half of a file is ever seen. Throws InputError.
void write_text(const std::filesystem::path& path, std::string_view text);
/// True for a TOML file, by its name.
[[nodiscard]] bool is_toml(const std::filesystem::path& path);
/// "break.toml" -> "break", without directories.
[[nodiscard]] std::string stem_of(const std::filesystem::path& path);

}  // namespace carom::cli
