#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace carom::detail {

/// Writes `path` if it ends in .svg or .png, otherwise both, and says what was written. Each maker
/// gives the bytes of a file. Throws InputError naming the file that cannot be opened,
/// RecordingError when there is no room.
std::vector<std::filesystem::path> write_pictures(const std::filesystem::path& path,
                                                  const std::function<std::string()>& make_svg,
                                                  const std::function<std::string()>& make_png);

}  // namespace carom::detail
