#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/collision/detail/cell_layout.h"
#include "carom/collision/detail/cell_table.h"
#include "carom/collision/detail/swept_box.h"

namespace carom::detail {

/// Boxes of similar size, sorted by cells. Where cells are not many more than boxes, they are an
/// array, row after row along x; otherwise those that occur are numbered by a hash.
class CellGrid {
 public:
  /// Takes boxes[member] of all members (at least one); every box must be known.
  void build(std::span<const SweptBox> boxes, std::span<const Index> members, const Vec3& period);

  [[nodiscard]] std::span<const SweptBox> boxes() const { return sorted_; }

  /// Calls visit(first, second) for every two boxes in the same or in neighbouring cells, once.
  template <typename Visit>
  void visit_neighbours(const Visit& visit) const;

  /// Calls visit(other) for every box of the grid that may overlap `box`, once.
  template <typename Visit>
  void visit_near(const SweptBox& box, const Visit& visit) const;

 private:
  void sort_into_cells(std::span<const SweptBox> boxes, std::span<const Index> members);
  [[nodiscard]] Index cell_number(const Cell& cell);

  template <typename Visit>
  void visit_neighbours_of(const Cell& cell, Index number, const Visit& visit) const;
  /// Calls visit(boxes) for cells range.first .. range.last of the row through (., y, z).
  template <typename Visit>
  void visit_row(CellRange range, std::int64_t y, std::int64_t z, const Visit& visit) const;

  [[nodiscard]] Index array_number(const Cell& cell) const {
    return static_cast<Index>((cell.z * layout_.y.count + cell.y) * layout_.x.count + cell.x);
  }
  [[nodiscard]] std::span<const SweptBox> boxes_of(Index first_cell, Index last_cell) const {
    return {sorted_.data() + start_[first_cell], sorted_.data() + start_[last_cell + 1]};
  }

  CellLayout layout_;
  bool is_array_ = true;
  CellTable table_;               // of the cells that occur, unless is_array_
  std::vector<Index> start_;      // of the boxes of each cell, and the end of the last
  std::vector<Index> cell_of_;    // each member's
  std::vector<SweptBox> sorted_;  // by cell
};

template <typename Visit>
void CellGrid::visit_row(CellRange range, std::int64_t y, std::int64_t z,
                         const Visit& visit) const {
  if (range.last < range.first) return;
  if (!is_array_) {
    for (std::int64_t x = range.first; x <= range.last; ++x) {
      const std::int64_t inside = layout_.x.inside(x);
      if (inside < 0) continue;
      const Index number = table_.find({inside, y, z});
      if (number != kNone) visit(boxes_of(number, number));
    }
    return;
  }
  const std::int64_t last = layout_.x.count - 1;
  const auto visit_part = [&](std::int64_t part_first, std::int64_t part_last) {
    if (part_first > part_last) return;
    visit(boxes_of(array_number({part_first, y, z}), array_number({part_last, y, z})));
  };
  visit_part(std::max<std::int64_t>(range.first, 0), std::min(range.last, last));
  if (!layout_.x.wraps) return;
  visit_part(range.first + last + 1, std::min(range.last + last + 1, last));
  visit_part(std::max<std::int64_t>(range.first - last - 1, 0), range.last - last - 1);
}

template <typename Visit>
void CellGrid::visit_neighbours_of(const Cell& cell, Index number, const Visit& visit) const {
  const std::span<const SweptBox> own = boxes_of(number, number);
  for (std::size_t i = 0; i < own.size(); ++i) {
    for (std::size_t j = i + 1; j < own.size(); ++j) visit(own[i], own[j]);
  }
  const auto visit_others = [&](std::span<const SweptBox> others) {
    for (const SweptBox& first : own) {
      for (const SweptBox& second : others) visit(first, second);
    }
  };
  // Of two opposite neighbours one, so that every pair of cells is met once.
  visit_row({cell.x + 1, cell.x + 1}, cell.y, cell.z, visit_others);
  struct Row {
    std::int64_t y;
    std::int64_t z;
  };
  for (const Row& row : {Row{1, 0}, Row{-1, 1}, Row{0, 1}, Row{1, 1}}) {
    const std::int64_t y = layout_.y.inside(cell.y + row.y);
    const std::int64_t z = layout_.z.inside(cell.z + row.z);
    if (y >= 0 && z >= 0) visit_row({cell.x - 1, cell.x + 1}, y, z, visit_others);
  }
}

template <typename Visit>
void CellGrid::visit_neighbours(const Visit& visit) const {
  if (!is_array_) {
    for (Index number = 0; number < table_.size(); ++number) {
      visit_neighbours_of(table_.cell(number), number, visit);
    }
    return;
  }
  Index number = 0;
  for (std::int64_t z = 0; z < layout_.z.count; ++z) {
    for (std::int64_t y = 0; y < layout_.y.count; ++y) {
      for (std::int64_t x = 0; x < layout_.x.count; ++x, ++number) {
        if (start_[number] != start_[number + 1]) visit_neighbours_of({x, y, z}, number, visit);
      }
    }
  }
}

template <typename Visit>
void CellGrid::visit_near(const SweptBox& box, const Visit& visit) const {
  const CellRange x = layout_.x.cells_near(box.lower.x, box.extent.x);
  const CellRange y = layout_.y.cells_near(box.lower.y, box.extent.y);
  const CellRange z = layout_.z.cells_near(box.lower.z, box.extent.z);
  const auto visit_all = [&](std::span<const SweptBox> others) {
    for (const SweptBox& other : others) visit(other);
  };
  for (std::int64_t k = z.first; k <= z.last; ++k) {
    for (std::int64_t j = y.first; j <= y.last; ++j) {
      visit_row(x, layout_.y.inside(j), layout_.z.inside(k), visit_all);
    }
  }
}

}  // namespace carom::detail
