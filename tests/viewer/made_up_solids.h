#pragma once

#include <cstddef>
#include <filesystem>

#include "carom/page/page.h"
#include "carom/recording/recording.h"

namespace carom::viewer_test {

/// Solids of every kind that tumble through each other: straight flight and steady turns, so that
/// every pose is a closed form. Quaternions change their sign from frame to frame, which means
/// nothing. Among them a ball that turns, one that does not, and an obstacle; one contact per frame
/// whose impulse is not along its normal.
[[nodiscard]] PageRun make_tumble(int dimension, std::size_t frames);

/// The same as a recording, for exporters.
void record_tumble(const PageRun& run, const std::filesystem::path& path);

}  // namespace carom::viewer_test
