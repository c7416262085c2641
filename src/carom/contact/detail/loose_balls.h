#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/contact/detail/ball_hash.h"
#include "carom/contact/detail/changed_balls.h"
#include "carom/contact/detail/copies_along.h"
#include "carom/contact/detail/near_world.h"
#include "carom/contact/detail/spots.h"
#include "carom/contact/detail/verlet_list.h"

namespace carom::detail {

/// Which balls have left their skins in a motion, by (2) of near_list.h, and whom they may touch:
/// firm ones around q - d in the cells of the list, and loose ones in cells of their own.
class LooseBalls {
 public:
  /// Which balls a look is about.
  enum class Look : std::uint8_t { at_all, at_changed };

  /// Not owned.
  LooseBalls(const NearWorld& near, VerletList& list, const ChangedBalls& changed,
             WorkerPool* pool);

  /// Tells firm balls and loose ones apart, and finds those that may touch a shape. `ends`, by
  /// rank: gets where those that are looked at end, where the list is kept.
  void sort_out(const StepMotion& motion, Look look, std::vector<Spot>& ends);
  /// The pairs of loose balls, as far as somebody takes part whom the look is about. False where
  /// that would take longer than to look at all balls anew, or cannot be done.
  [[nodiscard]] bool find_pairs(const StepMotion& motion);
  /// From now on none is loose.
  void clear() { loose_.clear(); }

  [[nodiscard]] std::size_t size() const { return loose_.size(); }
  [[nodiscard]] bool empty() const { return loose_.empty(); }
  [[nodiscard]] const SharedMotion& shared_motion() const { return shared_; }
  [[nodiscard]] const std::vector<std::vector<BallPair>>& pairs() const { return pairs_; }
  [[nodiscard]] const std::vector<Index>& near_shapes() const { return near_shapes_; }  ///< sorted

 private:
  /// Whether (2) holds for a ball, and whether it is far from all shapes.
  class Sorting;
  /// What one stretch of balls gave.
  struct Sorted {
    std::vector<Index> loose;
    std::vector<Index> near_shapes;
  };
  /// Who looks around for pairs.
  enum class Seekers : std::uint8_t { loose, changed };

  void gather(std::size_t stretches);
  [[nodiscard]] Box way_of(const StepMotion& motion, Index ball) const;
  [[nodiscard]] Box firm_around(const Box& way, double radius) const;
  [[nodiscard]] Box loose_around(const Box& way, double radius) const;
  [[nodiscard]] bool place(const StepMotion& motion);
  [[nodiscard]] bool costs_too_much(const StepMotion& motion) const;
  template <bool kPeriodic>
  void look_around(const StepMotion& motion, Index ball, std::vector<BallPair>& pairs) const;
  [[nodiscard]] Spot end_spot(const StepMotion& motion, Index ball) const {
    return list_->screen().spot(near_->in_first_period(motion.end[ball]),
                                near_->felt_from(motion, ball, shared_));
  }

  const NearWorld* near_;
  VerletList* list_;
  const ChangedBalls* changed_;
  WorkerPool* pool_;
  Look look_ = Look::at_all;
  Seekers seekers_ = Seekers::loose;
  SharedMotion shared_;  ///< d
  std::vector<Index> loose_;
  std::vector<std::uint8_t> is_loose_;
  std::vector<Index> near_shapes_;
  std::vector<Sorted> sorted_;  ///< by stretch
  std::vector<Index> merging_;  ///< room
  std::vector<Vec3> place_;     ///< of loose balls: the end without d, inside the first period
  BallHash cells_;              ///< of these places
  SpotTable spots_;             ///< their ends as cells_ sorts them
  double longest_way_ = 0.0;    ///< of a loose ball, without d
  std::vector<std::vector<BallPair>> pairs_;  ///< by stretch of balls that look around
};

/// Calls visit(first, last) as cells.visit does, in a periodic world for every copy of the box.
template <typename Visit>
void visit_copies(const BallHash& cells, const Box& box, const Periodicity* periodicity,
                  const Visit& visit) {
  if (periodicity == nullptr) {
    cells.visit(box, visit);
    return;
  }
  const Vec3& lower = periodicity->lower;
  const Vec3& length = periodicity->length;
  const CopiesAlong x = copies_along(box.lower.x, box.upper.x, lower.x, length.x);
  const CopiesAlong y = copies_along(box.lower.y, box.upper.y, lower.y, length.y);
  const CopiesAlong z = copies_along(box.lower.z, box.upper.z, lower.z, length.z);
  for (int i = 0; i < x.count; ++i) {
    for (int j = 0; j < y.count; ++j) {
      for (int k = 0; k < z.count; ++k) {
        cells.visit({{x.lower(i), y.lower(j), z.lower(k)}, {x.upper(i), y.upper(j), z.upper(k)}},
                    visit);
      }
    }
  }
}

/// A box enlarged on all sides.
[[nodiscard]] inline Box enlarged(const Box& box, double reach) {
  const Vec3 around = {reach, reach, reach};
  return {box.lower - around, box.upper + around};
}

}  // namespace carom::detail
