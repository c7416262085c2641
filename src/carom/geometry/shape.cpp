// Distances and normals of planes, spheres, segments and other shapes.
#include "carom/geometry/shape.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/core/assert.h"
#include "carom/geometry/direction.h"

namespace carom {
namespace {

std::string_view name_of(const HalfPlane& /*shape*/) { return "half_plane"; }
std::string_view name_of(const Segment& /*shape*/) { return "segment"; }
std::string_view name_of(const SphereInside& /*shape*/) { return "sphere_inside"; }
std::string_view name_of(const SphereOutside& /*shape*/) { return "sphere_outside"; }
std::string_view name_of(const BoxInside& /*shape*/) { return "box_inside"; }
std::string_view name_of(const SolidObstacle& /*shape*/) { return "solid"; }

// ----- Gaps and normals -----------------------------------------------------------------------

SurfaceContact contact(const HalfPlane& shape, Index /*feature*/, const Vec3& center,
                       double radius) {
  return {dot(center - shape.point, shape.normal) - radius, shape.normal};
}

SurfaceContact contact(const SphereInside& shape, Index /*feature*/, const Vec3& center,
                       double radius) {
  const Direction inward = direction_of(shape.center - center);
  return {(shape.radius - radius) - inward.length, inward.unit};
}

SurfaceContact contact(const SphereOutside& shape, Index /*feature*/, const Vec3& center,
                       double radius) {
  const Direction outward = direction_of(center - shape.center);
  return {outward.length - (shape.radius + radius), outward.unit};
}

// Seen from its middle, so that exchanging the ends changes nothing.
struct CenteredSegment {
  explicit CenteredSegment(const Segment& segment)
      : middle(0.5 * segment.a + 0.5 * segment.b),
        half(direction_of(0.5 * segment.b - 0.5 * segment.a)) {}

  Vec3 middle;
  Direction half;  ///< from the middle to b
};

SurfaceContact contact(const Segment& shape, Index /*feature*/, const Vec3& center, double radius) {
  const CenteredSegment segment(shape);
  const Vec3 from_middle = center - segment.middle;
  const double along = dot(from_middle, segment.half.unit);
  if (std::abs(along) < segment.half.length) {
    // Beside the segment. The triple product is perpendicular to it to round-off however near the
    // centre is; the difference to the nearest point would not be.
    const Vec3 turned = cross(segment.half.unit, from_middle);
    const Direction outward = direction_of(cross(turned, segment.half.unit));
    return {direction_of(turned).length - radius, outward.unit};
  }
  const Direction outward = direction_of(center - (along > 0.0 ? shape.b : shape.a));
  return {outward.length - radius, outward.unit};
}

// Features: lower x, upper x, lower y, upper y, lower z, upper z.
SurfaceContact contact(const BoxInside& shape, Index feature, const Vec3& center, double radius) {
  switch (feature) {
    case 0:
      return {(center.x - shape.lower.x) - radius, {1.0, 0.0, 0.0}};
    case 1:
      return {(shape.upper.x - center.x) - radius, {-1.0, 0.0, 0.0}};
    case 2:
      return {(center.y - shape.lower.y) - radius, {0.0, 1.0, 0.0}};
    case 3:
      return {(shape.upper.y - center.y) - radius, {0.0, -1.0, 0.0}};
    case 4:
      return {(center.z - shape.lower.z) - radius, {0.0, 0.0, 1.0}};
    default:
      return {(shape.upper.z - center.z) - radius, {0.0, 0.0, -1.0}};
  }
}

// Whoever asks here has to look at solids by other means.
SurfaceContact contact(const SolidObstacle& /*shape*/, Index /*feature*/, const Vec3& /*center*/,
                       double /*radius*/) {
  CAROM_DEMAND(false);
  return {};
}

// ----- Smallest gaps on a way -----------------------------------------------------------------

// The free space of half-planes, boxes' walls and insides of spheres is convex, and the gap is a
// concave function of the centre: an affine one (half-planes, walls), or a constant less the
// distance from a point, which is convex. On a segment a concave function lies above the chord
// between its ends, so its minimum is at an end.
template <typename ConcaveShape>
PathGap path_gap(const ConcaveShape& shape, Index feature, const Vec3& begin, const Vec3& end,
                 double radius) {
  const double gap_begin = contact(shape, feature, begin, radius).gap;
  const double gap_end = contact(shape, feature, end, radius).gap;
  return gap_end < gap_begin ? PathGap{gap_end, 1.0} : PathGap{gap_begin, 0.0};
}

// The distance from a point is convex, smallest where the way passes it.
PathGap path_gap(const SphereOutside& shape, Index feature, const Vec3& begin, const Vec3& end,
                 double radius) {
  const double nearest = where_nearest_to_origin(begin - shape.center, end - shape.center);
  PathGap smallest = {contact(shape, feature, begin, radius).gap, 0.0};
  for (const double where : {nearest, 1.0}) {
    const double gap = contact(shape, feature, place_on_path(begin, end, where), radius).gap;
    if (gap < smallest.gap) smallest = {gap, where};
  }
  return smallest;
}

// Where the line of the way is nearest to the line of the segment; 0 if they are parallel.
//   way: p + t m, segment: c + s h, w = p - c, n = m x h;   w + t m - s h = k n
//   take the cross product with h, then the dot product with n:   t = -((w x h) . n) / (n . n)
double where_nearest_to_line(const CenteredSegment& segment, const Vec3& begin, const Vec3& end) {
  const Direction way = direction_of(end - begin);
  const Vec3 n = cross(way.unit, segment.half.unit);
  const double n_squared = norm_squared(n);
  const double along = -dot(cross(begin - segment.middle, segment.half.unit), n);
  if (!(along > 0.0) || n_squared == 0.0) return 0.0;
  return std::min(along / n_squared / way.length, 1.0);
}

// The squared distance between a point of the way and a point of the segment is a convex quadratic
// on a rectangle. Its minimum is where the gradient vanishes (nearest points of the lines), or on
// an edge: the way's ends, or the places nearest to the segment's ends. If way and segment are
// parallel, minima fill a line across the rectangle, and its first point is again on an edge.
PathGap path_gap(const Segment& shape, Index feature, const Vec3& begin, const Vec3& end,
                 double radius) {
  const CenteredSegment segment(shape);
  std::array<double, 5> places = {0.0, where_nearest_to_origin(begin - shape.a, end - shape.a),
                                  where_nearest_to_origin(begin - shape.b, end - shape.b),
                                  where_nearest_to_line(segment, begin, end), 1.0};
  std::sort(places.begin(), places.end());
  std::array<double, 5> gaps{};
  for (std::size_t k = 0; k < places.size(); ++k) {
    gaps[k] = contact(shape, feature, place_on_path(begin, end, places[k]), radius).gap;
  }
  const double smallest = *std::min_element(gaps.begin(), gaps.end());
  // On parallel ways equal gaps differ by round-off, which must not choose the place.
  const double size = direction_of(begin - segment.middle).length +
                      direction_of(end - segment.middle).length + segment.half.length + radius;
  std::size_t first = 0;
  while (first + 1 < gaps.size() && gaps[first] > smallest + 2.0 * kRoundOff * size) ++first;
  return {smallest, places[first]};
}

}  // namespace

std::string_view shape_type_name(const Shape& shape) {
  return std::visit([](const auto& kind) { return name_of(kind); }, shape);
}

Index feature_count(const Shape& shape, int dimension) {
  return std::holds_alternative<BoxInside>(shape) ? 2 * static_cast<Index>(dimension) : 1;
}

SurfaceContact ball_contact(const Shape& shape, Index feature, const Vec3& center, double radius) {
  CAROM_ASSERT(feature < feature_count(shape, 3));
  return std::visit([&](const auto& kind) { return contact(kind, feature, center, radius); },
                    shape);
}

PathGap smallest_gap_on_path(const Shape& shape, Index feature, const Vec3& begin, const Vec3& end,
                             double radius) {
  CAROM_ASSERT(feature < feature_count(shape, 3));
  return std::visit([&](const auto& kind) { return path_gap(kind, feature, begin, end, radius); },
                    shape);
}

}  // namespace carom
