#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "carom/scene/scene.h"

namespace carom {

/// Reads a ball2d, rigidbody2d or rigidbody3d scene of SCISim, the research code of Generalized
/// Reflections. What Carom does otherwise (friction solvers, cylinders) stands in the description
/// of the result; what it cannot do (Lees-Edwards portals, penalty forces, scripting) is an
/// InputError that names it, with line and column. docs/scene-format.md says what becomes of each
/// element; `text` of the result is a scene file.
[[nodiscard]] Scene import_scisim(std::string_view xml, const std::string& file = "");
[[nodiscard]] Scene import_scisim_file(const std::filesystem::path& path);

}  // namespace carom
