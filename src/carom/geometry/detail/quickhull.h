#pragma once

#include <array>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::detail {

/// A triangle of a hull, counterclockwise seen from outside.
struct HullTriangle {
  std::array<Index, 3> corner{};
  std::array<Index, 3> neighbor{};  ///< [k] across the side from corner[k] to corner[k + 1]
};

/// The triangles of the hull of points (Quickhull, Barber1996, with exact decisions of who sees
/// whom). `simplex` are four points that span a volume. Neighbouring triangles may be coplanar; a
/// point within a triangle or on a side may be left out.
[[nodiscard]] std::vector<HullTriangle> quickhull(const std::vector<Vec3>& points,
                                                  const std::array<Index, 4>& simplex);

}  // namespace carom::detail
