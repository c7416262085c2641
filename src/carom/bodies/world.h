#pragma once

#include <vector>

#include "carom/bodies/bodies.h"
#include "carom/bodies/surface.h"

namespace carom {

/// A body whose motion is prescribed: its place is that of the start plus the motion's offset, of
/// which only the change since time 0 counts.
struct LedBody {
  Index body = 0;
  Motion motion;  ///< none: it is held where it is
};

/// What is there, and what it is made of: all that does not change during a run but for forces and
/// settings. Detection, impacts and every way through time look at the same one.
struct World {
  int dimension = 2;  ///< 2 or 3
  Periodicity periodicity;
  BodySet bodies;
  /// Deformable surfaces and chains: runs of bodies that are their vertices, one run after the
  /// other. The radius of a vertex is half the thickness.
  std::vector<Surface> surfaces;
  std::vector<LedBody> led;
  std::vector<PlacedShape> shapes;
  MaterialTable materials;

  /// For those who ask whether it repeats itself at all: null where it does not.
  [[nodiscard]] const Periodicity* periods() const {
    return periodicity.any() ? &periodicity : nullptr;
  }
};

}  // namespace carom
