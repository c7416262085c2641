#pragma once

#include <vector>

#include "carom/bodies/bodies.h"

namespace carom {

/// What is there, and what it is made of: all that does not change during a run but for forces and
/// settings. Detection, impacts and every way through time look at the same one.
struct World {
  int dimension = 2;  ///< 2 or 3
  Periodicity periodicity;
  BodySet bodies;
  std::vector<PlacedShape> shapes;
  MaterialTable materials;

  /// For those who ask whether it repeats itself at all: null where it does not.
  [[nodiscard]] const Periodicity* periods() const {
    return periodicity.any() ? &periodicity : nullptr;
  }
};

}  // namespace carom
