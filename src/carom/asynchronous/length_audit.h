#pragma once

#include <optional>
#include <span>
#include <string>

#include "carom/asynchronous/audit.h"
#include "carom/asynchronous/problem.h"
#include "carom/stepping/simulation.h"

namespace carom::asynchronous {

/// A length that is not within its limit.
struct LengthFault {
  Index limit = 0;             ///< of Problem::limits
  std::optional<double> time;  ///< of a motion, s
  double length = 0.0;         ///< m, up to round-off; with that taken against it, beyond the limit
};

/// Whether every length limit is kept, apart from whoever moved the vertices: from places or paths
/// alone. The first fault, by number of the limit.
[[nodiscard]] std::optional<LengthFault> audit_lengths(const Problem& problem,
                                                       std::span<const Vec3> places);
/// At all times of a window. Between two knots of its ends an edge's x_a - x_b moves straight, so
/// that its length is a convex function of time: largest at one of the knots, smallest at the
/// nearest point of a straight line. What rounding does to places between knots counts against it.
[[nodiscard]] std::optional<LengthFault> audit_lengths(const Problem& problem,
                                                       const AuditPath& path);

/// "the edge 'chain-1', 'chain-2' is longer than its limit of 0.102 m: 0.11 m at time 0.3"
[[nodiscard]] std::string text_of(const LengthFault& fault, const Problem& problem,
                                  const Simulation& simulation);

}  // namespace carom::asynchronous
