#include "carom/scene/detail/mesh_text.h"

#include "carom/scene/settings.h"

namespace carom::detail {

std::string mesh_values(const TriangleMesh& mesh, std::string_view between) {
  std::string text = "vertices = [";
  const char* separator = "";
  for (const Vec3& v : mesh.vertices) {
    text += separator;
    text += "[" + exact_number(v.x) + "," + exact_number(v.y) + "," + exact_number(v.z) + "]";
    separator = ",";
  }
  text += "]";
  text += between;
  text += "triangles = [";
  separator = "";
  for (const TriangleMesh::Triangle& t : mesh.triangles) {
    text += separator;
    text += "[" + std::to_string(t.a) + "," + std::to_string(t.b) + "," + std::to_string(t.c) + "]";
    separator = ",";
  }
  return text + "]";
}

}  // namespace carom::detail
