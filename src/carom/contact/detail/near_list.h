#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carom/collision/broad_phase.h"
#include "carom/contact/detail/ball_hash.h"
#include "carom/contact/detail/copies_along.h"
#include "carom/contact/detail/shape_clearance.h"
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
/// What is found to touch depends on none of this, only the time that it takes.
class NearList {
 public:
  /// Balls of a stretch.
  static constexpr std::size_t kStretch = 2048;

  NearList(const ContactWorld& world, const DetectionSettings& settings, WorkerPool* pool);

  /// Looks at motions of one step, the first at all balls. Of another motion only those balls need
  /// be looked at, and their partners, that end elsewhere than at the last look: what two others do
  /// is known.
  void begin_step();
  void remember(const StepMotion& motion);
  void find_changes(const StepMotion& motion);
  /// Who ends elsewhere; empty: everybody is to be looked at.
  [[nodiscard]] std::span<const std::uint8_t> changed() const { return changed_; }
  /// A pair touches that cannot be a row: it must be looked at each time.
  void note_nameless() { some_nameless_.store(true, std::memory_order_relaxed); }

  /// Makes sure that the lists hold for this motion, as far as changed balls take part.
  void prepare(const StepMotion& motion);

  /// Calls visit(a, partners) for every ball of the stretch, in their order: sorted, all beyond a,
  /// among them every one with which it may be active.
  template <typename Visit>
  void visit_partners(const Stretch& stretch, const Visit& visit);

  /// Balls that may touch a shape; sorted.
  [[nodiscard]] std::span<const Index> near_shapes() const { return near_shapes_; }

 private:
  /// How the list is made and kept.
  enum class Kind : std::uint8_t {
    none,       ///< there is none
    local,      ///< balls may be loose
    all_firm,   ///< it holds only while none is
    this_step,  ///< the pairs of one step's swept boxes
  };
  /// What one stretch of balls gave.
  struct Found {
    std::vector<Index> partners;
    std::vector<Index> loose;
    std::vector<Index> near_shapes;
    std::vector<Index> merged;  ///< one ball's partners
  };
  using PairPlace = std::vector<BallPair>::const_iterator;
  /// The motion that most balls share since the list was made.
  struct Frame {
    Vec3 begin;
    Vec3 end;
  };

  [[nodiscard]] Frame shared_motion(const StepMotion& motion) const;
  [[nodiscard]] double rounding(double size) const;
  void sort_out(const StepMotion& motion);
  [[nodiscard]] bool prepare_again(const StepMotion& motion);
  [[nodiscard]] bool wants_new_list();
  void make_list(const StepMotion& motion);
  void list_locally(const StepMotion& motion);
  void list_partners(const Stretch& stretch);
  void list_broadly(const StepMotion& motion);
  [[nodiscard]] double farthest_in_step(const StepMotion& motion) const;
  void list_step(const StepMotion& motion);
  [[nodiscard]] BallSweep sweep_of(const StepMotion& motion) const;
  void take_pairs();

  [[nodiscard]] bool find_loose_pairs(const StepMotion& motion);
  [[nodiscard]] Box way_of(const StepMotion& motion, Index ball) const;
  [[nodiscard]] Box firm_around(const Box& way, double radius) const;
  [[nodiscard]] Box loose_around(const Box& way, double radius) const;
  [[nodiscard]] bool place_loose(const StepMotion& motion);
  void look_around(const StepMotion& motion, Index ball, std::vector<BallPair>& pairs) const;
  /// A box that is looked into, and how far it is from that which was asked for.
  struct BoxCopy {
    Box box;
    Vec3 shift;
  };
  /// Calls visit(numbers, copy) as cells.visit does, in a periodic world for every copy of the box.
  template <typename Visit>
  void visit_copies(const BallHash& cells, const Box& box, const Visit& visit) const;

  /// The partners of a ball with those that are, or are with it, in loose pairs; `next` goes on to
  /// the next ball's.
  [[nodiscard]] static std::span<const Index> with_loose(std::span<const Index> partners,
                                                         PairPlace& next, PairPlace end,
                                                         std::vector<Index>& merged);

  /// Otherwise only the end of a step makes rows active. In a periodic world the beginning chooses
  /// the copy.
  [[nodiscard]] bool looks_at_begin() const { return settings_.sweep || periodicity_ != nullptr; }

  ContactWorld world_;
  DetectionSettings settings_;
  WorkerPool* pool_;
  const Periodicity* periodicity_;  ///< null where the world does not repeat itself
  std::unique_ptr<BroadPhase> broad_phase_;
  ShapeClearance clearance_;
  double smallest_radius_ = 0.0;
  double largest_radius_ = 0.0;
  bool may_be_local_ = false;

  Kind kind_ = Kind::none;
  double skin_ = 0.0;         ///< s, in radii
  double extent_ = 0.0;       ///< the largest coordinate of q0
  std::vector<Vec3> place_;   ///< q0
  std::vector<Vec3> home_;    ///< in a periodic world: its copies inside the first period
  BallHash cells_;            ///< of q0
  std::vector<Index> start_;  ///< of each ball's partners, and the end of the last
  std::vector<Index> partners_;
  std::vector<BallPair> pairs_;  ///< of the broad phase
  std::vector<Found> found_;     ///< by stretch

  std::vector<Vec3> looked_end_;  ///< where balls ended at the last look
  std::vector<std::uint8_t> changed_;
  std::atomic<bool> some_nameless_ = false;  ///< in this step
  /// Only changed balls are sorted out, in the frame of the look before, and look around.
  bool looks_again_ = false;
  bool loose_seek_ = true;      ///< the loose balls look around, otherwise those that changed
  std::vector<Index> seekers_;  ///< those that changed

  Frame frame_;        ///< d
  double work_ = 0.0;  ///< spent on loose balls since the list was made
  std::vector<Index> loose_;
  std::vector<std::uint8_t> is_loose_;
  std::vector<Vec3> loose_place_;  ///< at the end, in the frame, inside the first period
  BallHash loose_cells_;
  double loose_travel_ = 0.0;  ///< the longest way of a loose ball in the frame
  std::vector<std::vector<BallPair>> loose_found_;  ///< by stretch of loose balls
  std::vector<std::vector<BallPair>> loose_pairs_;  ///< by stretch of balls, sorted
  std::vector<Index> near_shapes_;
};

template <typename Visit>
void NearList::visit_copies(const BallHash& cells, const Box& box, const Visit& visit) const {
  if (periodicity_ == nullptr) {
    const BoxCopy only = {box, {}};
    cells.visit(box, [&](std::span<const Index> numbers) { visit(numbers, only); });
    return;
  }
  const Vec3& lower = periodicity_->lower;
  const Vec3& length = periodicity_->length;
  const CopiesAlong x = copies_along(box.lower.x, box.upper.x, lower.x, length.x);
  const CopiesAlong y = copies_along(box.lower.y, box.upper.y, lower.y, length.y);
  const CopiesAlong z = copies_along(box.lower.z, box.upper.z, lower.z, length.z);
  for (int i = 0; i < x.count; ++i) {
    for (int j = 0; j < y.count; ++j) {
      for (int k = 0; k < z.count; ++k) {
        const BoxCopy copy = {
            {{x.lower(i), y.lower(j), z.lower(k)}, {x.upper(i), y.upper(j), z.upper(k)}},
            {x.shift(i), y.shift(j), z.shift(k)}};
        cells.visit(copy.box, [&](std::span<const Index> numbers) { visit(numbers, copy); });
      }
    }
  }
}

template <typename Visit>
void NearList::visit_partners(const Stretch& stretch, const Visit& visit) {
  static const std::vector<BallPair> kNoPairs;
  const std::vector<BallPair>& loose = loose_.empty() ? kNoPairs : loose_pairs_[stretch.number];
  auto next = loose.begin();
  for (auto a = static_cast<Index>(stretch.first); a < stretch.last; ++a) {
    std::span<const Index> partners(partners_.data() + start_[a], start_[a + 1] - start_[a]);
    if (next != loose.end() && next->a == a) {
      partners = with_loose(partners, next, loose.end(), found_[stretch.number].merged);
    }
    visit(a, partners);
  }
}

}  // namespace carom::detail
