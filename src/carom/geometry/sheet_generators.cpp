// Rectangles, discs, tubes and ribbons of triangles.

#include "carom/geometry/sheet_generators.h"

#include <cmath>
#include <string>

#include "carom/core/error.h"
#include "carom/geometry/detail/size_input.h"
#include "carom/geometry/direction.h"
#include "carom/geometry/mesh_generators.h"

namespace carom {
namespace {

using detail::demand_at_least;
using detail::demand_positive;

// The squares of a grid; at(column, row) is a vertex's number. Counterclockwise where columns grow
// to the right and rows upward.
template <typename At>
void add_cells(TriangleMesh& mesh, const GridCells& cells, const At& at) {
  for (Index row = 0; row < cells.rows; ++row) {
    for (Index column = 0; column < cells.columns; ++column) {
      const Index a = at(column, row);
      const Index b = at(column + 1, row);
      const Index c = at(column + 1, row + 1);
      const Index d = at(column, row + 1);
      if (cells.alternates && (row + column) % 2 == 1) {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
      } else {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      }
    }
  }
}

// From -1/2 to 1/2, mirrored without rounding.
double centered(Index k, Index count) {
  return 0.5 * (2.0 * static_cast<double>(k) - static_cast<double>(count)) /
         static_cast<double>(count);
}

void demand_cells(const GridCells& cells, Index least_columns) {
  demand_at_least(cells.columns, least_columns, "columns");
  demand_at_least(cells.rows, 1, "rows");
}

}  // namespace

TriangleMesh grid_sheet(double width, double height, const GridCells& cells) {
  demand_positive(width, "width");
  demand_positive(height, "height");
  demand_cells(cells, 1);
  TriangleMesh mesh;
  for (Index row = 0; row <= cells.rows; ++row) {
    for (Index column = 0; column <= cells.columns; ++column) {
      mesh.vertices.push_back(
          {width * centered(column, cells.columns), height * centered(row, cells.rows), 0.0});
    }
  }
  add_cells(mesh, cells,
            [&](Index column, Index row) { return row * (cells.columns + 1) + column; });
  return mesh;
}

TriangleMesh disc_sheet(double radius, Index rings) {
  demand_positive(radius, "radius");
  demand_at_least(rings, 1, "rings");
  TriangleMesh mesh;
  mesh.vertices.push_back({});
  for (Index ring = 1; ring <= rings; ++ring) {
    const double r = radius * static_cast<double>(ring) / static_cast<double>(rings);
    for (const Vec3& p : circle_points(6 * ring)) mesh.vertices.push_back(r * p);
  }
  // The k-th vertex of a ring; ring 0 is the middle.
  const auto at = [](Index ring, Index k) {
    return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + k % (6 * ring);
  };
  for (Index ring = 1; ring <= rings; ++ring) {
    for (Index sixth = 0; sixth < 6; ++sixth) {
      for (Index k = 0; k < ring; ++k) {
        const Index outer = sixth * ring + k;
        const Index inner = sixth * (ring - 1) + k;
        mesh.triangles.push_back({at(ring - 1, inner), at(ring, outer), at(ring, outer + 1)});
        if (k + 1 == ring) continue;
        mesh.triangles.push_back(
            {at(ring - 1, inner), at(ring, outer + 1), at(ring - 1, inner + 1)});
      }
    }
  }
  return mesh;
}

TriangleMesh tube_sheet(double radius, double length, const GridCells& cells) {
  demand_positive(radius, "radius");
  demand_positive(length, "length");
  demand_cells(cells, 3);
  if (cells.alternates && cells.columns % 2 == 1) {
    throw InputError({"", 0, 0, "columns"}, "must be even where diagonals alternate, found " +
                                                std::to_string(cells.columns));
  }
  TriangleMesh mesh;
  const std::vector<Vec3> circle = circle_points(cells.columns);
  for (Index row = 0; row <= cells.rows; ++row) {
    for (const Vec3& p : circle) {
      mesh.vertices.push_back({radius * p.x, radius * p.y, length * centered(row, cells.rows)});
    }
  }
  add_cells(mesh, cells,
            [&](Index column, Index row) { return row * cells.columns + column % cells.columns; });
  return mesh;
}

namespace {

[[noreturn]] void refuse_curve(std::size_t k, const std::string& message) {
  throw InputError({"", 0, 0, "curve[" + std::to_string(k) + "]"}, message);
}

// Unit tangents at the curve's vertices.
std::vector<Vec3> tangents_of(const std::vector<Vec3>& curve) {
  std::vector<Vec3> edges;
  for (std::size_t k = 0; k + 1 < curve.size(); ++k) {
    const Direction edge = direction_of(curve[k + 1] - curve[k]);
    if (edge.length == 0.0) refuse_curve(k + 1, "is where the one before it is");
    edges.push_back(edge.unit);
  }
  std::vector<Vec3> tangents = {edges.front()};
  for (std::size_t k = 1; k < edges.size(); ++k) {
    if (dot(edges[k - 1], edges[k]) < -0.99) refuse_curve(k, "is where the curve turns back");
    tangents.push_back(direction_of(edges[k - 1] + edges[k]).unit);
  }
  tangents.push_back(edges.back());
  return tangents;
}

}  // namespace

RibbonSheet ribbon_sheet(const std::vector<Vec3>& curve, const Vec3& side, double width,
                         Index across) {
  demand_at_least(static_cast<Index>(curve.size()), 2, "curve");
  demand_positive(width, "width");
  demand_at_least(across, 1, "across");
  for (std::size_t k = 0; k < curve.size(); ++k) {
    if (!is_finite(curve[k])) refuse_curve(k, "must be finite");
  }
  const std::vector<Vec3> tangents = tangents_of(curve);
  const Vec3 unit_side = direction_of(side).unit;
  Vec3 w = unit_side - dot(unit_side, tangents[0]) * tangents[0];
  if (!(norm(w) > 1e-6)) {
    throw InputError({"", 0, 0, "side"}, "must be finite and point away from the curve");
  }

  RibbonSheet ribbon;
  double along = 0.0;
  for (std::size_t k = 0; k < curve.size(); ++k) {
    if (k > 0) {
      along += norm(curve[k] - curve[k - 1]);
      // The smallest turn that takes one tangent to the next.
      const Vec3 both = tangents[k - 1] + tangents[k];
      w -= (dot(w, tangents[k]) / (1.0 + dot(tangents[k - 1], tangents[k]))) * both;
      w -= dot(w, tangents[k]) * tangents[k];
    }
    w = direction_of(w).unit;
    for (Index j = 0; j <= across; ++j) {
      const double off = width * centered(j, across);
      ribbon.mesh.vertices.push_back(curve[k] + off * w);
      ribbon.flat.push_back({along, off, 0.0});
    }
  }
  const GridCells cells = {static_cast<Index>(curve.size() - 1), across, true};
  add_cells(ribbon.mesh, cells,
            [&](Index column, Index row) { return column * (across + 1) + row; });
  return ribbon;
}

}  // namespace carom
