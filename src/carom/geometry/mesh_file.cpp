// Reading meshes from files by assimp.
#include "carom/geometry/mesh_file.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/geometry/triangle_mesh.h"

namespace carom {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& message) {
  throw InputError({path.string(), 0, 0, ""}, message);
}

void check_suffix(const std::filesystem::path& path) {
  std::string suffix = path.extension().string();
  if (!suffix.empty()) suffix.erase(0, 1);
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::vector<std::string> known = mesh_file_suffixes();
  if (std::find(known.begin(), known.end(), suffix) == known.end()) {
    refuse(path, unknown_name_message("mesh format", suffix, known));
  }
}

void check_readable(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) refuse(path, "is a directory; expected a mesh");
  errno = 0;
  const std::ifstream stream(path, std::ios::binary);
  if (!stream) refuse(path, "cannot be opened: " + std::generic_category().message(errno));
}

// Vertices are numbered anew on the way, so a fault cannot name the number that the file has.
void append(const aiMesh& part, const std::filesystem::path& path, TriangleMesh& mesh) {
  const auto offset = static_cast<Index>(mesh.vertices.size());
  for (unsigned v = 0; v < part.mNumVertices; ++v) {
    const aiVector3D& p = part.mVertices[v];
    mesh.vertices.push_back({p.x, p.y, p.z});
    if (is_finite(mesh.vertices.back())) continue;
    refuse(path, "has a vertex that is not finite: (" + number_text(p.x) + ", " + number_text(p.y) +
                     ", " + number_text(p.z) + ")");
  }
  for (unsigned f = 0; f < part.mNumFaces; ++f) {
    const aiFace& face = part.mFaces[f];
    if (face.mNumIndices != 3) continue;
    mesh.triangles.push_back(
        {face.mIndices[0] + offset, face.mIndices[1] + offset, face.mIndices[2] + offset});
  }
}

}  // namespace

std::vector<std::string> mesh_file_suffixes() { return {"obj", "ply", "stl", "gltf", "glb"}; }

TriangleMesh read_mesh(const std::filesystem::path& path) {
  check_suffix(path);
  check_readable(path);
  Assimp::Importer importer;
  // Triangles apart from points and lines, and every part in the scene's coordinates.
  const aiScene* scene =
      importer.ReadFile(path.string(), aiProcess_Triangulate | aiProcess_SortByPType |
                                           aiProcess_PreTransformVertices);
  if (scene == nullptr) {
    refuse(path, std::string("is not a mesh that can be read: ") + importer.GetErrorString());
  }
  TriangleMesh mesh;
  for (unsigned k = 0; k < scene->mNumMeshes; ++k) append(*scene->mMeshes[k], path, mesh);
  try {
    mesh = welded(mesh);
  } catch (const InputError& error) {
    refuse(path, error.message());
  }
  if (mesh.triangles.empty()) refuse(path, "has no triangles");
  return mesh;
}

}  // namespace carom
