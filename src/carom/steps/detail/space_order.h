#pragma once

#include <span>
#include <vector>

#include "carom/stepping/simulation.h"

namespace carom::detail {

/// The bodies in an order that keeps together in memory what is together in space: cells of a few
/// radii along a curve that fills space (Morton's). Empty where that would not pay: few bodies, or
/// most already lie near the one before them.
[[nodiscard]] std::vector<Index> space_order(const Simulation& simulation);

/// The same simulation with its bodies in another order: body k is the given one's `order`[k].
[[nodiscard]] Simulation reordered(const Simulation& simulation, std::span<const Index> order);

/// The same for a state.
void reorder(std::span<const Index> order, State& state);

}  // namespace carom::detail
