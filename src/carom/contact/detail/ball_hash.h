#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::detail {

/// A box along the axes.
struct Box {
  Vec3 lower;
  Vec3 upper;
};

/// The largest coordinate.
[[nodiscard]] inline double size_of(const Vec3& place) {
  return std::max({std::abs(place.x), std::abs(place.y), std::abs(place.z)});
}
[[nodiscard]] inline double size_of(const Box& box) {
  return std::max(size_of(box.lower), size_of(box.upper));
}

/// Points sorted into square cells, for looking up which lie in a box. Cells are numbered along x,
/// row after row; the rows are laid over one array whose length is a power of two, each begun at
/// another multiple of the golden section of it. So the world needs no bounds, a row stays together
/// in memory, and neither a lattice nor a chain in any direction crowds the array. Points of other
/// rows that share a cell are reported too: the caller looks at distances anyway.
class BallHash {
 public:
  /// Whether a place is finite and near enough to be numbered in cells of this size.
  [[nodiscard]] static bool can_hold(const Vec3& place, double cell_size) {
    const double farthest = kFarthestCell * cell_size;
    // Each by itself, because the largest of them would hide what is not a number.
    return std::abs(place.x) < farthest && std::abs(place.y) < farthest &&
           std::abs(place.z) < farthest;
  }

  /// Every point must be one that it can hold.
  void build(int dimension, std::span<const Vec3> points, double cell_size);

  /// How many cells a box touches.
  [[nodiscard]] double cells_in(const Box& box) const;

  /// All points by cell; within a cell they rise.
  [[nodiscard]] std::span<const Index> sorted() const { return sorted_; }

  /// Calls visit(first, last) with stretches of sorted(): all points that lie in the box, and
  /// others near it; some may come twice.
  template <typename Visit>
  void visit(const Box& box, const Visit& visit) const;

  /// The cell of the point sorted()[rank]; the second from the cell of one before it.
  [[nodiscard]] std::uint64_t cell_at(Index rank) const {
    const auto next = std::upper_bound(start_.begin(), start_.end(), rank);
    return static_cast<std::uint64_t>(next - start_.begin()) - 1;
  }
  [[nodiscard]] std::uint64_t cell_at(Index rank, std::uint64_t before) const {
    while (start_[before + 1] <= rank) ++before;
    return before;
  }
  /// Calls visit(first, last) likewise, so that of any two points that are no farther apart than a
  /// cell along each axis one sees the other. `own` is the cell of the point sorted()[rank].
  template <typename Visit>
  void visit_beyond(Index rank, std::uint64_t own, const Visit& visit) const;

 private:
  static constexpr double kFarthestCell = 0x1.0p+40;

  // Rises with the place, so that a point between two places lies in a cell between theirs. All
  // sums lie between two powers of two: they are rounded alike, and what is no farther away than a
  // cell is in the same cell or in the next one.
  [[nodiscard]] std::int64_t cell_along(double place) const {
    return static_cast<std::int64_t>(place * inverse_size_ + 3.0 * kFarthestCell);
  }
  [[nodiscard]] std::uint64_t cell_number(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return (static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y) * row_stride_ +
            static_cast<std::uint64_t>(z) * layer_stride_) &
           mask_;
  }
  template <typename Visit>
  void visit_cells(std::uint64_t first, std::uint64_t last, const Visit& visit) const {
    visit(start_[first], start_[last + 1]);
  }
  // Cells of a row from `first` on, and `length` further ones.
  template <typename Visit>
  void visit_row(std::uint64_t first, std::uint64_t length, const Visit& visit) const {
    if (length >= mask_) {
      visit_cells(0, mask_, visit);
    } else if (first + length <= mask_) {
      visit_cells(first, first + length, visit);
    } else {
      visit_cells(first, mask_, visit);
      visit_cells(0, first + length - mask_ - 1, visit);
    }
  }

  int dimension_ = 2;
  double inverse_size_ = 1.0;
  std::uint64_t mask_ = 0;
  std::uint64_t row_stride_ = 1;
  std::uint64_t layer_stride_ = 1;
  std::vector<Index> start_;  // of each cell's points, and the end of the last
  std::vector<Index> sorted_;
  std::vector<Index> cell_of_;  // of each point
};

template <typename Visit>
void BallHash::visit(const Box& box, const Visit& visit) const {
  const std::int64_t first_x = cell_along(box.lower.x);
  const auto length = static_cast<std::uint64_t>(cell_along(box.upper.x) - first_x);
  const std::int64_t last_y = cell_along(box.upper.y);
  const std::int64_t first_z = dimension_ == 3 ? cell_along(box.lower.z) : 0;
  const std::int64_t last_z = dimension_ == 3 ? cell_along(box.upper.z) : 0;
  for (std::int64_t z = first_z; z <= last_z; ++z) {
    for (std::int64_t y = cell_along(box.lower.y); y <= last_y; ++y) {
      visit_row(cell_number(first_x, y, z), length, visit);
    }
  }
}

template <typename Visit>
void BallHash::visit_beyond(Index rank, std::uint64_t own, const Visit& visit) const {
  // The rest of its own cell and the next; then the rows beyond, three cells of each. The number of
  // a cell is linear in its place.
  if (own < mask_) {
    visit(rank + 1, start_[own + 2]);
  } else {
    visit(rank + 1, start_[own + 1]);
    visit(start_[0], start_[1]);
  }
  visit_row((own + row_stride_ - 1) & mask_, 2, visit);
  if (dimension_ != 3) return;
  const std::uint64_t above = own + layer_stride_ - 1;
  for (const std::uint64_t row : {above - row_stride_, above, above + row_stride_}) {
    visit_row(row & mask_, 2, visit);
  }
}

}  // namespace carom::detail
