// Length limits against recorded places and paths.
#include "carom/asynchronous/length_audit.h"

#include <algorithm>
#include <vector>

#include "carom/asynchronous/detail/common_times.h"
#include "carom/asynchronous/detail/recorded_path.h"
#include "carom/core/names.h"

namespace carom::asynchronous {
namespace {

using detail::PathPlace;
using detail::RecordedPath;

// What rounding may do to a length, in its own size.
constexpr double kLengthRoundOff = 4.0 * kRoundOff;

// Of the points between two, the distance of the one nearest to the origin.
double nearest_to_origin(const Vec3& from, const Vec3& to) {
  const Vec3 along = to - from;
  const double square = norm_squared(along);
  const double share = square > 0.0 ? std::clamp(-dot(from, along) / square, 0.0, 1.0) : 0.0;
  return norm(from + share * along);
}

// While x_a - x_b moves straight from one place to another: a length that cannot be shown to be
// within the limit, whatever rounding did.
std::optional<double> length_beyond(const LengthLimit& limit, const PathPlace& from,
                                    const PathPlace& to) {
  const double slack = std::max(from.slack, to.slack);
  if (limit.side == LengthLimit::Side::longest) {
    const double length = std::max(norm(from.x), norm(to.x));
    if (length * (1.0 + kLengthRoundOff) + slack < limit.length) return std::nullopt;
    return length;
  }
  const double length = nearest_to_origin(from.x, to.x);
  if (length * (1.0 - kLengthRoundOff) - slack > limit.length) return std::nullopt;
  return length;
}

PathPlace apart_at(const RecordedPath& path, const LengthLimit& limit, double t) {
  const PathPlace a = path.at(limit.vertex[0], t);
  const PathPlace b = path.at(limit.vertex[1], t);
  return {a.x - b.x, a.slack + b.slack};
}

}  // namespace

std::optional<LengthFault> audit_lengths(const Problem& problem, std::span<const Vec3> places) {
  for (Index k = 0; k < problem.limits.size(); ++k) {
    const LengthLimit& limit = problem.limits[k];
    const PathPlace apart = {places[limit.vertex[0]] - places[limit.vertex[1]], 0.0};
    if (const auto length = length_beyond(limit, apart, apart)) {
      return LengthFault{k, std::nullopt, *length};
    }
  }
  return std::nullopt;
}

std::optional<LengthFault> audit_lengths(const Problem& problem, const AuditPath& window) {
  const RecordedPath path(window);
  std::vector<double> times;
  for (Index k = 0; k < problem.limits.size(); ++k) {
    const LengthLimit& limit = problem.limits[k];
    detail::common_times(path, {limit.vertex[0], limit.vertex[1]}, times);
    PathPlace from = apart_at(path, limit, times.front());
    for (std::size_t m = 1; m < times.size(); ++m) {
      const PathPlace to = apart_at(path, limit, times[m]);
      if (const auto length = length_beyond(limit, from, to)) {
        return LengthFault{k, times[m], *length};
      }
      from = to;
    }
  }
  return std::nullopt;
}

std::string text_of(const LengthFault& fault, const Problem& problem,
                    const Simulation& simulation) {
  const LengthLimit& limit = problem.limits[fault.limit];
  const auto& names = simulation.world.bodies.name;
  const bool is_longest = limit.side == LengthLimit::Side::longest;
  return "the edge '" + names[limit.vertex[0]] + "', '" + names[limit.vertex[1]] + "' is " +
         (is_longest ? "longer" : "shorter") + " than its limit of " + number_text(limit.length) +
         " m: " + number_text(fault.length) + " m" +
         (fault.time ? " at time " + number_text(simulation.start.time + *fault.time) : "");
}

}  // namespace carom::asynchronous
