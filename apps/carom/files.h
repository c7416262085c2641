#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace carom::cli {

/// Frames that one page can show; pages are bounded by their size too, this bounds the memory.
inline constexpr std::size_t kPageFrames = 5000;

/// Throws InputError when the file cannot be read.
[[nodiscard]] std::string read_text(const std::filesystem::path& path);
/// Writes beside the target and renames, so that no half of a file is ever seen. Throws InputError.
void write_text(const std::filesystem::path& path, std::string_view text);
/// Throws InputError when `output` is the same file as `input`: nothing is overwritten by its own
/// page.
void demand_other_file(const std::filesystem::path& output, const std::filesystem::path& input);
/// Throws InputError when there is no directory to write `path` to: better before a long run than
/// after it.
void demand_directory_of(const std::filesystem::path& path);
/// True for a TOML file, by its name.
[[nodiscard]] bool is_toml(const std::filesystem::path& path);
/// "break.toml" -> "break", without directories.
[[nodiscard]] std::string stem_of(const std::filesystem::path& path);

}  // namespace carom::cli
