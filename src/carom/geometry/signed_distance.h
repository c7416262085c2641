#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/solid.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// How far a place is from a surface, negative inside, and where the distance grows fastest.
struct DistanceSample {
  double distance = 0.0;
  Vec3 gradient;  ///< unit
};

/// A triangle as the distance needs it.
class DistanceTriangle {
 public:
  DistanceTriangle() = default;
  DistanceTriangle(const Vec3& a, const Vec3& b, const Vec3& c);

  /// What of the triangle is nearest: corner k, the side from corner k, or its inside.
  enum class Feature : std::uint8_t {
    corner_a,
    corner_b,
    corner_c,
    side_a,
    side_b,
    side_c,
    inside
  };
  struct Nearest {
    Vec3 offset;  ///< from the nearest point of the triangle to the place
    double distance_squared = 0.0;
    Feature feature = Feature::inside;
  };
  [[nodiscard]] Nearest nearest(const Vec3& place) const;
  [[nodiscard]] const Vec3& normal() const { return normal_; }

 private:
  Vec3 a_;
  Vec3 ab_;
  Vec3 ac_;
  Vec3 normal_;
};

/// The signed distance from a closed triangle mesh (check_mesh), without error but round-off: the
/// nearest point of the nearest triangle, found in a hierarchy of boxes; the sign is that of the
/// angle-weighted pseudonormal of the face, edge or vertex it lies on (Baerentzen2005). Among
/// triangles that are equally near the one with the smallest number decides, so the same place has
/// the same bits always.
///
/// Why not a sampled field: on the bunny (3,674 triangles) a sample near the surface costs 1.2
/// microseconds, one look at a trilinear field of 64 cells along the longest side 0.02; but that
/// field is off by up to 5e-3 of the body's diagonal (mean 3e-4) and its normals by 6 degrees in
/// the mean (128 cells: 2e-3, 1e-4 and 3 degrees, 7 MB), it rounds off the edges on which bodies
/// come to lie, and its grid breaks the symmetries of the body. The exact distance keeps them to
/// round-off. may_be_within() and VertexTree (carom/geometry/vertex_tree.h) leave few places to be
/// asked about.
class MeshDistance {
 public:
  explicit MeshDistance(const TriangleMesh& mesh);

  [[nodiscard]] DistanceSample sample(const Vec3& place) const;

  /// The same, or nothing where the distance is larger than a limit: to see that it is costs less.
  [[nodiscard]] std::optional<DistanceSample> sample_within(const Vec3& place, double limit) const;

  /// False only if the distance is larger than the margin; one look into a table.
  [[nodiscard]] bool may_be_within(const Vec3& place, double margin) const;

 private:
  // A box around triangles [first, first + count), or, where count is 0, around the boxes of the
  // two nodes that follow: the next one, and the one numbered `first`.
  struct Node {
    Vec3 lower;
    Vec3 upper;
    Index first = 0;
    Index count = 0;
  };
  // Normals that give the sign: three corners, three sides, the inside.
  using Pseudonormals = std::array<Vec3, 7>;
  struct Found {
    DistanceTriangle::Nearest nearest;
    Index triangle = kNone;  ///< place in the order of the tree
  };
  // What is known at the middle of a cell of a coarse grid: by how much the distance can be less or
  // more elsewhere in the cell follows from its slope, which is 1.
  struct Cell {
    double distance = 0.0;
    Index triangle = kNone;
  };

  void build_tree(const TriangleMesh& mesh);
  void build_pseudonormals(const TriangleMesh& mesh);
  void build_cells();
  void consider(Index triangle, const Vec3& place, Found& found) const;
  // The nearest triangle; none where all are farther than a limit.
  [[nodiscard]] Found find(const Vec3& place, Index first_guess,
                           double limit_squared = kInfinity) const;
  [[nodiscard]] DistanceSample sample_of(const Found& found) const;
  [[nodiscard]] Index cell_at(const Vec3& place) const;
  [[nodiscard]] Vec3 middle_of(Index cell) const;

  std::vector<Node> nodes_;
  std::vector<DistanceTriangle> triangles_;   ///< in the order of the tree
  std::vector<Index> number_;                 ///< of those, in the mesh
  std::vector<Pseudonormals> pseudonormals_;  ///< in the order of the tree

  Vec3 grid_lower_;
  double cell_size_ = 1.0;
  std::array<Index, 3> cell_count_{};
  std::vector<Cell> cells_;
};

}  // namespace carom
