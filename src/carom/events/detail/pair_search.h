#pragma once

#include <span>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::detail {

/// A ball in free flight, as others look at it: one line of a cache.
struct alignas(64) FlyingBall {
  Vec3 position;  ///< at its clock; within a skin of its list's reference
  Vec3 velocity;  ///< at its clock
  double clock = 0.0;
  double radius = 1.0;
};

/// One ball and those near it.
struct PairSearch {
  const FlyingBall* balls = nullptr;
  std::span<const Index> near;  ///< numbers of `balls`
  // The ball that looks, at `now`.
  Vec3 position;
  Vec3 velocity;
  double now = 0.0;
  double radius = 1.0;
  Vec3 gravity;           ///< of all
  Vec3 period;            ///< 0 where no copies are to be looked at
  double touch = 0.0;     ///< a gap that counts as none, as a share of radii
  Index partner = kNone;  ///< whose touch does not count
};

struct PairFound {
  double time = kInfinity;  ///< from now
  Index ball = kNone;       ///< of several at that time, the smallest number
  bool touching = false;    ///< someone but the partner may touch (all who do, and some more)
};

/// The first collision. Without gravity and copies, with copies, and with both.
[[nodiscard]] PairFound find_first_pair(const PairSearch& search);
[[nodiscard]] PairFound find_first_copy(const PairSearch& search);
[[nodiscard]] PairFound find_first_pair_general(const PairSearch& search);

}  // namespace carom::detail
