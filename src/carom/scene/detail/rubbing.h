#pragma once

#include "carom/bodies/bodies.h"

namespace carom::detail {

/// Whether any two materials rub on each other.
[[nodiscard]] inline bool any_rub(const MaterialTable& materials) {
  for (Index a = 0; a < materials.size(); ++a) {
    for (Index b = 0; b <= a; ++b) {
      if (materials.coefficients(a, b).friction > 0.0) return true;
    }
  }
  return false;
}

}  // namespace carom::detail
