// A tree of boxes, built anew for every window: a sort along a curve, then unions from the leaves
// up.

#include "carom/asynchronous/detail/box_tree.h"

#include <bit>

namespace carom::asynchronous::detail {
namespace {

// The lowest ten bits, each followed by two zeros.
std::uint64_t spread(std::uint64_t bits) {
  bits = (bits | (bits << 16U)) & 0x030000ffU;
  bits = (bits | (bits << 8U)) & 0x0300f00fU;
  bits = (bits | (bits << 4U)) & 0x030c30c3U;
  return (bits | (bits << 2U)) & 0x09249249U;
}

// Where between lower and lower + extent, in 0 .. 1023.
std::uint64_t cell(double x, double lower, double extent) {
  const double fraction = (x - lower) / extent;
  return fraction > 0.0 ? static_cast<std::uint64_t>(std::min(fraction, 1.0) * 1023.0) : 0;
}

}  // namespace

void BoxTree::sort_along_curve() {
  AxisBox all;
  for (const AxisBox& box : boxes_) all.include(box);
  const Vec3 extent = all.upper - all.lower;
  keys_.resize(boxes_.size());
  for (std::size_t k = 0; k < boxes_.size(); ++k) {
    const Vec3 centre = 0.5 * boxes_[k].lower + 0.5 * boxes_[k].upper;
    const std::uint64_t place = spread(cell(centre.x, all.lower.x, extent.x)) |
                                (spread(cell(centre.y, all.lower.y, extent.y)) << 1U) |
                                (spread(cell(centre.z, all.lower.z, extent.z)) << 2U);
    keys_[k] = (place << 32U) | k;
  }
  std::sort(keys_.begin(), keys_.end());
  order_.resize(keys_.size());
  for (std::size_t k = 0; k < keys_.size(); ++k) order_[k] = static_cast<Index>(keys_[k]);
}

void BoxTree::build(std::span<const AxisBox> boxes) {
  boxes_ = boxes;
  sort_along_curve();
  leaf_count_ = std::bit_ceil(std::max<std::size_t>((boxes.size() + kLeafSize - 1) / kLeafSize, 1));
  nodes_.assign(2 * leaf_count_, {});
  for (std::size_t leaf = leaf_count_; leaf < nodes_.size(); ++leaf) {
    for (const Index k : members(leaf)) nodes_[leaf].include(boxes_[k]);
  }
  for (std::size_t node = leaf_count_; node-- > 1;) {
    nodes_[node].include(nodes_[2 * node]);
    nodes_[node].include(nodes_[2 * node + 1]);
  }
}

}  // namespace carom::asynchronous::detail
