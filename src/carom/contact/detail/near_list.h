#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/contact/detail/changed_balls.h"
#include "carom/contact/detail/loose_balls.h"
#include "carom/contact/detail/near_world.h"
#include "carom/contact/detail/pair_screening.h"
#include "carom/contact/detail/pairs_around.h"
#include "carom/contact/detail/verlet_list.h"
#include "carom/contact/detection.h"
#include "carom/core/stretches.h"
#include "carom/core/types.h"

namespace carom::detail {

/// What may touch during a step: neighbour lists [Verlet1967] kept over many steps, in which a few
/// fast balls cost no more than themselves.
///
/// With q0 the places at which the list was made, r the radii, s its skin: pairs with
///   |q0_a - q0_b| <= (1 + s) (r_a + r_b)                                                       (1)
/// are in the list. A ball is firm while it stays near its place, up to a motion d that most share:
///   |q - q0 - d| <= (s - activation) r  at the end of the step,                                (2)
/// and with `sweep` at its beginning, too; two firm balls that are not in the list cannot become
/// active. Others are loose: their neighbours are looked up, the firm ones around q - d in the
/// cells of q0, the loose ones in cells of their own. When that has cost as much as a new list, one
/// is made.
///
/// In a periodic world the cells hold the copies inside the first period, and what is looked for in
/// a box is looked for in all its copies that reach there. Differences are those of nearest copies.
///
/// Where very different radii or periods of a few diameters forbid these cells a list holds while
/// all balls are firm, and where a single step moves balls too far for that, the pairs are those of
/// the swept boxes.
///
/// It is put together from a list (verlet_list.h), the balls that have left their skins
/// (loose_balls.h), those that end elsewhere than at the look before (changed_balls.h), and a quick
/// look at each listed pair (pair_screening.h):
///
///     list --- firm balls' pairs ---> screening ---> in order ---> visit_partners
///       `--- cells ---> loose balls' pairs -------------^
///
/// What is found to touch depends on none of this, only the time that it takes.
class NearList {
 public:
  /// Balls of a stretch.
  static constexpr std::size_t kStretch = kListStretch;

  NearList(const World& world, const DetectionSettings& settings, WorkerPool* pool);

  /// Looks at motions of one step, the first at all balls. Of another motion only those balls need
  /// be looked at, and their partners, that end elsewhere than at the last look.
  [[nodiscard]] ChangedBalls& changes() { return changed_; }

  /// Finds who may touch in this motion, as far as changed balls take part.
  void prepare(const StepMotion& motion);
  /// Of a motion in which all stand still: finds whom some balls touch, whom these do, and so on
  /// until there are enough pairs, each counted for either ball that was asked.
  void prepare_around(const StepMotion& motion, std::span<const Index> balls, std::size_t enough);

  /// Calls visit(a, partners) for balls of the stretch that may have some, in their order: sorted,
  /// all beyond a, among them every one with which it may be active.
  template <typename Visit>
  void visit_partners(const Stretch& stretch, const Visit& visit) {
    screening_.visit_partners(stretch, visit);
  }

  /// Balls that may touch a shape; sorted.
  [[nodiscard]] std::span<const Index> near_shapes() const {
    return looked_ == Looked::around ? around_.near_shapes() : loose_.near_shapes();
  }

 private:
  /// What the last look was at.
  enum class Looked : std::uint8_t { at_motion, around };

  [[nodiscard]] bool prepare_again(const StepMotion& motion);
  void prepare_anew(const StepMotion& motion);
  void sort_out(const StepMotion& motion, LooseBalls::Look look);
  [[nodiscard]] bool wants_new_list();
  void stand_still(const StepMotion& motion);

  NearWorld near_;
  PairRoom room_;
  ChangedBalls changed_;
  VerletList list_;
  LooseBalls loose_;
  PairScreening screening_;
  PairsAround around_;
  Looked looked_ = Looked::at_motion;
  double work_ = 0.0;  ///< spent on loose balls since the list was made, see skin.h
};

}  // namespace carom::detail
