#pragma once

#include <span>
#include <string>
#include <vector>

#include "carom/contact/assemble.h"
#include "carom/contact/detection.h"
#include "carom/contact/point_impact.h"
#include "carom/impact/resolve.h"

namespace carom::detail {

/// Keeps rows from sinking after an impact (stepping/synchronous.h says what and why).
struct HoldInput {
  std::span<const Contact> contacts;  ///< gap_end for the motion with `after`
  ImpactMoment moment;                ///< before the impact
  ImpactMoment after;                 ///< the same with the velocities after it
  std::span<const double> impulses;   ///< of the impact, per contact
  std::span<const Vec3> friction;     ///< likewise, on body a
  const BodySet* bodies = nullptr;
  const ImpactSettings* settings = nullptr;  ///< of the impact
};

struct HoldResult {
  Index rows = 0;  ///< that were held
  struct Change {
    Index body = 0;
    Vec3 velocity;  ///< instead of the one after the impact
    Vec3 angular_velocity;
  };
  std::vector<Change> changes;
  std::vector<double> impulses;  ///< further ones, per contact
  std::vector<Vec3> friction;    ///< and what they rub, on body a
};

/// The opening speed that each row needs; how many rows need one that they do not have.
Index opening_speeds(const HoldInput& input, ContactAssembler& assembler,
                     std::vector<double>& speeds);

/// The ways to the held velocity: the one for points where it is open, else the general one.
struct HoldWays {
  ContactAssembler* assembler = nullptr;
  PointImpact* points = nullptr;  ///< may be none
};
[[nodiscard]] HoldResult hold_rows(const HoldInput& input, std::span<const double> opening_speeds,
                                   const HoldWays& ways);

}  // namespace carom::detail
