#pragma once

#include <vector>

#include "carom/geometry/solid.h"

namespace carom::detail {

/// Lengths below which places count as one, and directions as parallel.
struct ContactTolerance {
  /// Of normals and edges, radians: below it two faces lie flat on each other.
  static constexpr double kParallel = 1e-6;
  /// A face, side or edge that deviates less than this (the sine of 15 degrees) from the contact
  /// plane faces the other body: its corners are looked at, not only its nearest place.
  static constexpr double kFacing = 0.2588190451025207;

  double length = 0.0;  ///< separations and places that differ by less are equal
  /// Across the normal, where features are cut with each other.
  [[nodiscard]] double lateral() const { return 4.0 * length; }
};

/// A rounded polytope in the coordinates of a query, with what separation needs.
struct PlacedPolytope {
  /// A direction that may separate: the plane of a face; in two dimensions also both sides of a
  /// line.
  struct Plane {
    Vec3 normal;  ///< unit, outward
    Vec3 point;
  };
  struct Edge {
    Index begin = 0;
    Index end = 0;
    Index face_a = kNone;
    Index face_b = kNone;
    Vec3 direction;  ///< unit
    /// Within its two faces, orthogonal to the edge; both zero for a line.
    Vec3 into_a;
    Vec3 into_b;
  };

  const ConvexPolytope* core = nullptr;
  double radius = 0.0;
  int dimension = 3;
  std::vector<Vec3> vertices;
  std::vector<Plane> planes;  ///< one for each face of the core, then the sides of a flat line
  std::vector<Edge> edges;    ///< in two dimensions the sides; filled by place_edges()
  Vec3 middle;                ///< mean of the vertices
  double inner = 0.0;         ///< radius of a ball about the middle that lies within the core
  /// Of a wall: no body that overlaps it is pushed against this direction. Zero for all others.
  Vec3 free_side;

  /// Vertices and planes. `pose` leads to the coordinates of the query. Keeps its memory.
  void place(const RoundedPolytope& polytope, const Pose& pose, int space_dimension);
  void place_edges();
  /// Middle and inner radius from vertices and planes; place() does it. No wall any more.
  void measure();

  /// A line (two dimensions) becomes a wall whose only side is the one where `toward` lies.
  void place_wall(const Vec3& toward);

 private:
  void place_line_sides();
};

}  // namespace carom::detail
