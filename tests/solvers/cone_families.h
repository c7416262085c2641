#pragma once

#include <cstdint>

#include "carom/solvers/cone_program.h"

namespace carom::solvers {

/// Random instants with contacts that rest, slide, close and part: patches of up to four places
/// with one normal (redundant, hyperstatic), mass ratios up to 1e6, friction up to 1.5 at places
/// far from the centres (Painleve's configurations), contacts to what does not move, bodies that
/// are pressed together by others. In two thirds of them everything is near rest: free velocities
/// are those that gravity gives in a step.
[[nodiscard]] ConeProgram random_cone_program(std::uint64_t seed);

}  // namespace carom::solvers
