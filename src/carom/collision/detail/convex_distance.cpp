// Distance of two convex sets by their farthest places in a direction (GJK).
#include "carom/collision/detail/convex_distance.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/core/types.h"
#include "carom/geometry/direction.h"

namespace carom::detail {
namespace {

// Far more than needed: ten are usual.
constexpr int kMostIterations = 100;

// Up to four places of the difference.
struct Simplex {
  std::array<Vec3, 4> corner;
  std::size_t count = 0;
};

// Weights of the place nearest to the origin on the flat through the corners named by `chosen`, or
// false where these are (nearly) dependent or a weight is not positive.
bool solve_weights(const Simplex& simplex, std::span<const std::size_t> chosen,
                   std::array<double, 4>& weight) {
  const Vec3 base = simplex.corner[chosen[0]];
  const std::size_t n = chosen.size() - 1;
  std::array<Vec3, 3> edge{};
  for (std::size_t i = 0; i < n; ++i) edge[i] = simplex.corner[chosen[i + 1]] - base;
  std::array<double, 3> x{};
  if (n == 1) {
    const double square = norm_squared(edge[0]);
    if (!(square > 0.0)) return false;
    x[0] = -dot(base, edge[0]) / square;
  } else if (n == 2) {
    const Vec3 normal = cross(edge[0], edge[1]);
    const double square = norm_squared(normal);
    if (!(square > kRoundOff * kRoundOff * norm_squared(edge[0]) * norm_squared(edge[1]))) {
      return false;
    }
    x[0] = dot(cross(-base, edge[1]), normal) / square;
    x[1] = dot(cross(edge[0], -base), normal) / square;
  } else if (n == 3) {
    const double volume = dot(edge[0], cross(edge[1], edge[2]));
    const double size = norm(edge[0]) * norm(edge[1]) * norm(edge[2]);
    if (!(std::abs(volume) > 16.0 * kRoundOff * size)) return false;
    x[0] = dot(-base, cross(edge[1], edge[2])) / volume;
    x[1] = dot(edge[0], cross(-base, edge[2])) / volume;
    x[2] = dot(edge[0], cross(edge[1], -base)) / volume;
  }
  double rest = 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(x[i] > 0.0)) return false;
    weight[i + 1] = x[i];
    rest -= x[i];
  }
  weight[0] = rest;
  return rest > 0.0;
}

// The place of the simplex nearest to the origin; the simplex keeps the corners that span it. All
// faces are tried: there are at most fifteen.
Vec3 nearest_place(Simplex& simplex) {
  double best = kInfinity;
  Vec3 nearest;
  std::array<std::size_t, 4> kept{};
  std::size_t kept_count = 0;
  const unsigned subsets = 1U << simplex.count;
  for (unsigned subset = 1; subset < subsets; ++subset) {
    std::array<std::size_t, 4> chosen{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < simplex.count; ++i) {
      if ((subset >> i & 1U) != 0U) chosen[count++] = i;
    }
    std::array<double, 4> weight = {1.0, 0.0, 0.0, 0.0};
    if (count > 1 && !solve_weights(simplex, {chosen.data(), count}, weight)) continue;
    Vec3 place;
    for (std::size_t i = 0; i < count; ++i) place += weight[i] * simplex.corner[chosen[i]];
    const double square = norm_squared(place);
    if (!(square < best)) continue;
    best = square;
    nearest = place;
    kept = chosen;
    kept_count = count;
  }
  Simplex reduced;
  for (std::size_t i = 0; i < kept_count; ++i) reduced.corner[i] = simplex.corner[kept[i]];
  reduced.count = kept_count;
  simplex = reduced;
  return nearest;
}

bool holds(const Simplex& simplex, const Vec3& place) {
  for (std::size_t i = 0; i < simplex.count; ++i) {
    if (simplex.corner[i] == place) return true;
  }
  return false;
}

}  // namespace

Vec3 ConvexSet::farthest(const Vec3& direction) const {
  if (!places_.empty()) {
    const Vec3* best = &places_.front();
    double height = dot(direction, *best);
    for (const Vec3& place : places_) {
      const double other = dot(direction, place);
      if (other > height) {
        height = other;
        best = &place;
      }
    }
    return *best;
  }
  const double along = dot(direction, axis_);
  const Vec3 radial = direction_of(direction - along * axis_).unit;
  return center_ + (along >= 0.0 ? half_length_ : -half_length_) * axis_ + radius_ * radial;
}

Slab widest_slab(const ConvexSet& a, const ConvexSet& b, double accuracy) {
  Slab slab;
  slab.width = -kInfinity;
  Simplex simplex;
  Vec3 nearest = a.middle() - b.middle();
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const Direction toward = direction_of(nearest);
    if (toward.unit == Vec3{}) break;
    const Vec3 place = a.farthest(-toward.unit) - b.farthest(toward.unit);
    const double width = dot(toward.unit, place);
    if (width > slab.width) slab = {toward.unit, width};
    if (toward.length - slab.width <= accuracy * toward.length || holds(simplex, place)) {
      return slab;
    }
    simplex.corner[simplex.count++] = place;
    nearest = nearest_place(simplex);
    if (simplex.count == 4) break;  // the origin lies inside: they overlap
  }
  if (slab.width == -kInfinity) slab.width = 0.0;
  return slab;
}

}  // namespace carom::detail
