#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "carom/asynchronous/detail/near_pairs.h"
#include "carom/asynchronous/detail/recorded_path.h"
#include "carom/geometry/vec3.h"

namespace carom::asynchronous::detail {

/// The pieces of path of a pair's vertices during one interval of time.
struct PairPieces {
  std::array<PathPiece, 4> of{};

  [[nodiscard]] std::array<Vec3, 4> middles() const;
};

/// A lower bound of the pair's distance during the whole interval, equation (2) of audit.h with n
/// along `direction`; not positive where that direction proves nothing.
[[nodiscard]] double gap_along(const Vec3& direction, const PrimitivePair& pair,
                               const PairPieces& pieces);

/// Whether the pair's shadows cross at all times of the interval, equations (3), (4), (5) of
/// audit.h. False also for pairs that have no such shadows.
[[nodiscard]] bool shadows_cross(const PrimitivePair& pair, const PairPieces& pieces,
                                 bool in_space);

/// The sign of the pair's determinant for all places within `slack` of these; 0 where it is not the
/// same for all or where the pair has none.
[[nodiscard]] int side_of_pair(const PrimitivePair& pair, std::span<const Vec3> places,
                               double slack, bool in_space);

}  // namespace carom::asynchronous::detail
