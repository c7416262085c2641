#pragma once

#include <string>
#include <string_view>

#include "carom/stepping/simulation.h"

namespace carom::detail {

/// Everything that the next synchronous step depends on.
[[nodiscard]] std::string write_checkpoint(const State& state);
/// Throws InputError when the bytes are not a state of this simulation.
[[nodiscard]] State read_checkpoint(std::string_view bytes, const Simulation& simulation);

}  // namespace carom::detail
