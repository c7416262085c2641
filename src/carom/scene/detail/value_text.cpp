// Vectors, meshes and motions as text.

#include "carom/scene/detail/value_text.h"

#include <array>
#include <variant>

#include "carom/scene/settings.h"

namespace carom::detail {

std::string vector_text(const Vec3& v, int dimension) {
  return "[" + exact_number(v.x) + ", " + exact_number(v.y) +
         (dimension == 3 ? ", " + exact_number(v.z) : "") + "]";
}

std::string places_text(const std::vector<Vec3>& places, int dimension) {
  std::string text = "[";
  const char* separator = "";
  for (const Vec3& v : places) {
    text += separator;
    text += "[" + exact_number(v.x) + "," + exact_number(v.y);
    if (dimension == 3) text += "," + exact_number(v.z);
    text += "]";
    separator = ",";
  }
  return text + "]";
}

std::string mesh_values(const TriangleMesh& mesh, std::string_view between) {
  std::vector<std::array<Index, 3>> triangles;
  triangles.reserve(mesh.triangles.size());
  for (const TriangleMesh::Triangle& t : mesh.triangles) triangles.push_back({t.a, t.b, t.c});
  std::string text = "vertices = " + places_text(mesh.vertices, 3);
  text += between;
  return text + "triangles = " + vertex_lists_text(triangles);
}

std::string motion_text(const Motion& motion, int dimension) {
  if (const auto* constant = std::get_if<ConstantMotion>(&motion)) {
    return "{ type = \"constant\", velocity = " + vector_text(constant->velocity, dimension) + " }";
  }
  if (const auto* sinusoid = std::get_if<SinusoidMotion>(&motion)) {
    return "{ type = \"sinusoid\", amplitude = " + vector_text(sinusoid->amplitude, dimension) +
           ", frequency = " + exact_number(sinusoid->frequency) +
           ", phase = " + exact_number(sinusoid->phase) + " }";
  }
  const auto& table = std::get<TableMotion>(motion);
  std::string times;
  std::string offsets;
  for (std::size_t k = 0; k < table.times.size(); ++k) {
    times += (k == 0 ? "" : ", ") + exact_number(table.times[k]);
    offsets += (k == 0 ? "" : ", ") + vector_text(table.offsets[k], dimension);
  }
  return "{ type = \"table\", times = [" + times + "], offsets = [" + offsets + "] }";
}

}  // namespace carom::detail
