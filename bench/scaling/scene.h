#pragma once

#include <cstdint>
#include <string>

#include "carom/core/types.h"
#include "carom/stepping/simulation.h"

namespace carom::bench {

// The two scenes of Smith2012, section 11.2 and Table 2: a square grid of unit balls, elastic and
// without friction, inside a drum; h = 0.01.
//   drop: from rest under gravity 10. The balls touch: at 100,000 the largest number of rows in the
//         paper's table is then every bond of the grid and two corners on the drum.
//   gas:  no forces, every ball with a random velocity of length 1. Gaps of 2e-4 give nearly
//         the table's largest numbers of rows.
// The paper gives neither spacings nor the radius of the drum, for which 1.5 side is taken.

struct ScalingOptions {
  std::string scene = "drop";  ///< drop | gas
  Index n = 10000;             ///< 10,000, 100,000 and 1,000,000 give the paper's grids
  std::uint64_t steps = 1000;  ///< counted from the first contact on
  unsigned threads = 1;
  std::string impact_operator = "gr";
  /// Detection as the library does it by default; else as the paper prints it, once per step, with
  /// neither `redetect` nor `sweep` nor `hold`.
  bool redetect = false;
  std::string symmetry = "none";  ///< see symmetry_names()
  bool shuffle = false;           ///< the balls' numbers, so that neighbours lie anywhere in memory
  std::string log = {};           ///< file for one line per step; empty: none
  std::string from = {};          ///< file with the state to start from; empty: the scene's
  std::string save = {};          ///< file for the state at the end, and now and then; empty: none
};

/// Balls along a side: the smallest odd number whose square is at least n (101, 317 and 1001 in the
/// paper), so that one column stands on the mirror.
[[nodiscard]] Index grid_side(Index n);

/// The scene at the end of the last step before the first contact: a free fall is known in closed
/// form and need not be run. Throws InputError on an unknown scene.
[[nodiscard]] Simulation scaling_simulation(const ScalingOptions& options);

}  // namespace carom::bench
