// Points in nested balls.
#include "carom/geometry/vertex_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "carom/core/assert.h"

namespace carom {
namespace {

// A ball costs about as much to ask about as a point.
constexpr Index kLeafSize = 4;

struct Bounds {
  Vec3 lower = {kInfinity, kInfinity, kInfinity};
  Vec3 upper = {-kInfinity, -kInfinity, -kInfinity};

  void include(const Vec3& p) {
    lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
    upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
  }
};

}  // namespace

VertexTree::VertexTree(const std::vector<Vec3>& points) : order_(points.size()) {
  CAROM_DEMAND(!points.empty());
  std::iota(order_.begin(), order_.end(), Index{0});
  struct Task {
    Index begin = 0;
    Index end = 0;
    Index parent = kNone;  ///< whose second part this is
  };
  std::vector<Task> tasks = {{0, static_cast<Index>(points.size()), kNone}};
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    const auto self = static_cast<Index>(nodes_.size());
    if (task.parent != kNone) nodes_[task.parent].second = self;
    const auto begin = order_.begin() + task.begin;
    const auto end = order_.begin() + task.end;
    Bounds bounds;
    for (auto k = begin; k != end; ++k) bounds.include(points[*k]);
    Node node = {0.5 * bounds.lower + 0.5 * bounds.upper, 0.0, task.begin, task.end - task.begin,
                 kNone};
    for (auto k = begin; k != end; ++k) {
      node.radius = std::max(node.radius, norm(points[*k] - node.center));
    }
    nodes_.push_back(node);
    if (node.count <= kLeafSize) continue;
    const Vec3 extent = bounds.upper - bounds.lower;
    const bool is_x = extent.x >= extent.y && extent.x >= extent.z;
    const bool is_y = !is_x && extent.y >= extent.z;
    const auto key = [&](Index k) {
      const Vec3& p = points[k];
      return std::tuple(is_x ? p.x : is_y ? p.y : p.z, k);
    };
    const Index half = task.begin + node.count / 2;
    std::nth_element(begin, order_.begin() + half, end,
                     [&](Index a, Index b) { return key(a) < key(b); });
    tasks.push_back({half, task.end, self});
    tasks.push_back({task.begin, half, kNone});
  }
}

}  // namespace carom
