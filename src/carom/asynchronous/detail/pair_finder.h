#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "carom/asynchronous/detail/certificates.h"
#include "carom/asynchronous/detail/pairs.h"
#include "carom/asynchronous/detail/team.h"
#include "carom/asynchronous/detail/topology.h"
#include "carom/asynchronous/problem.h"

namespace carom::asynchronous::detail {

struct Box {
  Vec3 low = {kInfinity, kInfinity, kInfinity};
  Vec3 high = {-kInfinity, -kInfinity, -kInfinity};

  void add(const Vec3& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  void add(const Box& other) {
    add(other.low);
    add(other.high);
  }
  [[nodiscard]] bool meets(const Box& other) const {
    return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y &&
           other.low.y <= high.y && low.z <= other.high.z && other.low.z <= high.z;
  }
};

/// What all who look for pairs read while the lists are made.
struct PairSearch {
  PairSearch(const Problem& given, const Topology& linked);

  const Problem& problem;
  const Topology& topology;
  const Certificates* certificates = nullptr;
  Tick now = 0;
  Index materials = 1;  ///< the laws of contact are a square of so many
  std::vector<char> held;
  std::vector<Box> vertex_box;  ///< round the range of a vertex, with half the largest thickness
  std::vector<Box> leaf_box;
};

/// Looks for pairs among some leaves: of those that may come near it keeps what the ranges do not
/// prove to be apart as long as the lists are to hold, by the layers of the pair itself.
class alignas(kApart) PairFinder {
 public:
  void begin() {
    kept.clear();
    looked_at = 0;
  }

  /// All pairs between what two leaves stand for.
  void offer_leaves(const PairSearch& search, const Leaf& a, const Leaf& b);
  void offer_wall(const PairSearch& search, Index vertex, Index wall);
  void offer_limit(const PairSearch& search, Index limit);

  std::vector<ContactPair> kept;
  std::uint64_t looked_at = 0;

 private:
  void offer_one_way(const PairSearch& search, const Leaf& a, const Leaf& b);
  void offer_edges(const PairSearch& search, Index a, Index b);
  void offer(const PairSearch& search, PairKind kind, std::uint64_t key,
             const std::array<Index, 4>& vertices);
  void keep_unless_far(const PairSearch& search, ContactPair& pair);
};

}  // namespace carom::asynchronous::detail
