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
  /// One surface bends away within a step: what a motion leaves of the gap is looked up anew there,
  /// not carried along a plane.
  bool is_bent = false;
};

/// Replaces `contacts` by all places where two solids are nearer than `margin`, in a fixed order.
/// The set respects the symmetries of the pair: exchanging a and b exchanges the points and negates
/// the normals, turning or mirroring both does the same to the places, to round-off. No place is
/// given twice. Every gap is at least the distance of the bodies, and the smallest is the distance.
///
/// Convex parts (spheres, boxes, capsules, hulls; polygons and stadiums in the plane) have one
/// normal per pair of parts: between the nearest places if they are apart, along the shortest way
/// out if they overlap; faces that lie flat on each other (1e-6) share it, and equally short ways
/// give their mean. Faces and edges that deviate less than 15 degrees from the plane across the
/// normal face the other body: all corners of the area in which they overlap are contacts, so a box
/// that lands nearly flat shows all its corners to a look with a margin. Lengths below 1e-9 of the
/// smaller solid's size count as nothing.
///
/// Rods bent along a helix are exact against balls, one contact for each nearest place; against all
/// else they are chains of 32 capsules per turn.
///
/// Cylinders are exact against balls, half-planes, walls and insides of spheres. Against all other
/// convex parts they are prisms of 32 sides, turned so that the gap is exact where the bodies are
/// nearest and too large by at most 0.0048 radii elsewhere.
///
/// Meshes touch with their vertices, by the exact distance from the other body; the others'
/// vertices touch them likewise. Edges that cross between vertices are not seen, so the smallest
/// gap may be larger than the distance: by about the sagitta of an edge.
///
/// A cube whose edge lies exactly on the edge of another touches it along the bisector. So do the
/// cubes of a floor of cubes and one that stands flush on one of them: pushing it across the joint
/// meets that contact.
void find_solid_contacts(const PlacedSolid& a, const PlacedSolid& b, double margin,
                         std::vector<SolidContact>& contacts);

/// The same against a shape that stands at `offset`; the shape is b, and its walls own their
/// normals. Half-planes, walls and insides of spheres are met by vertices: all within the margin
/// are given; of a cylinder's rims the nearest place and those a quarter and a half turn from it. A
/// segment in the plane pushes what crosses it to the side of its centre of mass.
struct OffsetShape {
  const Shape* shape = nullptr;
  Vec3 offset;
};
void find_solid_contacts(const PlacedSolid& a, const OffsetShape& b, double margin,
                         std::vector<SolidContact>& contacts);

}  // namespace carom
