#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"
#include "carom/stepping/stepper.h"

namespace carom {

/// A contact of an impact of balls, with what it did once that is answered.
struct BallRow : ContactImpulse {
  double restitution = 1.0;
};

/// An impact that is more than two balls without friction: everything in touch with what collides.
struct BallImpact {
  double time = 0.0;
  std::vector<BallRow> rows;   ///< in the order of rows
  std::vector<Index> bodies;   ///< rising
  std::vector<Vec3> position;  ///< of these bodies
  std::vector<Vec3> velocity;  ///< before; answered: after
};

/// Resolves impacts of several balls.
class BallImpactHandler {
 public:
  BallImpactHandler() = default;
  BallImpactHandler(const BallImpactHandler&) = delete;
  BallImpactHandler& operator=(const BallImpactHandler&) = delete;
  virtual ~BallImpactHandler() = default;

  /// False: there is no answer, and the run cannot go on.
  virtual bool resolve(BallImpact& impact) = 0;
  /// An impact is over, if impacts are watched: its collisions, in the order in which they
  /// happened. Flights may be looked at and changed.
  virtual void happened(double /*time*/, std::span<const BallRow> /*collisions*/) {}
};

/// What happened since one last asked.
struct EventCounts {
  std::uint64_t impacts = 0;     ///< moments at which something collided, each cluster once
  std::uint64_t collisions = 0;  ///< contacts that got an impulse
  std::uint64_t rows = 0;        ///< contacts of all impacts
  std::uint64_t clusters = 0;    ///< impacts of several contacts, or with friction
  std::uint64_t renewals = 0;    ///< lists of neighbours made anew
  std::uint64_t late = 0;        ///< events whose partner had other plans by then
  Index largest_cluster = 0;     ///< rows
  double work = 0.0;             ///< of moving shapes, and of gravity along periods
  double dissipated = 0.0;       ///< kinetic energy lost; what lasting contacts got is taken off
};

}  // namespace carom
