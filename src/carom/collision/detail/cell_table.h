#pragma once

#include <cstdint>
#include <vector>

#include "carom/core/types.h"

namespace carom::detail {

/// A cell by its numbers along the axes.
struct Cell {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;

  friend bool operator==(const Cell&, const Cell&) = default;
};

/// Numbers the cells that occur 0, 1, 2, ... in the order of their first insertion. A hash with
/// open addressing; its memory is kept from one use to the next.
class CellTable {
 public:
  /// Forgets all cells and makes room for this many.
  void reset(Index capacity);

  /// The number of the cell, a new one if it has none.
  Index insert(const Cell& cell);

  /// The number of the cell, or kNone.
  [[nodiscard]] Index find(const Cell& cell) const;

  [[nodiscard]] Index size() const { return static_cast<Index>(cells_.size()); }
  [[nodiscard]] const Cell& cell(Index number) const { return cells_[number]; }

 private:
  [[nodiscard]] std::uint64_t slot_of(const Cell& cell) const;

  std::vector<Index> slots_;  // kNone: free; a power of two, at least half of them free
  std::vector<Cell> cells_;
  std::uint64_t mask_ = 0;
};

}  // namespace carom::detail
