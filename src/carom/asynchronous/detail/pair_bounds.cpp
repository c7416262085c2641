// What can be said for sure about a pair during an interval of straight motion: (2) to (5) of
// audit.h.

#include "carom/asynchronous/detail/pair_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/core/types.h"
#include "carom/geometry/exact_predicates.h"

namespace carom::asynchronous::detail {
namespace {

constexpr double kTiny = 16.0 * std::numeric_limits<double>::min();  // underflows of some products

double largest_coordinate(const Vec3& x) {
  return std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)});
}
double sum_of_sizes(const Vec3& x) { return std::abs(x.x) + std::abs(x.y) + std::abs(x.z); }

// Signs that hold at every moment of an interval, for k fixed.
class SteadySigns {
 public:
  explicit SteadySigns(const PairPieces& pieces, std::size_t count) : pieces_(pieces) {
    for (std::size_t i = 0; i < count; ++i) {
      const PathPiece& p = pieces.of[i];
      slack_ = std::max(slack_, p.slack);
      size_ = std::max({size_, largest_coordinate(p.begin - pieces.of[0].begin),
                        largest_coordinate(p.end - pieces.of[0].end)});
    }
  }

  // Whether k.x_i > k.x_j. Products and sums of a difference below twice size_.
  [[nodiscard]] bool above(const Vec3& k, std::size_t i, std::size_t j) const {
    const double bound = rounding(k);
    return dot(k, pieces_.of[i].begin - pieces_.of[j].begin) > bound &&
           dot(k, pieces_.of[i].end - pieces_.of[j].end) > bound;
  }
  // The same for -k_1 - k_2.
  [[nodiscard]] bool above_opposite(const std::array<Vec3, 2>& k, std::size_t i,
                                    std::size_t j) const {
    const auto value = [&](const Vec3& difference) {
      return -dot(k[0], difference) - dot(k[1], difference);
    };
    const double bound = 2.0 * (rounding(k[0]) + rounding(k[1]));
    return value(pieces_.of[i].begin - pieces_.of[j].begin) > bound &&
           value(pieces_.of[i].end - pieces_.of[j].end) > bound;
  }

 private:
  [[nodiscard]] double rounding(const Vec3& k) const {
    return sum_of_sizes(k) * (16.0 * kRoundOff * size_ + 3.0 * slack_) + kTiny;
  }

  const PairPieces& pieces_;
  double slack_ = 0.0;
  double size_ = 0.0;
};

// (3), with the face's corners 1, 2, 3 and vertex 0.
bool vertex_stays_above_face(const PairPieces& pieces) {
  const std::array<Vec3, 4> x = pieces.middles();
  const Vec3 m = cross(x[2] - x[1], x[3] - x[1]);
  const std::array<Vec3, 2> k = {cross(m, x[2] - x[1]), cross(m, x[3] - x[2])};
  const SteadySigns signs(pieces, 4);
  return signs.above(k[0], 0, 1) && signs.above(k[0], 0, 2) && signs.above(k[1], 0, 2) &&
         signs.above(k[1], 0, 3) && signs.above_opposite(k, 0, 3) && signs.above_opposite(k, 0, 1);
}

// (4), with p q = 0 1 and a b = 2 3.
bool edges_stay_crossed(const PairPieces& pieces) {
  const std::array<Vec3, 4> x = pieces.middles();
  const Vec3 u = x[1] - x[0];
  const Vec3 v = x[3] - x[2];
  const Vec3 m = cross(u, v);
  const Vec3 k1 = cross(m, u);
  const Vec3 k2 = cross(v, m);
  const SteadySigns signs(pieces, 4);
  return signs.above(k1, 0, 2) && signs.above(k1, 1, 2) && signs.above(k1, 3, 0) &&
         signs.above(k1, 3, 1) && signs.above(k2, 2, 0) && signs.above(k2, 3, 0) &&
         signs.above(k2, 1, 2) && signs.above(k2, 1, 3);
}

// (5), with the edge's ends 1 and 2.
bool vertex_stays_beside_edge(const PairPieces& pieces) {
  const std::array<Vec3, 4> x = pieces.middles();
  const Vec3 k = x[2] - x[1];
  const SteadySigns signs(pieces, 3);
  return signs.above(k, 0, 1) && signs.above(k, 2, 0);
}

// How much a product of the lengths of so many differences can change where each changes by 2 s.
double change_of_product(std::span<const Vec3> differences, double s) {
  double product = 1.0;
  double larger = 1.0;
  for (const Vec3& u : differences) {
    product *= norm(u);
    larger *= norm(u) + 2.0 * s;
  }
  return larger - product;
}

}  // namespace

std::array<Vec3, 4> PairPieces::middles() const {
  std::array<Vec3, 4> result;
  for (std::size_t i = 0; i < 4; ++i) result[i] = 0.5 * of[i].begin + 0.5 * of[i].end;
  return result;
}

double gap_along(const Vec3& direction, const PrimitivePair& pair, const PairPieces& pieces) {
  const double length = norm(direction);
  if (!(length > 0.0)) return 0.0;
  const Vec3 n = (1.0 / length) * direction;
  const Vec3& origin_begin = pieces.of[0].begin;
  const Vec3& origin_end = pieces.of[0].end;
  std::array<double, 2> least = {kInfinity, kInfinity};   // over the first, at begin and end
  std::array<double, 2> most = {-kInfinity, -kInfinity};  // over the second
  std::array<double, 2> slack{};
  double size = 0.0;
  for (std::size_t i = 0; i < pair.count; ++i) {
    const PathPiece& p = pieces.of[i];
    const Vec3 begin = p.begin - origin_begin;
    const Vec3 end = p.end - origin_end;
    size = std::max({size, largest_coordinate(begin), largest_coordinate(end)});
    const double at_begin = dot(n, begin);
    const double at_end = dot(n, end);
    if (i < pair.first_count) {
      least = {std::min(least[0], at_begin), std::min(least[1], at_end)};
      slack[0] = std::max(slack[0], p.slack);
    } else {
      most = {std::max(most[0], at_begin), std::max(most[1], at_end)};
      slack[1] = std::max(slack[1], p.slack);
    }
  }
  const double gap = std::min(least[0] - most[0], least[1] - most[1]);  // (2)
  const double rounding = 8.0 * kRoundOff * sum_of_sizes(n) * size + kTiny;
  // n is a unit vector, and a slack is spent, up to a few round-offs.
  return (gap - rounding - (slack[0] + slack[1]) * (1.0 + 16.0 * kRoundOff)) *
         (1.0 - 16.0 * kRoundOff);
}

bool shadows_cross(const PrimitivePair& pair, const PairPieces& pieces, bool in_space) {
  if (in_space && pair.kind == PrimitivePair::Kind::vertex_face)
    return vertex_stays_above_face(pieces);
  if (in_space && pair.kind == PrimitivePair::Kind::edge_edge) return edges_stay_crossed(pieces);
  return !in_space && pair.kind == PrimitivePair::Kind::vertex_edge &&
         vertex_stays_beside_edge(pieces);
}

int side_of_pair(const PrimitivePair& pair, std::span<const Vec3> places, double slack,
                 bool in_space) {
  const bool is_of_four =
      pair.kind == PrimitivePair::Kind::vertex_face || pair.kind == PrimitivePair::Kind::edge_edge;
  if (is_of_four != in_space || (!in_space && pair.kind != PrimitivePair::Kind::vertex_edge))
    return 0;
  const std::array differences = {places[1] - places[0], places[2] - places[0],
                                  is_of_four ? places[3] - places[0] : Vec3{1.0, 0.0, 0.0}};
  const int side = is_of_four ? side_of_plane(places[0], places[1], places[2], places[3])
                              : side_of_line(places[0], places[1], places[2]);
  if (slack == 0.0) return side;
  const std::span<const Vec3> all(differences);
  const double determinant =
      is_of_four ? dot(cross(all[0], all[1]), all[2]) : all[0].x * all[1].y - all[0].y * all[1].x;
  const std::span<const Vec3> used = all.first(is_of_four ? 3 : 2);
  double product = 1.0;
  for (const Vec3& u : used) product *= norm(u);
  const double rounding = 32.0 * kRoundOff * product + kTiny;
  const double change = 1.01 * change_of_product(used, slack);
  return std::abs(determinant) > rounding + change ? side : 0;
}

}  // namespace carom::asynchronous::detail
