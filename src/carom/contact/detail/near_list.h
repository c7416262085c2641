#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carom/collision/broad_phase.h"
#include "carom/contact/detail/ball_hash.h"
#include "carom/contact/detail/copies_along.h"
#include "carom/contact/detail/pair_buckets.h"
#include "carom/contact/detail/pair_motion.h"
#include "carom/contact/detail/shape_clearance.h"
#include "carom/contact/detail/spots.h"
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
/// Pairs are looked at in a few digits first (SpotScreen), at the ends of their ways, with what the
/// ways of the two may add: |q_a - q_b| at the end exceeds the smallest distance on the way by at
/// most the lengths of the ways relative to d.
///
/// A ball's place in the list is its rank. Where numbers of balls follow space it is the number,
/// and pairs come in their order. Otherwise lists are kept in the order of cells, where neighbours
/// are near in memory, too, and what is left of the pairs is put in order. Lists for one look only
/// are not kept: their pairs are put in order at once.
///
/// What is found to touch depends on none of this, only the time that it takes.
class NearList {
 public:
  /// Balls of a stretch.
  static constexpr std::size_t kStretch = PairBuckets::kStretch;

  NearList(const World& world, const DetectionSettings& settings, WorkerPool* pool);

  /// Looks at motions of one step, the first at all balls. Of another motion only those balls need
  /// be looked at, and their partners, that end elsewhere than at the last look: what two others do
  /// is known. `moved`: who may be one of them, rising (null: everybody).
  void begin_step();
  void remember(const StepMotion& motion);
  void find_changes(const StepMotion& motion, const std::vector<Index>* moved);
  /// Who ends elsewhere; empty: everybody is to be looked at.
  [[nodiscard]] std::span<const std::uint8_t> changed() const { return changed_; }
  /// A pair touches that cannot be a row: it must be looked at each time.
  void note_nameless() { some_nameless_.store(true, std::memory_order_relaxed); }

  /// Finds who may touch in this motion, as far as changed balls take part.
  void prepare(const StepMotion& motion);
  /// Of a motion in which all stand still: finds whom some balls touch, whom these do, and so on
  /// until there are enough pairs, each counted for either ball that was asked.
  void prepare_around(const StepMotion& motion, std::span<const Index> balls, std::size_t enough);

  /// Calls visit(a, partners) for balls of the stretch that may have some, in their order: sorted,
  /// all beyond a, among them every one with which it may be active.
  template <typename Visit>
  void visit_partners(const Stretch& stretch, const Visit& visit) {
    if (!screens_late_) {
      pairs_in_order_.visit(stretch.number, found_[stretch.number].room, visit);
    } else if (periodicity_ != nullptr) {
      visit_listed<true>(stretch, visit);
    } else {
      visit_listed<false>(stretch, visit);
    }
  }

  /// Balls that may touch a shape; sorted.
  [[nodiscard]] std::span<const Index> near_shapes() const { return near_shapes_; }

 private:
  /// How the list is made and kept.
  enum class Kind : std::uint8_t {
    none,       ///< there is none
    local,      ///< balls may be loose
    cells,      ///< nobody's partners are listed: whoever is asked for looks around
    all_firm,   ///< it holds only while none is
    this_step,  ///< the pairs of one step's swept boxes
  };
  /// Pairs that are not apart: so many, in a room that only grows.
  struct Near {
    std::vector<BallPair> pairs;
    std::size_t count = 0;
  };
  /// What one stretch of balls gave, or of ranks.
  struct Found {
    std::vector<Index> partners;
    std::vector<Index> loose;
    std::vector<Index> near_shapes;
    Near near;
    std::vector<Index> room;  ///< to compute in
    std::vector<Index> left;  ///< partners of a ball that are not apart from it
  };
  /// The motion that most balls share since the list was made.
  struct Frame {
    Vec3 begin;
    Vec3 end;
  };

  [[nodiscard]] Frame shared_motion(const StepMotion& motion) const;
  [[nodiscard]] double rounding(double size) const;
  void sort_out(const StepMotion& motion);
  [[nodiscard]] bool prepare_again(const StepMotion& motion);
  void prepare_anew(const StepMotion& motion);
  [[nodiscard]] bool wants_new_list();
  [[nodiscard]] bool can_hold(std::span<const Vec3> places) const;
  void make_list(const StepMotion& motion);
  void stand_at(std::span<const Vec3> places, double time);
  void fill_cells();
  void list_locally(const StepMotion& motion, bool at_end);
  [[nodiscard]] bool numbers_follow_space() const;
  void pair_up(const Stretch& stretch);
  void list_by_number();
  void gather_partners();
  template <bool kPeriodic>
  void list_partners(const Stretch& stretch);
  /// Calls visit(first, last) for what may be near a place beyond the ends of the first period.
  template <typename Visit>
  void visit_across(const Vec3& place, double reach, const Visit& visit) const;
  void list_broadly(const StepMotion& motion);
  [[nodiscard]] double farthest_in_step(const StepMotion& motion) const;
  void list_step(const StepMotion& motion);
  [[nodiscard]] BallSweep sweep_of(const StepMotion& motion) const;
  void take_pairs();
  void name_owners(const Stretch& stretch);

  void stand_still(const StepMotion& motion);
  void list_standing(const StepMotion& motion);
  template <bool kPeriodic>
  void pair_around(const StepMotion& motion, Index ball, std::vector<BallPair>& pairs) const;

  [[nodiscard]] bool find_loose_pairs(const StepMotion& motion);
  [[nodiscard]] Box way_of(const StepMotion& motion, Index ball) const;
  [[nodiscard]] Box firm_around(const Box& way, double radius) const;
  [[nodiscard]] Box loose_around(const Box& way, double radius) const;
  [[nodiscard]] bool place_loose(const StepMotion& motion);
  template <bool kPeriodic>
  void look_around(const StepMotion& motion, Index ball, std::vector<BallPair>& pairs) const;
  /// Calls visit(first, last) as cells.visit does, in a periodic world for every copy of the box.
  template <typename Visit>
  void visit_copies(const BallHash& cells, const Box& box, const Visit& visit) const;
  /// How far from its end a ball may be felt: with `sweep` as far as it has come, too.
  [[nodiscard]] double felt_from(const StepMotion& motion, Index ball) const {
    const double touch = (1.0 + settings_.activation) * world_->bodies.radius[ball];
    if (!settings_.sweep) return touch;
    const Vec3 way = (motion.end[ball] - motion.begin[ball]) - (frame_.end - frame_.begin);
    return touch + std::sqrt(norm_squared(way));
  }
  [[nodiscard]] bool may_touch(const StepMotion& motion, const BallPair& pair) const {
    const double radius_a = world_->bodies.radius[pair.a];
    const double radius_b = world_->bodies.radius[pair.b];
    const double reach = radius_a + radius_b + settings_.activation * std::min(radius_a, radius_b);
    return may_be_active(
        pair_motion(BallMotion(motion, pair.a), BallMotion(motion, pair.b), periodicity_), reach,
        settings_.sweep);
  }
  [[nodiscard]] Vec3 in_first_period(const Vec3& place) const {
    return periodicity_ != nullptr ? wrapped(*periodicity_, place) : place;
  }
  [[nodiscard]] Spot end_spot(const StepMotion& motion, Index ball) const {
    return screen_.spot(in_first_period(motion.end[ball]), felt_from(motion, ball));
  }
  void make_spots(const StepMotion& motion);
  void screen_pairs();
  /// Screens the pairs of the list as they are visited.
  template <bool kPeriodic, typename Visit>
  void visit_listed(const Stretch& stretch, const Visit& visit);
  template <bool kPeriodic>
  void screen_all(const Stretch& stretch);
  template <bool kPeriodic>
  void screen_changed(const Stretch& stretch);
  template <bool kPeriodic>
  void screen(Index rank, Index partner, BallPair*& next) const;
  void list_backwards();

  /// Otherwise only the end of a step makes rows active. In a periodic world the beginning chooses
  /// the copy.
  [[nodiscard]] bool looks_at_begin() const { return settings_.sweep || periodicity_ != nullptr; }

  const World* world_;
  DetectionSettings settings_;
  WorkerPool* pool_;
  const Periodicity* periodicity_;  ///< null where the world does not repeat itself
  std::unique_ptr<BroadPhase> broad_phase_;
  ShapeClearance clearance_;
  double smallest_radius_ = 0.0;
  double largest_radius_ = 0.0;
  bool may_be_local_ = false;

  Kind kind_ = Kind::none;
  double skin_ = 0.0;              ///< s, in radii
  bool once_ = false;              ///< the list is for one look only
  bool is_final_ = false;          ///< it is not kept, only its pairs
  bool by_number_ = true;          ///< ranks are numbers
  double extent_ = 0.0;            ///< the largest coordinate of q0
  std::vector<Vec3> place_;        ///< q0
  std::vector<Vec3> home_;         ///< in a periodic world: its copies inside the first period
  BallHash cells_;                 ///< of q0
  SpotScreen screen_;              ///< while the list is kept
  SpotTable listed_;               ///< q0 as cells_ sorts it, with reaches (1 + s) r
  std::vector<Index> order_;       ///< balls by rank
  std::vector<Index> rank_;        ///< of each ball
  std::vector<Index> start_;       ///< by rank: of the ball's partners, and the end of the last
  std::vector<Index> partners_;    ///< ranks
  std::vector<Index> owner_;       ///< the rank whose partner each is; not where by_number_
  std::vector<Index> back_start_;  ///< likewise of those whose partner it is; empty: not known
  std::vector<Index> back_;
  std::vector<BallPair> pairs_;  ///< of the broad phase
  std::vector<Found> found_;     ///< by stretch

  std::vector<Spot> spots_;            ///< by rank: ends of the motion that is looked at
  std::vector<std::uint8_t> stirred_;  ///< by rank: changed_
  PairBuckets pairs_in_order_;
  std::vector<std::span<const BallPair>> sources_;  ///< of these pairs
  bool screens_late_ = false;                       ///< these are without those of the list
  std::vector<Vec3> looked_end_;                    ///< where balls ended at the last look
  std::vector<std::uint8_t> changed_;
  std::vector<Index> who_changed_;           ///< where changed_ is not empty
  std::atomic<bool> some_nameless_ = false;  ///< in this step
  /// Only changed balls are sorted out, in the frame of the look before, and look around.
  bool looks_again_ = false;
  bool loose_seek_ = true;  ///< the loose balls look around, otherwise those that changed

  Frame frame_;        ///< d
  double work_ = 0.0;  ///< spent on loose balls since the list was made
  std::vector<Index> loose_;
  std::vector<Index> merging_;  ///< room
  std::vector<std::uint8_t> is_loose_;
  std::vector<Vec3> loose_place_;  ///< at the end, in the frame, inside the first period
  BallHash loose_cells_;
  SpotTable loose_spots_;      ///< their ends as loose_cells_ sorts them
  double loose_travel_ = 0.0;  ///< the longest way of a loose ball in the frame
  std::vector<std::vector<BallPair>> loose_found_;  ///< by stretch of balls that look around
  bool stand_still_ = false;                        ///< all are at place_, in cells or listed:
  std::vector<Index> standing_start_;               ///< by number, where there can be no cells
  std::vector<Index> standing_;
  std::vector<Index> reached_;  ///< who looked around, of some that were asked for
  std::vector<std::uint8_t> is_reached_;
  std::vector<BallPair> around_;  ///< what they found
  std::vector<Index> near_shapes_;
};

template <bool kPeriodic, typename Visit>
void NearList::visit_listed(const Stretch& stretch, const Visit& visit) {
  Found& found = found_[stretch.number];
  std::array<Index, kStretch + 1> starts{};  // of further partners
  const bool some_are_loose = pairs_in_order_.any(stretch.number);
  if (some_are_loose) {
    pairs_in_order_.sort_by_ball(stretch.number, found.room,
                                 std::span(starts).first(stretch.last - stretch.first + 1));
  }
  for (auto ball = static_cast<Index>(stretch.first); ball < stretch.last; ++ball) {
    const std::span<const Index> partners(partners_.data() + start_[ball],
                                          start_[ball + 1] - start_[ball]);
    const std::size_t at = ball - stretch.first;
    const std::span<const Index> loose(found.room.data() + starts[at], starts[at + 1] - starts[at]);
    const std::size_t most = partners.size() + loose.size();
    if (most == 0) continue;
    if (found.left.size() < most) found.left.resize(2 * most);
    const Spot own = spots_[ball];
    Index* next = found.left.data();
    // Branches that chance decides would be mispredicted: there are none.
    for (const Index partner : partners) {
      *next = partner;
      next += static_cast<std::ptrdiff_t>(!screen_.apart<kPeriodic>(own, spots_[partner]));
    }
    next = std::copy(loose.begin(), loose.end(), next);
    auto count = static_cast<std::size_t>(next - found.left.data());
    if (!loose.empty()) count = PairBuckets::sort_few(std::span(found.left).first(count));
    if (count > 0) visit(ball, std::span<const Index>(found.left).first(count));
  }
}

template <typename Visit>
void NearList::visit_copies(const BallHash& cells, const Box& box, const Visit& visit) const {
  if (periodicity_ == nullptr) {
    cells.visit(box, visit);
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
        cells.visit({{x.lower(i), y.lower(j), z.lower(k)}, {x.upper(i), y.upper(j), z.upper(k)}},
                    visit);
      }
    }
  }
}

}  // namespace carom::detail
