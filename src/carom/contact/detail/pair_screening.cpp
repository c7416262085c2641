// Which listed pairs are not apart in the motion that is looked at.
#include "carom/contact/detail/pair_screening.h"

#include <algorithm>
#include <numeric>

namespace carom::detail {

PairScreening::PairScreening(const NearWorld& near, const VerletList& list,
                             const ChangedBalls& changed, PairRoom& room, WorkerPool* pool)
    : near_(&near), list_(&list), changed_(&changed), room_(&room), pool_(pool) {}

void PairScreening::note_ends(const StepMotion& motion, const SharedMotion& shared) {
  const std::span<const Index> rank = list_->pairs().rank_of;
  ends_.resize(rank.size());
  for_each_stretch(pool_, rank.size(), kListStretch, [&](const Stretch& stretch) {
    for (auto ball = static_cast<Index>(stretch.first); ball < stretch.last; ++ball) {
      ends_[rank[ball]] = list_->screen().spot(near_->in_first_period(motion.end[ball]),
                                               near_->felt_from(motion, ball, shared));
    }
  });
}

// The lists read backwards: who has a ball among its partners. Only where somebody asks.
void PairScreening::list_backwards() {
  if (!back_start_.empty()) return;
  const std::vector<Index>& start = list_->pairs().start;
  const std::vector<Index>& partners = list_->pairs().partners;
  const std::size_t balls = list_->places().size();
  back_start_.assign(balls + 1, 0);
  for (const Index partner : partners) ++back_start_[partner];
  std::partial_sum(back_start_.begin(), back_start_.end(), back_start_.begin());  // ends
  back_.resize(partners.size());
  for (auto rank = static_cast<Index>(balls); rank-- > 0;) {
    for (Index k = start[rank]; k < start[rank + 1]; ++k) back_[--back_start_[partners[k]]] = rank;
  }
}

// Branches that chance decides would be mispredicted: there are none.
template <bool kPeriodic>
inline void PairScreening::screen_pair(Index rank, Index partner, BallPair*& next) const {
  const Index ball = list_->pairs().ball[rank];
  const Index other = list_->pairs().ball[partner];
  const Index first = std::min(ball, other);
  *next = {first, ball ^ other ^ first};
  next +=
      static_cast<std::ptrdiff_t>(!list_->screen().apart<kPeriodic>(ends_[rank], ends_[partner]));
}

template <bool kPeriodic>
void PairScreening::screen_all(const Stretch& stretch) {
  PairRoom::Some& near = room_->by_stretch[stretch.number];
  const std::vector<Index>& owner = list_->pairs().owner;
  const std::vector<Index>& partners = list_->pairs().partners;
  const Index begin = list_->pairs().start[stretch.first];
  const Index end = list_->pairs().start[stretch.last];
  if (near.pairs.size() < end - begin) near.pairs.resize(end - begin);
  BallPair* next = near.pairs.data();
  for (Index k = begin; k < end; ++k) screen_pair<kPeriodic>(owner[k], partners[k], next);
  near.count = static_cast<std::size_t>(next - near.pairs.data());
}

// Pairs of which somebody changed.
template <bool kPeriodic>
void PairScreening::screen_changed(const Stretch& stretch) {
  PairRoom::Some& near = room_->by_stretch[stretch.number];
  const std::vector<Index>& start = list_->pairs().start;
  near.count = 0;
  for (std::size_t k = stretch.first; k < stretch.last; ++k) {
    const Index rank = list_->pairs().rank_of[changed_->balls()[k]];
    const std::span<const Index> partners(list_->pairs().partners.data() + start[rank],
                                          start[rank + 1] - start[rank]);
    const std::span<const Index> back(back_.data() + back_start_[rank],
                                      back_start_[rank + 1] - back_start_[rank]);
    const std::size_t most = near.count + partners.size() + back.size();
    if (near.pairs.size() < most) near.pairs.resize(2 * most);
    BallPair* next = near.pairs.data() + near.count;
    for (const Index partner : partners) screen_pair<kPeriodic>(rank, partner, next);
    for (const Index partner : back) {
      BallPair* beyond = next;
      screen_pair<kPeriodic>(rank, partner, beyond);
      if (is_changed_[partner] == 0) next = beyond;  // of two that changed the first sees both
    }
    near.count = static_cast<std::size_t>(next - near.pairs.data());
  }
}

void PairScreening::screen(const LooseBalls& loose) {
  const std::size_t balls = list_->places().size();
  const bool pairs_are_there = list_->life() == VerletList::Life::pairs_only;
  const bool in_order = list_->pairs().by_number() && !pairs_are_there && changed_->are_all();
  when_ = in_order ? When::as_visited : When::at_once;
  std::size_t stretches = in_order ? 0 : stretch_count(balls, kListStretch);
  room_->by_stretch.resize(stretch_count(balls, kListStretch));
  if (!changed_->are_all()) {
    const std::vector<Index>& changed = changed_->balls();
    list_backwards();
    is_changed_.assign(balls, 0);
    for (const Index ball : changed) is_changed_[list_->pairs().rank_of[ball]] = 1;
    stretches = stretch_count(changed.size(), kListStretch);
    for_each_stretch(pool_, changed.size(), kListStretch, [&](const Stretch& stretch) {
      near_->periodicity != nullptr ? screen_changed<true>(stretch)
                                    : screen_changed<false>(stretch);
    });
  } else if (!in_order && !pairs_are_there) {
    for_each_stretch(pool_, balls, kListStretch, [&](const Stretch& stretch) {
      near_->periodicity != nullptr ? screen_all<true>(stretch) : screen_all<false>(stretch);
    });
  }
  room_->sources.clear();
  for (std::size_t number = 0; number < stretches; ++number) {
    room_->sources.push_back(room_->by_stretch[number].found());
  }
  if (!loose.empty()) {
    for (const std::vector<BallPair>& found : loose.pairs()) room_->sources.emplace_back(found);
  }
  room_->in_order.fill(balls, room_->sources);
}

void PairScreening::take(std::span<const BallPair> pairs, std::size_t balls) {
  when_ = When::at_once;
  room_->by_stretch.resize(stretch_count(balls, kListStretch));
  room_->sources.assign(1, pairs);
  room_->in_order.fill(balls, room_->sources);
}

}  // namespace carom::detail
