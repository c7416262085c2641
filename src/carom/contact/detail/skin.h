#pragma once

#include "carom/contact/detection.h"

namespace carom::detail {

// What things cost, in nanoseconds of one core; only their ratios matter.
inline constexpr double kLooseWork = 400.0;  ///< to look around a loose ball
inline constexpr double kShapeWork = 50.0;   ///< to look at a ball near shapes
inline constexpr double kPairWork = 1.0;     ///< to look at a pair of the list
/// To list a ball's partners.
[[nodiscard]] constexpr double list_work(double skin) { return 40.0 + 40.0 * skin; }

inline constexpr double kThickestSkin = 0.8;

struct SkinChoice {
  double skin = kThickestSkin;  ///< in radii
  int life = 1;                 ///< looks after which a new list is as good
};

/// The skin that makes steps like this one cheapest: the thicker it is, the more pairs
/// are in the list, and the longer balls stay firm. With `from_begin` the list is made for the
/// beginning of the step, otherwise for its end.
[[nodiscard]] SkinChoice choose_skin(const StepMotion& motion, const BodySet& bodies, int dimension,
                                     bool from_begin);

}  // namespace carom::detail
