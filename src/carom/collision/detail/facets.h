#pragma once

#include <cstdint>
#include <vector>

#include "carom/collision/detail/placed_polytope.h"

namespace carom::detail {

// Names of features of one part: two bits for the kind, the rest for the number.
[[nodiscard]] inline std::uint32_t vertex_name(Index number) { return number << 2U; }
[[nodiscard]] inline std::uint32_t edge_name(Index number) { return (number << 2U) | 1U; }
[[nodiscard]] inline std::uint32_t face_name(Index number) { return (number << 2U) | 2U; }
/// Places of round parts that belong to no vertex.
[[nodiscard]] inline std::uint32_t round_name(Index number) { return (number << 2U) | 3U; }

/// What a polytope shows to the other one: a face, an edge or a vertex.
struct Facet {
  std::vector<Index> loop;  ///< vertices; a face's counterclockwise seen from outside
  Index face = kNone;       ///< for faces
  std::uint32_t name = 0;
};

/// The facets of `polytope` that face along `outward` (unit) and contain an outermost vertex: faces
/// and edges within ContactTolerance::kFacing, and vertices that belong to none of those.
/// `count` facets are valid; the others keep their memory.
struct FacetList {
  std::vector<Facet> facets;
  std::size_t count = 0;
};
void find_facets(PlacedPolytope& polytope, const Vec3& outward, double tolerance, FacetList& list);

/// Two places of cores, one on each, that lie on one line along the normal.
struct PlacePair {
  Vec3 place_a;
  Vec3 place_b;
  double gap = 0.0;  ///< normal . (place_a - place_b)
  std::uint32_t feature_a = 0;
  std::uint32_t feature_b = 0;
};

/// Seen along the normal (unit, from b to a) two facets overlap in a convex polygon, a line, a
/// point or nothing: all its corners are added to `pairs`. They are corners of one facet over the
/// other, and crossings of their edges. Corners that agree within the tolerance are given once.
struct FacetSide {
  const PlacedPolytope& polytope;
  const Facet& facet;
};
void overlap_facets(const FacetSide& a, const FacetSide& b, const Vec3& normal, double tolerance,
                    std::vector<PlacePair>& pairs);

}  // namespace carom::detail
