#pragma once

#include <array>
#include <cstdint>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom {

// Whether two points, segments or triangles have a point in common, without error for all finite
// coordinates (exact_predicates.h). All are closed: a segment has its ends, a triangle its rim.
// Segments of length zero count as points, triangles without area as their three sides.
//
// A segment p q meets a triangle a b c, with s(.) the sides of equation (1) of exact_predicates.h:
//   not at all        where s(a, b, c, p) and s(a, b, c, q) are equal and not 0;
//   in one point      where they differ: at the end whose sign is 0, else inside, if and only if no
//                     two of s(p, q, a, b), s(p, q, b, c), s(p, q, c, a) are opposite        (1)
//   in their plane    where both are 0: decided by the shadows on a plane of two axes on which the
//                     triangle has an area.                                                   (2)

/// What of a primitive is there: the number of a corner, of a side (side k runs from corner k to
/// corner k + 1, a segment is its own side 0), or the inside of a triangle.
struct Feature {
  enum class Kind : std::uint8_t { corner, side, inside };
  Kind kind = Kind::corner;
  Index number = 0;

  friend bool operator==(const Feature&, const Feature&) = default;
};

enum class Meeting : std::uint8_t {
  apart,
  /// A common point, at a corner, on a rim or within one plane.
  touch,
  /// The inside of one passes through the inside of the other in a single point: segment and
  /// triangle in space, two segments in a plane.
  cross,
};

struct Intersection {
  Meeting meeting = Meeting::apart;
  Feature first;   ///< the smallest feature of the first primitive at the common point
  Feature second;  ///< and of the second; where there are many common points, of one of them
  Vec3 place;      ///< that point, up to rounding: for messages

  explicit operator bool() const { return meeting != Meeting::apart; }
};

[[nodiscard]] Intersection point_point(const Vec3& p, const Vec3& q);
[[nodiscard]] Intersection point_segment(const Vec3& p, const std::array<Vec3, 2>& segment);
[[nodiscard]] Intersection point_triangle(const Vec3& p, const std::array<Vec3, 3>& triangle);
/// In space or, with every z equal, in a plane. Segments that cross do so in their common plane.
[[nodiscard]] Intersection segment_segment(const std::array<Vec3, 2>& first,
                                           const std::array<Vec3, 2>& second);
[[nodiscard]] Intersection segment_triangle(const std::array<Vec3, 2>& segment,
                                            const std::array<Vec3, 3>& triangle);

}  // namespace carom
