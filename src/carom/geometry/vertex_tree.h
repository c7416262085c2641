#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// Points in nested balls, to find those that are near something without asking about each.
class VertexTree {
 public:
  /// At least one point. Keeps the numbers of the points and the balls, not the points.
  explicit VertexTree(const std::vector<Vec3>& points);

  /// Appends the numbers of all points but those in balls for which `may_reach(center, radius)` is
  /// false, in an order that depends on the points only. With a margin:
  ///   [&](const Vec3& c, double r) { return distance.may_be_within(pose.to_world(c), margin + r);
  ///   }
  template <typename MayReach>
  void collect(const MayReach& may_reach, std::vector<Index>& numbers) const;

 private:
  // A ball around points [first, first + count) of the tree's order. Where `second` is not kNone it
  // has two parts: the next node and the one with that number.
  struct Node {
    Vec3 center;
    double radius = 0.0;
    Index first = 0;
    Index count = 0;
    Index second = kNone;
  };
  // The points are halved at every node: enough for 2^32 of them.
  static constexpr std::size_t kStackSize = 40;

  std::vector<Node> nodes_;
  std::vector<Index> order_;
};

template <typename MayReach>
void VertexTree::collect(const MayReach& may_reach, std::vector<Index>& numbers) const {
  std::array<Index, kStackSize> stack{};
  std::size_t height = 1;
  while (height > 0) {
    const Index self = stack[--height];
    const Node& node = nodes_[self];
    if (!may_reach(node.center, node.radius)) continue;
    if (node.second == kNone) {
      const auto points = std::span(order_).subspan(node.first, node.count);
      numbers.insert(numbers.end(), points.begin(), points.end());
      continue;
    }
    stack[height++] = node.second;
    stack[height++] = self + 1;
  }
}

}  // namespace carom
