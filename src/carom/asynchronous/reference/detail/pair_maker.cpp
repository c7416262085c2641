// Pairs of primitives of two leaves, with thickness and first step.
#include "carom/asynchronous/reference/detail/pair_maker.h"

#include <algorithm>
#include <cmath>

#include "carom/asynchronous/detail/length_limits.h"
#include "carom/asynchronous/detail/pairs.h"
#include "carom/asynchronous/reference/detail/force_events.h"

namespace carom::asynchronous::reference {
namespace {

// As the fast engine: a pair's layers never get thinner than this share of eta_1.
constexpr double kLeastThickness = 1e-6;

std::uint64_t key_of(PairKind kind, Index a, Index b) {
  return static_cast<std::uint64_t>(kind) << 61 | static_cast<std::uint64_t>(a) << 30 | b;
}

}  // namespace

Stencil measure(const MadePair& pair, const std::array<Vec3, 4>& x, const Problem& problem) {
  switch (pair.kind) {
    case PairKind::vertex_wall: {
      const Wall& wall = problem.walls[pair.number];
      return wall.carrier == kNone ? detail::gap_of(wall, x[0]) : detail::gap_of(wall, x[0], x[1]);
    }
    case PairKind::vertex_vertex:
      return vertex_vertex(x[0], x[1]);
    case PairKind::vertex_edge:
      return vertex_edge(x[0], x[1], x[2]);
    case PairKind::vertex_face:
      return vertex_face(x[0], {x[1], x[2], x[3]});
    case PairKind::longest_length:
    case PairKind::shortest_length:
      return detail::gap_of(problem.limits[pair.number], x[0], x[1]);
    case PairKind::edge_edge:
      break;
  }
  return edge_edge({x[0], x[1]}, {x[2], x[3]});
}

PairMaker::PairMaker(const Problem& problem, const Settings& settings, const Mechanisms& mechanisms,
                     const detail::Topology& topology)
    : problem_(problem),
      topology_(topology),
      contact_step_(settings.contact_step),
      limit_steps_(detail::first_steps_of_limits(problem, settings)),
      unit_(lattice_unit(problem, settings)),
      clocks_(mechanisms.clocks),
      held_(problem.mass.size(), 0) {
  for (const HeldVertex& vertex : problem.held) held_[vertex.vertex] = 1;
  while (static_cast<std::size_t>(materials_) * materials_ < problem.contact.size()) ++materials_;
}

void PairMaker::of_leaves(Index a, Index b, std::vector<MadePair>& made) const {
  const detail::Leaf& leaf_a = topology_.leaves[std::min(a, b)];
  const detail::Leaf& leaf_b = topology_.leaves[std::max(a, b)];
  one_way(leaf_a, leaf_b, made);
  one_way(leaf_b, leaf_a, made);
  if (leaf_a.size == 1 && leaf_b.size == 1) {
    const PairKind kind = PairKind::vertex_vertex;
    offer(kind, key_of(kind, leaf_a.vertex[0], leaf_b.vertex[0]),
          {leaf_a.vertex[0], leaf_b.vertex[0], kNone, kNone}, made);
  }
  if (problem_.dimension == 2) return;
  for (const Index own_a : leaf_a.own_edges) {
    for (const Index own_b : leaf_b.own_edges) {
      if (own_a == kNone || own_b == kNone) continue;
      const auto& first = topology_.edges[std::min(own_a, own_b)];
      const auto& second = topology_.edges[std::max(own_a, own_b)];
      offer(PairKind::edge_edge,
            key_of(PairKind::edge_edge, std::min(own_a, own_b), std::max(own_a, own_b)),
            {first[0], first[1], second[0], second[1]}, made);
    }
  }
}

// The vertices of a against b as a whole.
void PairMaker::one_way(const detail::Leaf& a, const detail::Leaf& b,
                        std::vector<MadePair>& made) const {
  if (b.size < 2) return;
  const bool vertices_alone = problem_.dimension == 3 && b.size == 2 && a.size != 1;
  const PairKind kind = b.size == 3 ? PairKind::vertex_face : PairKind::vertex_edge;
  for (const Index v : a.own_vertices) {
    if (v == kNone || (vertices_alone && !topology_.stands_alone(v, b))) continue;
    offer(kind, key_of(kind, v, b.primitive), {v, b.vertex[0], b.vertex[1], b.vertex[2]}, made);
  }
}

void PairMaker::offer(PairKind kind, std::uint64_t key, const std::array<Index, 4>& vertices,
                      std::vector<MadePair>& made) const {
  MadePair pair;
  pair.key = key;
  pair.kind = kind;
  pair.vertex = vertices;
  pair.size_a = kind == PairKind::edge_edge ? 2 : 1;
  pair.size = kind == PairKind::vertex_vertex ? 2 : kind == PairKind::vertex_edge ? 3 : 4;
  bool all_held = true;
  for (unsigned k = 0; k < pair.size; ++k) all_held = all_held && held_[vertices[k]] != 0;
  if (all_held) return;
  for (unsigned k = 0; k < pair.size_a; ++k) {
    for (unsigned m = pair.size_a; m < pair.size; ++m) {
      if (vertices[k] == vertices[m]) return;
    }
  }
  pair.law = material(vertices[0]) * materials_ + material(vertices[pair.size_a]);
  finish(pair);
  made.push_back(pair);
}

MadePair PairMaker::of_wall(Index vertex, Index wall) const {
  MadePair pair;
  pair.kind = PairKind::vertex_wall;
  pair.vertex[0] = vertex;
  pair.vertex[1] = problem_.walls[wall].carrier;
  pair.number = wall;
  pair.size = pair.vertex[1] == kNone ? 1 : 2;
  pair.size_a = 1;
  pair.key = key_of(pair.kind, vertex, wall);
  pair.law = material(vertex) * materials_ + problem_.walls[wall].material;
  finish(pair);
  return pair;
}

MadePair PairMaker::of_limit(Index limit) const {
  const LengthLimit& given = problem_.limits[limit];
  MadePair pair;
  pair.kind = given.side == LengthLimit::Side::longest ? PairKind::longest_length
                                                       : PairKind::shortest_length;
  pair.vertex = {given.vertex[0], given.vertex[1], kNone, kNone};
  pair.number = limit;
  pair.size = 2;
  pair.size_a = 1;
  pair.key = key_of(pair.kind, limit, 0);
  pair.law = static_cast<Index>(problem_.contact.size()) + limit;
  pair.thickness = given.thickness;
  pair.first_step = clock_step(limit_steps_[limit], unit_, clocks_);
  return pair;
}

// What the fast engine gives a new pair, too.
void PairMaker::finish(MadePair& pair) const {
  const ContactLaw& law = problem_.contact[pair.law];
  pair.thickness = law.thickness;
  if (pair.kind != PairKind::vertex_wall &&
      topology_.component[pair.vertex[0]] == topology_.component[pair.vertex[pair.size_a]]) {
    const std::vector<Vec3>& rest =
        problem_.rest_position.empty() ? problem_.position : problem_.rest_position;
    std::array<Vec3, 4> x;
    for (unsigned k = 0; k < pair.size; ++k) x[k] = rest[pair.vertex[k]];
    const double apart = measure(pair, x, problem_).distance;
    pair.thickness =
        std::max(std::min(law.thickness, 0.5 * apart), kLeastThickness * law.thickness);
  }
  double inverse_a = 0.0;
  double inverse_b = 0.0;
  for (unsigned k = 0; k < pair.size; ++k) {
    double& inverse = k < pair.size_a ? inverse_a : inverse_b;
    const Index i = pair.vertex[k];
    if (held_[i] == 0) inverse = std::max(inverse, 1.0 / problem_.mass[i]);
  }
  const double step = contact_step_ / std::sqrt((inverse_a + inverse_b) * law.stiffness);
  pair.first_step = clock_step(step, unit_, clocks_);
}

}  // namespace carom::asynchronous::reference
