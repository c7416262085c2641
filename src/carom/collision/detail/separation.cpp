// The direction along which two polytopes are farthest apart, or overlap least.
#include "carom/collision/detail/separation.h"

#include <algorithm>
#include <cmath>

#include "carom/collision/detail/facets.h"
#include "carom/geometry/direction.h"

namespace carom::detail {
namespace {

using Owner = SolidContact::Owner;

struct SearchLimits {
  double limit = 0.0;      ///< no axis is wanted if one separates by this or more
  double tolerance = 0.0;  ///< separations that differ by less are equal
  Vec3 free_side;          ///< see PlacedPolytope; for pushing a away from b
};

double separation_along(const PlacedPolytope::Plane& plane, const std::vector<Vec3>& vertices) {
  double smallest = kInfinity;
  for (const Vec3& vertex : vertices) {
    smallest = std::min(smallest, dot(plane.normal, vertex - plane.point));
  }
  return smallest;
}

// Returns false as soon as an axis separates by the limit. Planes that the ball within the other
// core already shows to be worse are left out.
bool look_at_planes(const PlacedPolytope& of, const PlacedPolytope& other, Owner owner,
                    const SearchLimits& limits, SeparationResult& result) {
  const double limit = limits.limit;
  for (const PlacedPolytope::Plane& plane : of.planes) {
    const double most = dot(plane.normal, other.middle - plane.point) - other.inner;
    if (most < result.separation - limits.tolerance) continue;
    const double separation = separation_along(plane, other.vertices);
    if (separation >= limit) return false;
    const Vec3 normal = owner == Owner::b ? plane.normal : -plane.normal;
    const bool is_forbidden = dot(normal, limits.free_side) < -ContactTolerance::kParallel;
    if (is_forbidden && separation <= 0.0) continue;
    result.axes.push_back({normal, separation, owner});
    result.separation = std::max(result.separation, separation);
  }
  return true;
}

void keep_largest(SeparationResult& result, double tolerance) {
  std::erase_if(result.axes, [&](const SeparatingAxis& axis) {
    return axis.separation < result.separation - tolerance;
  });
}

// +1 or -1: how to orient n so that a lies where it points and b where it points away from; 0 if
// the two edges are not where the bodies could touch along it.
int orientation(const Vec3& n, const PlacedPolytope::Edge& edge_a,
                const PlacedPolytope::Edge& edge_b) {
  const double a_1 = dot(n, edge_a.into_a);
  const double a_2 = dot(n, edge_a.into_b);
  if (a_1 * a_2 < 0.0) return 0;
  const double b_1 = dot(n, edge_b.into_a);
  const double b_2 = dot(n, edge_b.into_b);
  if (b_1 * b_2 < 0.0) return 0;
  const double side_a = a_1 + a_2;
  const double side_b = b_1 + b_2;
  if (side_a >= 0.0 && side_b <= 0.0) return 1;
  return side_a <= 0.0 && side_b >= 0.0 ? -1 : 0;
}

// Whether two lines, which have no faces, could touch along n and along -n alike.
bool is_free(const PlacedPolytope::Edge& edge) { return edge.face_a == kNone; }

// The largest of dot(direction, outward) over all unit outward normals of an edge.
double farthest_normal(const PlacedPolytope& polytope, const PlacedPolytope::Edge& edge,
                       const Vec3& direction) {
  const Vec3 across = direction - dot(direction, edge.direction) * edge.direction;
  const bool is_between =
      dot(across, edge.into_a) <= 0.0 && dot(across, edge.into_b) <= 0.0;  // always of a line
  if (is_between) return norm(across);
  return std::max(dot(direction, polytope.planes[edge.face_a].normal),
                  dot(direction, polytope.planes[edge.face_b].normal));
}

// Edges that can belong to an axis that separates by more than `needed`, when `toward` leads from
// the middle of the body to that of the other: along any axis n the separation is at most
// n . toward less the radii of the balls within the cores.
void find_useful_edges(const PlacedPolytope& of, const Vec3& toward, double needed,
                       std::vector<const PlacedPolytope::Edge*>& edges) {
  edges.clear();
  for (const PlacedPolytope::Edge& edge : of.edges) {
    if (farthest_normal(of, edge, toward) >= needed) edges.push_back(&edge);
  }
}

bool look_at_edges(const PlacedPolytope& a, const PlacedPolytope& b, const SearchLimits& limits,
                   SeparationResult& result) {
  thread_local std::vector<const PlacedPolytope::Edge*> edges_a;
  thread_local std::vector<const PlacedPolytope::Edge*> edges_b;
  const double from_planes = result.separation;
  const double tolerance = limits.tolerance;
  const Vec3 between = a.middle - b.middle;
  const double needed = from_planes + a.inner + b.inner;
  find_useful_edges(a, -between, needed, edges_a);
  find_useful_edges(b, between, needed, edges_b);
  for (const PlacedPolytope::Edge* first : edges_a) {
    for (const PlacedPolytope::Edge* second : edges_b) {
      const PlacedPolytope::Edge& edge_a = *first;
      const PlacedPolytope::Edge& edge_b = *second;
      const Vec3 n = cross(edge_a.direction, edge_b.direction);
      const int sign = orientation(n, edge_a, edge_b);
      if (sign == 0) continue;
      const double squared = norm_squared(n);
      if (squared < ContactTolerance::kParallel * ContactTolerance::kParallel) continue;
      SeparatingAxis axis{(sign / std::sqrt(squared)) * n, 0.0, Owner::neither};
      axis.separation = dot(axis.normal, a.vertices[edge_a.begin] - b.vertices[edge_b.begin]);
      if (is_free(edge_a) && is_free(edge_b)) {
        const bool is_crossing = std::abs(axis.separation) <= tolerance;
        if ((is_crossing ? dot(axis.normal, between) : axis.separation) < 0.0) {
          axis.normal = -axis.normal;
          axis.separation = -axis.separation;
        }
      }
      if (axis.separation >= limits.limit) return false;
      if (axis.separation <= from_planes + tolerance) continue;
      if (axis.separation < result.separation - tolerance) continue;
      result.axes.push_back(axis);
      result.separation = std::max(result.separation, axis.separation);
    }
  }
  return true;
}

// The plane of `polytope` that faces along -direction, to within kParallel.
const PlacedPolytope::Plane* opposite_plane(const PlacedPolytope& polytope, const Vec3& direction) {
  for (const PlacedPolytope::Plane& plane : polytope.planes) {
    if (norm_squared(plane.normal + direction) <
        ContactTolerance::kParallel * ContactTolerance::kParallel) {
      return &plane;
    }
  }
  return nullptr;
}

// Where a face lies flat on one of the other body both have the same say in the direction.
void make_mean_axes(const PlacedPolytope& a, const PlacedPolytope& b, SeparationResult& result) {
  for (SeparatingAxis& axis : result.axes) {
    if (axis.owner == Owner::neither) continue;
    const bool is_of_a = axis.owner == Owner::a;
    const Vec3 outward = is_of_a ? -axis.normal : axis.normal;
    const PlacedPolytope::Plane* opposite = opposite_plane(is_of_a ? b : a, outward);
    if (opposite == nullptr) continue;
    const Vec3 sum = is_of_a ? opposite->normal - outward : outward - opposite->normal;
    axis.normal = direction_of(sum).unit;
    axis.owner = Owner::neither;
  }
  // A flat pair may have been found from both sides.
  std::vector<SeparatingAxis>& axes = result.axes;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const Vec3 normal = axes[k].normal;
    axes.erase(std::remove_if(axes.begin() + static_cast<std::ptrdiff_t>(k) + 1, axes.end(),
                              [&](const SeparatingAxis& other) {
                                return norm_squared(other.normal - normal) <
                                       4.0 * ContactTolerance::kParallel *
                                           ContactTolerance::kParallel;
                              }),
               axes.end());
  }
}

double farthest_along(const PlacedPolytope& polytope, const Vec3& direction) {
  double farthest = -kInfinity;
  for (const Vec3& vertex : polytope.vertices) {
    farthest = std::max(farthest, dot(direction, vertex));
  }
  return farthest;
}

// Vertices of one core against edges of the other. Those whose height over the other body along the
// axis already exceeds the best distance are left out.
void look_from_vertices(const PlacedPolytope& of, const PlacedPolytope& other, const Vec3& toward,
                        bool is_exchanged, NearestPlaces& nearest) {
  const double reach_of = farthest_along(of, toward);
  const double reach_other = farthest_along(other, -toward);
  for (Index v = 0; v < of.vertices.size(); ++v) {
    const Vec3& vertex = of.vertices[v];
    if (-dot(toward, vertex) - reach_other > nearest.distance) continue;
    for (Index e = 0; e < other.edges.size(); ++e) {
      const Vec3& begin = other.vertices[other.edges[e].begin];
      const Vec3& end = other.vertices[other.edges[e].end];
      if (std::min(dot(toward, begin), dot(toward, end)) - reach_of > nearest.distance) continue;
      const Vec3 along = end - begin;
      const double where = std::clamp(dot(vertex - begin, along) / norm_squared(along), 0.0, 1.0);
      const Vec3 place = place_on_path(begin, end, where);
      const double squared = norm_squared(vertex - place);
      if (!(squared < nearest.distance * nearest.distance)) continue;
      nearest = {vertex, place, std::sqrt(squared), vertex_name(v), edge_name(e)};
      if (where == 0.0) nearest.feature_b = vertex_name(other.edges[e].begin);
      if (where == 1.0) nearest.feature_b = vertex_name(other.edges[e].end);
      if (is_exchanged) {
        std::swap(nearest.place_a, nearest.place_b);
        std::swap(nearest.feature_a, nearest.feature_b);
      }
    }
  }
}

}  // namespace

void find_separation(PlacedPolytope& a, PlacedPolytope& b, double limit,
                     const ContactTolerance& tolerance, SeparationResult& result) {
  result.separation = -kInfinity;
  result.axes.clear();
  const SearchLimits limits{limit, tolerance.length, b.free_side - a.free_side};
  bool is_near = look_at_planes(a, b, Owner::a, limits, result) &&
                 look_at_planes(b, a, Owner::b, limits, result);
  if (is_near && a.dimension == 3) {
    keep_largest(result, tolerance.length);
    a.place_edges();
    b.place_edges();
    is_near = look_at_edges(a, b, limits, result);
  }
  if (!is_near) {
    result.axes.clear();
    result.separation = kInfinity;
    return;
  }
  keep_largest(result, tolerance.length);
  make_mean_axes(a, b, result);
}

NearestPlaces nearest_vertices_and_edges(PlacedPolytope& a, PlacedPolytope& b, const Vec3& normal) {
  a.place_edges();
  b.place_edges();
  NearestPlaces nearest;
  look_from_vertices(a, b, -normal, false, nearest);
  look_from_vertices(b, a, normal, true, nearest);
  if (a.edges.empty() && b.edges.empty()) {
    nearest = {a.vertices[0], b.vertices[0], 0.0, vertex_name(0), vertex_name(0)};
  }
  nearest.distance = direction_of(nearest.place_a - nearest.place_b).length;
  return nearest;
}

}  // namespace carom::detail
