#pragma once

#include <vector>

#include "carom/solvers/quadratic_program.h"

namespace carom::solvers {

/// Rows with the same gradient, bit for bit, ask the same velocity for different speeds: with
/// x >= 0 and no upper bound only the one with the smallest c can bind, and of equals one is
/// enough. The positions in the selection that are left when the others are taken out, ascending.
[[nodiscard]] std::vector<Index> without_repeated_rows(const QuadraticProgram& problem);

}  // namespace carom::solvers
