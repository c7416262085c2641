// The kinetic tree of k-DOPs of the reference engine.
#include "carom/asynchronous/reference/detail/box_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace carom::asynchronous::reference {
namespace {

double coordinate(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

std::vector<Vec3> axes_in(int dimension) {
  const double h = std::sqrt(0.5);
  if (dimension == 2) return {{1, 0, 0}, {0, 1, 0}, {h, h, 0}, {h, -h, 0}};
  return {{1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {h, h, 0}, {h, -h, 0},
          {h, 0, h}, {h, 0, -h}, {0, h, h}, {0, h, -h}};
}

}  // namespace

BoxTree::BoxTree(const Problem& problem, const detail::Topology& topology,
                 const Trajectories& trajectories)
    : trajectories_(trajectories), axes_(axes_in(problem.dimension)), of_(problem.mass.size()) {
  std::vector<Index> order(topology.leaves.size());
  std::iota(order.begin(), order.end(), Index{0});
  if (!order.empty()) build(order, 0, order.size(), topology);
  for (Index n = 0; n < nodes_.size(); ++n) {
    for (const Index i : nodes_[n].vertices) of_[i].push_back(n);
  }
  extents_.resize(nodes_.size());
  known_.assign(nodes_.size(), 0);
  users_.resize(nodes_.size());
}

// Halves the leaves along the longest side of the box around their middles; node 0 is the root.
Index BoxTree::build(std::vector<Index>& order, std::size_t begin, std::size_t end,
                     const detail::Topology& topology) {
  struct Task {
    std::size_t begin, end;
    Index node;
  };
  const auto middle = [&](Index leaf) {
    const detail::Leaf& l = topology.leaves[leaf];
    Vec3 sum;
    for (unsigned k = 0; k < l.size; ++k) sum += trajectories_.position[l.vertex[k]];
    return (1.0 / l.size) * sum;
  };
  nodes_.emplace_back();
  std::vector<Task> tasks = {{begin, end, 0}};
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    std::vector<Index> vertices;
    Vec3 low = {kInfinity, kInfinity, kInfinity};
    Vec3 high = {-kInfinity, -kInfinity, -kInfinity};
    for (std::size_t k = task.begin; k < task.end; ++k) {
      const detail::Leaf& leaf = topology.leaves[order[k]];
      vertices.insert(vertices.end(), leaf.vertex.begin(), leaf.vertex.begin() + leaf.size);
      const Vec3 m = middle(order[k]);
      low = {std::min(low.x, m.x), std::min(low.y, m.y), std::min(low.z, m.z)};
      high = {std::max(high.x, m.x), std::max(high.y, m.y), std::max(high.z, m.z)};
    }
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    nodes_[task.node].vertices = std::move(vertices);
    if (task.end - task.begin == 1) {
      nodes_[task.node].leaf = order[task.begin];
      continue;
    }
    const Vec3 side = high - low;
    const int axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
    const std::size_t half = task.begin + (task.end - task.begin) / 2;
    const auto at = [&](std::size_t k) { return order.begin() + static_cast<std::ptrdiff_t>(k); };
    std::sort(at(task.begin), at(task.end), [&](Index a, Index b) {
      const double place_a = coordinate(middle(a), axis);
      const double place_b = coordinate(middle(b), axis);
      return place_a < place_b || (place_a == place_b && a < b);
    });
    const auto left = static_cast<Index>(nodes_.size());
    nodes_[task.node].left = left;
    nodes_[task.node].right = left + 1;
    nodes_.resize(nodes_.size() + 2);
    tasks.push_back({half, task.end, left + 1});
    tasks.push_back({task.begin, half, left});
  }
  return 0;
}

BoxTree::Extent BoxTree::make(Index node, std::size_t axis, double time) {
  Extent extent;
  extent.at = time;
  extent.low = extent.low_slope = kInfinity;
  extent.high = extent.high_slope = -kInfinity;
  const Vec3& d = axes_[axis];
  for (const Index i : nodes_[node].vertices) {
    const double place = dot(d, trajectories_.place(i, time));
    const double speed = dot(d, trajectories_.counted[i]);
    const double vague = trajectories_.vagueness[i];
    extent.low = std::min(extent.low, place);
    extent.high = std::max(extent.high, place);
    extent.low_slope = std::min(extent.low_slope, speed - vague);
    extent.high_slope = std::max(extent.high_slope, speed + vague);
  }
  corner_looks += nodes_[node].vertices.size();
  return extent;
}

const BoxTree::Extent& BoxTree::extent(Index node, std::size_t axis, double time) {
  Extent& extent = extents_[node][axis];
  const unsigned bit = 1U << axis;
  if ((known_[node] & bit) == 0) {
    extent = make(node, axis, time);
    // Kept for others only if somebody counts on it.
    if (users_[node][axis] > 0) known_[node] |= bit;
  }
  return extent;
}

void BoxTree::renew(Index node, unsigned axes, double time) {
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    if ((axes >> k & 1U) != 0) extents_[node][k] = make(node, k, time);
  }
}

void BoxTree::count_on(Index node, unsigned before, unsigned now) {
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const unsigned bit = 1U << k;
    // Whoever counts on an extent has just asked for it: it is there.
    if ((now & ~before & bit) != 0 && users_[node][k]++ == 0) known_[node] |= bit;
    if ((before & ~now & bit) != 0 && --users_[node][k] == 0) known_[node] &= ~bit;
  }
}

void BoxTree::widen(Index vertex, double time, std::vector<Index>& changed) {
  std::array<double, kMostAxes> place{};
  std::array<double, kMostAxes> speed{};
  const Vec3 x = trajectories_.place(vertex, time);
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    place[k] = dot(axes_[k], x);
    speed[k] = dot(axes_[k], trajectories_.counted[vertex]);
  }
  const double vague = trajectories_.vagueness[vertex];
  for (const Index node : of_[vertex]) {
    bool is_wider = false;
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      if ((known_[node] >> k & 1U) == 0) continue;
      Extent& extent = extents_[node][k];
      const double low = extent.low + extent.low_slope * (time - extent.at);
      const double high = extent.high + extent.high_slope * (time - extent.at);
      if (place[k] >= low && place[k] <= high && speed[k] - vague >= extent.low_slope &&
          speed[k] + vague <= extent.high_slope) {
        continue;
      }
      extent = {time, std::min(low, place[k]), std::min(extent.low_slope, speed[k] - vague),
                std::max(high, place[k]), std::max(extent.high_slope, speed[k] + vague)};
      is_wider = true;
    }
    if (is_wider) changed.push_back(node);
  }
}

}  // namespace carom::asynchronous::reference
