#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/contact/detail/changed_balls.h"
#include "carom/contact/detail/loose_balls.h"
#include "carom/contact/detail/spots.h"
#include "carom/contact/detail/verlet_list.h"
#include "carom/core/stretches.h"

namespace carom::detail {

/// Leaves out the listed pairs that are apart at the end of a motion, in a few digits (SpotScreen),
/// and brings the others, with those of loose balls, in order. With what the ways of the two may
/// add: |q_a - q_b| at the end exceeds the smallest distance on the way by at most the lengths of
/// the ways relative to d.
class PairScreening {
 public:
  /// Not owned.
  PairScreening(const NearWorld& near, const VerletList& list, const ChangedBalls& changed,
                PairRoom& room, WorkerPool* pool);

  /// Where balls end, by rank.
  [[nodiscard]] std::vector<Spot>& ends() { return ends_; }
  /// Takes down where all end that take no part in sorting out.
  void note_ends(const StepMotion& motion, const SharedMotion& shared);
  /// There is another list.
  void begin_list() { back_start_.clear(); }
  /// The pairs of the list, as far as changed balls take part, and these.
  void screen(const LooseBalls& loose);
  /// Only these.
  void take(std::span<const BallPair> pairs, std::size_t balls);

  /// Calls visit(a, partners) as NearList does.
  template <typename Visit>
  void visit_partners(const Stretch& stretch, const Visit& visit) {
    if (when_ == When::at_once) {
      room_->in_order.visit(stretch.number, room_->by_stretch[stretch.number].sorting, visit);
    } else if (near_->periodicity != nullptr) {
      visit_listed<true>(stretch, visit);
    } else {
      visit_listed<false>(stretch, visit);
    }
  }

 private:
  /// When pairs of the list are screened. As they are visited only where ranks are numbers, so that
  /// they come in order, and all balls are looked at.
  enum class When : std::uint8_t { at_once, as_visited };

  void list_backwards();
  template <bool kPeriodic>
  void screen_all(const Stretch& stretch);
  template <bool kPeriodic>
  void screen_changed(const Stretch& stretch);
  template <bool kPeriodic>
  void screen_pair(Index rank, Index partner, BallPair*& next) const;
  template <bool kPeriodic, typename Visit>
  void visit_listed(const Stretch& stretch, const Visit& visit);

  const NearWorld* near_;
  const VerletList* list_;
  const ChangedBalls* changed_;
  PairRoom* room_;
  WorkerPool* pool_;
  When when_ = When::at_once;
  std::vector<Spot> ends_;
  std::vector<std::uint8_t> is_changed_;  ///< by rank
  std::vector<Index> back_start_;         ///< by rank: those whose partner it is; empty: not known
  std::vector<Index> back_;
};

template <bool kPeriodic, typename Visit>
void PairScreening::visit_listed(const Stretch& stretch, const Visit& visit) {
  PairRoom::Some& room = room_->by_stretch[stretch.number];
  const std::vector<Index>& start = list_->pairs().start;
  const SpotScreen& screen = list_->screen();
  std::array<Index, kListStretch + 1> starts{};  // of partners that are not of the list
  if (room_->in_order.any(stretch.number)) {
    room_->in_order.sort_by_ball(stretch.number, room.sorting,
                                 std::span(starts).first(stretch.last - stretch.first + 1));
  }
  for (auto ball = static_cast<Index>(stretch.first); ball < stretch.last; ++ball) {
    const std::span<const Index> partners(list_->pairs().partners.data() + start[ball],
                                          start[ball + 1] - start[ball]);
    const std::size_t at = ball - stretch.first;
    const std::span<const Index> loose(room.sorting.data() + starts[at],
                                       starts[at + 1] - starts[at]);
    const std::size_t most = partners.size() + loose.size();
    if (most == 0) continue;
    if (room.left.size() < most) room.left.resize(2 * most);
    const Spot own = ends_[ball];
    Index* next = room.left.data();
    // Branches that chance decides would be mispredicted: there are none.
    for (const Index partner : partners) {
      *next = partner;
      next += static_cast<std::ptrdiff_t>(!screen.apart<kPeriodic>(own, ends_[partner]));
    }
    next = std::copy(loose.begin(), loose.end(), next);
    auto count = static_cast<std::size_t>(next - room.left.data());
    if (!loose.empty()) count = PairBuckets::sort_few(std::span(room.left).first(count));
    if (count > 0) visit(ball, std::span<const Index>(room.left).first(count));
  }
}

}  // namespace carom::detail
