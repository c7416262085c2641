#pragma once

#include <string>
#include <string_view>

#include "carom/geometry/solid.h"

namespace carom::detail {

/// `vertices = [...]` and `triangles = [...]` with this between them; reads back to the same bits.
[[nodiscard]] std::string mesh_values(const TriangleMesh& mesh, std::string_view between);

}  // namespace carom::detail
