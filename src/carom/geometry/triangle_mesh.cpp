// Whether a mesh encloses a volume, and what joins its triangles.
#include "carom/geometry/triangle_mesh.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "carom/core/assert.h"
#include "carom/core/error.h"
#include "carom/core/joined_sets.h"
#include "carom/geometry/direction.h"
#include "carom/geometry/mass_properties.h"

namespace carom {
namespace {

using Triangle = TriangleMesh::Triangle;

[[noreturn]] void refuse(const std::string& message) { throw InputError({}, message); }

std::string text_of(const Vec3& p) { return fmt::format("({:g}, {:g}, {:g})", p.x, p.y, p.z); }

std::string edge_text(const TriangleMesh& mesh, Index begin, Index end) {
  return fmt::format("the edge of vertices {} and {}, from {} to {},", begin, end,
                     text_of(mesh.vertices[begin]), text_of(mesh.vertices[end]));
}

// Numbers that have been joined, each cluster known by its smallest.
class Clusters {
 public:
  explicit Clusters(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }
  Index first_of(Index k) { return smallest_joined(parent_, k); }
  void join(Index a, Index b) { join_sets(parent_, a, b); }

 private:
  std::vector<Index> parent_;
};

// ----- Edges ----------------------------------------------------------------------------------

// One side of a triangle. Sorted, the two triangles of an edge stand beside each other.
struct Side {
  Index low = 0;
  Index high = 0;
  bool upward = true;  ///< the triangle runs from low to high
  Index triangle = 0;

  [[nodiscard]] bool same_edge(const Side& other) const {
    return low == other.low && high == other.high;
  }
  [[nodiscard]] auto key() const { return std::tuple(low, high, !upward, triangle); }
};

std::vector<Side> sorted_sides(const TriangleMesh& mesh) {
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (Index t = 0; t < mesh.triangles.size(); ++t) {
    const auto corners = corners_of(mesh.triangles[t]);
    for (std::size_t k = 0; k < 3; ++k) {
      const Index begin = corners[k];
      const Index end = corners[(k + 1) % 3];
      sides.push_back({std::min(begin, end), std::max(begin, end), begin < end, t});
    }
  }
  std::sort(sides.begin(), sides.end(),
            [](const Side& a, const Side& b) { return a.key() < b.key(); });
  return sides;
}

template <typename Function>
void for_each_edge(const std::vector<Side>& sides, const Function& function) {
  for (std::size_t begin = 0; begin < sides.size();) {
    std::size_t end = begin + 1;
    while (end < sides.size() && sides[end].same_edge(sides[begin])) ++end;
    function(std::span(sides).subspan(begin, end - begin));
    begin = end;
  }
}

// ----- Faults ---------------------------------------------------------------------------------

void check_finite(const TriangleMesh& mesh) {
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (is_finite(mesh.vertices[v])) continue;
    refuse(fmt::format("vertex {} is not finite: {}", v, text_of(mesh.vertices[v])));
  }
}

void check_vertices(const TriangleMesh& mesh) {
  check_finite(mesh);
  std::vector<bool> used(mesh.vertices.size(), false);
  for (Index t = 0; t < mesh.triangles.size(); ++t) {
    for (const Index v : corners_of(mesh.triangles[t])) {
      if (v >= mesh.vertices.size()) {
        refuse(fmt::format("triangle {} names vertex {}, but the mesh has {} vertices", t, v,
                           mesh.vertices.size()));
      }
      used[v] = true;
    }
  }
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (!used[v]) {
      refuse(fmt::format("vertex {} at {} belongs to no triangle", v, text_of(mesh.vertices[v])));
    }
  }
}

void check_triangles(const TriangleMesh& mesh) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    if (a == b || b == c || c == a) {
      refuse(fmt::format("triangle {} names a vertex twice ({}, {}, {})", t, a, b, c));
    }
    const Vec3& pa = mesh.vertices[a];
    const Vec3& pb = mesh.vertices[b];
    const Vec3& pc = mesh.vertices[c];
    const double longest =
        std::max({norm_squared(pb - pa), norm_squared(pc - pb), norm_squared(pa - pc)});
    if (!(norm(cross(pb - pa, pc - pa)) > 8.0 * kRoundOff * longest)) {
      refuse(fmt::format("triangle {} (vertices {}, {}, {}) has no area: {}, {}, {}", t, a, b, c,
                         text_of(pa), text_of(pb), text_of(pc)));
    }
  }
}

void check_edge(const TriangleMesh& mesh, std::span<const Side> sides, bool may_be_open) {
  const Side& first = sides.front();
  if (sides.size() == 1) {
    if (may_be_open) return;
    refuse(fmt::format("the surface is open: {} belongs to triangle {} alone",
                       edge_text(mesh, first.low, first.high), first.triangle));
  }
  if (sides.size() > 2) {
    refuse(fmt::format("{} belongs to {} triangles ({}, {}, {} ...); a surface has two",
                       edge_text(mesh, first.low, first.high), sides.size(), first.triangle,
                       sides[1].triangle, sides[2].triangle));
  }
  if (first.upward == sides[1].upward) {
    refuse(
        fmt::format("triangles {} and {} face different sides: both run the same way along {} "
                    "which they share",
                    first.triangle, sides[1].triangle, edge_text(mesh, first.low, first.high)));
  }
}

void check_faces(const TriangleMesh& mesh, bool may_be_open) {
  if (mesh.triangles.empty()) refuse("a mesh without triangles");
  check_vertices(mesh);
  check_triangles(mesh);
  for_each_edge(sorted_sides(mesh),
                [&](std::span<const Side> sides) { check_edge(mesh, sides, may_be_open); });
}

}  // namespace

void check_surface(const TriangleMesh& mesh) { check_faces(mesh, true); }

void check_mesh(const TriangleMesh& mesh) {
  check_faces(mesh, false);
  const VolumeMoments moments = moments_of(mesh);
  if (moments.volume < 0.0) {
    refuse(
        fmt::format("the mesh is inside out: its triangles run clockwise seen from outside "
                    "(volume {:g})",
                    moments.volume));
  }
  if (!(moments.volume > 0.0) || !std::isfinite(moments.volume)) {
    refuse(fmt::format("the mesh encloses no volume ({:g})", moments.volume));
  }
}

// ----- Welding --------------------------------------------------------------------------------

namespace {

// Which vertex stands for each: the lexicographically smallest of its cluster, of equal ones the
// one with the smallest number.
std::vector<Index> representatives(const std::vector<Vec3>& vertices, double tolerance) {
  std::vector<Index> order(vertices.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto key = [&](Index v) {
    return std::tuple(vertices[v].x, vertices[v].y, vertices[v].z, v);
  };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return key(a) < key(b); });

  Clusters clusters(order.size());  // of places in the order
  for (Index i = 0; i < order.size(); ++i) {
    const Vec3& p = vertices[order[i]];
    for (Index j = i + 1; j < order.size(); ++j) {
      const Vec3& q = vertices[order[j]];
      // With no tolerance the points of one place follow each other.
      if (q.x - p.x > tolerance || (tolerance == 0.0 && q != p)) break;
      if (norm(q - p) > tolerance) continue;
      clusters.join(i, j);
    }
  }
  std::vector<Index> result(vertices.size());
  for (Index i = 0; i < order.size(); ++i) result[order[i]] = order[clusters.first_of(i)];
  return result;
}

TriangleMesh without_unused_vertices(TriangleMesh mesh) {
  std::vector<Index> number(mesh.vertices.size(), kNone);
  for (const Triangle& t : mesh.triangles) {
    for (const Index v : corners_of(t)) number[v] = 0;
  }
  Index count = 0;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (number[v] == kNone) continue;
    number[v] = count;
    mesh.vertices[count++] = mesh.vertices[v];
  }
  mesh.vertices.resize(count);
  for (Triangle& t : mesh.triangles) t = {number[t.a], number[t.b], number[t.c]};
  return mesh;
}

}  // namespace

TriangleMesh welded(const TriangleMesh& mesh, double tolerance) {
  check_finite(mesh);
  const std::vector<Index> representative = representatives(mesh.vertices, tolerance);
  TriangleMesh result;
  result.vertices = mesh.vertices;
  for (const Triangle& t : mesh.triangles) {
    const Triangle triangle = {representative[t.a], representative[t.b], representative[t.c]};
    const auto& [a, b, c] = triangle;
    if (a != b && b != c && c != a) result.triangles.push_back(triangle);
  }
  return without_unused_vertices(std::move(result));
}

// ----- Rims -----------------------------------------------------------------------------------

std::vector<OpenEdge> open_edges(const TriangleMesh& mesh) {
  std::vector<OpenEdge> edges;
  for_each_edge(sorted_sides(mesh), [&](std::span<const Side> sides) {
    if (sides.size() != 1) return;
    const Side& side = sides.front();
    edges.push_back(side.upward ? OpenEdge{side.low, side.high, side.triangle}
                                : OpenEdge{side.high, side.low, side.triangle});
  });
  std::sort(edges.begin(), edges.end(), [](const OpenEdge& a, const OpenEdge& b) {
    return std::tuple(a.begin, a.end) < std::tuple(b.begin, b.end);
  });
  return edges;
}

std::vector<std::vector<Index>> boundary_loops(const TriangleMesh& mesh) {
  std::vector<Index> next(mesh.vertices.size(), kNone);
  std::vector<Index> arrivals(mesh.vertices.size(), 0);
  const std::vector<OpenEdge> edges = open_edges(mesh);
  for (const OpenEdge& edge : edges) {
    if (next[edge.begin] != kNone || arrivals[edge.end] != 0) {
      const Index vertex = next[edge.begin] != kNone ? edge.begin : edge.end;
      refuse(fmt::format("a rim passes vertex {} at {} twice", vertex,
                         text_of(mesh.vertices[vertex])));
    }
    next[edge.begin] = edge.end;
    ++arrivals[edge.end];
  }
  std::vector<std::vector<Index>> loops;
  for (const OpenEdge& edge : edges) {
    if (next[edge.begin] == kNone) continue;
    std::vector<Index>& loop = loops.emplace_back();
    for (Index v = edge.begin; next[v] != kNone;) {
      loop.push_back(v);
      v = std::exchange(next[v], kNone);
    }
  }
  return loops;
}

TriangleMesh holes_filled(TriangleMesh mesh) {
  for (const std::vector<Index>& loop : boundary_loops(mesh)) {
    Vec3 sum;
    for (const Index v : loop) sum += mesh.vertices[v];
    const auto middle = static_cast<Index>(mesh.vertices.size());
    mesh.vertices.push_back((1.0 / static_cast<double>(loop.size())) * sum);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      mesh.triangles.push_back({loop[(k + 1) % loop.size()], loop[k], middle});
    }
  }
  return mesh;
}

// ----- Pieces ---------------------------------------------------------------------------------

std::vector<TriangleMesh> connected_pieces(const TriangleMesh& mesh) {
  Clusters clusters(mesh.triangles.size());
  for_each_edge(sorted_sides(mesh), [&](std::span<const Side> sides) {
    for (const Side& side : sides) clusters.join(sides.front().triangle, side.triangle);
  });
  std::vector<TriangleMesh> pieces;
  std::vector<Index> piece_of(mesh.triangles.size(), kNone);
  for (Index t = 0; t < mesh.triangles.size(); ++t) {
    const Index first = clusters.first_of(t);
    if (first == t) {
      piece_of[t] = static_cast<Index>(pieces.size());
      pieces.push_back({mesh.vertices, {}});
    }
    pieces[piece_of[first]].triangles.push_back(mesh.triangles[t]);
  }
  for (TriangleMesh& piece : pieces) piece = without_unused_vertices(std::move(piece));
  return pieces;
}

// ----- Simple changes -------------------------------------------------------------------------

std::vector<Vec3> vertex_normals(const TriangleMesh& mesh) {
  std::vector<Vec3> normals(mesh.vertices.size());
  for (const Triangle& t : mesh.triangles) {
    const Vec3 normal = direction_of(doubled_area(mesh, t)).unit;
    const auto corners = corners_of(t);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& here = mesh.vertices[corners[k]];
      const Vec3 u = mesh.vertices[corners[(k + 1) % 3]] - here;
      const Vec3 w = mesh.vertices[corners[(k + 2) % 3]] - here;
      normals[corners[k]] += std::atan2(norm(cross(u, w)), dot(u, w)) * normal;
    }
  }
  for (Vec3& normal : normals) normal = direction_of(normal).unit;
  return normals;
}

TriangleMesh moved(TriangleMesh mesh, const Pose& pose) {
  for (Vec3& v : mesh.vertices) v = pose.to_world(v);
  return mesh;
}

TriangleMesh scaled(TriangleMesh mesh, double factor) {
  for (Vec3& v : mesh.vertices) v *= factor;
  return mesh;
}

TriangleMesh joined(TriangleMesh a, const TriangleMesh& b) {
  const auto offset = static_cast<Index>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Triangle& t : b.triangles) {
    a.triangles.push_back({t.a + offset, t.b + offset, t.c + offset});
  }
  return a;
}

TriangleMesh inverted(TriangleMesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t.b, t.c);
  return mesh;
}

}  // namespace carom
