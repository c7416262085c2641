#pragma once

#include <vector>

#include "carom/collision/detail/placed_polytope.h"
#include "carom/collision/solid_contact.h"

namespace carom::detail {

/// A direction along which two cores are apart, or overlap least.
struct SeparatingAxis {
  Vec3 normal;  ///< unit, from b to a
  double separation = 0.0;
  SolidContact::Owner owner = SolidContact::Owner::neither;
};

/// The axes of largest separation of two cores a and b.
///
/// The difference a - b is a convex polytope whose faces stem from faces of a, faces of b, and (in
/// three dimensions) pairs of edges. Its faces' planes are looked at one by one. If the cores
/// overlap, the largest separation is minus the depth and its axis the shortest way out. If they
/// are apart, no axis separates by more than their distance; it is the distance itself unless the
/// nearest places are a vertex and an edge or two vertices.
struct SeparationResult {
  double separation = -kInfinity;  ///< the largest; -infinity if there is no axis (points, lines)
  /// All with that separation, within the tolerance. Axes of faces exclude those of edges; an axis
  /// of a face of a that lies flat on a face of b is the mean of the two, and neither's.
  std::vector<SeparatingAxis> axes;
};

/// Stops at the first axis that separates by `limit` or more; the result has then no axes.
void find_separation(PlacedPolytope& a, PlacedPolytope& b, double limit,
                     const ContactTolerance& tolerance, SeparationResult& result);

/// Nearest places of two cores among pairs of vertex and edge, and of vertices where there are no
/// edges. The nearest places of cores that are apart are among them unless an axis of
/// find_separation() separates by the distance. `normal` is any direction, best one that separates
/// (from b to a), or zero: it only spares work.
struct NearestPlaces {
  Vec3 place_a;
  Vec3 place_b;
  double distance = kInfinity;
  std::uint32_t feature_a = 0;  ///< names as in facets.h
  std::uint32_t feature_b = 0;
};
[[nodiscard]] NearestPlaces nearest_vertices_and_edges(PlacedPolytope& a, PlacedPolytope& b,
                                                       const Vec3& normal);

}  // namespace carom::detail
