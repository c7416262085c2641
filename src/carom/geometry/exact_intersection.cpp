// Exact intersections of points, segments and triangles from the signs of determinants.

#include "carom/geometry/exact_intersection.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "carom/geometry/exact_predicates.h"

namespace carom {
namespace {

using Segment3 = std::array<Vec3, 2>;
using Triangle3 = std::array<Vec3, 3>;

constexpr Feature kSide{Feature::Kind::side, 0};
constexpr Feature kInside{Feature::Kind::inside, 0};

Feature corner(std::size_t number) { return {Feature::Kind::corner, static_cast<Index>(number)}; }
Feature side(std::size_t number) { return {Feature::Kind::side, static_cast<Index>(number)}; }

Segment3 side_of(const Triangle3& t, std::size_t k) { return {t[k], t[(k + 1) % 3]}; }

// The same feature of a triangle, seen from its side k.
Feature of_triangle(const Feature& of_side, std::size_t k) {
  return of_side.kind == Feature::Kind::corner ? corner((k + of_side.number) % 3) : side(k);
}

Intersection swapped(const Intersection& x) { return {x.meeting, x.second, x.first, x.place}; }

// A plane of two axes on which the plane through four points has an area; none if they lie on one
// line.
std::optional<AxisPlane> plane_of(const Segment3& s, const Segment3& t) {
  if (const auto plane = plane_of_area(s[0], s[1], t[0])) return plane;
  if (const auto plane = plane_of_area(s[0], s[1], t[1])) return plane;
  if (const auto plane = plane_of_area(t[0], t[1], s[0])) return plane;
  return plane_of_area(t[0], t[1], s[1]);
}

// An end of one segment on the other, if there is one. Both lie in one plane that has an area on
// `plane`, or on one line.
Intersection end_on_segment(const Segment3& s, const Segment3& t,
                            const std::optional<AxisPlane>& plane) {
  const auto lies_on = [&](const Vec3& p, const Segment3& segment) {
    return is_between(segment[0], segment[1], p) &&
           (!plane || side_of_line(segment[0], segment[1], p, *plane) == 0);
  };
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      if (s[i] == t[j]) return {Meeting::touch, corner(i), corner(j), s[i]};
    }
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (lies_on(s[i], t)) return {Meeting::touch, corner(i), kSide, s[i]};
    if (lies_on(t[i], s)) return {Meeting::touch, kSide, corner(i), t[i]};
  }
  return {};
}

// The point of s on the line through t, up to rounding.
Vec3 approximate_crossing(const Segment3& s, const Segment3& t) {
  const Vec3 u = s[1] - s[0];
  const Vec3 v = t[1] - t[0];
  const Vec3 normal = cross(u, v);
  const double fraction = dot(cross(t[0] - s[0], v), normal) / norm_squared(normal);
  return s[0] + (std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.5) * u;
}

// Of two segments in one plane: closed segments in a plane meet either properly, each with its ends
// on different sides of the other, or an end of one lies on the other.
Intersection in_one_plane(const Segment3& s, const Segment3& t,
                          const std::optional<AxisPlane>& plane) {
  if (plane) {
    const int a = side_of_line(t[0], t[1], s[0], *plane);
    const int b = side_of_line(t[0], t[1], s[1], *plane);
    if (a * b > 0) return {};
    const int c = side_of_line(s[0], s[1], t[0], *plane);
    const int d = side_of_line(s[0], s[1], t[1], *plane);
    if (c * d > 0) return {};
    if (a * b < 0 && c * d < 0) return {Meeting::cross, kSide, kSide, approximate_crossing(s, t)};
  }
  return end_on_segment(s, t, plane);
}

// What of a triangle a point of its plane is on.
std::optional<Feature> feature_at(const Vec3& p, const Triangle3& t, AxisPlane plane) {
  const int turn = side_of_line(t[0], t[1], t[2], plane);
  std::array<bool, 3> on_line{};
  for (std::size_t k = 0; k < 3; ++k) {
    const int where = turn * side_of_line(t[k], t[(k + 1) % 3], p, plane);
    if (where < 0) return std::nullopt;
    on_line[k] = where == 0;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (on_line[k] && on_line[(k + 2) % 3]) return corner(k);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (on_line[k]) return side(k);
  }
  return kInside;
}

Intersection with_sides(const Segment3& s, const Triangle3& t,
                        const std::optional<AxisPlane>& plane) {
  for (std::size_t k = 0; k < 3; ++k) {
    const Segment3 other = side_of(t, k);
    Intersection found = plane ? in_one_plane(s, other, plane) : segment_segment(s, other);
    if (!found) continue;
    found.meeting = Meeting::touch;
    found.second = of_triangle(found.second, k);
    return found;
  }
  return {};
}

// A segment that lies in the triangle's plane (2), or a triangle without area.
Intersection in_plane_of(const Segment3& s, const Triangle3& t) {
  const std::optional<AxisPlane> plane = plane_of_area(t[0], t[1], t[2]);
  if (plane) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (const auto feature = feature_at(s[i], t, *plane)) {
        return {Meeting::touch, corner(i), *feature, s[i]};
      }
    }
  }
  return with_sides(s, t, plane);
}

// The segment's ends are on different sides of the triangle's plane (1).
Intersection through_plane(const Segment3& s, const Triangle3& t) {
  std::array<int, 3> turn{};
  for (std::size_t k = 0; k < 3; ++k) {
    turn[k] = side_of_plane(s[0], s[1], t[k], t[(k + 1) % 3]);
  }
  const auto [least, most] = std::minmax({turn[0], turn[1], turn[2]});
  if (least * most < 0) return {};
  Feature feature = kInside;
  for (std::size_t k = 0; k < 3; ++k) {
    if (turn[k] == 0) feature = turn[(k + 2) % 3] == 0 ? corner(k) : side(k);
    if (feature.kind == Feature::Kind::corner) break;
  }
  const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
  const double from = dot(normal, s[0] - t[0]);
  const double to = dot(normal, s[1] - t[0]);
  const double fraction = from / (from - to);
  const Vec3 place =
      s[0] + (std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.5) * (s[1] - s[0]);
  return {feature == kInside ? Meeting::cross : Meeting::touch, kSide, feature, place};
}

}  // namespace

Intersection point_point(const Vec3& p, const Vec3& q) {
  if (!(p == q)) return {};
  return {Meeting::touch, corner(0), corner(0), p};
}

Intersection point_segment(const Vec3& p, const Segment3& segment) {
  if (!is_between(segment[0], segment[1], p)) return {};
  for (std::size_t k = 0; k < 2; ++k) {
    if (p == segment[k]) return {Meeting::touch, corner(0), corner(k), p};
  }
  if (!are_collinear(segment[0], segment[1], p)) return {};
  return {Meeting::touch, corner(0), kSide, p};
}

Intersection point_triangle(const Vec3& p, const Triangle3& triangle) {
  if (side_of_plane(triangle[0], triangle[1], triangle[2], p) != 0) return {};
  if (const auto plane = plane_of_area(triangle[0], triangle[1], triangle[2])) {
    const auto feature = feature_at(p, triangle, *plane);
    if (!feature) return {};
    return {Meeting::touch, corner(0), *feature, p};
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const Intersection found = point_segment(p, side_of(triangle, k));
    if (found) return {Meeting::touch, corner(0), of_triangle(found.second, k), p};
  }
  return {};
}

Intersection segment_segment(const Segment3& first, const Segment3& second) {
  if (side_of_plane(first[0], first[1], second[0], second[1]) != 0) return {};
  if (first[0] == first[1]) return point_segment(first[0], second);
  if (second[0] == second[1]) return swapped(point_segment(second[0], first));
  return in_one_plane(first, second, plane_of(first, second));
}

Intersection segment_triangle(const Segment3& segment, const Triangle3& triangle) {
  const int from = side_of_plane(triangle[0], triangle[1], triangle[2], segment[0]);
  const int to = side_of_plane(triangle[0], triangle[1], triangle[2], segment[1]);
  if (from * to > 0) return {};
  if (from == 0 && to == 0) return in_plane_of(segment, triangle);
  if (from != 0 && to != 0) return through_plane(segment, triangle);
  const std::size_t end = from == 0 ? 0 : 1;
  Intersection found = point_triangle(segment[end], triangle);
  found.first = corner(end);
  return found;
}

}  // namespace carom
