#pragma once

#include <vector>

#include "carom/asynchronous/problem.h"
#include "carom/geometry/vec3.h"

namespace carom::asynchronous::test {

/// Number of edges that pass through faces which share no vertex with them: by the exact
/// signs of volumes. What is wholly held is left out.
[[nodiscard]] int count_crossings(const Problem& problem, const std::vector<Vec3>& x);

/// Number of edges in the plane that cross without sharing a vertex; likewise.
[[nodiscard]] int count_crossings_in_plane(const Problem& problem, const std::vector<Vec3>& x);

}  // namespace carom::asynchronous::test
