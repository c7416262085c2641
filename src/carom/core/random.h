#pragma once

#include <cstdint>
#include <random>

#include "carom/core/types.h"

namespace carom {

/// Random numbers whose bits are the same on every platform. The engine is the standard's
/// mt19937_64; the distributions are ours, because the standard leaves theirs to the library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }

  /// Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(engine_() >> 11U) * 0x1.0p-53; }

  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// Uniform in 0 .. count-1, without bias (rejection). count must be positive.
  Index below(Index count) {
    const std::uint64_t range = count;
    const std::uint64_t limit = std::mt19937_64::max() - std::mt19937_64::max() % range;
    std::uint64_t draw = engine_();
    while (draw >= limit) draw = engine_();
    return static_cast<Index>(draw % range);
  }

  /// Standard normal (Box and Muller; one of the pair is dropped so that no state is hidden).
  double normal();

 private:
  std::mt19937_64 engine_;
};

}  // namespace carom
