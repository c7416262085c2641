#pragma once

#include <optional>
#include <vector>

#include "carom/bodies/world.h"
#include "carom/collision/solid_contact.h"
#include "carom/geometry/rotation.h"

namespace carom::detail {

/// Two bodies, or a body and a shape, on their way through one step: centres go straight, and
/// orientations turn evenly by less than half a turn.
struct PairWay {
  const Solid* a = nullptr;
  const Solid* b = nullptr;      ///< null: `shape`
  const Shape* shape = nullptr;  ///< does not turn
  Pose a_begin;
  Pose a_end;
  Pose b_begin;
  Pose b_end;
};

/// Both poses at a share of the way, 0 to 1.
struct PairOnWay {
  Pose a;
  Pose b;
};
[[nodiscard]] PairOnWay pair_on_way(const PairWay& way, double share);

/// The farthest that any place of one of the two comes, seen from the other.
[[nodiscard]] double travel_of(const PairWay& way);

/// The first share of the way, at or after `from`, at which the two may be nearer than `reach`, by
/// conservative advancement: from each place the lower bound on the time of impact
/// (collision/time_of_impact.h) says how far they can safely go. None: they stay apart to the end.
[[nodiscard]] std::optional<double> next_meeting(const PairWay& way, double from, double reach);

/// How thick the thinnest part of each body and shape of a world is: what moves by less than that
/// in a step cannot come out on the other side of it unseen. Of convex parts twice the radius of a
/// ball inside, never too large; of meshes the same about their middle, which may be too large
/// where they have thin parts, and at least a tenth of their radius. Infinite for what has no other
/// side.
class Thickness {
 public:
  explicit Thickness(const World& world);

  [[nodiscard]] double of_body(Index body) const { return bodies_[body]; }
  [[nodiscard]] double of_shape(Index shape) const { return shapes_[shape]; }
  /// Whether a way is so long that the end of it does not tell what was met on it; b kNone: a
  /// shape.
  [[nodiscard]] bool may_be_crossed(const PairWay& way, Index a, Index b, Index shape) const {
    const double other = b != kNone ? bodies_[b] : shapes_[shape];
    return travel_of(way) > 0.5 * (bodies_[a] + other);
  }

 private:
  std::vector<double> bodies_;
  std::vector<double> shapes_;
};

}  // namespace carom::detail
