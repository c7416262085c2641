#pragma once

#include <cstdint>
#include <limits>

namespace carom {

/// Number of a body, a row, a block: 32 bits are enough for two thousand million of them.
using Index = std::uint32_t;

/// "No such body" and the like.
inline constexpr Index kNone = std::numeric_limits<Index>::max();

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Distance from 1 to the next double, 2^-52: the unit in which round-off is counted.
inline constexpr double kRoundOff = std::numeric_limits<double>::epsilon();

}  // namespace carom
