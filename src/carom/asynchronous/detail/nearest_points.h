#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "carom/asynchronous/detail/near_pairs.h"
#include "carom/geometry/vec3.h"

namespace carom::asynchronous::detail {

/// From the second primitive's nearest point to the first's, for a pair other than edge and face.
/// In rounded arithmetic, but right in direction also where the distance is tiny beside the
/// primitives: at right angles to the edges or the face whose insides are nearest. Nothing rests on
/// it; a wrong direction proves nothing.
[[nodiscard]] Vec3 nearest_difference(const PrimitivePair& pair, std::span<const Vec3> places);

/// A point of the first primitive near the second, up to rounding: for messages.
[[nodiscard]] Vec3 nearest_place(const PrimitivePair& pair, std::span<const Vec3> places);

/// Other directions worth a try: at right angles to faces and edges, between corners.
struct Directions {
  std::array<Vec3, 16> all{};
  std::size_t count = 0;
};
[[nodiscard]] Directions other_directions(const PrimitivePair& pair, std::span<const Vec3> places);

}  // namespace carom::asynchronous::detail
