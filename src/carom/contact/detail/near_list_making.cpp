#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/contact/detail/near_list.h"
#include "carom/contact/detail/skin.h"

namespace carom::detail {
namespace {

constexpr double kRounding = 1.0 + 1e-12;  // of comparisons, on the safe side

// Of a list that holds only while all balls are firm: how many steps it should live for, and skins
// below which it saves nothing by being thinner, or beyond which it names too many.
constexpr double kSteps = 12.0;
constexpr double kThinnest = 0.04;
constexpr double kThickest = 0.6;

constexpr Index kAhead = 16;  // balls: memory is asked for in time

}  // namespace

bool NearList::can_hold(std::span<const Vec3> places) const {
  const double cell_size = 2.0 * largest_radius_;  // or larger
  return std::all_of(places.begin(), places.end(),
                     [&](const Vec3& place) { return BallHash::can_hold(place, cell_size); });
}

void NearList::make_list(const StepMotion& motion) {
  const bool is_local = may_be_local_ && can_hold(motion.begin) && can_hold(motion.end);
  // A list for the end of the step holds for it however fast the balls are.
  const bool at_end = is_local && !looks_at_begin();
  stand_at(at_end ? motion.end : motion.begin, at_end ? motion.time + motion.step : motion.time);
  is_final_ = false;
  if (is_local) {
    list_locally(motion, at_end);
  } else {
    list_broadly(motion);
  }
}

void NearList::stand_at(std::span<const Vec3> places, double time) {
  stand_still_ = false;
  clearance_.move(place_, places, time);
  place_.assign(places.begin(), places.end());
  extent_ = 0.0;
  for (const Vec3& q : place_) extent_ = std::max(extent_, size_of(q));
  frame_ = {};
  screen_ =
      SpotScreen(world_->periodicity, place_.empty() ? Vec3{} : place_.front(), rounding(extent_));
  work_ = 0.0;
}

void NearList::list_locally(const StepMotion& motion, bool at_end) {
  kind_ = Kind::local;
  back_start_.clear();
  const SkinChoice choice =
      choose_skin(motion, world_->bodies, world_->dimension, looks_at_begin());
  skin_ = settings_.activation + choice.skin;
  once_ = choice.life == 1;
  is_final_ = once_ && at_end && !settings_.redetect;
  if (is_final_) skin_ = settings_.activation;
  fill_cells();
  start_.resize(place_.size() + 1);
  for_each_stretch(pool_, place_.size(), kStretch, [&](const Stretch& stretch) {
    if (periodicity_ != nullptr) {
      list_partners<true>(stretch);
    } else {
      list_partners<false>(stretch);
    }
    if (is_final_) pair_up(stretch);
  });
  by_number_ = numbers_follow_space();
  if (is_final_) return;
  if (by_number_) {
    for_each_stretch(pool_, place_.size(), kStretch,
                     [&](const Stretch& stretch) { pair_up(stretch); });
  }
  if (by_number_) list_by_number();
  gather_partners();
}

void NearList::fill_cells() {
  const double cell_size = 2.0 * (1.0 + skin_) * kRounding * largest_radius_ + rounding(extent_);
  if (periodicity_ != nullptr) {
    home_.clear();
    for (const Vec3& place : place_) home_.push_back(wrapped(*periodicity_, place));
  }
  const std::vector<Vec3>& places = periodicity_ != nullptr ? home_ : place_;
  cells_.build(world_->dimension, places, cell_size);
  found_.resize(stretch_count(place_.size(), kStretch));
  listed_.resize(place_.size());
  rank_.resize(place_.size());
  order_.assign(cells_.sorted().begin(), cells_.sorted().end());
  // Balls of a cell lie anywhere in memory: nothing is read or written there that need not be.
  const bool alike = smallest_radius_ == largest_radius_;
  for_each_stretch(pool_, place_.size(), kStretch, [&](const Stretch& stretch) {
    for (auto rank = static_cast<Index>(stretch.first); rank < stretch.last; ++rank) {
      const Index ball = order_[rank];
      if (rank + kAhead < stretch.last) {
        const Index later = order_[rank + kAhead];
        __builtin_prefetch(&places[later]);
        if (!is_final_) __builtin_prefetch(&rank_[later], 1);
        if (!alike) __builtin_prefetch(&world_->bodies.radius[later]);
      }
      if (!is_final_) rank_[ball] = rank;
      const double radius = alike ? largest_radius_ : world_->bodies.radius[ball];
      listed_.put(rank, screen_.spot(places[ball], (1.0 + skin_) * kRounding * radius));
    }
  });
}

// Whether balls of a pair have numbers whose places in memory fit a cache together; from a sample.
bool NearList::numbers_follow_space() const {
  constexpr Index kNear = 1U << 14U;
  constexpr std::size_t kMostOthers = 16;  // one in so many
  constexpr std::size_t kSample = 64;      // of each stretch
  if (place_.size() <= kNear) return true;
  std::size_t pairs = 0;
  std::size_t others = 0;
  for (std::size_t number = 0; number < found_.size(); ++number) {
    const std::vector<Index>& partners = found_[number].partners;
    const std::size_t first = number * kStretch;
    const std::size_t last = std::min(first + kSample, place_.size()) - 1;
    for (std::size_t rank = first; rank < last; ++rank) {
      for (Index k = start_[rank]; k < start_[rank + 1]; ++k) {
        const Index ball = order_[rank];
        const Index other = order_[partners[k]];
        ++pairs;
        if (std::max(ball, other) - std::min(ball, other) > kNear) ++others;
      }
    }
  }
  return kMostOthers * others <= pairs;
}

// Pairs of numbers instead of ranks in the cells.
void NearList::pair_up(const Stretch& stretch) {
  Found& found = found_[stretch.number];
  if (found.near.pairs.size() < found.partners.size()) {
    found.near.pairs.resize(found.partners.size());
  }
  found.near.count = found.partners.size();
  for (std::size_t rank = stretch.first; rank < stretch.last; ++rank) {
    const Index ball = order_[rank];
    const std::size_t end = rank + 1 < stretch.last ? start_[rank + 1] : found.partners.size();
    for (std::size_t k = start_[rank]; k < end; ++k) {
      const Index other = order_[found.partners[k]];
      found.near.pairs[k] = {std::min(ball, other), std::max(ball, other)};
    }
  }
}

void NearList::list_by_number() {
  sources_.clear();
  for (const Found& found : found_) {
    sources_.push_back(std::span<const BallPair>(found.near.pairs).first(found.near.count));
  }
  pairs_in_order_.fill(place_.size(), sources_);
  for_each_stretch(pool_, place_.size(), kStretch, [&](const Stretch& stretch) {
    Found& found = found_[stretch.number];
    found.partners.clear();
    std::size_t next = stretch.first;
    pairs_in_order_.visit(stretch.number, found.room, [&](Index ball, std::span<const Index> of) {
      while (next <= ball) start_[next++] = static_cast<Index>(found.partners.size());
      found.partners.insert(found.partners.end(), of.begin(), of.end());
    });
    while (next < stretch.last) start_[next++] = static_cast<Index>(found.partners.size());
    for (std::size_t ball = stretch.first; ball < stretch.last; ++ball) {
      order_[ball] = rank_[ball] = static_cast<Index>(ball);
    }
  });
}

void NearList::gather_partners() {
  Index sum = 0;
  for (std::size_t number = 0; number < found_.size(); ++number) {
    const std::size_t first = number * kStretch;
    const std::size_t last = std::min(first + kStretch, place_.size());
    for (std::size_t i = first; i < last; ++i) start_[i] += sum;
    sum += static_cast<Index>(found_[number].partners.size());
  }
  start_.back() = sum;
  partners_.resize(sum);
  if (!by_number_) owner_.resize(sum);
  for_each_stretch(pool_, place_.size(), kStretch, [&](const Stretch& stretch) {
    const std::vector<Index>& partners = found_[stretch.number].partners;
    std::copy(partners.begin(), partners.end(), partners_.begin() + start_[stretch.first]);
    if (!by_number_) name_owners(stretch);
  });
}

// Pairs across the ends of the period are found by both; the one of lower rank lists them.
template <typename Visit>
void NearList::visit_across(const Vec3& place, double reach, const Visit& visit) const {
  const Vec3& lower = periodicity_->lower;
  const Vec3& length = periodicity_->length;
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
    if (is_new) cells_.visit({place + along - around, place + along + around}, visit);
  }
}

template <bool kPeriodic>
void NearList::list_partners(const Stretch& stretch) {
  std::vector<Index>& partners = found_[stretch.number].partners;
  const double reach = 2.0 * (1.0 + skin_) * kRounding * largest_radius_ + rounding(extent_);
  std::size_t count = 0;
  std::uint64_t cell = cells_.cell_at(static_cast<Index>(stretch.first));
  for (auto rank = static_cast<Index>(stretch.first); rank < stretch.last; ++rank) {
    start_[rank] = static_cast<Index>(count);  // within the stretch
    const Spot own = listed_.at(rank);
    const auto list = [&](Index first, Index last) {
      if (first >= last) return;
      const std::size_t room = count + (last - first) + SpotTable::kBlock;
      if (partners.size() < room) partners.resize(2 * room);
      Index* next = partners.data() + count;
      for (Index block = first; block < last; block += SpotTable::kBlock) {
        const unsigned near = screen_.near<kPeriodic>(own, listed_, block) &  // (1)
                              SpotScreen::first_bits(last - block);
        // Chance decides which are near; branches would be mispredicted.
        for (Index k = 0; k < SpotTable::kBlock; ++k) {
          *next = block + k;
          next += (near >> k) & 1U;
        }
      }
      count = static_cast<std::size_t>(next - partners.data());
    };
    cell = cells_.cell_at(rank, cell);
    cells_.visit_beyond(rank, cell, list);
    if constexpr (kPeriodic) {
      visit_across(home_[order_[rank]], reach,
                   [&](Index first, Index last) { list(std::max(first, rank + 1), last); });
    }
  }
  partners.resize(count);
}

// The longest way of a ball in the step, in radii, relative to the motion that most share.
double NearList::farthest_in_step(const StepMotion& motion) const {
  const Frame frame = shared_motion(motion);
  const Vec3 shared = frame.end - frame.begin;
  double farthest = 0.0;
  for (std::size_t i = 0; i < place_.size(); ++i) {
    const Vec3 moved = nearest_image(world_->periodicity, motion.end[i] - motion.begin[i]) - shared;
    const double square = world_->bodies.radius[i] * world_->bodies.radius[i];
    // Written so that what is not a number is far away.
    if (!(norm_squared(moved) <= farthest * square)) farthest = norm_squared(moved) / square;
  }
  return std::sqrt(farthest);
}

void NearList::list_broadly(const StepMotion& motion) {
  const double farthest = farthest_in_step(motion);
  if (!(2.0 * farthest < kThickest)) {
    list_step(motion);
    return;
  }
  kind_ = Kind::all_firm;
  skin_ = settings_.activation + std::clamp(kSteps * farthest, kThinnest, kThickest);
  BallSweep sweep = sweep_of(motion);
  sweep.end = motion.begin;
  sweep.margin = skin_ * kRounding;
  broad_phase_->find_pairs(sweep, pairs_);
  const std::vector<double>& radius = world_->bodies.radius;
  std::erase_if(pairs_, [&](const BallPair& pair) {
    const Vec3 between = nearest_image(world_->periodicity, place_[pair.a] - place_[pair.b]);
    const double reach = (1.0 + skin_) * kRounding * (radius[pair.a] + radius[pair.b]);
    return norm_squared(between) > reach * reach;  // (1)
  });
  take_pairs();
}

void NearList::list_step(const StepMotion& motion) {
  kind_ = Kind::this_step;
  BallSweep sweep = sweep_of(motion);
  sweep.margin = settings_.activation;
  broad_phase_->find_pairs(sweep, pairs_);
  take_pairs();
}

BallSweep NearList::sweep_of(const StepMotion& motion) const {
  BallSweep sweep;
  sweep.dimension = world_->dimension;
  sweep.begin = motion.begin;
  sweep.end = motion.end;
  sweep.radius = world_->bodies.radius;
  sweep.period_lower = world_->periodicity.lower;
  sweep.period_length = world_->periodicity.length;
  return sweep;
}

void NearList::take_pairs() {
  back_start_.clear();
  order_.resize(place_.size());
  std::iota(order_.begin(), order_.end(), Index{0});
  rank_ = order_;
  start_.assign(place_.size() + 1, 0);
  for (const BallPair& pair : pairs_) ++start_[pair.a + 1];
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  partners_.clear();
  for (const BallPair& pair : pairs_) partners_.push_back(pair.b);
  by_number_ = true;
}

void NearList::name_owners(const Stretch& stretch) {
  for (auto rank = static_cast<Index>(stretch.first); rank < stretch.last; ++rank) {
    for (Index k = start_[rank]; k < start_[rank + 1]; ++k) owner_[k] = rank;
  }
}

}  // namespace carom::detail
