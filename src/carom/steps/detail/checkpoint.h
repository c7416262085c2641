#pragma once

#include <string>
#include <string_view>

#include "carom/stepping/simulation.h"

namespace carom::detail {

/// Of a synchronous step that is too long for its scene.
inline constexpr Index kMostHalvings = 12;

/// Everything that the next synchronous step depends on.
[[nodiscard]] std::string write_checkpoint(const State& state);
/// Throws InputError when the bytes are not a state of this simulation.
[[nodiscard]] State read_checkpoint(std::string_view bytes, const Simulation& simulation);

}  // namespace carom::detail
