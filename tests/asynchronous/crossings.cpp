// Pierced triangles and crossing edges, by brute force.
#include "asynchronous/crossings.h"

#include <algorithm>
#include <array>
#include <set>

namespace carom::asynchronous::test {
namespace {

int sign(long double value) { return value > 0.0L ? 1 : value < 0.0L ? -1 : 0; }

// Of the volume of the tetrahedron a, b, c, d.
int volume_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const long double ax = a.x - d.x, ay = a.y - d.y, az = a.z - d.z;
  const long double bx = b.x - d.x, by = b.y - d.y, bz = b.z - d.z;
  const long double cx = c.x - d.x, cy = c.y - d.y, cz = c.z - d.z;
  return sign(ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx));
}

int area_sign(const Vec3& a, const Vec3& b, const Vec3& c) {
  const long double ux = b.x - a.x, uy = b.y - a.y, vx = c.x - a.x, vy = c.y - a.y;
  return sign(ux * vy - uy * vx);
}

bool pierces(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& face) {
  const int side_p = volume_sign(face[0], face[1], face[2], p);
  const int side_q = volume_sign(face[0], face[1], face[2], q);
  if (side_p * side_q >= 0) return false;
  const int u = volume_sign(p, q, face[0], face[1]);
  const int v = volume_sign(p, q, face[1], face[2]);
  const int w = volume_sign(p, q, face[2], face[0]);
  return u == v && v == w && u != 0;
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
  int count = 0;
  for (const std::array<Index, 2>& e : all_edges(problem)) {
    for (const std::array<Index, 3>& f : problem.faces) {
      if (std::any_of(f.begin(), f.end(), [&](Index i) { return i == e[0] || i == e[1]; }))
        continue;
      if (pierces(x[e[0]], x[e[1]], {x[f[0]], x[f[1]], x[f[2]]})) ++count;
    }
  }
  return count;
}

int count_crossings_in_plane(const Problem& problem, const std::vector<Vec3>& x) {
  int count = 0;
  for (const std::array<Index, 2>& e : problem.edges) {
    for (const std::array<Index, 2>& f : problem.edges) {
      if (&e <= &f || e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1]) continue;
      if (area_sign(x[e[0]], x[e[1]], x[f[0]]) * area_sign(x[e[0]], x[e[1]], x[f[1]]) < 0 &&
          area_sign(x[f[0]], x[f[1]], x[e[0]]) * area_sign(x[f[0]], x[f[1]], x[e[1]]) < 0) {
        ++count;
      }
    }
  }
  return count;
}

}  // namespace carom::asynchronous::test
