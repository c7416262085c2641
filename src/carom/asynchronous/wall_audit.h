#pragma once

#include <optional>
#include <span>
#include <string>

#include "carom/asynchronous/audit.h"
#include "carom/asynchronous/problem.h"
#include "carom/stepping/simulation.h"

namespace carom::asynchronous {

/// A vertex that is not in front of a wall.
struct WallFault {
  Index vertex = 0;
  Index wall = 0;
  std::optional<double> time;  ///< of a motion, s
  double gap = 0.0;            ///< m, up to round-off; with that taken off not positive
};

/// Whether every free vertex is in front of every wall, apart from whoever moved them: from places
/// or paths alone. With its vertices every edge and face is, as what is in front of a plane is
/// convex. The first fault, by number of the vertex.
[[nodiscard]] std::optional<WallFault> audit_walls(const Problem& problem,
                                                   std::span<const Vec3> places);
/// At all times of a window: between two knots the gap is linear in time, also to a wall that moves
/// with its carrier.
[[nodiscard]] std::optional<WallFault> audit_walls(const Problem& problem, const AuditPath& path);

/// "vertex 'cloth-3' is 0.01 m behind shape 'floor' at time 0.3"
[[nodiscard]] std::string text_of(const WallFault& fault, const Simulation& simulation);

}  // namespace carom::asynchronous
