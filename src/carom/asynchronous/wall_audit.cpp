// Planes and boxes against recorded places and paths.
#include "carom/asynchronous/wall_audit.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/asynchronous/detail/common_times.h"
#include "carom/asynchronous/detail/recorded_path.h"
#include "carom/asynchronous/problem_of.h"
#include "carom/core/names.h"

namespace carom::asynchronous {
namespace {

using detail::PathPlace;
using detail::RecordedPath;

// Of a place right up to `slack`, a gap that cannot be shown to be positive. What rounding does to
// it is below 8 round-offs of the sizes of its terms.
std::optional<double> gap_behind(const Wall& wall, const PathPlace& place) {
  const double gap = dot(wall.normal, place.x) - wall.offset;
  const double size = std::abs(wall.normal.x * place.x.x) + std::abs(wall.normal.y * place.x.y) +
                      std::abs(wall.normal.z * place.x.z) + std::abs(wall.offset);
  if (gap - place.slack - 8.0 * kRoundOff * size > 0.0) return std::nullopt;
  return gap;
}

std::vector<char> held_of(const Problem& problem) {
  std::vector<char> is_held(problem.mass.size(), 0);
  for (const HeldVertex& held : problem.held) is_held[held.vertex] = 1;
  return is_held;
}

// The place of a vertex as a wall sees it.
PathPlace seen(const RecordedPath& path, Index vertex, const Wall& wall, double t) {
  PathPlace place = path.at(vertex, t);
  if (wall.carrier == kNone) return place;
  const PathPlace carrier = path.at(wall.carrier, t);
  return {place.x - carrier.x, place.slack + carrier.slack};
}

}  // namespace

std::optional<WallFault> audit_walls(const Problem& problem, std::span<const Vec3> places) {
  if (problem.walls.empty()) return std::nullopt;
  const std::vector<char> is_held = held_of(problem);
  for (Index i = 0; i < places.size(); ++i) {
    if (is_held[i] != 0) continue;
    for (Index w = 0; w < problem.walls.size(); ++w) {
      const Wall& wall = problem.walls[w];
      PathPlace place = {places[i], 0.0};
      if (wall.carrier != kNone) place.x -= places[wall.carrier];
      if (const auto gap = gap_behind(wall, place)) return WallFault{i, w, std::nullopt, *gap};
    }
  }
  return std::nullopt;
}

std::optional<WallFault> audit_walls(const Problem& problem, const AuditPath& window) {
  if (problem.walls.empty()) return std::nullopt;
  const RecordedPath path(window);
  const std::vector<char> is_held = held_of(problem);
  std::vector<double> times;
  for (Index i = 0; i < is_held.size(); ++i) {
    if (is_held[i] != 0) continue;
    for (Index w = 0; w < problem.walls.size(); ++w) {
      const Wall& wall = problem.walls[w];
      if (wall.carrier == kNone) {
        detail::common_times(path, {i}, times);
      } else {
        detail::common_times(path, {i, wall.carrier}, times);
      }
      for (const double t : times) {
        if (const auto gap = gap_behind(wall, seen(path, i, wall, t))) {
          return WallFault{i, w, t, *gap};
        }
      }
    }
  }
  return std::nullopt;
}

std::string text_of(const WallFault& fault, const Simulation& simulation) {
  return "vertex '" + simulation.world.bodies.name[fault.vertex] + "' is " +
         number_text(std::max(-fault.gap, 0.0)) + " m behind " + wall_name(fault.wall, simulation) +
         (fault.time ? " at time " + number_text(simulation.start.time + *fault.time) : "");
}

}  // namespace carom::asynchronous
