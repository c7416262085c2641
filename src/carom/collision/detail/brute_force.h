#pragma once

#include <memory>

#include "carom/collision/broad_phase.h"

namespace carom::detail {

/// Tests the boxes of every pair: quadratic time, and nothing that could go wrong.
[[nodiscard]] std::unique_ptr<BroadPhase> make_brute_force();

}  // namespace carom::detail
