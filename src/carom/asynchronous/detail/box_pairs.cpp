// Pairs of boxes that meet, by a binary tree over a Morton order.
#include <algorithm>
#include <bit>
#include <cmath>

#include "carom/asynchronous/detail/lists.h"

namespace carom::asynchronous::detail {
namespace {

// Spreads 21 bits, two zeros after each.
std::uint64_t spread(std::uint64_t bits) {
  bits &= 0x1fffffU;
  bits = (bits | bits << 32) & 0x1f00000000ffffU;
  bits = (bits | bits << 16) & 0x1f0000ff0000ffU;
  bits = (bits | bits << 8) & 0x100f00f00f00f00fU;
  bits = (bits | bits << 4) & 0x10c30c30c30c30c3U;
  return (bits | bits << 2) & 0x1249249249249249U;
}

// The search is divided into so many parts where each has some boxes.
constexpr std::size_t kMostParts = 64;
constexpr std::size_t kBoxesOfPart = 64;

std::uint64_t cell(double low, double size, double at) {
  return static_cast<std::uint64_t>(std::clamp((at - low) / size, 0.0, 1.0) * 2097151.0);
}

std::uint64_t morton(const Box& all, double size, const Box& box) {
  const Vec3 center = 0.5 * (box.low + box.high);
  return spread(cell(all.low.x, size, center.x)) | spread(cell(all.low.y, size, center.y)) << 1 |
         spread(cell(all.low.z, size, center.z)) << 2;
}

}  // namespace

const Box& BoxPairs::build(std::size_t node, Index begin, Index end,
                           const std::vector<Box>& boxes) {
  if (end - begin == 1) {
    nodes_[node] = boxes[order_[begin]];
    return nodes_[node];
  }
  const Index middle = begin + (end - begin) / 2;
  Box box = build(2 * node, begin, middle, boxes);
  box.add(build(2 * node + 1, middle, end, boxes));
  nodes_[node] = box;
  return nodes_[node];
}

void BoxPairs::find(const std::vector<Box>& boxes, Team& team) {
  visits_.clear();
  for (Part& part : met_) part.pairs.clear();
  const auto count = static_cast<Index>(boxes.size());
  if (count < 2) return;
  Box all;
  for (const Box& box : boxes) all.add(0.5 * (box.low + box.high));
  const Vec3 extent = all.high - all.low;
  const double size = std::max({extent.x, extent.y, extent.z, 1e-300});
  codes_.clear();
  for (Index k = 0; k < count; ++k) codes_.emplace_back(morton(all, size, boxes[k]), k);
  std::sort(codes_.begin(), codes_.end());
  order_.clear();
  for (const auto& code : codes_) order_.push_back(code.second);
  nodes_.resize(4 * std::bit_ceil(count));
  static_cast<void>(build(1, 0, count, boxes));
  divide();
  team.run(visits_.size(), count, [&](std::size_t part) {
    std::vector<Visit>& visits = visits_[part].left;
    Met& met = met_[part].pairs;
    while (!visits.empty()) {
      const Visit v = visits.back();
      visits.pop_back();
      look(v, visits, met);
    }
  });
}

// Parts of the work: what is left to be visited after the largest nodes.
void BoxPairs::divide() {
  const auto count = static_cast<Index>(order_.size());
  const std::size_t wanted = std::min<std::size_t>(kMostParts, count / kBoxesOfPart);
  met_.resize(1);
  std::vector<Visit> visits = {{1, 1, 0, count, 0, count}};
  std::size_t done = 0;
  while (done < visits.size() && visits.size() - done < wanted) {
    const Visit v = visits[done++];
    look(v, visits, met_[0].pairs);
  }
  visits_.resize(std::max<std::size_t>(1, visits.size() - done));
  met_.resize(visits_.size());
  for (std::size_t k = done; k < visits.size(); ++k) visits_[k - done].left.push_back(visits[k]);
}

// One pair of nodes: what they leave to be visited, or the boxes that meet.
void BoxPairs::look(const Visit& v, std::vector<Visit>& visits, Met& met) const {
  const Index size_a = v.end_a - v.begin_a;
  const Index size_b = v.end_b - v.begin_b;
  const Index middle_a = v.begin_a + size_a / 2;
  const Index middle_b = v.begin_b + size_b / 2;
  if (v.node_a == v.node_b) {
    if (size_a == 1) return;
    const std::size_t left = 2 * v.node_a;
    visits.push_back({left, left, v.begin_a, middle_a, v.begin_a, middle_a});
    visits.push_back({left + 1, left + 1, middle_a, v.end_a, middle_a, v.end_a});
    visits.push_back({left, left + 1, v.begin_a, middle_a, middle_a, v.end_a});
    return;
  }
  if (!nodes_[v.node_a].meets(nodes_[v.node_b])) return;
  if (size_a == 1 && size_b == 1) {
    met.emplace_back(std::minmax(order_[v.begin_a], order_[v.begin_b]));
  } else if (size_a >= size_b) {
    visits.push_back({2 * v.node_a, v.node_b, v.begin_a, middle_a, v.begin_b, v.end_b});
    visits.push_back({2 * v.node_a + 1, v.node_b, middle_a, v.end_a, v.begin_b, v.end_b});
  } else {
    visits.push_back({v.node_a, 2 * v.node_b, v.begin_a, v.end_a, v.begin_b, middle_b});
    visits.push_back({v.node_a, 2 * v.node_b + 1, v.begin_a, v.end_a, middle_b, v.end_b});
  }
}

}  // namespace carom::asynchronous::detail
