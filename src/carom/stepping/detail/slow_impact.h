#pragma once

#include <optional>

#include "carom/impact/resolve.h"

namespace carom::detail {

/// A micro-collision of lasting contact [Mirtich1995, section 4.3], of any number of contacts at
/// once: the relative velocity of every closing contact is reversed, along the normal and, where
/// there is friction, across it. Flights between such collisions begin and end at the same place,
/// so what rests does not creep. Energy is kept: a reflection in the metric of the masses. None
/// where that needs an impulse that pulls or leaves a friction cone; then the contact slides.
[[nodiscard]] std::optional<ImpactResult> reverse_contacts(const ImpactProblem& problem);

}  // namespace carom::detail
