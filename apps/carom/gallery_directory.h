#pragma once

#include <filesystem>
#include <string>

namespace carom::cli {

/// The gallery's directory: as given; else a `gallery` beside one of the directories above the
/// program (a build inside the sources); else share/carom/gallery of the installation; else
/// ./gallery. Throws InputError when there is none.
[[nodiscard]] std::filesystem::path find_gallery(const std::string& given);

}  // namespace carom::cli
