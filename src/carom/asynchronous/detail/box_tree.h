#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::asynchronous::detail {

/// A closed box along the axes. An empty one overlaps no other.
struct AxisBox {
  Vec3 lower = {kInfinity, kInfinity, kInfinity};
  Vec3 upper = {-kInfinity, -kInfinity, -kInfinity};

  void include(const Vec3& p) {
    lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
    upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
  }
  void include(const AxisBox& box) {
    lower = {std::min(lower.x, box.lower.x), std::min(lower.y, box.lower.y),
             std::min(lower.z, box.lower.z)};
    upper = {std::max(upper.x, box.upper.x), std::max(upper.y, box.upper.y),
             std::max(upper.z, box.upper.z)};
  }
};

[[nodiscard]] inline bool overlap(const AxisBox& a, const AxisBox& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
         b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

/// A complete binary tree over boxes that are sorted along a curve through space (Morton's order of
/// their centres), so that neighbours in the tree are neighbours in space whatever the sizes.
/// Building sorts; all else is linear in the number of boxes and of pairs that overlap.
class BoxTree {
 public:
  /// The boxes must outlive the tree's use.
  void build(std::span<const AxisBox> boxes);

  /// Calls visit(a, b) once for every two boxes that overlap.
  template <typename Visit>
  void visit_pairs(const Visit& visit) const {
    if (!boxes_.empty()) visit_inside(1, visit);
  }

 private:
  static constexpr std::size_t kLeafSize = 4;

  void sort_along_curve();

  [[nodiscard]] std::span<const Index> members(std::size_t leaf) const {
    const std::size_t first = std::min((leaf - leaf_count_) * kLeafSize, order_.size());
    return std::span(order_).subspan(first, std::min(kLeafSize, order_.size() - first));
  }

  template <typename Visit>
  void visit_inside(std::size_t node, const Visit& visit) const {
    if (node < leaf_count_) {
      visit_inside(2 * node, visit);
      visit_inside(2 * node + 1, visit);
      visit_between(2 * node, 2 * node + 1, visit);
      return;
    }
    const std::span<const Index> all = members(node);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = i + 1; j < all.size(); ++j) visit_if_near(all[i], all[j], visit);
    }
  }

  // Both nodes are of one level.
  template <typename Visit>
  void visit_between(std::size_t a, std::size_t b, const Visit& visit) const {
    if (!overlap(nodes_[a], nodes_[b])) return;
    if (a < leaf_count_) {
      visit_between(2 * a, 2 * b, visit);
      visit_between(2 * a, 2 * b + 1, visit);
      visit_between(2 * a + 1, 2 * b, visit);
      visit_between(2 * a + 1, 2 * b + 1, visit);
      return;
    }
    for (const Index i : members(a)) {
      if (!overlap(boxes_[i], nodes_[b])) continue;
      for (const Index j : members(b)) visit_if_near(i, j, visit);
    }
  }

  template <typename Visit>
  void visit_if_near(Index i, Index j, const Visit& visit) const {
    if (overlap(boxes_[i], boxes_[j])) visit(std::min(i, j), std::max(i, j));
  }

  std::span<const AxisBox> boxes_;
  std::vector<std::uint64_t> keys_;  // place on the curve above, number of the box below
  std::vector<Index> order_;
  std::size_t leaf_count_ = 1;  // a power of two; leaves are nodes leaf_count_ and up
  std::vector<AxisBox> nodes_;  // 1: the root; 2 k and 2 k + 1: the children of k
};

}  // namespace carom::asynchronous::detail
