// Parts of vertices that lie together, by halving along the longest axis.
#include "carom/asynchronous/detail/vertex_parts.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

namespace carom::asynchronous::detail {
namespace {

constexpr std::size_t kVerticesOfPart = 1000;

using Coordinate = double Vec3::*;

Coordinate longest_axis(std::span<const Index> vertices, const std::vector<Vec3>& position) {
  Coordinate longest = &Vec3::x;
  double most = -1.0;
  for (const Coordinate axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    const auto [low, high] = std::minmax_element(
        vertices.begin(), vertices.end(),
        [&](Index a, Index b) { return position[a].*axis < position[b].*axis; });
    const double extent = position[*high].*axis - position[*low].*axis;
    if (extent > most) {
      most = extent;
      longest = axis;
    }
  }
  return longest;
}

// Orders vertices so that each of `count` equal pieces, a power of two, is one part.
void halve(std::span<Index> vertices, std::size_t count, const std::vector<Vec3>& position) {
  if (count < 2) return;
  const Coordinate axis = longest_axis(vertices, position);
  std::sort(vertices.begin(), vertices.end(), [&](Index a, Index b) {
    const double at_a = position[a].*axis;
    const double at_b = position[b].*axis;
    return at_a != at_b ? at_a < at_b : a < b;
  });
  const std::size_t middle = vertices.size() / 2;
  halve(vertices.first(middle), count / 2, position);
  halve(vertices.subspan(middle), count / 2, position);
}

void number(std::span<const Index> vertices, std::size_t count, VertexParts& parts) {
  if (count < 2) {
    for (const Index i : vertices) parts.part[i] = parts.count;
    ++parts.count;
    return;
  }
  const std::size_t middle = vertices.size() / 2;
  number(vertices.first(middle), count / 2, parts);
  number(vertices.subspan(middle), count / 2, parts);
}

}  // namespace

VertexParts::VertexParts(const std::vector<Vec3>& position) : part(position.size(), 0) {
  const std::size_t wanted =
      std::bit_floor(std::max<std::size_t>(1, part.size() / kVerticesOfPart));
  if (wanted > 1) {
    std::vector<Index> order(part.size());
    std::iota(order.begin(), order.end(), Index{0});
    halve(order, wanted, position);
    count = 0;
    number(order, wanted, *this);
  }
  members.resize(count);
  for (Index i = 0; i < part.size(); ++i) members[part[i]].push_back(i);
}

}  // namespace carom::asynchronous::detail
