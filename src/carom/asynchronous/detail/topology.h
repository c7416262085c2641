#pragma once

#include <array>
#include <vector>

#include "carom/asynchronous/problem.h"
#include "carom/core/types.h"

namespace carom::asynchronous::detail {

/// What the broad phase puts into boxes: a face, an edge of a chain, or a particle, with the
/// vertices and edges that it stands for. Every vertex and every edge is represented by exactly one
/// leaf among those that contain it, so that each pair of primitives is met exactly once.
struct Leaf {
  std::array<Index, 3> vertex = {kNone, kNone, kNone};
  unsigned size = 0;        ///< number of vertices
  Index primitive = kNone;  ///< number of the face, edge or vertex
  std::array<Index, 3> own_edges = {kNone, kNone, kNone};
  std::array<Index, 3> own_vertices = {kNone, kNone, kNone};
};

struct Topology {
  explicit Topology(const Problem& problem);

  /// In space, where edges stand for their vertices: whether contact of a vertex of chains with an
  /// edge of a chain is not that of one of its own edges, as all of them share a vertex with it. So
  /// it is of the end of a chain and the link behind its first one.
  [[nodiscard]] bool stands_alone(Index v, const Leaf& edge) const;

  std::vector<std::array<Index, 2>> edges;  ///< of faces and chains, each once
  std::vector<Leaf> leaves;
  std::vector<Index> component;  ///< of each vertex: number of what edges and faces link

 private:
  /// What at most two edges join with each vertex of no face; `many` of them otherwise.
  struct Neighbours {
    std::array<Index, 2> vertex = {kNone, kNone};
    bool many = false;
  };
  std::vector<Neighbours> neighbours_;
};

}  // namespace carom::asynchronous::detail
