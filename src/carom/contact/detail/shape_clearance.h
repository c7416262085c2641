#pragma once

#include <span>
#include <vector>

#include "carom/contact/detection.h"

namespace carom::detail {

/// How far each ball was from the nearest shape when it stood at its place: until it has moved that
/// far, less what the shapes have moved, it touches none. Lower bounds, not always exact.
class ShapeClearance {
 public:
  ShapeClearance(const World& world, const DetectionSettings& settings);

  /// Balls will stand at `place` at a time; they stood at `old_place` before (empty: nowhere).
  void move(std::span<const Vec3> old_place, std::span<const Vec3> place, double time);

  /// How far the shapes are, at either end of the motion, from where they stood.
  [[nodiscard]] double shape_travel(const StepMotion& motion) const;

  /// Whether a ball that has moved from its place may touch a shape. `travelled` is a square.
  [[nodiscard]] bool may_touch(Index ball, double travelled, double shape_travel) const {
    const double left = free_[ball] - shape_travel;
    // Written so that what is not a number may touch.
    return !(left > 0.0 && left * left > travelled);
  }

 private:
  [[nodiscard]] double free_way(Index ball, const Vec3& place) const;

  const World* world_;
  double activation_;
  std::vector<Vec3> offset_;  ///< of the shapes when balls stood at their places
  std::vector<double> free_;
};

}  // namespace carom::detail
