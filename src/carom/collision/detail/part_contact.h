#pragma once

#include <vector>

#include "carom/collision/detail/polytope_contact.h"

namespace carom::detail {

/// A part of a solid in the coordinates of a query.
struct PlacedPart {
  const SolidPart& part;
  Pose pose;
  int dimension = 3;
  double reach = 0.0;  ///< the solid lies within this distance of the pose's position
};

struct ContactQuery {
  double margin = 0.0;
  ContactTolerance tolerance;
};

/// Adds the contacts of two parts.
void add_part_contacts(const PlacedPart& a, const PlacedPart& b, const ContactQuery& query,
                       std::vector<PartContact>& contacts);

/// The same contacts, seen from the other body.
void exchange(PartContact& contact);

/// Adds a contact if its gap is below the margin. `place_a` is on the core of a, whose surface is
/// `radius_a` before it; the gap is that of the surfaces.
struct FoundGap {
  Vec3 place_a;
  double radius_a = 0.0;
  Vec3 normal;
  double gap = 0.0;
};
void add_gap(const FoundGap& found, SolidContact::Owner owner, double margin,
             std::vector<PartContact>& contacts);

}  // namespace carom::detail
