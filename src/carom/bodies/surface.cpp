// Edges, hinges, bends and masses of deformable surfaces and chains, and what cannot be one.

#include "carom/bodies/surface.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/geometry/triangle_mesh.h"

namespace carom {
namespace {

// One side of a triangle. Sorted, those of one edge stand beside each other.
struct Side {
  Index low = 0;
  Index high = 0;
  Index triangle = 0;
  Index corner = 0;  ///< where in the triangle it begins

  [[nodiscard]] auto key() const { return std::tuple(low, high, triangle); }
  [[nodiscard]] std::array<Index, 2> edge() const { return {low, high}; }
};

[[noreturn]] void refuse(const Surface& surface, const std::string& member,
                         const std::string& message) {
  throw InputError({"", 0, 0, fmt::format("surface[{}].{}", surface.name, member)}, message);
}

std::string element(const char* list, std::size_t number) {
  return fmt::format("{}[{}]", list, number);
}

void check_vertices(const Surface& surface, const std::string& member,
                    std::span<const Index> vertices) {
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (vertices[i] >= surface.size()) {
      refuse(surface, member,
             fmt::format("names vertex {}, but there are {}", vertices[i], surface.size()));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (vertices[i] != vertices[j]) continue;
      refuse(surface, member, fmt::format("names vertex {} twice", vertices[i]));
    }
  }
}

double area_of(const Surface& surface, const TriangleMesh::Triangle& t) {
  const Vec3& a = surface.rest[t.a];
  return 0.5 * norm(cross(surface.rest[t.b] - a, surface.rest[t.c] - a));
}

double length_of(const Surface& surface, const std::array<Index, 2>& edge) {
  return norm(surface.rest[edge[1]] - surface.rest[edge[0]]);
}

void check_definition(const Surface& surface) {
  if (!(std::isfinite(surface.thickness) && surface.thickness >= 0.0)) {
    refuse(surface, "thickness",
           fmt::format("must be finite and at least 0, found {:g}", surface.thickness));
  }
  for (std::size_t v = 0; v < surface.rest.size(); ++v) {
    if (!is_finite(surface.rest[v])) refuse(surface, element("rest", v), "must be finite");
  }
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const TriangleMesh::Triangle& triangle = surface.triangles[t];
    const std::array<Index, 3> corners = corners_of(triangle);
    check_vertices(surface, element("triangles", t), corners);
    const double longest = std::max({length_of(surface, {corners[0], corners[1]}),
                                     length_of(surface, {corners[1], corners[2]}),
                                     length_of(surface, {corners[2], corners[0]})});
    if (!(2.0 * area_of(surface, triangle) > 8.0 * kRoundOff * longest * longest)) {
      refuse(surface, element("triangles", t),
             fmt::format("has no area at rest: vertices {}, {}, {}", triangle.a, triangle.b,
                         triangle.c));
    }
  }
  for (std::size_t c = 0; c < surface.chain.size(); ++c) {
    check_vertices(surface, element("chain", c), surface.chain[c]);
    if (length_of(surface, surface.chain[c]) > 0.0) continue;
    refuse(surface, element("chain", c), "has no length at rest");
  }
}

void check_all_vertices_used(const Surface& surface) {
  std::vector<bool> is_used(surface.size(), false);
  for (const auto& [a, b] : surface.edges) is_used[a] = is_used[b] = true;
  const auto unused = std::find(is_used.begin(), is_used.end(), false);
  if (unused == is_used.end()) return;
  refuse(surface, element("rest", static_cast<std::size_t>(unused - is_used.begin())),
         "is a vertex of no triangle and no chain");
}

std::vector<Side> sorted_sides(const Surface& surface) {
  std::vector<Side> sides;
  sides.reserve(3 * surface.triangles.size());
  for (Index t = 0; t < surface.triangles.size(); ++t) {
    const std::array<Index, 3> corners = corners_of(surface.triangles[t]);
    for (Index k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(corners[k], corners[(k + 1) % 3]);
      sides.push_back({low, high, t, k});
    }
  }
  std::sort(sides.begin(), sides.end(),
            [](const Side& a, const Side& b) { return a.key() < b.key(); });
  return sides;
}

void add_hinge(Surface& surface, const Side& first, const Side& second) {
  const auto corner = [&](const Side& side, Index k) {
    return corners_of(surface.triangles[side.triangle])[(side.corner + k) % 3];
  };
  const Index across = corner(first, 2);
  if (across == corner(second, 2)) {
    refuse(surface, element("triangles", second.triangle),
           fmt::format("has the same corners as triangle {}", first.triangle));
  }
  surface.hinges.push_back({corner(first, 0), corner(first, 1), across, corner(second, 2)});
}

void add_sides(Surface& surface) {
  const std::vector<Side> sides = sorted_sides(surface);
  for (std::size_t begin = 0; begin < sides.size();) {
    std::size_t end = begin + 1;
    while (end < sides.size() && sides[end].edge() == sides[begin].edge()) ++end;
    if (end - begin > 2) {
      refuse(surface, element("triangles", sides[begin + 2].triangle),
             fmt::format("is the third at the edge of vertices {} and {}, after {} and {}",
                         sides[begin].low, sides[begin].high, sides[begin].triangle,
                         sides[begin + 1].triangle));
    }
    surface.edges.push_back(sides[begin].edge());
    if (end - begin == 2) add_hinge(surface, sides[begin], sides[begin + 1]);
    begin = end;
  }
}

void add_chain(Surface& surface) {
  std::vector<std::pair<std::array<Index, 2>, std::size_t>> chain;
  for (std::size_t c = 0; c < surface.chain.size(); ++c) {
    const auto [low, high] = std::minmax(surface.chain[c][0], surface.chain[c][1]);
    chain.push_back({{low, high}, c});
  }
  std::sort(chain.begin(), chain.end());
  const auto middle = static_cast<std::ptrdiff_t>(surface.edges.size());
  for (const auto& [edge, number] : chain) {
    const auto sides_end = surface.edges.begin() + middle;
    if ((!surface.edges.empty() && surface.edges.back() == edge) ||
        std::binary_search(surface.edges.begin(), sides_end, edge)) {
      refuse(surface, element("chain", number),
             fmt::format("is there already: the edge of vertices {} and {}", edge[0], edge[1]));
    }
    surface.edges.push_back(edge);
  }
  std::inplace_merge(surface.edges.begin(), surface.edges.begin() + middle, surface.edges.end());
}

void add_bends(Surface& surface) {
  std::vector<std::array<Index, 2>> arrivals;  // (vertex, neighbour)
  std::vector<std::array<Index, 2>> departures;
  for (const auto& [from, to] : surface.chain) {
    arrivals.push_back({to, from});
    departures.push_back({from, to});
  }
  std::sort(arrivals.begin(), arrivals.end());
  std::sort(departures.begin(), departures.end());
  std::size_t arrival = 0;
  std::size_t departure = 0;
  std::vector<Index> neighbours;
  for (Index v = 0; v < surface.size(); ++v) {
    neighbours.clear();
    for (; arrival < arrivals.size() && arrivals[arrival][0] == v; ++arrival) {
      neighbours.push_back(arrivals[arrival][1]);
    }
    for (; departure < departures.size() && departures[departure][0] == v; ++departure) {
      neighbours.push_back(departures[departure][1]);
    }
    if (neighbours.size() == 2) surface.bends.push_back({neighbours[0], v, neighbours[1]});
  }
}

}  // namespace

Surface make_surface(SurfaceDefinition definition) {
  Surface surface;
  static_cast<SurfaceDefinition&>(surface) = std::move(definition);
  check_definition(surface);
  add_sides(surface);
  add_chain(surface);
  add_bends(surface);
  check_all_vertices_used(surface);
  return surface;
}

std::vector<std::array<Index, 2>> chain_edges(Index first, Index count, bool is_closed) {
  std::vector<std::array<Index, 2>> edges;
  for (Index k = 0; k + 1 < count; ++k) edges.push_back({first + k, first + k + 1});
  if (is_closed && count > 2) edges.push_back({first + count - 1, first});
  return edges;
}

std::vector<double> vertex_masses(const Surface& surface, const SurfaceDensity& density) {
  for (const double value : {density.area, density.length}) {
    if (std::isfinite(value) && value >= 0.0) continue;
    refuse(surface, "density", fmt::format("must be finite and at least 0, found {:g}", value));
  }
  std::vector<double> mass(surface.size(), 0.0);
  for (const TriangleMesh::Triangle& t : surface.triangles) {
    const double third = density.area * area_of(surface, t) / 3.0;
    for (const Index v : corners_of(t)) mass[v] += third;
  }
  for (const std::array<Index, 2>& edge : surface.chain) {
    for (const Index v : edge) mass[v] += 0.5 * density.length * length_of(surface, edge);
  }
  for (std::size_t v = 0; v < mass.size(); ++v) {
    if (mass[v] > 0.0) continue;
    refuse(surface, "density", fmt::format("leaves vertex {} without mass", v));
  }
  return mass;
}

}  // namespace carom
