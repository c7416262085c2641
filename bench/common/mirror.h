#pragma once

#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::bench {

/// Which body is the image of which in the mirror x = 0, read from the places at the start.
class MirrorPairs {
 public:
  /// Throws InputError when some body has no image at exactly the mirrored place.
  explicit MirrorPairs(std::span<const Vec3> start);

  /// The largest distance between a body and the image of its partner; a length.
  [[nodiscard]] double error(std::span<const Vec3> position) const;

 private:
  struct Pair {
    Index left;
    Index right;  ///< the same as `left` for a body on the mirror
  };
  std::vector<Pair> pairs_;
};

}  // namespace carom::bench
