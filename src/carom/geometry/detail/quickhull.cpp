// Convex hulls in space by adding the farthest point again and again.
#include "carom/geometry/detail/quickhull.h"

#include <algorithm>
#include <utility>

#include "carom/core/assert.h"
#include "carom/geometry/exact_predicates.h"

namespace carom::detail {
namespace {

struct Facet {
  HullTriangle triangle;
  std::vector<Index> outside;  ///< points that see it, each in the list of one facet only
  bool alive = true;
};

// A side of a facet beyond what a point sees: the new facet of that point stands on it.
struct HorizonSide {
  Index begin = 0;
  Index end = 0;
  Index beyond = 0;  ///< the facet on the other side, which stays
};

class Quickhull {
 public:
  Quickhull(const std::vector<Vec3>& points, std::array<Index, 4> simplex) : points_(points) {
    if (side(simplex[0], simplex[1], simplex[2], simplex[3]) > 0) std::swap(simplex[1], simplex[2]);
    const auto [a, b, c, d] = simplex;
    // Facet k stands opposite to the k-th of (d, c, a, b); the apex d is below a, b, c.
    facets_.push_back({{{a, b, c}, {1, 2, 3}}, {}, true});
    facets_.push_back({{{b, a, d}, {0, 3, 2}}, {}, true});
    facets_.push_back({{{c, b, d}, {0, 1, 3}}, {}, true});
    facets_.push_back({{{a, c, d}, {0, 2, 1}}, {}, true});
    for (Index p = 0; p < points_.size(); ++p) hand_out(p, 0);
  }

  std::vector<HullTriangle> run() {
    // New facets are appended, so every facet is looked at in its turn.
    for (Index f = 0; f < facets_.size(); ++f) {
      if (facets_[f].alive && !facets_[f].outside.empty()) add_point(f, farthest(f));
    }
    return living_triangles();
  }

 private:
  [[nodiscard]] int side(Index a, Index b, Index c, Index d) const {
    return side_of_plane(points_[a], points_[b], points_[c], points_[d]);
  }
  [[nodiscard]] bool sees(Index point, const Facet& facet) const {
    const auto& [a, b, c] = facet.triangle.corner;
    return side(a, b, c, point) > 0;
  }

  // To the first facet from `first_facet` on that the point sees; to none if it is inside of those.
  void hand_out(Index point, Index first_facet) {
    for (std::size_t f = first_facet; f < facets_.size(); ++f) {
      if (!facets_[f].alive || !sees(point, facets_[f])) continue;
      facets_[f].outside.push_back(point);
      return;
    }
  }

  [[nodiscard]] Index farthest(Index f) const {
    const auto& [a, b, c] = facets_[f].triangle.corner;
    const Vec3 normal = cross(points_[b] - points_[a], points_[c] - points_[a]);
    const Vec3& origin = points_[a];
    const auto height = [&](Index p) { return dot(normal, points_[p] - origin); };
    return *std::max_element(facets_[f].outside.begin(), facets_[f].outside.end(),
                             [&](Index p, Index q) { return height(p) < height(q); });
  }

  // Depth first around each facet counterclockwise, so that the horizon comes out as a cycle.
  void find_horizon(Index f, Index from, Index point, std::vector<HorizonSide>& horizon) {
    facets_[f].alive = false;
    seen_.push_back(f);
    const HullTriangle triangle = facets_[f].triangle;
    std::size_t start = 0;
    while (from != kNone && triangle.neighbor[start] != from) ++start;
    for (std::size_t turn = from == kNone ? 0 : 1; turn < 3; ++turn) {
      const std::size_t k = (start + turn) % 3;
      const Index beyond = triangle.neighbor[k];
      if (!facets_[beyond].alive) continue;
      if (sees(point, facets_[beyond])) {
        find_horizon(beyond, f, point, horizon);
      } else {
        horizon.push_back({triangle.corner[k], triangle.corner[(k + 1) % 3], beyond});
      }
    }
  }

  void add_point(Index f, Index point) {
    std::vector<HorizonSide> horizon;
    seen_.clear();
    find_horizon(f, kNone, point, horizon);
    const auto first = static_cast<Index>(facets_.size());
    const auto count = static_cast<Index>(horizon.size());
    for (Index k = 0; k < count; ++k) {
      const HorizonSide& side = horizon[k];
      CAROM_DEMAND(side.end == horizon[(k + 1) % count].begin);
      HullTriangle& stays = facets_[side.beyond].triangle;
      for (std::size_t n = 0; n < 3; ++n) {
        if (stays.corner[n] == side.end) stays.neighbor[n] = first + k;
      }
      facets_.push_back({{{side.begin, side.end, point},
                          {side.beyond, first + (k + 1) % count, first + (k + count - 1) % count}},
                         {},
                         true});
    }
    // Whoever saw a facet that is gone and is still outside sees one of the new ones: the plane of
    // a new facet lies between those of the two facets that met at its side of the horizon.
    for (const Index gone : seen_) {
      const std::vector<Index> outside = std::exchange(facets_[gone].outside, {});
      for (const Index p : outside) {
        if (p != point) hand_out(p, first);
      }
    }
  }

  [[nodiscard]] std::vector<HullTriangle> living_triangles() const {
    std::vector<Index> number(facets_.size(), kNone);
    Index count = 0;
    for (std::size_t f = 0; f < facets_.size(); ++f) {
      if (facets_[f].alive) number[f] = count++;
    }
    std::vector<HullTriangle> result;
    result.reserve(count);
    for (const Facet& facet : facets_) {
      if (!facet.alive) continue;
      result.push_back(facet.triangle);
      for (Index& neighbor : result.back().neighbor) neighbor = number[neighbor];
    }
    return result;
  }

  const std::vector<Vec3>& points_;
  std::vector<Facet> facets_;
  std::vector<Index> seen_;  ///< facets that the newest point sees
};

}  // namespace

std::vector<HullTriangle> quickhull(const std::vector<Vec3>& points,
                                    const std::array<Index, 4>& simplex) {
  return Quickhull(points, simplex).run();
}

}  // namespace carom::detail
