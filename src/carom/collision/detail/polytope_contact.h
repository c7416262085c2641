#pragma once

#include <vector>

#include "carom/collision/detail/placed_polytope.h"
#include "carom/collision/solid_contact.h"

namespace carom::detail {

/// A place where two parts face each other, named by features of the parts (facets.h).
struct PartContact {
  SolidContact contact;  ///< without its name
  std::uint32_t feature_a = 0;
  std::uint32_t feature_b = 0;
};

/// Places and normals that agree within a length and ContactTolerance::kParallel.
[[nodiscard]] bool are_same_place(const SolidContact& left, const SolidContact& right,
                                  double tolerance);

/// Adds the contacts of two rounded polytopes whose gap is below `margin`.
///
/// One direction is found first. Cores that are apart: the one between their nearest places. Cores
/// that overlap or touch: the shortest way out, or the mean of those that are equally short. Then
/// all corners of what the two show to each other along it (facets.h) are contacts with this
/// normal. Where the equally short ways have no mean that leads out (cores that cross in the
/// middle) the contacts of all of them are given. Nothing here depends on which of the two is a.
///
/// Cores that are points or lines and meet in such a way that no direction is distinguished (points
/// that coincide, lines in space on one line) have no contact.
void add_polytope_contacts(PlacedPolytope& a, PlacedPolytope& b, double margin,
                           const ContactTolerance& tolerance, std::vector<PartContact>& contacts);

}  // namespace carom::detail
