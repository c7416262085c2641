// A polytope, or a piece of a wall, in the coordinates of a query.
#include "carom/collision/detail/placed_polytope.h"

#include <algorithm>

#include "carom/core/assert.h"
#include "carom/geometry/direction.h"

namespace carom::detail {

void PlacedPolytope::place(const RoundedPolytope& polytope, const Pose& pose, int space_dimension) {
  core = &polytope.core;
  radius = polytope.radius;
  dimension = space_dimension;
  vertices.clear();
  planes.clear();
  edges.clear();
  for (const Vec3& vertex : core->vertices) vertices.push_back(pose.to_world(vertex));
  for (const ConvexPolytope::Face& face : core->faces) {
    planes.push_back({pose.rotation * face.normal, vertices[face.loop.front()]});
  }
  if (dimension == 2) {
    for (Vec3& vertex : vertices) vertex.z = 0.0;
    for (Plane& plane : planes) plane.point.z = 0.0;
    if (vertices.size() == 2) place_line_sides();
  }
  measure();
}

void PlacedPolytope::place_line_sides() {
  const Vec3 along = direction_of(vertices[1] - vertices[0]).unit;
  const Vec3 side = {-along.y, along.x, 0.0};
  planes.push_back({side, vertices[0]});
  planes.push_back({-side, vertices[0]});
}

void PlacedPolytope::place_wall(const Vec3& toward) {
  CAROM_ASSERT(dimension == 2 && planes.size() == 2);
  const Plane kept = dot(planes[0].normal, toward - planes[0].point) >= 0.0 ? planes[0] : planes[1];
  planes.assign(1, kept);
  free_side = kept.normal;
}

void PlacedPolytope::place_edges() {
  if (!edges.empty()) return;
  if (dimension == 2 && !core->faces.empty()) {
    for (Index face = 0; face < core->faces.size(); ++face) {
      const std::vector<Index>& loop = core->faces[face].loop;
      edges.push_back({loop[0], loop[1], face, kNone, {}, {}, {}});
    }
    return;
  }
  for (const ConvexPolytope::Edge& edge : core->edges) {
    Edge placed{edge.begin, edge.end, edge.face_a, edge.face_b, {}, {}, {}};
    placed.direction = direction_of(vertices[edge.end] - vertices[edge.begin]).unit;
    if (edge.face_a != kNone && edge.face_b != kNone) {
      // Going into one face of a convex body leads behind the plane of the other.
      const Vec3& normal_a = planes[edge.face_a].normal;
      const Vec3& normal_b = planes[edge.face_b].normal;
      placed.into_a = cross(normal_a, placed.direction);
      if (dot(placed.into_a, normal_b) > 0.0) placed.into_a = -placed.into_a;
      placed.into_b = cross(normal_b, placed.direction);
      if (dot(placed.into_b, normal_a) > 0.0) placed.into_b = -placed.into_b;
    }
    edges.push_back(placed);
  }
}

void PlacedPolytope::measure() {
  Vec3 sum;
  for (const Vec3& vertex : vertices) sum += vertex;
  middle = (1.0 / static_cast<double>(vertices.size())) * sum;
  free_side = {};
  inner = planes.empty() ? 0.0 : kInfinity;
  for (const Plane& plane : planes) {
    inner = std::min(inner, dot(plane.normal, plane.point - middle));
  }
  inner = std::max(inner, 0.0);
}

}  // namespace carom::detail
