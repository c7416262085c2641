#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace carom::asynchronous::detail {

/// A moment: a number of units of the lattice of times.
using Tick = std::int64_t;

/// Levels of the shortest step of a first layer above one unit of the lattice.
inline constexpr int kBaseLevel = 24;
/// Highest level of a clock; its period still leaves room for 2^22 of them.
inline constexpr int kTopLevel = 40;
/// "Never": beyond every moment that a run reaches.
inline constexpr Tick kNever = Tick{1} << 62;

[[nodiscard]] constexpr Tick period(int level) { return Tick{1} << level; }

/// Level of the highest clocks that fire at a moment: those with k <= level fire, others do not.
[[nodiscard]] inline int firing_level(Tick now) {
  return now == 0 ? kTopLevel
                  : std::min(kTopLevel, std::countr_zero(static_cast<std::uint64_t>(now)));
}

/// The next moment, after `now`, at which a clock of this level fires.
[[nodiscard]] constexpr Tick next_firing(Tick now, int level) {
  return ((now >> level) + 1) << level;
}

/// The last moment, not after `now`, at which it fired.
[[nodiscard]] constexpr Tick last_firing(Tick now, int level) { return (now >> level) << level; }

/// The highest level whose period, in units of `unit` seconds, is at most `step`; below 0: none.
[[nodiscard]] inline int level_of_step(double step, double unit) {
  const double ratio = step / unit;
  if (!(ratio < std::ldexp(1.0, kTopLevel))) return kTopLevel;
  if (!(ratio >= 1.0)) return -1;
  return std::ilogb(ratio);
}

}  // namespace carom::asynchronous::detail
