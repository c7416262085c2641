#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "carom/geometry/solid.h"

namespace carom {

/// The suffixes of the files that read_mesh() understands, without the dot.
[[nodiscard]] std::vector<std::string> mesh_file_suffixes();

/// All triangles of a mesh file (Wavefront OBJ, Stanford PLY, STL, glTF 2 as text or binary), in
/// the coordinates of the file's scene; polygons are cut into triangles, points and lines left out,
/// vertices in the same place welded. Positions have the 24 significant bits of single precision,
/// whatever the file has. Neither closed nor checked otherwise: check_mesh(). Throws InputError
/// with the file's name where it is missing, unreadable, of an unknown suffix, or without
/// triangles.
[[nodiscard]] TriangleMesh read_mesh(const std::filesystem::path& path);

}  // namespace carom
