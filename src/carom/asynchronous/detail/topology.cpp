// Edges, leaves and linked components of a problem's chains and surfaces.
#include "carom/asynchronous/detail/topology.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "carom/core/joined_sets.h"

namespace carom::asynchronous::detail {
Topology::Topology(const Problem& problem) {
  const auto count = static_cast<Index>(problem.mass.size());
  component.resize(count);
  std::iota(component.begin(), component.end(), Index{0});
  std::vector<char> represented(count, 0);
  std::map<std::pair<Index, Index>, Index> known;
  const auto link = [&](Index a, Index b) { join_sets(component, a, b); };
  // Represents an edge by a leaf unless another one does.
  const auto own_edge = [&](Leaf& leaf, unsigned place, Index a, Index b) {
    link(a, b);
    const auto [at, is_new] =
        known.try_emplace(std::minmax(a, b), static_cast<Index>(edges.size()));
    if (!is_new) return;
    edges.push_back({std::min(a, b), std::max(a, b)});
    leaf.own_edges[place] = at->second;
  };
  const auto own_vertices = [&](Leaf& leaf) {
    for (unsigned k = 0; k < leaf.size; ++k) {
      if (represented[leaf.vertex[k]]++ == 0) leaf.own_vertices[k] = leaf.vertex[k];
    }
  };
  for (std::size_t f = 0; f < problem.faces.size(); ++f) {
    Leaf leaf;
    leaf.vertex = problem.faces[f];
    leaf.size = 3;
    leaf.primitive = static_cast<Index>(f);
    for (unsigned k = 0; k < 3; ++k) own_edge(leaf, k, leaf.vertex[k], leaf.vertex[(k + 1) % 3]);
    own_vertices(leaf);
    leaves.push_back(leaf);
  }
  for (const std::array<Index, 2>& edge : problem.edges) {
    Leaf leaf;
    leaf.vertex = {edge[0], edge[1], kNone};
    leaf.size = 2;
    own_edge(leaf, 0, edge[0], edge[1]);
    leaf.primitive = leaf.own_edges[0];
    if (leaf.primitive == kNone) continue;  // an edge of a face, or a second time
    own_vertices(leaf);
    leaves.push_back(leaf);
  }
  const std::vector<char> carries = carriers_of(problem);
  for (Index i = 0; i < count; ++i) {
    if (represented[i] != 0 || carries[i] != 0) continue;
    Leaf leaf;
    leaf.vertex[0] = i;
    leaf.size = 1;
    leaf.primitive = i;
    leaf.own_vertices[0] = i;
    leaves.push_back(leaf);
  }
  for (Index i = 0; i < count; ++i) component[i] = smallest_joined(component, i);
  neighbours_.resize(count);
  for (const std::array<Index, 2>& edge : edges) {
    for (const unsigned end : {0U, 1U}) {
      Neighbours& of = neighbours_[edge[end]];
      of.many = of.many || of.vertex[1] != kNone;
      of.vertex[of.vertex[0] == kNone ? 0 : 1] = edge[1 - end];
    }
  }
  for (const std::array<Index, 3>& face : problem.faces) {
    for (const Index i : face) neighbours_[i].many = true;
  }
}

bool Topology::stands_alone(Index v, const Leaf& edge) const {
  const Neighbours& of = neighbours_[v];
  if (of.many || of.vertex[0] == kNone) return false;
  return std::all_of(of.vertex.begin(), of.vertex.end(), [&](Index w) {
    return w == kNone || w == edge.vertex[0] || w == edge.vertex[1];
  });
}

}  // namespace carom::asynchronous::detail
