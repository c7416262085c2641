#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace carom {

/// The file that a path names in the end: symbolic links are followed, those too that lead to
/// nothing yet. Throws InputError where they lead round in a circle.
[[nodiscard]] std::filesystem::path followed(const std::filesystem::path& path);

/// Writes beside the file that the path names in the end and moves the whole into its place, so
/// that no half of a file is ever seen. Throws InputError when the place cannot be used,
/// RecordingError when there is no room.
void write_whole(const std::filesystem::path& path, std::string_view bytes);

/// What Carom writes, as the content of a file tells.
enum class MadeFile : std::uint8_t {
  recording,
  page,
  svg,
  png,
  sweep_table,
  csv_export,
  lammps_export,
  vtk_export,
  glb_export,
  obj_export,
  curve_table,
  instant
};

/// What a file seems to be, by its content: "a scene", "a PNG picture".
[[nodiscard]] std::string seems_to_be(const std::filesystem::path& path);

/// Throws InputError when something stands at `path` that Carom did not make as a file of this
/// kind, by its content: what it seems to be, and what to do. An empty file may always go.
void demand_replaceable(const std::filesystem::path& path, MadeFile made);

/// A comment that Carom puts into pictures and other files to know them again.
inline constexpr std::string_view kMadeByCarom = "made by Carom";

}  // namespace carom
