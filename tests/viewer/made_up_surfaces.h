#pragma once

#include <cstddef>
#include <filesystem>

#include "carom/page/page.h"

namespace carom::viewer_test {

/// A flag of columns x rows squares that waves beside a ball, and in front of them a hanging chain:
/// places are closed forms of the time, so that every vertex of every frame is known. The flag
/// turns both sides to the eye.
[[nodiscard]] PageRun make_flag(std::size_t columns, std::size_t rows, std::size_t frames);

/// In the plane: a thick and a thin chain that swing, and a ball; with the ledger of the
/// asynchronous scheme as series.
[[nodiscard]] PageRun make_curtain(std::size_t links, std::size_t frames);

/// The same as a recording, for exporters.
void record_surfaces(const PageRun& run, const std::filesystem::path& path);

}  // namespace carom::viewer_test
