#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/contact/detail/ball_hash.h"
#include "carom/contact/detail/near_world.h"
#include "carom/contact/detail/pair_buckets.h"
#include "carom/contact/detail/spots.h"
#include "carom/core/stretches.h"

namespace carom::detail {

/// Balls of a stretch, which is what a thread does at once.
inline constexpr std::size_t kListStretch = PairBuckets::kStretch;

/// Pairs that come in any order from several stretches, and the same in order.
struct PairRoom {
  /// Of one stretch: the first `count` pairs of a room that only grows.
  struct Some {
    std::vector<BallPair> pairs;
    std::size_t count = 0;
    std::vector<Index> sorting;  ///< room
    std::vector<Index> left;     ///< partners of a ball that are not apart from it

    [[nodiscard]] std::span<const BallPair> found() const {
      return std::span<const BallPair>(pairs).first(count);
    }
  };
  std::vector<Some> by_stretch;
  std::vector<std::span<const BallPair>> sources;  ///< what in_order is filled from
  PairBuckets in_order;
};

/// Pairs of a list. A ball's place in it is its rank: its number where numbers follow space, so
/// that pairs come in their order, or its place along the cells, where neighbours are near in
/// memory, too.
struct ListedPairs {
  enum class Ranks : std::uint8_t { numbers, along_cells };
  Ranks ranks = Ranks::numbers;
  std::vector<Index> ball;      ///< by rank
  std::vector<Index> rank_of;   ///< by ball
  std::vector<Index> start;     ///< by rank: of the ball's partners, and the end of the last
  std::vector<Index> partners;  ///< ranks
  std::vector<Index> owner;     ///< the rank whose partner each is; not where ranks are numbers

  [[nodiscard]] bool by_number() const { return ranks == Ranks::numbers; }
};

/// Balls that stand in cells.
struct BallsInCells {
  std::span<const Vec3> places;  ///< inside the first period
  const BallHash& cells;         ///< of these
  const SpotScreen& screen;
  const SpotTable& spots;  ///< as the cells sort them, each felt from half the distance of a pair
  double reach = 0.0;      ///< the largest distance of a pair
};

/// Finds the pairs of balls in cells.
class PartnerSearch {
 public:
  /// `room` is where pairs stand meanwhile. Not owned.
  PartnerSearch(const NearWorld& near, WorkerPool* pool, PairRoom& room);

  /// Who is near whom, as a list; of `pairs` the order of balls along the cells is known.
  void list(const BallsInCells& balls, ListedPairs& pairs);
  /// The same in the room only, in any order.
  void pair_up(const BallsInCells& balls, ListedPairs& pairs);

 private:
  /// Ranks of the partners of a stretch of ranks.
  using Partners = std::vector<Index>;

  void search(const BallsInCells& balls, ListedPairs& pairs);
  template <bool kPeriodic>
  void search_stretch(const BallsInCells& balls, ListedPairs& pairs, const Stretch& stretch);
  template <typename Visit>
  void visit_across(const BallsInCells& balls, const Vec3& place, const Visit& visit) const;
  [[nodiscard]] bool numbers_follow_space(const ListedPairs& pairs) const;
  void pair_up_stretch(const ListedPairs& pairs, const Stretch& stretch);
  void list_by_number(ListedPairs& pairs);
  void gather(ListedPairs& pairs) const;

  const NearWorld* near_;
  WorkerPool* pool_;
  PairRoom* room_;
  std::vector<Partners> partners_in_;  ///< by stretch
};

}  // namespace carom::detail
