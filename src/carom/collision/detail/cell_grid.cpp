// Boxes of one level sorted into the cells of a grid.
#include "carom/collision/detail/cell_grid.h"

#include "carom/core/assert.h"

namespace carom::detail {
namespace {

// An array of cells is faster than a hash even if most of them are empty, up to about this many per
// box; and a small one is always affordable.
constexpr double kCellsPerBox = 16.0;
constexpr double kFewCells = 1024.0;

}  // namespace

void CellGrid::build(std::span<const SweptBox> boxes, std::span<const Index> members,
                     const Vec3& period) {
  CAROM_ASSERT(!members.empty());
  layout_ = make_cell_layout(boxes, members, period);
  is_array_ =
      layout_.cell_count() <= kFewCells + kCellsPerBox * static_cast<double>(members.size());
  if (!is_array_) table_.reset(static_cast<Index>(members.size()));
  cell_of_.resize(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Vec3& lower = boxes[members[i]].lower;
    cell_of_[i] = cell_number(
        {layout_.x.cell_of(lower.x), layout_.y.cell_of(lower.y), layout_.z.cell_of(lower.z)});
  }
  sort_into_cells(boxes, members);
}

Index CellGrid::cell_number(const Cell& cell) {
  return is_array_ ? array_number(cell) : table_.insert(cell);
}

// Counting sort. It is stable: within a cell the boxes keep their order.
void CellGrid::sort_into_cells(std::span<const SweptBox> boxes, std::span<const Index> members) {
  const auto cells = is_array_ ? static_cast<std::size_t>(layout_.cell_count()) : table_.size();
  start_.assign(cells + 1, 0);
  for (const Index cell : cell_of_) ++start_[cell];
  Index sum = 0;
  for (Index& entry : start_) entry = sum += entry;  // now the end of each cell
  sorted_.resize(members.size());
  for (std::size_t i = members.size(); i-- > 0;) sorted_[--start_[cell_of_[i]]] = boxes[members[i]];
}

}  // namespace carom::detail
