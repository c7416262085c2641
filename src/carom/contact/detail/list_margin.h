#pragma once

#include <algorithm>
#include <vector>

#include "carom/contact/detection.h"

namespace carom::detail {

/// The activation, in radii, with which lists of pairs miss nobody within a reach (a length),
/// either.
[[nodiscard]] inline double list_margin(const World& world, const DetectionSettings& settings,
                                        double reach) {
  const std::vector<double>& radius = world.bodies.radius;
  if (!(reach > 0.0) || radius.empty()) return settings.activation;
  return settings.activation + reach / *std::min_element(radius.begin(), radius.end());
}

}  // namespace carom::detail
