#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/contact/detail/loose_balls.h"
#include "carom/contact/detail/near_world.h"
#include "carom/contact/detail/verlet_list.h"

namespace carom::detail {

/// Of balls that stand still: whom some of them touch, whom these do, and so on. Looked up in cells
/// that no list was made from, or among all pairs where there can be no cells.
class PairsAround {
 public:
  /// Not owned.
  PairsAround(const NearWorld& near, VerletList& list, WorkerPool* pool);

  /// Whether it knows these places.
  [[nodiscard]] bool stands_at(std::span<const Vec3> places) const;
  /// Balls stand in the list's cells.
  void stand_in_cells() { standing_ = Standing::in_cells; }
  /// These are all pairs.
  void stand_with(std::span<const BallPair> pairs);
  /// The list is another.
  void forget() { standing_ = Standing::unknown; }

  /// Pairs around these balls until there are enough, each counted for either ball that was asked.
  void find(const StepMotion& motion, std::span<const Index> balls, std::size_t enough);
  [[nodiscard]] const std::vector<BallPair>& pairs() const { return pairs_; }
  /// Of those that were asked; sorted.
  [[nodiscard]] const std::vector<Index>& near_shapes() const { return near_shapes_; }

 private:
  /// Where the pairs of a ball are looked up.
  enum class Standing : std::uint8_t { unknown, in_cells, listed };

  template <bool kPeriodic>
  void look_around(const StepMotion& motion, Index ball, std::vector<BallPair>& pairs) const;
  void look_around_all(const StepMotion& motion, std::span<const Index> seekers);
  void reach(Index ball);
  void find_near_shapes(const StepMotion& motion);

  const NearWorld* near_;
  VerletList* list_;
  WorkerPool* pool_;
  Standing standing_ = Standing::unknown;
  std::vector<Index> start_;  ///< by ball, of its partners, where they are listed
  std::vector<Index> partners_;
  std::vector<Index> reached_;  ///< who looked around
  std::vector<std::uint8_t> is_reached_;
  std::vector<std::vector<BallPair>> found_;  ///< by stretch of those who look around
  std::vector<BallPair> pairs_;
  std::vector<Index> near_shapes_;
};

}  // namespace carom::detail
