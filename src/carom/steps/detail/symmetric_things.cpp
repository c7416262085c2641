// Whether shapes, springs and centres are mapped onto each other.
#include "carom/steps/detail/symmetric_things.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <type_traits>
#include <utility>
#include <variant>

namespace carom::detail {
namespace {

// Directions of unit length are the same within this.
constexpr double kSameDirection = 32.0 * kRoundOff;

bool near(const Vec3& a, const Vec3& b, double tolerance) {
  return std::abs(a.x - b.x) <= tolerance && std::abs(a.y - b.y) <= tolerance;
}

bool same_shape(const HalfPlane& shape, const HalfPlane& other, const Placement& placement) {
  return near(image(placement.operation, shape.normal), other.normal, kSameDirection) &&
         std::abs(dot(other.normal, placement.place(shape.point) - other.point)) <=
             placement.tolerance;
}

bool same_shape(const Segment& shape, const Segment& other, const Placement& placement) {
  const Vec3 a = placement.place(shape.a);
  const Vec3 b = placement.place(shape.b);
  const double tolerance = placement.tolerance;
  return (near(a, other.a, tolerance) && near(b, other.b, tolerance)) ||
         (near(a, other.b, tolerance) && near(b, other.a, tolerance));
}

template <typename Sphere>
bool same_sphere(const Sphere& shape, const Sphere& other, const Placement& placement) {
  return shape.radius == other.radius &&
         near(placement.place(shape.center), other.center, placement.tolerance);
}

bool same_shape(const SphereInside& shape, const SphereInside& other, const Placement& placement) {
  return same_sphere(shape, other, placement);
}

bool same_shape(const SphereOutside& shape, const SphereOutside& other,
                const Placement& placement) {
  return same_sphere(shape, other, placement);
}

bool same_shape(const BoxInside& shape, const BoxInside& other, const Placement& placement) {
  const Vec3 a = placement.place(shape.lower);
  const Vec3 b = placement.place(shape.upper);
  return near({std::min(a.x, b.x), std::min(a.y, b.y), 0.0}, other.lower, placement.tolerance) &&
         near({std::max(a.x, b.x), std::max(a.y, b.y), 0.0}, other.upper, placement.tolerance);
}

// Symmetry is not kept in worlds with solids.
bool same_shape(const SolidObstacle& /*shape*/, const SolidObstacle& /*other*/,
                const Placement& /*placement*/) {
  return false;
}

bool same_motion(const std::monostate& /*motion*/, const std::monostate& /*other*/,
                 SquareOperation /*operation*/) {
  return true;
}

bool same_motion(const ConstantMotion& motion, const ConstantMotion& other,
                 SquareOperation operation) {
  return image(operation, motion.velocity) == other.velocity;
}

bool same_motion(const SinusoidMotion& motion, const SinusoidMotion& other,
                 SquareOperation operation) {
  return image(operation, motion.amplitude) == other.amplitude &&
         motion.frequency == other.frequency && motion.phase == other.phase;
}

bool same_motion(const TableMotion& motion, const TableMotion& other, SquareOperation operation) {
  return motion.times == other.times &&
         std::equal(motion.offsets.begin(), motion.offsets.end(), other.offsets.begin(),
                    other.offsets.end(),
                    [operation](const Vec3& a, const Vec3& b) { return image(operation, a) == b; });
}

bool is_image(const PlacedShape& shape, const PlacedShape& other, const Placement& placement) {
  if (shape.material != other.material || shape.shape.index() != other.shape.index() ||
      shape.motion.index() != other.motion.index()) {
    return false;
  }
  const bool shapes = std::visit(
      [&](const auto& kind) {
        return same_shape(kind, std::get<std::decay_t<decltype(kind)>>(other.shape), placement);
      },
      shape.shape);
  return shapes &&
         std::visit(
             [&](const auto& kind) {
               return same_motion(kind, std::get<std::decay_t<decltype(kind)>>(other.motion),
                                  placement.operation);
             },
             shape.motion);
}

// Of two springs between bodies that are images of each other.
bool is_image(const SpringForce& spring, const SpringForce& other, const Placement& placement) {
  return spring.stiffness == other.stiffness && spring.length == other.length &&
         (spring.body_b != kNone ||
          near(placement.place(spring.point), other.point, placement.tolerance));
}

// Whether every thing has an image of its own, and which. Scenes have few of these.
template <typename Thing, typename IsImage>
bool match_all(std::span<const Thing> things, const IsImage& is_image_of,
               std::vector<Index>& images) {
  std::vector<bool> taken(things.size(), false);
  images.clear();
  for (const Thing& thing : things) {
    std::size_t k = 0;
    while (k < things.size() && (taken[k] || !is_image_of(thing, things[k]))) ++k;
    if (k == things.size()) return false;
    taken[k] = true;
    images.push_back(static_cast<Index>(k));
  }
  return true;
}

}  // namespace

bool match_shapes(std::span<const PlacedShape> shapes, const Placement& placement,
                  std::vector<Index>& images) {
  return match_all(
      shapes,
      [&](const PlacedShape& shape, const PlacedShape& other) {
        return is_image(shape, other, placement);
      },
      images);
}

bool match_springs(std::span<const SpringForce> springs, const Placement& placement,
                   std::span<const Index> body_image) {
  // There may be many: they are looked up by their ends.
  const auto ends = [](Index a, Index b) { return std::pair(std::min(a, b), std::max(a, b)); };
  std::multimap<std::pair<Index, Index>, const SpringForce*> by_ends;
  for (const SpringForce& spring : springs) {
    by_ends.emplace(ends(spring.body_a, spring.body_b), &spring);
  }
  for (const SpringForce& spring : springs) {
    const Index b = spring.body_b == kNone ? kNone : body_image[spring.body_b];
    const auto [first, last] = by_ends.equal_range(ends(body_image[spring.body_a], b));
    const auto at = std::find_if(
        first, last, [&](const auto& entry) { return is_image(spring, *entry.second, placement); });
    if (at == last) return false;
    by_ends.erase(at);
  }
  return true;
}

bool match_centers(std::span<const CentralForce> centers, const Placement& placement) {
  std::vector<Index> images;
  return match_all(
      centers,
      [&](const CentralForce& force, const CentralForce& other) {
        return force.strength == other.strength && force.exponent == other.exponent &&
               near(placement.place(force.center), other.center, placement.tolerance);
      },
      images);
}

}  // namespace carom::detail
