#pragma once

#include <algorithm>
#include <cmath>

#include "carom/collision/broad_phase.h"
#include "carom/contact/detail/pair_motion.h"
#include "carom/contact/detection.h"

namespace carom::detail {

inline constexpr double kListRounding = 1.0 + 1e-12;  ///< of comparisons, on the safe side

/// The motion that most balls share since a list was made: d of (2) in near_list.h.
struct SharedMotion {
  Vec3 begin;
  Vec3 end;
};

/// The balls of a world, and how near they have to come, as lists of pairs see them.
struct NearWorld {
  NearWorld(const World& of_world, const DetectionSettings& with_settings);

  const World* world;
  DetectionSettings settings;
  const Periodicity* periodicity;  ///< null where the world does not repeat itself
  double smallest_radius = 0.0;
  double largest_radius = 0.0;

  /// Whether cells fit all balls, and no ball looks for partners around more than one period.
  [[nodiscard]] bool fits_cells() const;
  /// Otherwise only the end of a step makes rows active. In a periodic world the beginning chooses
  /// the copy.
  [[nodiscard]] bool looks_at_begin() const { return settings.sweep || periodicity != nullptr; }
  [[nodiscard]] double radius(Index ball) const { return world->bodies.radius[ball]; }
  [[nodiscard]] Vec3 in_first_period(const Vec3& place) const {
    return periodicity != nullptr ? wrapped(*periodicity, place) : place;
  }
  /// How far from its end a ball may be felt: with `sweep` as far as it has come, too.
  [[nodiscard]] double felt_from(const StepMotion& motion, Index ball,
                                 const SharedMotion& shared) const {
    const double touch = (1.0 + settings.activation) * radius(ball);
    if (!settings.sweep) return touch;
    const Vec3 way = (motion.end[ball] - motion.begin[ball]) - (shared.end - shared.begin);
    return touch + std::sqrt(norm_squared(way));
  }
  [[nodiscard]] bool may_touch(const StepMotion& motion, const BallPair& pair) const {
    const double radius_a = radius(pair.a);
    const double radius_b = radius(pair.b);
    const double reach = radius_a + radius_b + settings.activation * std::min(radius_a, radius_b);
    return may_be_active(
        pair_motion(BallMotion(motion, pair.a), BallMotion(motion, pair.b), periodicity), reach,
        settings.sweep);
  }
};

}  // namespace carom::detail
