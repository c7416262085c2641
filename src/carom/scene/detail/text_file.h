#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace carom::detail {

/// Refuses texts that are too large to be a file of ours: somebody's recording, by mistake.
void check_size(std::uintmax_t bytes, const std::string& file);

/// The whole file. Throws InputError when it cannot be read.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

}  // namespace carom::detail
