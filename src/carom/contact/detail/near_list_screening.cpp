#include <algorithm>
#include <numeric>

#include "carom/contact/detail/near_list.h"

namespace carom::detail {

void NearList::make_spots(const StepMotion& motion) {
  spots_.resize(place_.size());
  for_each_stretch(pool_, place_.size(), kStretch, [&](const Stretch& stretch) {
    for (auto ball = static_cast<Index>(stretch.first); ball < stretch.last; ++ball) {
      spots_[rank_[ball]] = end_spot(motion, ball);
    }
  });
}

// The lists read backwards: who has a ball among its partners. Only where somebody asks.
void NearList::list_backwards() {
  if (!back_start_.empty()) return;
  back_start_.assign(place_.size() + 1, 0);
  for (const Index partner : partners_) ++back_start_[partner];
  std::partial_sum(back_start_.begin(), back_start_.end(), back_start_.begin());  // ends
  back_.resize(partners_.size());
  for (auto rank = static_cast<Index>(place_.size()); rank-- > 0;) {
    for (Index k = start_[rank]; k < start_[rank + 1]; ++k) {
      back_[--back_start_[partners_[k]]] = rank;
    }
  }
}

// Branches that chance decides would be mispredicted: there are none.
template <bool kPeriodic>
inline void NearList::screen(Index rank, Index partner, BallPair*& next) const {
  const Index ball = order_[rank];
  const Index other = order_[partner];
  const Index first = std::min(ball, other);
  *next = {first, ball ^ other ^ first};
  next += static_cast<std::ptrdiff_t>(!screen_.apart<kPeriodic>(spots_[rank], spots_[partner]));
}

template <bool kPeriodic>
void NearList::screen_all(const Stretch& stretch) {
  Near& near = found_[stretch.number].near;
  const Index begin = start_[stretch.first];
  const Index end = start_[stretch.last];
  if (near.pairs.size() < end - begin) near.pairs.resize(end - begin);
  BallPair* next = near.pairs.data();
  for (Index k = begin; k < end; ++k) screen<kPeriodic>(owner_[k], partners_[k], next);
  near.count = static_cast<std::size_t>(next - near.pairs.data());
}

// Pairs of which somebody changed.
template <bool kPeriodic>
void NearList::screen_changed(const Stretch& stretch) {
  Near& near = found_[stretch.number].near;
  near.count = 0;
  for (std::size_t k = stretch.first; k < stretch.last; ++k) {
    const Index rank = rank_[who_changed_[k]];
    const std::span<const Index> partners(partners_.data() + start_[rank],
                                          start_[rank + 1] - start_[rank]);
    const std::span<const Index> back(back_.data() + back_start_[rank],
                                      back_start_[rank + 1] - back_start_[rank]);
    const std::size_t most = near.count + partners.size() + back.size();
    if (near.pairs.size() < most) near.pairs.resize(2 * most);
    BallPair* next = near.pairs.data() + near.count;
    for (const Index partner : partners) screen<kPeriodic>(rank, partner, next);
    for (const Index partner : back) {
      BallPair* beyond = next;
      screen<kPeriodic>(rank, partner, beyond);
      if (stirred_[partner] == 0) next = beyond;  // of two that changed the first sees both
    }
    near.count = static_cast<std::size_t>(next - near.pairs.data());
  }
}

void NearList::screen_pairs() {
  screens_late_ = by_number_ && !is_final_ && changed_.empty();
  std::size_t stretches = screens_late_ ? 0 : stretch_count(place_.size(), kStretch);
  if (!changed_.empty()) {
    list_backwards();
    stirred_.assign(place_.size(), 0);
    for (const Index ball : who_changed_) stirred_[rank_[ball]] = 1;
    stretches = stretch_count(who_changed_.size(), kStretch);
    for_each_stretch(pool_, who_changed_.size(), kStretch, [&](const Stretch& stretch) {
      periodicity_ != nullptr ? screen_changed<true>(stretch) : screen_changed<false>(stretch);
    });
  } else if (!screens_late_ && !is_final_) {
    for_each_stretch(pool_, place_.size(), kStretch, [&](const Stretch& stretch) {
      periodicity_ != nullptr ? screen_all<true>(stretch) : screen_all<false>(stretch);
    });
  }
  sources_.clear();
  for (std::size_t number = 0; number < stretches; ++number) {
    const Near& near = found_[number].near;
    sources_.push_back(std::span<const BallPair>(near.pairs).first(near.count));
  }
  if (!loose_.empty()) {
    for (const std::vector<BallPair>& found : loose_found_) sources_.emplace_back(found);
  }
  pairs_in_order_.fill(place_.size(), sources_);
}

}  // namespace carom::detail
