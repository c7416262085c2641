#pragma once

#include <memory>
#include <vector>

#include "carom/collision/solid_contact.h"
#include "carom/core/random.h"

namespace carom::test {

/// A solid that owns itself, somewhere.
struct Body {
  std::shared_ptr<const Solid> solid;
  Pose pose;

  [[nodiscard]] PlacedSolid placed() const { return {solid.get(), pose}; }
};

[[nodiscard]] Body make_body(const SolidDefinition& definition, int dimension, const Vec3& position,
                             const Mat3& rotation = {});
[[nodiscard]] Body make_box(const Vec3& half, const Vec3& position, const Mat3& rotation = {});
[[nodiscard]] Mat3 turned(const Vec3& axis, double angle);
[[nodiscard]] Mat3 random_rotation(Random& random, int dimension);
[[nodiscard]] Vec3 random_direction(Random& random, int dimension);
/// A box, a ball, a capsule or a hull.
[[nodiscard]] SolidDefinition random_convex(Random& random);

[[nodiscard]] std::vector<SolidContact> contacts_of(const Body& a, const Body& b, double margin);
[[nodiscard]] std::vector<SolidContact> contacts_of(const Body& a, const Shape& shape,
                                                    double margin);
[[nodiscard]] double smallest_gap(const std::vector<SolidContact>& contacts);

/// How the contacts look after a motion of the world.
[[nodiscard]] std::vector<SolidContact> moved(const Pose& motion,
                                              std::vector<SolidContact> contacts);
/// How they look with the bodies exchanged; without names.
[[nodiscard]] std::vector<SolidContact> exchanged(std::vector<SolidContact> contacts);
/// Mirrored in the plane x = 0; without names.
[[nodiscard]] std::vector<SolidContact> mirrored(std::vector<SolidContact> contacts);

/// Whether two lists hold the same points, normals, gaps, radii and owners in any order; prints
/// what not.
void expect_same_contacts(const std::vector<SolidContact>& expected,
                          const std::vector<SolidContact>& found, double tolerance);

/// The distance of the convex hulls of the parts' vertices less the radii, by Wolfe's minimum-norm
/// point of all differences; 0 or less if the cores overlap.
[[nodiscard]] double reference_distance(const Body& a, const Body& b);
/// How deep the cores of two bodies overlap: the nearest face of the hull of all differences.
[[nodiscard]] double reference_depth(const Body& a, const Body& b);

}  // namespace carom::test
