#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// Two balls by number, a < b.
struct BallPair {
  Index a = 0;
  Index b = 0;

  // The check takes a zero of the generated comparison for a pointer.
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const BallPair&, const BallPair&) = default;
};

/// Balls on their way from `begin` to `end` in straight lines.
struct BallSweep {
  int dimension = 2;  ///< 2 or 3
  std::span<const Vec3> begin;
  std::span<const Vec3> end;
  std::span<const double> radius;
  double margin = 0.0;  ///< every ball is this fraction of its radius larger
  Vec3 period_lower;    ///< where the first copy of a periodic world begins
  Vec3 period_length;   ///< 0 along axes that do not repeat
};

/// Finds pairs of balls that may come close. Complete: every pair whose balls, swept and enlarged,
/// have overlapping boxes along the axes (in a periodic world: nearest copies) is reported; others
/// may be. Balls may stand in any copy. One whose place is not finite, or so large that differences
/// overflow (1e307), counts as near to all others. Sorted, none twice; the same for any order of
/// earlier calls.
class BroadPhase {
 public:
  BroadPhase() = default;
  BroadPhase(const BroadPhase&) = delete;
  BroadPhase& operator=(const BroadPhase&) = delete;
  virtual ~BroadPhase() = default;

  virtual void find_pairs(const BallSweep& sweep, std::vector<BallPair>& pairs) = 0;
};

/// "grid": a hash of cells in levels of size, in linear time also for very different radii.
/// "brute_force": every pair; the reference.
[[nodiscard]] std::vector<std::string> broad_phase_names();
/// Throws InputError on an unknown name.
[[nodiscard]] std::unique_ptr<BroadPhase> make_broad_phase(std::string_view name);

}  // namespace carom
