#pragma once

#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/solid.h"
#include "carom/geometry/vec3.h"

namespace carom {

// Open surfaces made by formula (check_surface). Sizes that are not positive and finite, and counts
// that are too small, are InputErrors. Spheres: icosphere().

/// How the squares of a grid are cut in two.
struct GridCells {
  Index columns = 1;
  Index rows = 1;
  /// The diagonals of neighbouring squares cross their sides' ends in turn, so that none of the two
  /// directions is preferred. Otherwise all are parallel.
  bool alternates = true;
};

/// A rectangle in the plane z = 0 about the origin, seen from +z, `width` along x and `height`
/// along y. Vertex (column, row) has the number row * (columns + 1) + column.
[[nodiscard]] TriangleMesh grid_sheet(double width, double height, const GridCells& cells);

/// A disc in the plane z = 0 about the origin, seen from +z: rings of 6, 12, 18 ... vertices around
/// the middle. Sides are 1 to 1.5 times as long as the rings are apart.
[[nodiscard]] TriangleMesh disc_sheet(double radius, Index rings);

/// A tube about the z axis, open at z = -length/2 and length/2, seen from outside: cells.columns
/// (3 at least; an even number if they alternate) around it, cells.rows along it.
[[nodiscard]] TriangleMesh tube_sheet(double radius, double length, const GridCells& cells);

/// A ribbon that follows a curve in space, and the flat one that it was made of.
struct RibbonSheet {
  TriangleMesh mesh;
  /// The rest shape: each vertex of the mesh in the plane z = 0, x along the curve's length from 0,
  /// y across it.
  std::vector<Vec3> flat;
};

/// A ribbon of some width along a curve (its vertices, two at least), `across` squares wide. At the
/// curve's start its width lies along `side`, as far as that is orthogonal to the curve; from there
/// it turns with the curve and not about it. Also throws InputError on points that are not finite,
/// a curve that stands still or turns back, and a side along it.
[[nodiscard]] RibbonSheet ribbon_sheet(const std::vector<Vec3>& curve, const Vec3& side,
                                       double width, Index across);

}  // namespace carom
