#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "carom/asynchronous/audit.h"
#include "carom/core/random.h"
#include "carom/geometry/vec3.h"

namespace carom::asynchronous::test {

[[nodiscard]] AuditMesh mesh_of(std::size_t vertex_count, std::vector<std::array<Index, 2>> edges,
                                std::vector<std::array<Index, 3>> triangles);

struct AuditCase {
  AuditMesh mesh;
  std::vector<Vec3> places;
};

/// A few triangles (in space), edges and particles of very different sizes in a unit box, some
/// sharing vertices.
[[nodiscard]] AuditCase random_soup(Random& random, int dimension);

/// A square of side 1 at z = 0 as two triangles with the vertices 0 .. 3, and `more` vertices.
[[nodiscard]] AuditMesh square_mesh(std::size_t more, std::vector<std::array<Index, 2>> edges = {});
[[nodiscard]] std::vector<Vec3> square_places(const std::vector<Vec3>& more);

}  // namespace carom::asynchronous::test
