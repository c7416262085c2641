// Pierced triangles and crossing edges, by brute force with exact signs.
#include "asynchronous/crossings.h"

#include <algorithm>
#include <array>
#include <set>

#include "carom/geometry/exact_predicates.h"

namespace carom::asynchronous::test {
namespace {

using carom::side_of_line;
using carom::side_of_plane;

bool pierces(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& face) {
  const int side_p = side_of_plane(face[0], face[1], face[2], p);
  const int side_q = side_of_plane(face[0], face[1], face[2], q);
  if (side_p * side_q >= 0) return false;
  const int u = side_of_plane(p, q, face[0], face[1]);
  const int v = side_of_plane(p, q, face[1], face[2]);
  const int w = side_of_plane(p, q, face[2], face[0]);
  return u == v && v == w && u != 0;
}

// Held vertices do not feel each other, so what consists of them may cross.
std::vector<char> held_vertices(const Problem& problem) {
  std::vector<char> held(problem.mass.size(), 0);
  for (const HeldVertex& vertex : problem.held) held[vertex.vertex] = 1;
  return held;
}

std::set<std::array<Index, 2>> all_edges(const Problem& problem) {
  std::set<std::array<Index, 2>> edges(problem.edges.begin(), problem.edges.end());
  for (const std::array<Index, 3>& f : problem.faces) {
    for (unsigned k = 0; k < 3; ++k) {
      edges.insert({std::min(f[k], f[(k + 1) % 3]), std::max(f[k], f[(k + 1) % 3])});
    }
  }
  return edges;
}

}  // namespace

int count_crossings(const Problem& problem, const std::vector<Vec3>& x) {
  const std::vector<char> held = held_vertices(problem);
  int count = 0;
  for (const std::array<Index, 2>& e : all_edges(problem)) {
    for (const std::array<Index, 3>& f : problem.faces) {
      if (std::any_of(f.begin(), f.end(), [&](Index i) { return i == e[0] || i == e[1]; }))
        continue;
      if (held[e[0]] != 0 && held[e[1]] != 0 && held[f[0]] != 0 && held[f[1]] != 0 &&
          held[f[2]] != 0)
        continue;
      if (pierces(x[e[0]], x[e[1]], {x[f[0]], x[f[1]], x[f[2]]})) ++count;
    }
  }
  return count;
}

int count_crossings_in_plane(const Problem& problem, const std::vector<Vec3>& x) {
  const std::vector<char> held = held_vertices(problem);
  int count = 0;
  for (const std::array<Index, 2>& e : problem.edges) {
    for (const std::array<Index, 2>& f : problem.edges) {
      if (&e <= &f || e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1]) continue;
      if (held[e[0]] != 0 && held[e[1]] != 0 && held[f[0]] != 0 && held[f[1]] != 0) continue;
      if (side_of_line(x[e[0]], x[e[1]], x[f[0]]) * side_of_line(x[e[0]], x[e[1]], x[f[1]]) < 0 &&
          side_of_line(x[f[0]], x[f[1]], x[e[0]]) * side_of_line(x[f[0]], x[f[1]], x[e[1]]) < 0) {
        ++count;
      }
    }
  }
  return count;
}

}  // namespace carom::asynchronous::test
