#pragma once

#include <variant>
#include <vector>

#include "carom/geometry/vec3.h"

namespace carom {

// How a scripted shape moves: a translation that is added to its place, as a function of time (s).

struct ConstantMotion {
  Vec3 velocity;
};

/// amplitude * sin(2 pi frequency t + phase)
struct SinusoidMotion {
  Vec3 amplitude;
  double frequency = 1.0;  ///< 1/s
  double phase = 0.0;      ///< radians
};

/// Straight lines between the given offsets; at rest before the first time and after the last. An
/// empty table is no offset.
struct TableMotion {
  std::vector<double> times;  ///< rising
  std::vector<Vec3> offsets;
};

using Motion = std::variant<std::monostate, ConstantMotion, SinusoidMotion, TableMotion>;

/// False if the offset never changes; it may still differ from zero.
[[nodiscard]] bool is_moving(const Motion& motion);
[[nodiscard]] Vec3 offset_at(const Motion& motion, double time);
/// Velocity at a moment; where a table has a corner, of the piece that begins there.
[[nodiscard]] Vec3 velocity_at(const Motion& motion, double time);
/// Acceleration at a moment; corners of a table have none.
[[nodiscard]] Vec3 acceleration_at(const Motion& motion, double time);
/// The mean velocity from `time` to `time + step`: what carries the surface exactly to its place at
/// the end of the step. Without a step, the velocity at that moment.
[[nodiscard]] Vec3 mean_velocity(const Motion& motion, double time, double step);

}  // namespace carom
