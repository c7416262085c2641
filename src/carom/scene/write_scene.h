#pragma once

#include <string>

#include "carom/scene/scene.h"

namespace carom {

/// The simulation as a file with every ball written out, which reads back to the same bits.
/// Expectations and checks are not written.
[[nodiscard]] std::string write_scene(const Scene& scene);

/// A small scene with comments to begin from: a pool break whose expectations hold.
[[nodiscard]] std::string starter_scene();

}  // namespace carom
