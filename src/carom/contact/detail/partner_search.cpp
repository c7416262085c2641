// Who is near whom among balls in cells, by (1) of near_list.h: by rank along the cells or, where
// that keeps memory together just as well, by number.
#include "carom/contact/detail/partner_search.h"

#include <algorithm>

namespace carom::detail {

PartnerSearch::PartnerSearch(const NearWorld& near, WorkerPool* pool, PairRoom& room)
    : near_(&near), pool_(pool), room_(&room) {}

void PartnerSearch::list(const BallsInCells& balls, ListedPairs& pairs) {
  search(balls, pairs);
  pairs.ranks =
      numbers_follow_space(pairs) ? ListedPairs::Ranks::numbers : ListedPairs::Ranks::along_cells;
  if (pairs.by_number()) list_by_number(pairs);
  gather(pairs);
}

void PartnerSearch::pair_up(const BallsInCells& balls, ListedPairs& pairs) {
  search(balls, pairs);
  for_each_stretch(pool_, balls.places.size(), kListStretch,
                   [&](const Stretch& stretch) { pair_up_stretch(pairs, stretch); });
}

void PartnerSearch::search(const BallsInCells& balls, ListedPairs& pairs) {
  const std::size_t count = balls.places.size();
  partners_in_.resize(stretch_count(count, kListStretch));
  room_->by_stretch.resize(partners_in_.size());
  pairs.start.resize(count + 1);
  for_each_stretch(pool_, count, kListStretch, [&](const Stretch& stretch) {
    if (near_->periodicity != nullptr) {
      search_stretch<true>(balls, pairs, stretch);
    } else {
      search_stretch<false>(balls, pairs, stretch);
    }
  });
}

// (1), of the ranks of a stretch with those beyond them.
template <bool kPeriodic>
void PartnerSearch::search_stretch(const BallsInCells& balls, ListedPairs& pairs,
                                   const Stretch& stretch) {
  Partners& partners = partners_in_[stretch.number];
  const BallHash& cells = balls.cells;
  const SpotScreen& screen = balls.screen;
  const SpotTable& spots = balls.spots;
  std::size_t count = 0;
  std::uint64_t cell = cells.cell_at(static_cast<Index>(stretch.first));
  for (auto rank = static_cast<Index>(stretch.first); rank < stretch.last; ++rank) {
    pairs.start[rank] = static_cast<Index>(count);  // within the stretch
    const Spot own = spots.at(rank);
    const auto list = [&](Index first, Index last) {
      if (first >= last) return;
      const std::size_t room = count + (last - first) + SpotTable::kBlock;
      if (partners.size() < room) partners.resize(2 * room);
      Index* next = partners.data() + count;
      for (Index block = first; block < last; block += SpotTable::kBlock) {
        const unsigned near = screen.near<kPeriodic>(own, spots, block) &  // (1)
                              SpotScreen::first_bits(last - block);
        // Chance decides which are near; branches would be mispredicted.
        for (Index k = 0; k < SpotTable::kBlock; ++k) {
          *next = block + k;
          next += (near >> k) & 1U;
        }
      }
      count = static_cast<std::size_t>(next - partners.data());
    };
    cell = cells.cell_at(rank, cell);
    cells.visit_beyond(rank, cell, list);
    if constexpr (kPeriodic) {
      visit_across(balls, balls.places[pairs.ball[rank]],
                   [&](Index first, Index last) { list(std::max(first, rank + 1), last); });
    }
  }
  partners.resize(count);
}

// What may be near a place beyond the ends of the first period: pairs across an end are found by
// both; the one of lower rank lists them.
template <typename Visit>
void PartnerSearch::visit_across(const BallsInCells& balls, const Vec3& place,
                                 const Visit& visit) const {
  const double reach = balls.reach;
  const Vec3& lower = near_->periodicity->lower;
  const Vec3& length = near_->periodicity->length;
  const auto shift = [&](double at, double first, double period) {
    if (!(period > 0.0)) return 0.0;
    if (at - reach <= first) return period;
    return at + reach >= first + period ? -period : 0.0;
  };
  const Vec3 by = {shift(place.x, lower.x, length.x), shift(place.y, lower.y, length.y),
                   shift(place.z, lower.z, length.z)};
  if (by == Vec3{}) return;
  const Vec3 around = {reach, reach, reach};
  for (unsigned copy = 1; copy < 8; ++copy) {
    const Vec3 along = {(copy & 1U) != 0 ? by.x : 0.0, (copy & 2U) != 0 ? by.y : 0.0,
                        (copy & 4U) != 0 ? by.z : 0.0};
    const bool is_new = ((copy & 1U) == 0 || by.x != 0.0) && ((copy & 2U) == 0 || by.y != 0.0) &&
                        ((copy & 4U) == 0 || by.z != 0.0);
    if (is_new) balls.cells.visit({place + along - around, place + along + around}, visit);
  }
}

// Whether balls of a pair have numbers whose places in memory fit a cache together. Judged by the
// first ranks of each stretch.
bool PartnerSearch::numbers_follow_space(const ListedPairs& pairs) const {
  constexpr Index kNear = 1U << 14U;
  constexpr std::size_t kMostOthers = 16;  // one in so many
  constexpr std::size_t kSample = 64;      // of each stretch
  const std::size_t balls = pairs.ball.size();
  if (balls <= kNear) return true;
  std::size_t all = 0;
  std::size_t others = 0;
  for (std::size_t number = 0; number < partners_in_.size(); ++number) {
    const Partners& partners = partners_in_[number];
    const std::size_t first = number * kListStretch;
    const std::size_t last = std::min(first + kSample, balls) - 1;
    for (std::size_t rank = first; rank < last; ++rank) {
      for (Index k = pairs.start[rank]; k < pairs.start[rank + 1]; ++k) {
        const Index ball = pairs.ball[rank];
        const Index other = pairs.ball[partners[k]];
        ++all;
        if (std::max(ball, other) - std::min(ball, other) > kNear) ++others;
      }
    }
  }
  return kMostOthers * others <= all;
}

// The pairs of a stretch as numbers of balls, in the room.
void PartnerSearch::pair_up_stretch(const ListedPairs& pairs, const Stretch& stretch) {
  const Partners& partners = partners_in_[stretch.number];
  PairRoom::Some& room = room_->by_stretch[stretch.number];
  if (room.pairs.size() < partners.size()) room.pairs.resize(partners.size());
  room.count = partners.size();
  for (std::size_t rank = stretch.first; rank < stretch.last; ++rank) {
    const Index ball = pairs.ball[rank];
    const std::size_t end = rank + 1 < stretch.last ? pairs.start[rank + 1] : partners.size();
    for (std::size_t k = pairs.start[rank]; k < end; ++k) {
      const Index other = pairs.ball[partners[k]];
      room.pairs[k] = {std::min(ball, other), std::max(ball, other)};
    }
  }
}

// From ranks along the cells to numbers.
void PartnerSearch::list_by_number(ListedPairs& pairs) {
  const std::size_t balls = pairs.ball.size();
  for_each_stretch(pool_, balls, kListStretch,
                   [&](const Stretch& stretch) { pair_up_stretch(pairs, stretch); });
  room_->sources.clear();
  for (const PairRoom::Some& room : room_->by_stretch) room_->sources.push_back(room.found());
  room_->in_order.fill(balls, room_->sources);
  for_each_stretch(pool_, balls, kListStretch, [&](const Stretch& stretch) {
    Partners& partners = partners_in_[stretch.number];
    partners.clear();
    std::size_t next = stretch.first;
    const auto begin_lists_up_to = [&](std::size_t end) {
      while (next < end) pairs.start[next++] = static_cast<Index>(partners.size());
    };
    room_->in_order.visit(stretch.number, room_->by_stretch[stretch.number].sorting,
                          [&](Index ball, std::span<const Index> of) {
                            begin_lists_up_to(std::size_t{ball} + 1);
                            partners.insert(partners.end(), of.begin(), of.end());
                          });
    begin_lists_up_to(stretch.last);
    for (std::size_t ball = stretch.first; ball < stretch.last; ++ball) {
      pairs.ball[ball] = pairs.rank_of[ball] = static_cast<Index>(ball);
    }
  });
}

// From the lists of stretches to one.
void PartnerSearch::gather(ListedPairs& pairs) const {
  const std::size_t balls = pairs.ball.size();
  Index sum = 0;
  for (std::size_t number = 0; number < partners_in_.size(); ++number) {
    const std::size_t first = number * kListStretch;
    const std::size_t last = std::min(first + kListStretch, balls);
    for (std::size_t i = first; i < last; ++i) pairs.start[i] += sum;
    sum += static_cast<Index>(partners_in_[number].size());
  }
  pairs.start.back() = sum;
  pairs.partners.resize(sum);
  if (!pairs.by_number()) pairs.owner.resize(sum);
  for_each_stretch(pool_, balls, kListStretch, [&](const Stretch& stretch) {
    const Partners& partners = partners_in_[stretch.number];
    std::copy(partners.begin(), partners.end(),
              pairs.partners.begin() + pairs.start[stretch.first]);
    if (pairs.by_number()) return;
    for (auto rank = static_cast<Index>(stretch.first); rank < stretch.last; ++rank) {
      for (Index k = pairs.start[rank]; k < pairs.start[rank + 1]; ++k) pairs.owner[k] = rank;
    }
  });
}

}  // namespace carom::detail
