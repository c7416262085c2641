#pragma once

#include <cstdint>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/shape.h"
#include "carom/geometry/solid.h"

namespace carom {

/// A solid somewhere.
struct PlacedSolid {
  const Solid* solid = nullptr;
  Pose pose;  ///< body coordinates (centre of mass, principal axes) to the world's
};

/// One place where two surfaces face each other.
struct SolidContact {
  /// Whose turning carries the normal along: the owner of the face that gave it.
  enum class Owner : std::uint8_t { neither, a, b };

  Vec3 point_a;      ///< world, on a's surface
  Vec3 point_b;      ///< world, on b's surface
  Vec3 normal;       ///< unit, from b to a
  double gap = 0.0;  ///< normal . (point_a - point_b); negative when they overlap
  Owner owner = Owner::neither;
  /// How far the two points lie outside the cores of rounded features (spheres, capsules; a
  /// cylinder lying on its side: its radius), along the normal; 0 where they are sharp. A ball that
  /// spins does not carry its point of contact along: its centre stays where it is.
  double radius_a = 0.0;
  double radius_b = 0.0;
  std::uint64_t feature = 0;  ///< names the two features that meet, the same in every look
};

/// Replaces `contacts` by all places where two solids are nearer than `margin`, in a fixed order.
/// The set respects the symmetries of the pair: exchanging a and b exchanges the points and negates
/// the normals, turning or mirroring both does the same to the places, to round-off. No place is
/// given twice.
void find_solid_contacts(const PlacedSolid& a, const PlacedSolid& b, double margin,
                         std::vector<SolidContact>& contacts);

/// The same against a shape that stands at `offset`; the shape is b.
struct OffsetShape {
  const Shape* shape = nullptr;
  Vec3 offset;
};
void find_solid_contacts(const PlacedSolid& a, const OffsetShape& b, double margin,
                         std::vector<SolidContact>& contacts);

}  // namespace carom
