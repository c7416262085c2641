#pragma once

#include "carom/collision/solid_contact.h"
#include "carom/geometry/rotation.h"

namespace carom::detail {

/// One place of contact carried along by its two bodies.
struct CarriedPlace {
  Vec3 point_a;
  Vec3 point_b;
  Vec3 normal;
  double gap = 0.0;
};

/// From the poses of one time to those of another.
[[nodiscard]] inline CarriedPlace carried_place(const SolidContact& place, const Pose& a_from,
                                                const Pose& a_to, const Pose& b_from,
                                                const Pose& b_to) {
  CarriedPlace to;
  to.normal = place.normal;
  if (place.owner == SolidContact::Owner::a) {
    to.normal = a_to.rotation * transposed_times(a_from.rotation, place.normal);
  } else if (place.owner == SolidContact::Owner::b) {
    to.normal = b_to.rotation * transposed_times(b_from.rotation, place.normal);
  }
  // The cores of round features move with their bodies; their surfaces turn underneath.
  const Vec3 core_a = a_to.to_world(a_from.to_body(place.point_a + place.radius_a * place.normal));
  const Vec3 core_b = b_to.to_world(b_from.to_body(place.point_b - place.radius_b * place.normal));
  to.point_a = core_a - place.radius_a * to.normal;
  to.point_b = core_b + place.radius_b * to.normal;
  to.gap = dot(to.normal, core_a - core_b) - place.radius_a - place.radius_b;
  return to;
}

}  // namespace carom::detail
