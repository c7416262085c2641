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
/// The mean velocity from `time` to `time + step`: what carries the surface exactly to its place at
/// the end of the step.
[[nodiscard]] Vec3 mean_velocity(const Motion& motion, double time, double step);

}  // namespace carom
