// Small meshes for the tests of the audit.

#include "asynchronous/audit_meshes.h"

namespace carom::asynchronous::test {

AuditMesh mesh_of(std::size_t vertex_count, std::vector<std::array<Index, 2>> edges,
                  std::vector<std::array<Index, 3>> triangles) {
  AuditMesh mesh;
  mesh.vertex_count = vertex_count;
  mesh.edges = std::move(edges);
  mesh.triangles = std::move(triangles);
  return mesh;
}

AuditCase random_soup(Random& random, int dimension) {
  AuditCase result;
  result.mesh.dimension = dimension;
  std::vector<Vec3>& x = result.places;
  const auto random_vertex = [&](const Vec3& centre, double size) {
    const auto draw = [&](double c) { return c + size * random.uniform(-1.0, 1.0); };
    x.push_back({draw(centre.x), draw(centre.y), dimension == 3 ? draw(centre.z) : 0.0});
    return static_cast<Index>(x.size() - 1);
  };
  const Index count = 4 + random.below(20);
  for (Index k = 0; k < count; ++k) {
    const Vec3 centre = {random.uniform(), random.uniform(), random.uniform()};
    const double size = random.below(5) == 0 ? 1.0 : random.uniform(0.02, 0.4);
    const Index a = !x.empty() && random.below(3) == 0 ? random.below(static_cast<Index>(x.size()))
                                                       : random_vertex(centre, size);
    const Index kind = random.below(dimension == 3 ? 5 : 3);
    if (kind == 0) continue;
    const Index b = random_vertex(x[a], size);
    if (kind <= 2) {
      result.mesh.edges.push_back({a, b});
    } else {
      result.mesh.triangles.push_back({a, b, random_vertex(x[a], size)});
    }
  }
  result.mesh.vertex_count = x.size();
  return result;
}

AuditMesh square_mesh(std::size_t more, std::vector<std::array<Index, 2>> edges) {
  return mesh_of(4 + more, std::move(edges), {{0, 1, 2}, {0, 2, 3}});
}

std::vector<Vec3> square_places(const std::vector<Vec3>& more) {
  std::vector<Vec3> places = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  places.insert(places.end(), more.begin(), more.end());
  return places;
}

}  // namespace carom::asynchronous::test
