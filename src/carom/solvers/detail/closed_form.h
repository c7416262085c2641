#pragma once

#include "carom/solvers/quadratic_program.h"

namespace carom::solvers {

/// One or two rows, exactly: x = clamp(-c/A_11) for one; for two the nine combinations of free,
/// lower and upper, of which positive definite A admits exactly one solution.
/// False where the case is not of that kind (two rows that are nearly parallel): x is unset.
[[nodiscard]] bool solve_closed_form(const QuadraticProgram& problem, QpResult& result);

}  // namespace carom::solvers
