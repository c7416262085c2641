// Meshes made by formula: boxes, balls, surfaces of revolution, tubes, capsules.
#include "carom/geometry/mesh_generators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <string>
#include <utility>

#include "carom/core/error.h"
#include "carom/geometry/detail/size_input.h"
#include "carom/geometry/direction.h"

namespace carom {

using detail::demand_at_least;
using detail::demand_positive;

std::vector<Vec3> circle_points(Index count) {
  demand_at_least(count, 3, "count");
  std::vector<Vec3> points(count);
  for (Index k = 0; k < count; ++k) {
    // Eighths of a turn: the angle is folded into the first eighth, in whole numbers.
    const std::uint64_t eighths = 8 * std::uint64_t{k};
    const std::uint64_t octant = eighths / count;
    const std::uint64_t rest = eighths - octant * count;
    const std::uint64_t folded = octant % 2 == 0 ? rest : count - rest;
    const double angle =
        std::numbers::pi / 4.0 * static_cast<double>(folded) / static_cast<double>(count);
    const double x = std::cos(angle);
    double y = folded == count ? x : std::sin(angle);  // an eighth of a turn is the diagonal
    if (octant % 2 == 1) y = -y;
    const std::uint64_t turned = (octant + 1) / 2 % 4;  // which half axis it is folded onto
    // Not -y: there is no negative zero here.
    const std::array<Vec3, 4> quarter_turns = {
        {{x, y, 0.0}, {0.0 - y, x, 0.0}, {-x, 0.0 - y, 0.0}, {y, -x, 0.0}}};
    points[k] = quarter_turns[turned];
  }
  return points;
}

TriangleMesh box_mesh(const Vec3& half) {
  for (const double size : {half.x, half.y, half.z}) demand_positive(size, "half");
  TriangleMesh mesh;
  for (const double z : {-half.z, half.z}) {
    for (const double y : {-half.y, half.y}) {
      for (const double x : {-half.x, half.x}) mesh.vertices.push_back({x, y, z});
    }
  }
  // Every diagonal joins two of the corners 0, 3, 5, 6, which the half turns permute.
  mesh.triangles = {{0, 3, 1}, {0, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 6}, {0, 6, 2}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

TriangleMesh icosphere(double radius, int subdivisions) {
  demand_positive(radius, "radius");
  if (subdivisions < 0 || subdivisions > 8) {
    throw InputError({"", 0, 0, "subdivisions"},
                     "must be from 0 to 8, found " + std::to_string(subdivisions));
  }
  const double g = std::numbers::phi;
  TriangleMesh mesh;
  mesh.vertices = {{0, -1, -g}, {0, 1, -g}, {0, -1, g},  {0, 1, g},  {-1, -g, 0}, {1, -g, 0},
                   {-1, g, 0},  {1, g, 0},  {-g, 0, -1}, {-g, 0, 1}, {g, 0, -1},  {g, 0, 1}};
  mesh.triangles = {{0, 1, 10},  {0, 8, 1},   {2, 11, 3}, {2, 3, 9},  {4, 5, 2},
                    {4, 0, 5},   {6, 3, 7},   {6, 7, 1},  {8, 4, 9},  {8, 9, 6},
                    {10, 11, 5}, {10, 7, 11}, {0, 10, 5}, {0, 4, 8},  {1, 7, 10},
                    {1, 8, 6},   {2, 5, 11},  {2, 9, 4},  {3, 11, 7}, {3, 6, 9}};
  for (int step = 0; step < subdivisions; ++step) {
    std::map<std::pair<Index, Index>, Index> middles;
    const auto middle = [&](Index a, Index b) {
      const auto [entry, is_new] =
          middles.try_emplace(std::minmax(a, b), static_cast<Index>(mesh.vertices.size()));
      if (is_new) mesh.vertices.push_back(mesh.vertices[a] + mesh.vertices[b]);
      return entry->second;
    };
    for (Vec3& v : mesh.vertices) v = direction_of(v).unit;
    std::vector<TriangleMesh::Triangle> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const Index ab = middle(a, b);
      const Index bc = middle(b, c);
      const Index ca = middle(c, a);
      for (const TriangleMesh::Triangle& t :
           {TriangleMesh::Triangle{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}}) {
        finer.push_back(t);
      }
    }
    mesh.triangles = std::move(finer);
  }
  for (Vec3& v : mesh.vertices) v = radius * direction_of(v).unit;
  return mesh;
}

TriangleMesh surface_of_revolution(const std::vector<Vec3>& profile, Index count) {
  demand_at_least(static_cast<Index>(profile.size()), 3, "profile");
  for (std::size_t k = 0; k < profile.size(); ++k) {
    const bool is_end = k == 0 || k + 1 == profile.size();
    if (is_finite(profile[k]) && (is_end ? profile[k].x == 0.0 : profile[k].x > 0.0)) continue;
    throw InputError({"", 0, 0, "profile[" + std::to_string(k) + "]"},
                     is_end ? "the profile must begin and end on the axis (x = 0)"
                            : "must be finite and away from the axis (x > 0)");
  }
  const std::vector<Vec3> circle = circle_points(count);
  TriangleMesh mesh;
  mesh.vertices.push_back({0.0, 0.0, profile.front().y});
  const std::size_t rings = profile.size() - 2;
  for (std::size_t r = 1; r <= rings; ++r) {
    for (const Vec3& p : circle) {
      mesh.vertices.push_back({profile[r].x * p.x, profile[r].x * p.y, profile[r].y});
    }
  }
  const auto top = static_cast<Index>(mesh.vertices.size());
  mesh.vertices.push_back({0.0, 0.0, profile.back().y});
  const auto at = [&](std::size_t ring, Index k) {
    return static_cast<Index>(1 + ring * count + k % count);
  };
  for (Index k = 0; k < count; ++k) mesh.triangles.push_back({0, at(0, k + 1), at(0, k)});
  for (std::size_t r = 0; r + 1 < rings; ++r) {
    for (Index k = 0; k < count; ++k) {
      mesh.triangles.push_back({at(r, k), at(r, k + 1), at(r + 1, k + 1)});
      mesh.triangles.push_back({at(r, k), at(r + 1, k + 1), at(r + 1, k)});
    }
  }
  for (Index k = 0; k < count; ++k) {
    mesh.triangles.push_back({top, at(rings - 1, k), at(rings - 1, k + 1)});
  }
  return mesh;
}

TriangleMesh closed_tube(const std::vector<std::vector<Vec3>>& rings) {
  demand_at_least(static_cast<Index>(rings.size()), 3, "rings");
  const auto count = static_cast<Index>(rings.front().size());
  demand_at_least(count, 3, "rings[0]");
  TriangleMesh mesh;
  for (std::size_t r = 0; r < rings.size(); ++r) {
    if (rings[r].size() != count) {
      throw InputError({"", 0, 0, "rings[" + std::to_string(r) + "]"},
                       "has another number of places than the first ring");
    }
    mesh.vertices.insert(mesh.vertices.end(), rings[r].begin(), rings[r].end());
  }
  const auto at = [&](std::size_t ring, Index k) {
    return static_cast<Index>(ring % rings.size() * count + k % count);
  };
  for (std::size_t r = 0; r < rings.size(); ++r) {
    for (Index k = 0; k < count; ++k) {
      mesh.triangles.push_back({at(r, k), at(r, k + 1), at(r + 1, k + 1)});
      mesh.triangles.push_back({at(r, k), at(r + 1, k + 1), at(r + 1, k)});
    }
  }
  return mesh;
}

TriangleMesh capsule_mesh(double radius, double half_length, Index count) {
  demand_positive(radius, "radius");
  demand_positive(half_length, "half_length");
  // A quarter circle from the pole to the equator, mirrored for the other cap.
  const Index steps = std::max<Index>(count / 4, 1);
  std::vector<Vec3> profile = {{0.0, -(half_length + radius), 0.0}};
  const std::vector<Vec3> circle = circle_points(4 * std::max<Index>(steps, 1));
  for (Index k = 1; k <= steps; ++k) {
    const Vec3& p = circle[3 * steps + k == 4 * steps ? 0 : 3 * steps + k];
    profile.push_back({radius * p.x, radius * p.y - half_length, 0.0});
  }
  for (std::size_t k = profile.size(); k-- > 0;) {
    profile.push_back({profile[k].x, -profile[k].y, 0.0});
  }
  return surface_of_revolution(profile, count);
}

TriangleMesh cylinder_mesh(double radius, double half_length, Index count) {
  demand_positive(radius, "radius");
  demand_positive(half_length, "half_length");
  return surface_of_revolution({{0.0, -half_length, 0.0},
                                {radius, -half_length, 0.0},
                                {radius, half_length, 0.0},
                                {0.0, half_length, 0.0}},
                               count);
}

}  // namespace carom
