// The stretch of surfaces and the zone in which they touch each other.
#include "carom/gallery/detail/tightness.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "carom/core/types.h"
#include "carom/geometry/stencil.h"

namespace carom::detail {
namespace {

struct Face {
  std::array<Vec3, 3> corner;
  Vec3 low;
  Vec3 high;
  std::size_t surface = 0;
};

Vec3 least(const Vec3& a, const Vec3& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
Vec3 most(const Vec3& a, const Vec3& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

// Of all surfaces, by their lowest x.
std::vector<Face> faces_of(const World& world, const std::vector<Vec3>& places, double near) {
  std::vector<Face> faces;
  const Vec3 wide{near, near, near};
  for (std::size_t s = 0; s < world.surfaces.size(); ++s) {
    const Surface& surface = world.surfaces[s];
    for (const TriangleMesh::Triangle& t : surface.triangles) {
      Face face;
      face.corner = {places[surface.first + t.a], places[surface.first + t.b],
                     places[surface.first + t.c]};
      face.low = least(least(face.corner[0], face.corner[1]), face.corner[2]) - wide;
      face.high = most(most(face.corner[0], face.corner[1]), face.corner[2]) + wide;
      face.surface = s;
      faces.push_back(face);
    }
  }
  std::sort(faces.begin(), faces.end(),
            [](const Face& a, const Face& b) { return a.low.x < b.low.x; });
  return faces;
}

}  // namespace

Tightness tightness(const World& world, const std::vector<Vec3>& places, double near) {
  Tightness result;
  std::vector<double> stretches;
  std::size_t vertices = 0;
  for (const Surface& surface : world.surfaces) {
    vertices += surface.size();
    for (const auto& edge : surface.edges) {
      const double rest = norm(surface.rest[edge[1]] - surface.rest[edge[0]]);
      const double now = norm(places[surface.first + edge[1]] - places[surface.first + edge[0]]);
      stretches.push_back(now / rest - 1.0);
    }
  }
  if (stretches.empty()) return result;
  std::sort(stretches.begin(), stretches.end());
  for (const double stretch : stretches) {
    result.mean_stretch += stretch / static_cast<double>(stretches.size());
  }
  result.large_stretch = stretches[(stretches.size() - 1) * 95 / 100];
  result.most_stretch = stretches.back();

  const std::vector<Face> faces = faces_of(world, places, near);
  double widest = 0.0;
  for (const Face& face : faces) widest = std::max(widest, face.high.x - face.low.x);
  const auto is_near = [&](const Vec3& x, std::size_t surface) {
    const auto first =
        std::lower_bound(faces.begin(), faces.end(), x.x - widest,
                         [](const Face& face, double value) { return face.low.x < value; });
    for (auto face = first; face != faces.end() && face->low.x <= x.x; ++face) {
      const bool outside = face->surface == surface || x.x > face->high.x || x.y < face->low.y ||
                           x.y > face->high.y || x.z < face->low.z || x.z > face->high.z;
      if (!outside && vertex_face(x, face->corner).distance < near) return true;
    }
    return false;
  };
  Vec3 low{kInfinity, kInfinity, kInfinity};
  Vec3 high{-kInfinity, -kInfinity, -kInfinity};
  std::size_t count = 0;
  for (std::size_t s = 0; s < world.surfaces.size(); ++s) {
    for (Index i = 0; i < world.surfaces[s].size(); ++i) {
      const Vec3& x = places[world.surfaces[s].first + i];
      if (!is_near(x, s)) continue;
      ++count;
      low = least(low, x);
      high = most(high, x);
    }
  }
  result.zone_share = static_cast<double>(count) / static_cast<double>(vertices);
  if (count > 0) result.zone_size = norm(high - low);
  return result;
}

}  // namespace carom::detail
