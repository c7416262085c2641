// The pairs of primitives between leaves whose boxes meet, and which of them must be watched.
#include "carom/asynchronous/detail/pair_finder.h"

#include <algorithm>

namespace carom::asynchronous::detail {
namespace {

// A pair's layers never get thinner than this share of eta_1, however near its rest distance.
constexpr double kLeastThickness = 1e-6;

std::uint64_t key_of(PairKind kind, Index a, Index b) {
  return static_cast<std::uint64_t>(kind) << 61 | static_cast<std::uint64_t>(a) << 30 | b;
}

bool shares_vertex(const ContactPair& pair) {
  for (unsigned a = 0; a < pair.size_a; ++a) {
    for (unsigned b = pair.size_a; b < pair.size; ++b) {
      if (pair.vertex[a] == pair.vertex[b]) return true;
    }
  }
  return false;
}

Index material_of(const Problem& problem, Index vertex) {
  return problem.material.empty() ? 0 : problem.material[vertex];
}

// Of two primitives of one mesh the layers are no thicker than half their distance at rest.
double thickness_of(const ContactPair& pair, const PairSearch& search) {
  const Index b = pair.vertex[pair.size_a % 4];
  if (pair.kind == PairKind::vertex_wall || is_length_limit(pair.kind) ||
      search.topology.component[pair.vertex[0]] != search.topology.component[b]) {
    return pair.thickness;
  }
  const Problem& problem = search.problem;
  const std::vector<Vec3>& rest =
      problem.rest_position.empty() ? problem.position : problem.rest_position;
  const double apart = measure(pair, rest, problem).distance;
  return std::max(std::min(pair.thickness, 0.5 * apart), kLeastThickness * pair.thickness);
}

}  // namespace

PairSearch::PairSearch(const Problem& given, const Topology& linked)
    : problem(given), topology(linked), held(given.mass.size(), 0) {
  for (const HeldVertex& vertex : problem.held) held[vertex.vertex] = 1;
  while (static_cast<std::size_t>(materials) * materials < problem.contact.size()) ++materials;
}

void PairFinder::offer_leaves(const PairSearch& search, const Leaf& a, const Leaf& b) {
  offer_one_way(search, a, b);
  offer_one_way(search, b, a);
}

// The pairs of what leaf a stands for with leaf b itself; those of edges only from one side.
void PairFinder::offer_one_way(const PairSearch& search, const Leaf& a, const Leaf& b) {
  const int dimension = search.problem.dimension;
  const bool vertices_alone = dimension == 3 && b.size == 2 && a.size != 1;
  if (b.size >= 2) {
    const PairKind kind = b.size == 3 ? PairKind::vertex_face : PairKind::vertex_edge;
    const auto number = static_cast<std::size_t>(&b - search.topology.leaves.data());
    const Box& box = search.leaf_box[number];
    for (const Index v : a.own_vertices) {
      if (v == kNone || (vertices_alone && !search.topology.stands_alone(v, b))) continue;
      if (!search.vertex_box[v].meets(box)) continue;
      offer(search, kind, key_of(kind, v, b.primitive), {v, b.vertex[0], b.vertex[1], b.vertex[2]});
    }
  }
  if (&a > &b) return;
  if (a.size == 1 && b.size == 1) {
    const PairKind kind = PairKind::vertex_vertex;
    offer(search, kind, key_of(kind, a.vertex[0], b.vertex[0]),
          {a.vertex[0], b.vertex[0], kNone, kNone});
  }
  if (dimension == 2) return;
  for (const Index edge_a : a.own_edges) {
    for (const Index edge_b : b.own_edges) {
      if (edge_a != kNone && edge_b != kNone) offer_edges(search, edge_a, edge_b);
    }
  }
}

void PairFinder::offer_edges(const PairSearch& search, Index a, Index b) {
  const std::array<Index, 2>& edge_a = search.topology.edges[std::min(a, b)];
  const std::array<Index, 2>& edge_b = search.topology.edges[std::max(a, b)];
  Box box_a = search.vertex_box[edge_a[0]];
  box_a.add(search.vertex_box[edge_a[1]]);
  Box box_b = search.vertex_box[edge_b[0]];
  box_b.add(search.vertex_box[edge_b[1]]);
  if (!box_a.meets(box_b)) return;
  offer(search, PairKind::edge_edge, key_of(PairKind::edge_edge, std::min(a, b), std::max(a, b)),
        {edge_a[0], edge_a[1], edge_b[0], edge_b[1]});
}

void PairFinder::offer(const PairSearch& search, PairKind kind, std::uint64_t key,
                       const std::array<Index, 4>& vertices) {
  ContactPair pair;
  pair.key = key;
  pair.kind = kind;
  pair.vertex = vertices;
  pair.size_a = kind == PairKind::edge_edge ? 2 : 1;
  pair.size = kind == PairKind::vertex_vertex ? 2 : kind == PairKind::vertex_edge ? 3 : 4;
  if (shares_vertex(pair)) return;
  bool all_held = true;
  for (unsigned k = 0; k < pair.size; ++k) {
    all_held = all_held && search.held[vertices[k]] != 0;
  }
  if (all_held) return;
  pair.law = material_of(search.problem, vertices[0]) * search.materials +
             material_of(search.problem, vertices[pair.size_a]);
  pair.thickness = search.problem.contact[pair.law].thickness;
  keep_unless_far(search, pair);
}

void PairFinder::offer_wall(const PairSearch& search, Index vertex, Index wall) {
  ContactPair pair;
  pair.kind = PairKind::vertex_wall;
  pair.vertex[0] = vertex;
  pair.vertex[1] = search.problem.walls[wall].carrier;
  pair.number = wall;
  pair.size = pair.vertex[1] == kNone ? 1 : 2;
  pair.size_a = 1;
  pair.key = key_of(pair.kind, vertex, wall);
  pair.law =
      material_of(search.problem, vertex) * search.materials + search.problem.walls[wall].material;
  pair.thickness = search.problem.contact[pair.law].thickness;
  keep_unless_far(search, pair);
}

void PairFinder::offer_limit(const PairSearch& search, Index limit) {
  const LengthLimit& given = search.problem.limits[limit];
  ContactPair pair;
  pair.kind = given.side == LengthLimit::Side::longest ? PairKind::longest_length
                                                       : PairKind::shortest_length;
  pair.vertex = {given.vertex[0], given.vertex[1], kNone, kNone};
  pair.number = limit;
  pair.size = 2;
  pair.size_a = 1;
  pair.key = key_of(pair.kind, limit, 0);
  pair.law = static_cast<Index>(search.problem.contact.size()) + limit;
  pair.thickness = given.thickness;
  keep_unless_far(search, pair);
}

void PairFinder::keep_unless_far(const PairSearch& search, ContactPair& pair) {
  ++looked_at;
  const Certificates& certificates = *search.certificates;
  // What is far with the thickness of its materials, as most are, is so with its own.
  const Certificates::Slab slab = certificates.range_slab(pair, search.now);
  pair.due = certificates.holds_until(pair, slab, pair.thickness, search.now);
  if (pair.due >= certificates.list_end) return;
  const double widest = pair.thickness;
  pair.thickness = thickness_of(pair, search);
  if (pair.thickness < widest) {
    pair.due = certificates.holds_until(pair, slab, pair.thickness, search.now);
  }
  if (pair.due < certificates.list_end) kept.push_back(pair);
}

}  // namespace carom::asynchronous::detail
