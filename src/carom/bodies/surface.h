#pragma once

#include <array>
#include <string>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/solid.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// What a deformable surface, a chain, or both in one are made of. Vertices are known by their
/// places in `rest`.
struct SurfaceDefinition {
  std::string name;
  Index first = 0;  ///< the body that vertex 0 is; the others follow it
  /// Positions of the vertices at rest; of cloth that is flat at rest texture coordinates, z = 0.
  std::vector<Vec3> rest;
  std::vector<TriangleMesh::Triangle> triangles;
  std::vector<std::array<Index, 2>> chain;  ///< edges that are no side of a triangle
  Index material = 0;
  double thickness = 0.0;  ///< m, >= 0
};

/// A surface with everything that follows from its triangles and chains. Vertices again by their
/// places in `rest`; vertex i is body first + i.
struct Surface : SurfaceDefinition {
  /// Sides of triangles and chain edges, each once and with its smaller vertex first, in
  /// lexicographic order.
  std::vector<std::array<Index, 2>> edges;
  /// Pairs of triangles with a common edge: its ends and then the vertices opposite to it. The
  /// first triangle is the one with the smaller number and runs from the first end to the second.
  /// In the order of `edges`.
  std::vector<std::array<Index, 4>> hinges;
  /// Inner vertices of chains between their neighbours, along the chain where its edges follow one
  /// another: (before, vertex, after), ordered by vertex. None where more than two edges meet.
  std::vector<std::array<Index, 3>> bends;

  [[nodiscard]] Index size() const { return static_cast<Index>(rest.size()); }
};

/// Throws InputError, with the surface's name and the place, on positions that are not finite,
/// vertices that are not there or belong to nothing, triangles without area and chain edges without
/// length in the rest shape, edges of more than two triangles, pairs of triangles with the same
/// corners, and chain edges that are there already. Triangles may face different sides: a surface
/// need not have two.
[[nodiscard]] Surface make_surface(SurfaceDefinition definition);

/// The edges of a chain of vertices that follow one another, closed or open.
[[nodiscard]] std::vector<std::array<Index, 2>> chain_edges(Index first, Index count,
                                                            bool is_closed = false);

/// Mass of a surface: kg per m^2 of its triangles and kg per m of its chain edges, both at rest.
struct SurfaceDensity {
  double area = 0.0;
  double length = 0.0;
};
/// A third of each triangle's and half of each chain edge's mass at each of its vertices. Throws
/// InputError on a vertex that would have none.
[[nodiscard]] std::vector<double> vertex_masses(const Surface& surface,
                                                const SurfaceDensity& density);

}  // namespace carom
