// Convex hulls of points in the plane and in space, with faces of any number of corners.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>

#include "carom/core/assert.h"
#include "carom/core/error.h"
#include "carom/geometry/detail/quickhull.h"
#include "carom/geometry/direction.h"
#include "carom/geometry/exact_predicates.h"
#include "carom/geometry/solid.h"

// The hull of the points as they are, without error: Quickhull with exact decisions (3D), Andrew's
// chain (2D). Then what is flat but for round-off becomes one face: triangles whose corners are
// within kFlatness of the largest extent of each other's plane. Faces are unions of triangles of a
// closed surface, so they fit together whatever the tolerance does.

namespace carom {
namespace {

// Relative to the largest extent along an axis. Corners that a rotation has rounded are off by a
// few 1e-16.
constexpr double kFlatness = 1e-12;

using Loop = std::vector<Index>;

double extent_of(const std::vector<Vec3>& points) {
  Vec3 lower = points.front();
  Vec3 upper = points.front();
  for (const Vec3& p : points) {
    lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
    upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
  }
  return std::max({upper.x - lower.x, upper.y - lower.y, upper.z - lower.z});
}

[[noreturn]] void refuse_flat(std::size_t count, int dimension) {
  throw InputError({}, std::to_string(count) + " points that span no " +
                           (dimension == 2 ? "area" : "volume") + ": a hull needs more than a " +
                           (dimension == 2 ? "line" : "plane"));
}

void check_points(const std::vector<Vec3>& points, int dimension) {
  CAROM_DEMAND(dimension == 2 || dimension == 3);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const std::string key = "points[" + std::to_string(k) + "]";
    if (!is_finite(points[k])) throw InputError({"", 0, 0, key}, "is not finite");
    if (dimension == 2 && points[k].z != 0.0) {
      throw InputError({"", 0, 0, key}, "leaves the plane z = 0 of two dimensions");
    }
  }
  if (points.size() < static_cast<std::size_t>(dimension) + 1) {
    refuse_flat(points.size(), dimension);
  }
}

// Numbers of the points in lexicographic order of place, so that their own order does not matter;
// of points nearer to each other than the tolerance only the first.
std::vector<Index> distinct_points(const std::vector<Vec3>& points, double tolerance) {
  std::vector<Index> order(points.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto key = [&](Index k) { return std::tuple(points[k].x, points[k].y, points[k].z, k); };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return key(a) < key(b); });
  std::vector<Index> kept;
  for (const Index candidate : order) {
    const Vec3& p = points[candidate];
    const bool is_new =
        std::none_of(kept.rbegin(),
                     std::find_if(kept.rbegin(), kept.rend(),
                                  [&](Index k) { return p.x - points[k].x > tolerance; }),
                     [&](Index k) { return norm(p - points[k]) <= tolerance; });
    if (is_new) kept.push_back(candidate);
  }
  return kept;
}

// ----- Two dimensions -------------------------------------------------------------------------

// Counterclockwise from the lexicographically smallest point.
Loop chain(const std::vector<Vec3>& points, const std::vector<Index>& order) {
  Loop loop;
  const auto extend = [&](Index next, std::size_t floor) {
    while (loop.size() > floor + 1 &&
           side_of_line(points[loop[loop.size() - 2]], points[loop.back()], points[next]) <= 0) {
      loop.pop_back();
    }
    loop.push_back(next);
  };
  for (const Index k : order) extend(k, 0);
  const std::size_t turning = loop.size() - 1;
  for (std::size_t k = order.size() - 1; k-- > 0;) extend(order[k], turning);
  loop.pop_back();
  return loop;
}

double distance_to_line(const Vec3& p, const Vec3& a, const Vec3& b) {
  return norm(cross(direction_of(b - a).unit, p - a));
}

// Corners that stand out from the line of their neighbours by round-off are none.
void drop_straight_corners(Loop& loop, const std::vector<Vec3>& points, double tolerance) {
  for (std::size_t k = 0; k < loop.size() && loop.size() > 2;) {
    const Vec3& before = points[loop[(k + loop.size() - 1) % loop.size()]];
    const Vec3& after = points[loop[(k + 1) % loop.size()]];
    if (distance_to_line(points[loop[k]], before, after) > tolerance) {
      ++k;
    } else {
      loop.erase(loop.begin() + static_cast<std::ptrdiff_t>(k));
      k = k > 0 ? k - 1 : 0;
    }
  }
}

ConvexPolytope polygon(const std::vector<Vec3>& points) {
  const double tolerance = kFlatness * extent_of(points);
  const std::vector<Index> order = distinct_points(points, tolerance);
  if (order.size() < 3) refuse_flat(points.size(), 2);
  Loop loop = chain(points, order);
  drop_straight_corners(loop, points, tolerance);
  if (loop.size() < 3) refuse_flat(points.size(), 2);
  ConvexPolytope result;
  for (const Index k : loop) result.vertices.push_back(points[k]);
  const auto count = static_cast<Index>(loop.size());
  for (Index k = 0; k < count; ++k) {
    const Index next = (k + 1) % count;
    const Vec3 along = result.vertices[next] - result.vertices[k];
    result.faces.push_back({{k, next}, direction_of({along.y, -along.x, 0.0}).unit});
  }
  return result;
}

// ----- Three dimensions -----------------------------------------------------------------------

// Four points that lie far apart, or none if all are within the tolerance of a plane.
std::array<Index, 4> find_simplex(const std::vector<Vec3>& points, double tolerance) {
  const auto farthest = [&](const auto& distance) {
    Index best = 0;
    for (Index k = 1; k < points.size(); ++k) {
      if (distance(points[k]) > distance(points[best])) best = k;
    }
    if (!(distance(points[best]) > tolerance)) refuse_flat(points.size(), 3);
    return best;
  };
  const Vec3& p0 = points[0];
  const Index k1 = farthest([&](const Vec3& p) { return norm(p - p0); });
  const Vec3 along = direction_of(points[k1] - p0).unit;
  const Index k2 = farthest([&](const Vec3& p) { return norm(cross(along, p - p0)); });
  const Vec3 normal = direction_of(cross(along, points[k2] - p0)).unit;
  const Index k3 = farthest([&](const Vec3& p) { return std::abs(dot(normal, p - p0)); });
  return {0, k1, k2, k3};
}

class FaceMerger {
 public:
  FaceMerger(const std::vector<Vec3>& points, const std::vector<detail::HullTriangle>& triangles,
             double tolerance)
      : points_(points),
        triangles_(triangles),
        tolerance_(tolerance),
        group_(triangles.size(), kNone) {}

  // Loops of vertices, counterclockwise seen from outside.
  std::vector<Loop> run() {
    gather_groups();
    std::vector<Loop> loops;
    for (Index g = 0; g < members_.size(); ++g) append_loops(g, loops);
    while (drop_needless(loops)) {
    }
    return loops;
  }

 private:
  [[nodiscard]] Vec3 doubled_area(Index t) const {
    const auto& [a, b, c] = triangles_[t].corner;
    return cross(points_[b] - points_[a], points_[c] - points_[a]);
  }

  // Around the largest triangles first: their planes are the best known.
  void gather_groups() {
    std::vector<double> area(triangles_.size());
    for (Index t = 0; t < triangles_.size(); ++t) area[t] = norm(doubled_area(t));
    std::vector<Index> order(triangles_.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return area[a] > area[b]; });
    for (const Index seed : order) {
      if (group_[seed] == kNone) flood(seed);
    }
  }

  void flood(Index seed) {
    const Vec3 normal = direction_of(doubled_area(seed)).unit;
    const Vec3& origin = points_[triangles_[seed].corner[0]];
    const auto is_flat = [&](Index t) {
      const auto& corner = triangles_[t].corner;
      return std::all_of(corner.begin(), corner.end(), [&](Index p) {
        return std::abs(dot(normal, points_[p] - origin)) <= tolerance_;
      });
    };
    const auto group = static_cast<Index>(members_.size());
    std::vector<Index>& members = members_.emplace_back(1, seed);
    group_[seed] = group;
    for (std::size_t next = 0; next < members.size(); ++next) {
      for (const Index neighbor : triangles_[members[next]].neighbor) {
        if (group_[neighbor] != kNone || !is_flat(neighbor)) continue;
        group_[neighbor] = group;
        members.push_back(neighbor);
      }
    }
  }

  // The rim of the group; the triangles themselves should the rim not be a simple loop.
  void append_loops(Index group, std::vector<Loop>& loops) const {
    std::vector<std::pair<Index, Index>> sides;
    for (const Index t : members_[group]) {
      for (std::size_t k = 0; k < 3; ++k) {
        if (group_[triangles_[t].neighbor[k]] == group) continue;
        sides.emplace_back(triangles_[t].corner[k], triangles_[t].corner[(k + 1) % 3]);
      }
    }
    std::sort(sides.begin(), sides.end());
    Loop loop;
    for (Index v = sides.front().first; loop.size() <= sides.size();) {
      loop.push_back(v);
      const auto next = std::lower_bound(sides.begin(), sides.end(), std::pair(v, Index{0}));
      v = next->second;
      if (v == loop.front()) break;
    }
    if (loop.size() == sides.size()) {
      loops.push_back(std::move(loop));
      return;
    }
    for (const Index t : members_[group]) {
      const auto& corner = triangles_[t].corner;
      loops.emplace_back(corner.begin(), corner.end());
    }
  }

  // A vertex of two faces only lies on a straight edge; a face of two vertices only is that edge.
  [[nodiscard]] bool drop_needless(std::vector<Loop>& loops) const {
    std::vector<int> face_count(points_.size(), 0);
    for (const Loop& loop : loops) {
      for (const Index v : loop) ++face_count[v];
    }
    std::size_t dropped = std::erase_if(loops, [](const Loop& loop) { return loop.size() < 3; });
    for (Loop& loop : loops) {
      dropped += std::erase_if(loop, [&](Index v) { return face_count[v] < 3; });
    }
    return dropped > 0;
  }

  const std::vector<Vec3>& points_;
  const std::vector<detail::HullTriangle>& triangles_;
  double tolerance_;
  std::vector<Index> group_;                 ///< of each triangle
  std::vector<std::vector<Index>> members_;  ///< of each group: triangles
};

Vec3 normal_of(const Loop& loop, const std::vector<Vec3>& vertices) {
  Vec3 doubled_area;
  const Vec3& origin = vertices[loop[0]];
  for (std::size_t k = 2; k < loop.size(); ++k) {
    doubled_area += cross(vertices[loop[k - 1]] - origin, vertices[loop[k]] - origin);
  }
  return direction_of(doubled_area).unit;
}

// face_a is the one that runs from begin to end.
std::vector<ConvexPolytope::Edge> edges_of(const std::vector<ConvexPolytope::Face>& faces) {
  struct Side {
    Index low = 0;
    Index high = 0;
    bool downward = false;
    Index face = 0;
  };
  std::vector<Side> sides;
  for (Index f = 0; f < faces.size(); ++f) {
    const Loop& loop = faces[f].loop;
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Index begin = loop[k];
      const Index end = loop[(k + 1) % loop.size()];
      sides.push_back({std::min(begin, end), std::max(begin, end), begin > end, f});
    }
  }
  const auto key = [](const Side& s) { return std::tuple(s.low, s.high, s.downward); };
  std::sort(sides.begin(), sides.end(),
            [&](const Side& a, const Side& b) { return key(a) < key(b); });
  std::vector<ConvexPolytope::Edge> edges;
  CAROM_DEMAND(sides.size() % 2 == 0);
  for (std::size_t k = 0; k < sides.size(); k += 2) {
    CAROM_DEMAND(sides[k].low == sides[k + 1].low && sides[k].high == sides[k + 1].high);
    edges.push_back({sides[k].low, sides[k].high, sides[k].face, sides[k + 1].face});
  }
  return edges;
}

ConvexPolytope polytope(const std::vector<Vec3>& given) {
  const double tolerance = kFlatness * extent_of(given);
  const std::vector<Index> kept = distinct_points(given, tolerance);
  std::vector<Vec3> points;
  points.reserve(kept.size());
  for (const Index k : kept) points.push_back(given[k]);
  const auto triangles = detail::quickhull(points, find_simplex(points, tolerance));
  std::vector<Loop> loops = FaceMerger(points, triangles, tolerance).run();

  // Vertices in the order in which they were given.
  std::vector<Index> number(given.size(), kNone);
  for (const Loop& loop : loops) {
    for (const Index v : loop) number[kept[v]] = 0;
  }
  ConvexPolytope result;
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (number[k] == kNone) continue;
    number[k] = static_cast<Index>(result.vertices.size());
    result.vertices.push_back(given[k]);
  }
  for (Loop& loop : loops) {
    for (Index& v : loop) v = number[kept[v]];
    std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
  }
  std::sort(loops.begin(), loops.end());
  for (Loop& loop : loops) {
    const Vec3 normal = normal_of(loop, result.vertices);
    result.faces.push_back({std::move(loop), normal});
  }
  result.edges = edges_of(result.faces);
  return result;
}

}  // namespace

ConvexPolytope convex_hull(const std::vector<Vec3>& points, int dimension) {
  check_points(points, dimension);
  return dimension == 2 ? polygon(points) : polytope(points);
}

}  // namespace carom
