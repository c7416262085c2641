// Meshes with a normal for each corner, as graphics cards want them.
#include "carom/recording/detail/drawn_mesh.h"

#include <cmath>

namespace carom::detail {
namespace {

// Of 30 degrees.
constexpr double kCreaseCosine = 0.86602540378443865;
// Rows of triangles in an eighth of a ball.
constexpr std::uint32_t kOctantRows = 8;

std::array<float, 3> as_floats(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

// Along z where there is no direction: a normal must have one.
Vec3 unit_of(const Vec3& v) {
  const double length = std::sqrt(dot(v, v));
  return length > 0.0 ? (1.0 / length) * v : Vec3{0.0, 0.0, 1.0};
}

// Gives each corner of a triangle its vertex; corners of one place with one normal share it.
class CornerMerger {
 public:
  CornerMerger(const TriangleMesh& surface, DrawnMesh& mesh)
      : surface_(surface), mesh_(mesh), known_(surface.vertices.size()) {}

  void add(Index vertex, const Vec3& normal) {
    const std::array<float, 3> numbers = as_floats(normal);
    for (const std::uint32_t candidate : known_[vertex]) {
      if (mesh_.normals[candidate] == numbers) {
        mesh_.corners.push_back(candidate);
        return;
      }
    }
    const auto number = static_cast<std::uint32_t>(mesh_.positions.size());
    mesh_.positions.push_back(as_floats(surface_.vertices[vertex]));
    mesh_.normals.push_back(numbers);
    mesh_.corners.push_back(number);
    known_[vertex].push_back(number);
  }

 private:
  const TriangleMesh& surface_;
  DrawnMesh& mesh_;
  std::vector<std::vector<std::uint32_t>> known_;
};

}  // namespace

DrawnMesh drawn_mesh(const TriangleMesh& surface) {
  std::vector<Vec3> areas;  // twice the area of each triangle, along its normal
  std::vector<Vec3> normals;
  std::vector<std::vector<std::size_t>> around(surface.vertices.size());
  for (std::size_t k = 0; k < surface.triangles.size(); ++k) {
    const TriangleMesh::Triangle& t = surface.triangles[k];
    areas.push_back(cross(surface.vertices[t.b] - surface.vertices[t.a],
                          surface.vertices[t.c] - surface.vertices[t.a]));
    normals.push_back(unit_of(areas.back()));
    for (const Index corner : {t.a, t.b, t.c}) around[corner].push_back(k);
  }
  DrawnMesh mesh;
  CornerMerger merger(surface, mesh);
  for (std::size_t k = 0; k < surface.triangles.size(); ++k) {
    const TriangleMesh::Triangle& t = surface.triangles[k];
    for (const Index corner : {t.a, t.b, t.c}) {
      Vec3 sum;
      for (const std::size_t neighbour : around[corner]) {
        if (dot(normals[k], normals[neighbour]) >= kCreaseCosine) sum = sum + areas[neighbour];
      }
      merger.add(corner, unit_of(sum));
    }
  }
  return mesh;
}

DrawnMesh ball_octants(double radius, bool positive) {
  DrawnMesh mesh;
  for (std::uint32_t octant = 0; octant < 8; ++octant) {
    const double x = (octant & 1U) == 0 ? 1.0 : -1.0;
    const double y = (octant & 2U) == 0 ? 1.0 : -1.0;
    const double z = (octant & 4U) == 0 ? 1.0 : -1.0;
    if ((x * y * z > 0.0) != positive) continue;
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      // Mirrored octants turn the other way round.
      const auto order = positive ? std::array{a, b, c} : std::array{a, c, b};
      for (const std::uint32_t corner : order) mesh.corners.push_back(first + corner);
    };
    std::uint32_t number = 0;
    for (std::uint32_t row = 0; row <= kOctantRows; ++row) {
      for (std::uint32_t k = 0; k <= row; ++k, ++number) {
        const Vec3 direction =
            unit_of({x * static_cast<double>(row - k), y * static_cast<double>(k),
                     z * static_cast<double>(kOctantRows - row)});
        mesh.positions.push_back(as_floats(radius * direction));
        mesh.normals.push_back(as_floats(direction));
        if (row == kOctantRows) continue;
        const std::uint32_t below = number + row + 1;
        add(number, below, below + 1);
        if (k < row) add(number, below + 1, number + 1);
      }
    }
  }
  return mesh;
}

}  // namespace carom::detail
