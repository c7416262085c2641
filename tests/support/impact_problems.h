#pragma once

#include <vector>

#include "carom/impact/problem.h"

namespace carom::test {

/// Line of touching balls; contact i is between ball i and ball i + 1.
[[nodiscard]] ImpactProblem line_of_balls(const std::vector<double>& velocities,
                                          const std::vector<double>& masses = {},
                                          double restitution = 1.0);

/// A triangular rack of `rows` rows of unit balls, apex at the origin, and a cue ball that touches
/// the apex and moves along +x with speed 1. The cue is body 0.
[[nodiscard]] ImpactProblem rack_break(int rows);

/// A unit cube just touching the floor z = 0 with its four lower corners.
[[nodiscard]] ImpactProblem cube_on_floor(const Numbers& velocity, double restitution = 1.0,
                                          double friction = 0.0);

}  // namespace carom::test
