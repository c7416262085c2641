#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "carom/collision/detail/swept_box.h"

namespace carom::detail {

/// Numbers of cells run from `first` to `last`; empty if last < first. Along an axis that wraps
/// they may lie outside 0 .. count-1.
struct CellRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Cells of equal size along one axis. A box belongs to the cell of its lower side.
struct CellAxis {
  double origin = 0.0;
  double inverse_size = 0.0;
  double reach = 0.0;  ///< the largest extent of a box of the level, in cells; < 1 if count > 1
  std::int64_t count = 1;
  bool wraps = false;  ///< the first cell follows the last; only with at least 3 cells

  [[nodiscard]] std::int64_t cell_of(double lower) const {
    return std::min(static_cast<std::int64_t>((lower - origin) * inverse_size), count - 1);
  }

  /// The cells with every box of the level that may overlap [lower, lower + extent].
  [[nodiscard]] CellRange cells_near(double lower, double extent) const;

  /// The same cell, by its number in 0 .. count-1, or -1 if there is none.
  [[nodiscard]] std::int64_t inside(std::int64_t cell) const {
    if (cell >= 0 && cell < count) return cell;
    if (!wraps) return -1;
    return cell < 0 ? cell + count : cell - count;
  }
};

/// How the boxes of one level are put into cells.
struct CellLayout {
  CellAxis x;
  CellAxis y;
  CellAxis z;

  /// A double, because the product may be too large for integers.
  [[nodiscard]] double cell_count() const {
    return static_cast<double>(x.count) * static_cast<double>(y.count) *
           static_cast<double>(z.count);
  }
};

/// Cells as small as they can be while boxes that overlap lie in the same cell or in neighbours.
[[nodiscard]] CellLayout make_cell_layout(std::span<const SweptBox> boxes,
                                          std::span<const Index> members, const Vec3& period);

}  // namespace carom::detail
