#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/geometry/motion.h"
#include "carom/geometry/solid.h"

// Values of scene files as text that reads back to the same bits.
namespace carom::detail {

/// "[x, y]" in two dimensions, "[x, y, z]" in three.
[[nodiscard]] std::string vector_text(const Vec3& v, int dimension);
/// A list of such, without blanks: there may be many.
[[nodiscard]] std::string places_text(const std::vector<Vec3>& places, int dimension);
/// A list of lists of two or three numbers of vertices, without blanks.
template <class Lists>
[[nodiscard]] std::string vertex_lists_text(const Lists& lists) {
  std::string text;
  for (const auto& list : lists) {
    text += text.empty() ? "[" : ",[";
    const char* separator = "";
    for (const auto vertex : list) {
      text += separator + std::to_string(vertex);
      separator = ",";
    }
    text += "]";
  }
  return "[" + text + "]";
}
/// `vertices = [...]` and `triangles = [...]` with this between them.
[[nodiscard]] std::string mesh_values(const TriangleMesh& mesh, std::string_view between);
/// A motion that is one as an inline table.
[[nodiscard]] std::string motion_text(const Motion& motion, int dimension);

}  // namespace carom::detail
