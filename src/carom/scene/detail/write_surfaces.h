#pragma once

#include <string>

#include "carom/stepping/simulation.h"

namespace carom::detail {

/// Whether a body is a vertex of a surface, and so is written with it.
[[nodiscard]] bool is_vertex(const World& world, Index body);

/// [[surface]], [[surface.lead]], [[surface.force]], and [[lead]] and [[force]] of all other
/// bodies, vertices and masses written out, each with an empty line before it. Reads back to the
/// same bits.
[[nodiscard]] std::string surfaces_text(const Simulation& simulation);

}  // namespace carom::detail
