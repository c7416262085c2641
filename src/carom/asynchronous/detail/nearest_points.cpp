// Nearest points of vertices, edges and faces, as directions along which to prove them apart.

#include "carom/asynchronous/detail/nearest_points.h"

#include <algorithm>
#include <cmath>

#include "carom/core/types.h"

namespace carom::asynchronous::detail {
namespace {

// What of x is at right angles to u. The second time takes away what rounding left the first time.
Vec3 without(const Vec3& x, const Vec3& u) {
  const double square = norm_squared(u);
  if (!(square > 0.0)) return x;
  const Vec3 once = x - (dot(x, u) / square) * u;
  return once - (dot(once, u) / square) * u;
}

Vec3 along(const Vec3& x, const Vec3& normal) {
  return (dot(x, normal) / norm_squared(normal)) * normal;
}

Vec3 from_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 u = b - a;
  const Vec3 w = p - a;
  const double projection = dot(w, u);
  if (!(projection > 0.0)) return w;
  if (projection >= norm_squared(u)) return p - b;
  return without(w, u);
}

void keep_shorter(Vec3& shortest, const Vec3& candidate) {
  if (norm_squared(candidate) < norm_squared(shortest)) shortest = candidate;
}

Vec3 from_triangle(const Vec3& p, std::span<const Vec3> t) {
  const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
  Vec3 shortest = {kInfinity, kInfinity, kInfinity};
  bool is_inside = true;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3& a = t[k];
    const Vec3& b = t[(k + 1) % 3];
    if (dot(cross(normal, b - a), p - a) > 0.0) continue;
    is_inside = false;
    keep_shorter(shortest, from_segment(p, a, b));
  }
  return is_inside ? along(p - t[0], normal) : shortest;
}

Vec3 between_segments(const std::span<const Vec3> x) {
  const Vec3 u = x[1] - x[0];
  const Vec3 v = x[3] - x[2];
  const Vec3 w = x[0] - x[2];
  const Vec3 normal = cross(u, v);
  const double square = norm_squared(normal);
  const double on_first = dot(cross(v, w), normal);  // both times `square`
  const double on_second = dot(cross(u, w), normal);
  if (on_first > 0.0 && on_first < square && on_second > 0.0 && on_second < square) {
    return along(w, normal);
  }
  Vec3 shortest = from_segment(x[0], x[2], x[3]);
  keep_shorter(shortest, from_segment(x[1], x[2], x[3]));
  keep_shorter(shortest, -from_segment(x[2], x[0], x[1]));
  keep_shorter(shortest, -from_segment(x[3], x[0], x[1]));
  return shortest;
}

}  // namespace

Vec3 nearest_difference(const PrimitivePair& pair, std::span<const Vec3> places) {
  switch (pair.kind) {
    case PrimitivePair::Kind::vertex_vertex:
      return places[0] - places[1];
    case PrimitivePair::Kind::vertex_edge:
      return from_segment(places[0], places[1], places[2]);
    case PrimitivePair::Kind::vertex_face:
      return from_triangle(places[0], places.subspan(1, 3));
    case PrimitivePair::Kind::edge_edge:
      return between_segments(places);
    case PrimitivePair::Kind::edge_face:
      break;
  }
  return {};
}

Vec3 nearest_place(const PrimitivePair& pair, std::span<const Vec3> places) {
  if (pair.first_count == 1) return places[0];
  const Vec3 u = places[1] - places[0];
  const Vec3 v = places[3] - places[2];
  const Vec3 normal = cross(u, v);
  const double fraction = dot(cross(v, places[0] - places[2]), normal) / norm_squared(normal);
  return places[0] + (std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.5) * u;
}

Directions other_directions(const PrimitivePair& pair, std::span<const Vec3> places) {
  Directions directions;
  const Vec3 apart = places[0] - places[pair.count - 1U];
  const auto add = [&](Vec3 n) {
    if (dot(n, apart) < 0.0) n = -n;
    directions.all[directions.count++] = n;
  };
  const Vec3 last = places[pair.count - 1U] - places[pair.count - 2U];
  if (pair.kind == PrimitivePair::Kind::vertex_face) add(cross(places[2] - places[1], last));
  if (pair.kind == PrimitivePair::Kind::edge_edge) add(cross(places[1] - places[0], last));
  for (std::size_t i = 0; i < pair.first_count; ++i) {
    for (std::size_t j = pair.first_count; j < pair.count; ++j) {
      const Vec3 between = places[i] - places[j];
      add(between);
      if (pair.kind != PrimitivePair::Kind::vertex_vertex) add(without(between, last));
      if (pair.kind == PrimitivePair::Kind::edge_edge) add(without(between, places[1] - places[0]));
    }
  }
  return directions;
}

}  // namespace carom::asynchronous::detail
