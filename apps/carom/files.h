#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "carom/recording/recording.h"

namespace carom::cli {

/// How many frames of a run to read for a page that shows `runs` of them. Pages are bounded by
/// their size too (page/page.h); this bounds the memory, to what such a page can hold.
[[nodiscard]] std::size_t page_frames(const RecordingHeader& header, std::size_t runs);

/// Throws InputError when `output` is the same file as `input`: nothing is overwritten by its own
/// page.
void demand_other_file(const std::filesystem::path& output, const std::filesystem::path& input);
/// Throws InputError when there is no directory to write `path` to: better before a long run than
/// after it.
void demand_directory_of(const std::filesystem::path& path);
/// Throws InputError when a plot would replace a file that is no picture of Carom's: at `path`, or
/// where that ends neither in .svg nor in .png, at both.
void demand_pictures_replaceable(const std::string& path);
/// A part of a file name from an operator's specification.
[[nodiscard]] std::string file_part(std::string text);
/// True for a TOML file, by its name.
[[nodiscard]] bool is_toml(const std::filesystem::path& path);
/// "break.toml" -> "break", without directories.
[[nodiscard]] std::string stem_of(const std::filesystem::path& path);

}  // namespace carom::cli
