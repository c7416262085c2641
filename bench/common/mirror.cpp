#include "common/mirror.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "carom/core/error.h"

namespace carom::bench {

MirrorPairs::MirrorPairs(std::span<const Vec3> start) {
  std::vector<Index> order(start.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto key = [&](Index body) {
    const Vec3& q = start[body];
    return std::tuple(q.y, q.z, std::abs(q.x), q.x);
  };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return key(a) < key(b); });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Vec3& left = start[order[k]];
    if (left.x == 0.0) {
      pairs_.push_back({order[k], order[k]});
      continue;
    }
    const bool has_next = k + 1 < order.size();
    if (!has_next || start[order[k + 1]] != Vec3{-left.x, left.y, left.z}) {
      throw InputError({},
                       "body " + std::to_string(order[k]) + " has no image in the mirror x = 0");
    }
    pairs_.push_back({order[k], order[k + 1]});
    ++k;
  }
}

double MirrorPairs::error(std::span<const Vec3> position) const {
  double largest = 0.0;
  for (const Pair& pair : pairs_) {
    const Vec3& left = position[pair.left];
    const Vec3& right = position[pair.right];
    largest =
        std::max(largest, norm_squared({left.x + right.x, left.y - right.y, left.z - right.z}));
  }
  return std::sqrt(largest);
}

}  // namespace carom::bench
