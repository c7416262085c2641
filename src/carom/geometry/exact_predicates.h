#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "carom/geometry/vec3.h"

namespace carom {

// On which side a point lies, without error: the predicates orient3d and orient2d of Shewchuk1997.
// Algorithms whose decisions are built on these cannot contradict themselves, and an answer of 0 is
// a proof, not a tolerance.
//
//   side_of_plane(a, b, c, d) = sign of ((b - a) x (c - a)) . (d - a)                           (1)
//   side_of_line(a, b, c)     = sign of (b - a)_x (c - a)_y - (b - a)_y (c - a)_x               (2)
//
// Three stages. (i) Rounded arithmetic with a bound of its error: the rounded determinant D differs
// from the true one by less than 4 round-offs of the sum S of its terms' sizes (Shewchuk1997, error
// bounds A), and by less than the smallest normal double times 1 + |d - a|_1 where products
// of (1) underflow; the sign of D is the answer where |D| > 8 eps S + that. An overflow makes S
// infinite and decides nothing. (ii) Expansions: differences and products as unevaluated sums of
// doubles. Exact where every coordinate is 0 or of a size in [2^-306, 2^339]: all numbers are
// multiples of 2^-358, so products of three of 2^-1074, the smallest double, and no sum reaches
// 2^1024. (iii) Elsewhere whole numbers of 6400 bits, some ten thousand times slower. So every
// answer is exact for all finite coordinates; others end the process (they are to be refused
// earlier).

/// Equation (1): 1 where d is on the side from which a, b, c run counterclockwise, 0 in their
/// plane or where they have none. Changes its sign with every exchange of two of the four.
[[nodiscard]] int side_of_plane(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// A plane of two axes, seen so that the first of its letters points right and the second up.
enum class AxisPlane : std::uint8_t { xy, yz, zx };

/// Equation (2), for the shadows of three points on a plane of two axes: 1 where c is to the left
/// of the line from a to b, 0 on it.
[[nodiscard]] int side_of_line(const Vec3& a, const Vec3& b, const Vec3& c,
                               AxisPlane plane = AxisPlane::xy);

/// The plane of two axes on which the triangle's shadow has an area, the largest up to rounding;
/// none exactly where the three points lie on one line. On such a plane different points of the
/// triangle's plane have different shadows, so questions about coplanar things may be asked there.
[[nodiscard]] std::optional<AxisPlane> plane_of_area(const Vec3& a, const Vec3& b, const Vec3& c);

/// Whether three points lie on one line: a triangle without area.
[[nodiscard]] bool are_collinear(const Vec3& a, const Vec3& b, const Vec3& c);

/// Whether p lies in the smallest box along the axes around a and b, its surface included. For a
/// point on the line through a and b: whether it lies on the segment.
[[nodiscard]] inline bool is_between(const Vec3& a, const Vec3& b, const Vec3& p) {
  const auto between = [](double x, double y, double value) {
    return x <= y ? x <= value && value <= y : y <= value && value <= x;
  };
  return between(a.x, b.x, p.x) && between(a.y, b.y, p.y) && between(a.z, b.z, p.z);
}

}  // namespace carom
