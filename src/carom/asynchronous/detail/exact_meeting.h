#pragma once

#include <array>
#include <span>

#include "carom/asynchronous/audit.h"
#include "carom/asynchronous/detail/near_pairs.h"
#include "carom/geometry/exact_intersection.h"

namespace carom::asynchronous::detail {

/// Whether and where the closed primitives of a pair meet, exactly.
[[nodiscard]] Intersection exact_meeting(const PrimitivePair& pair, std::span<const Vec3> places);

/// The pair's primitives as a report names them.
[[nodiscard]] std::array<AuditPrimitive, 2> primitives_of(const PrimitivePair& pair);

}  // namespace carom::asynchronous::detail
