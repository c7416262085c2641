#pragma once

#include <cstdint>
#include <vector>

#include "carom/core/types.h"
#include "carom/solvers/block_rows.h"
#include "carom/solvers/linked_pivoting.h"

namespace carom::solvers {

/// Discs of a triangular packing, `side` to a row: three contacts for each disc, but only two
/// numbers, so that rows depend on each other. Not redundant: without the third direction.
struct Packing {
  BlockRows rows;
  std::vector<Index> all;
  std::vector<double> c;
  LinkedRows<2> links;
};

[[nodiscard]] Packing make_packing(Index side, bool redundant, std::uint64_t seed);

}  // namespace carom::solvers
