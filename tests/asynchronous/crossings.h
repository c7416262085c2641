#pragma once

#include <vector>

#include "carom/asynchronous/problem.h"
#include "carom/geometry/vec3.h"

namespace carom::asynchronous::test {

/// Number of edges that pass through faces which share no vertex with them: by the signs of
/// volumes, in long double.
[[nodiscard]] int count_crossings(const Problem& problem, const std::vector<Vec3>& position);

/// Number of edges in the plane that cross without sharing a vertex.
[[nodiscard]] int count_crossings_in_plane(const Problem& problem,
                                           const std::vector<Vec3>& position);

}  // namespace carom::asynchronous::test
