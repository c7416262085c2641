// How many cells a grid has along each axis, how large, and which of them a box touches.
#include "carom/collision/detail/cell_layout.h"

#include "carom/core/assert.h"

namespace carom::detail {
namespace {

// Cell numbers stay below 2^36, so that (lower - origin) / size is known to 2^36 * 2^-50, far
// better than the slack, in cells, that every comparison of them leaves.
constexpr double kLargestCount = 0x1.0p+36;
constexpr double kSlack = 0x1.0p-9;
// Keeps 1 / size finite.
constexpr double kSmallestSize = 0x1.0p-1000;

// Along one axis: where the lower sides of the boxes lie, and the largest extent.
struct Bounds {
  double first = kInfinity;
  double last = -kInfinity;
  double extent = 0.0;

  void add(double lower, double box_extent) {
    first = std::min(first, lower);
    last = std::max(last, lower);
    extent = std::max(extent, box_extent);
  }
};

CellAxis make_axis(const Bounds& bounds, double period) {
  const bool repeats = period < kInfinity;
  const double length = repeats ? period : bounds.last - bounds.first;
  double size =
      std::max({bounds.extent * (1.0 + 4.0 * kSlack), length / kLargestCount, kSmallestSize});
  const double cells = length / size;
  CellAxis axis;
  axis.origin = repeats ? 0.0 : bounds.first;
  if (!repeats) {
    axis.count = static_cast<std::int64_t>(cells) + 1;
  } else if (cells >= 3.0) {
    axis.count = static_cast<std::int64_t>(cells);
    axis.wraps = true;
    size = period / static_cast<double>(axis.count);
  }
  // With one or two cells in a period, the neighbours on both sides would be the same: one cell.
  axis.inverse_size = 1.0 / size;
  axis.reach = bounds.extent * axis.inverse_size;
  return axis;
}

}  // namespace

CellRange CellAxis::cells_near(double lower, double extent) const {
  if (count == 1) return {0, 0};
  // Far beyond every cell, and yet an integer.
  constexpr double kFar = 4.0 * kLargestCount;
  const double place = (lower - origin) * inverse_size;
  const double first = std::floor(place - reach - kSlack);
  const double last = std::floor(place + extent * inverse_size + kSlack);
  CellRange range = {static_cast<std::int64_t>(std::clamp(first, -kFar, kFar)),
                     static_cast<std::int64_t>(std::clamp(last, -kFar, kFar))};
  if (!wraps) return {std::max<std::int64_t>(range.first, 0), std::min(range.last, count - 1)};
  if (range.last - range.first + 1 >= count) return {0, count - 1};
  return range;
}

CellLayout make_cell_layout(std::span<const SweptBox> boxes, std::span<const Index> members,
                            const Vec3& period) {
  Bounds x;
  Bounds y;
  Bounds z;
  for (const Index member : members) {
    const SweptBox& box = boxes[member];
    x.add(box.lower.x, box.extent.x);
    y.add(box.lower.y, box.extent.y);
    z.add(box.lower.z, box.extent.z);
  }
  CAROM_ASSERT(!members.empty());
  return {make_axis(x, period.x), make_axis(y, period.y), make_axis(z, period.z)};
}

}  // namespace carom::detail
