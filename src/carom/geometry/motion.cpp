// Where a scripted motion is, and how fast.
#include "carom/geometry/motion.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "carom/core/assert.h"

namespace carom {
namespace {

bool moves(const std::monostate& /*motion*/) { return false; }
bool moves(const ConstantMotion& motion) { return motion.velocity != Vec3{}; }
bool moves(const SinusoidMotion& motion) {
  return motion.amplitude != Vec3{} && motion.frequency != 0.0;
}
bool moves(const TableMotion& motion) {
  return std::any_of(motion.offsets.begin(), motion.offsets.end(),
                     [&](const Vec3& offset) { return offset != motion.offsets.front(); });
}

Vec3 offset(const std::monostate& /*motion*/, double /*time*/) { return {}; }
Vec3 offset(const ConstantMotion& motion, double time) { return time * motion.velocity; }
Vec3 offset(const SinusoidMotion& motion, double time) {
  // Whole turns are taken off before pi comes in, so that they bring the shape back to the bit.
  const double turns = std::remainder(motion.frequency * time, 1.0);
  return std::sin(2.0 * std::numbers::pi * turns + motion.phase) * motion.amplitude;
}
Vec3 offset(const TableMotion& motion, double time) {
  const std::vector<double>& times = motion.times;
  CAROM_ASSERT(times.size() == motion.offsets.size());
  if (times.empty()) return {};
  const auto later = std::upper_bound(times.begin(), times.end(), time);
  if (later == times.begin()) return motion.offsets.front();
  if (later == times.end()) return motion.offsets.back();
  const auto k = static_cast<std::size_t>(later - times.begin());
  const double share = (time - times[k - 1]) / (times[k] - times[k - 1]);
  return motion.offsets[k - 1] + share * (motion.offsets[k] - motion.offsets[k - 1]);
}

Vec3 velocity(const std::monostate& /*motion*/, double /*time*/) { return {}; }
Vec3 velocity(const ConstantMotion& motion, double /*time*/) { return motion.velocity; }
Vec3 velocity(const SinusoidMotion& motion, double time) {
  const double turns = std::remainder(motion.frequency * time, 1.0);
  const double rate = 2.0 * std::numbers::pi * motion.frequency;
  return rate * std::cos(2.0 * std::numbers::pi * turns + motion.phase) * motion.amplitude;
}
Vec3 velocity(const TableMotion& motion, double time) {
  const std::vector<double>& times = motion.times;
  const auto later = std::upper_bound(times.begin(), times.end(), time);
  if (later == times.begin() || later == times.end()) return {};
  const auto k = static_cast<std::size_t>(later - times.begin());
  return (1.0 / (times[k] - times[k - 1])) * (motion.offsets[k] - motion.offsets[k - 1]);
}

}  // namespace

bool is_moving(const Motion& motion) {
  return std::visit([](const auto& kind) { return moves(kind); }, motion);
}

Vec3 offset_at(const Motion& motion, double time) {
  return std::visit([time](const auto& kind) { return offset(kind, time); }, motion);
}

Vec3 velocity_at(const Motion& motion, double time) {
  return std::visit([time](const auto& kind) { return velocity(kind, time); }, motion);
}

Vec3 acceleration_at(const Motion& motion, double time) {
  const auto* sinusoid = std::get_if<SinusoidMotion>(&motion);
  if (sinusoid == nullptr) return {};
  const double rate = 2.0 * std::numbers::pi * sinusoid->frequency;
  return -(rate * rate) * offset(*sinusoid, time);
}

Vec3 mean_velocity(const Motion& motion, double time, double step) {
  if (const auto* constant = std::get_if<ConstantMotion>(&motion)) return constant->velocity;
  if (step == 0.0) return velocity_at(motion, time);
  const Vec3 way = offset_at(motion, time + step) - offset_at(motion, time);
  return {way.x / step, way.y / step, way.z / step};
}

}  // namespace carom
