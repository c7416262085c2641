#pragma once

#include <vector>

#include "carom/collision/detail/cylinder_contact.h"
#include "carom/collision/detail/part_contact.h"

namespace carom::detail {

/// A rod bent along a helix (a) against any part. A ball meets the rod itself: one contact for each
/// place of the middle line that is nearest, with the exact normal, so that it rolls along without
/// corners. Everything else meets the chain of capsules that the rod is cut into.
void add_helix_contacts(const PlacedPart& helix, const PlacedPart& other, const ContactQuery& query,
                        std::vector<PartContact>& contacts);

/// Ends of the capsules, for walls that are met by places of a part.
void add_helix_places(const HelixPart& helix, const Pose& pose, std::vector<NamedPlace>& places);

}  // namespace carom::detail
