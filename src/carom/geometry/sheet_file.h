#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/solid.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// What a mesh file says about an open surface or a chain, in the file's order.
struct SheetFile {
  TriangleMesh mesh;
  std::vector<std::array<Index, 2>> edges;  ///< of lines ("l"); only OBJ files have any
  /// Texture coordinates of the vertices, z = 0; empty unless they were asked for.
  std::vector<Vec3> texture;
};

/// What of a file is wanted.
struct SheetChoice {
  /// Of an OBJ file, the name of a group or, where no group has it, of an object; "": everything.
  std::string group;
  bool texture = false;  ///< texture coordinates too
};

/// A surface of a file. OBJ files are read with all their digits, and vertices keep their order and
/// stay apart where they lie in the same place; those that the wanted faces and lines do not use
/// are left out, and polygons become fans of triangles. Other formats: read_mesh(), everything and
/// without texture coordinates. Throws InputError with the file's name, and in OBJ files the line,
/// on what cannot be read, on groups that are not there and on vertices with two texture
/// coordinates (a seam) or with none where they are asked for.
[[nodiscard]] SheetFile read_sheet(const std::filesystem::path& path, const SheetChoice& choice);

}  // namespace carom
