#pragma once

#include <functional>
#include <vector>

#include "carom/collision/detail/part_contact.h"

namespace carom::detail {

/// A place that may touch, named as in facets.h.
struct NamedPlace {
  Vec3 place;
  double radius = 0.0;  ///< of the rounding about it
  std::uint32_t name = 0;
};

/// Of each rim the place that lies farthest along `toward(centre of the rim)`, and those a quarter
/// and a half turn from it. Where the rim is orthogonal to that direction the turn begins at
/// `across`.
void add_rim_places(const CylinderPart& cylinder, const Pose& pose,
                    const std::function<Vec3(const Vec3&)>& toward,
                    std::vector<NamedPlace>& places);

/// The rounding of a cylinder (a) at a contact: SolidContact::radius_a.
[[nodiscard]] double cylinder_rounding(const CylinderPart& cylinder, const Pose& pose,
                                       const SolidContact& contact);

/// A ball against a cylinder: the nearest place, without error. The ball is a.
void add_ball_cylinder_contact(const NamedPlace& ball, const CylinderPart& cylinder,
                               const Pose& pose, const ContactQuery& query,
                               std::vector<PartContact>& contacts);

/// A cylinder against a polytope or a cylinder. Against these a cylinder is a prism of 32 sides
/// inscribed in it, so that its surface is up to radius (1 - cos(pi/32)) = 0.0048 radius too far
/// in. The prism is turned so that one of its edges lies where the other body is nearest: there the
/// gap has no such error.
void add_prism_contacts(const PlacedPart& a, const PlacedPart& b, const ContactQuery& query,
                        std::vector<PartContact>& contacts);

}  // namespace carom::detail
