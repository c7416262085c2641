#pragma once

#include <span>
#include <variant>
#include <vector>

#include "carom/geometry/solid.h"

namespace carom::detail {

/// A convex set by its farthest places: the convex hull of points, or a cylinder. Roundings are
/// the caller's.
class ConvexSet {
 public:
  /// Places must outlive the set.
  explicit ConvexSet(std::span<const Vec3> places) : places_(places) {}
  ConvexSet(const CylinderPart& cylinder, const Pose& pose)
      : center_(pose.to_world(cylinder.center)),
        axis_(pose.rotation * cylinder.axis),
        radius_(cylinder.radius),
        half_length_(cylinder.half_length) {}

  [[nodiscard]] Vec3 farthest(const Vec3& direction) const;
  /// Some place of it.
  [[nodiscard]] Vec3 middle() const { return places_.empty() ? center_ : places_.front(); }

 private:
  std::span<const Vec3> places_;
  Vec3 center_;
  Vec3 axis_;
  double radius_ = 0.0;
  double half_length_ = 0.0;
};

/// Two convex sets and a slab between them: all of a lies at least `width` farther along `normal`
/// than all of b. The width never exceeds the distance, and is the distance to `accuracy` times
/// itself, unless they overlap (width 0 or less, and the normal may be zero).
struct Slab {
  Vec3 normal;  ///< unit, from b to a
  double width = 0.0;
};

/// By the algorithm of Gilbert, Johnson and Keerthi [Gilbert1988]: the place of a - b nearest to
/// the origin, on simplices of its farthest places. Whatever round-off does to the simplices, the
/// slab is one: its width is taken from farthest places alone.
[[nodiscard]] Slab widest_slab(const ConvexSet& a, const ConvexSet& b, double accuracy);

}  // namespace carom::detail
