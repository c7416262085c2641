// Whether a run came to rest, and since when.
#include "carom/measures/settled.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "carom/core/names.h"

namespace carom {
namespace {

double fastest_place(const RecordedFrame& frame, const std::vector<double>& radii) {
  const auto length = [](const std::vector<double>& numbers, std::size_t body) {
    const double* v = &numbers[3 * body];
    return std::hypot(v[0], v[1], v[2]);
  };
  double fastest = 0.0;
  for (std::size_t body = 0; 3 * body < frame.velocities.size(); ++body) {
    double speed = length(frame.velocities, body);
    if (!frame.angular_velocities.empty()) {
      speed += length(frame.angular_velocities, body) * radii[body];
    }
    fastest = std::max(fastest, speed);
  }
  return fastest;
}

}  // namespace

std::optional<SettledMeasure> settled_bound(const Scene& scene) {
  if (scene.measure.settled) return scene.measure.settled;
  const double gravity = norm(scene.simulation.forces.gravity);
  const std::vector<double>& radii = scene.simulation.world.bodies.radius;
  if (!(gravity > 0.0) || radii.empty()) return std::nullopt;
  const double radius = *std::min_element(radii.begin(), radii.end());
  constexpr double kSpeed = 1e-3;
  constexpr double kTime = 10.0;
  return SettledMeasure{kSpeed * std::sqrt(gravity * radius), kTime * std::sqrt(radius / gravity)};
}

std::optional<Settled> settled_state(const RunRecord& record, const Scene& scene) {
  const std::optional<SettledMeasure> bound = settled_bound(scene);
  const std::vector<double>& times = record.frame_times();
  if (!bound || times.empty()) return std::nullopt;
  Settled settled;
  settled.bound = *bound;
  settled.since = kInfinity;
  for (std::size_t k = times.size(); k-- > 0;) {
    const double fastest = fastest_place(record.frame(k), record.header().radii);
    if (k + 1 == times.size()) settled.fastest = fastest;
    if (!(fastest <= bound->speed)) break;
    settled.since = times[k];
  }
  settled.is_settled = times.back() - settled.since >= bound->time;
  return settled;
}

std::string describe(const Settled& settled) {
  const std::string bound = number_text(settled.bound.speed) + " m/s";
  if (settled.is_settled) {
    return fmt::format("settled since {} s: no place of any body faster than {}",
                       number_text(settled.since), bound);
  }
  if (settled.since < kInfinity) {
    return fmt::format(
        "not settled: no place of any body faster than {} since {} s, less than the {} s that "
        "count",
        bound, number_text(settled.since), number_text(settled.bound.time));
  }
  return fmt::format("not settled: at the end some place moves at {:.3g} m/s (bound {:.3g} m/s)",
                     settled.fastest, settled.bound.speed);
}

}  // namespace carom
