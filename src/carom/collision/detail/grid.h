#pragma once

#include <memory>

#include "carom/collision/broad_phase.h"

namespace carom::detail {

/// A hierarchical grid. Balls are put into levels by the size of their swept boxes, each level
/// twice as large as the one before, with cells as large as its largest box. Every box lies in one
/// cell, that of its lower corner, and meets
///   - boxes of its own level in the same and in neighbouring cells,
///   - boxes of each larger level in the cells from which they could reach it.
/// So each pair is met once, a ball costs a few cells per level in use, and a long way makes a box
/// of a larger level, not many cells. Balls of which nothing is known (see is_known) meet all
/// others.
[[nodiscard]] std::unique_ptr<BroadPhase> make_grid();

}  // namespace carom::detail
