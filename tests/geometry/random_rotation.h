#pragma once

#include "carom/core/random.h"
#include "carom/geometry/rotation.h"

namespace carom::test {

// Uniform over all rotations.
[[nodiscard]] inline Mat3 random_rotation(Random& random) {
  return matrix_of(
      normalized({random.normal(), random.normal(), random.normal(), random.normal()}));
}

}  // namespace carom::test
