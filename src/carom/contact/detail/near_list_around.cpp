#include <algorithm>
#include <numeric>

#include "carom/contact/detail/near_list.h"

// Pairs around some balls, without a list of all where cells can say who is near.
namespace carom::detail {

void NearList::stand_still(const StepMotion& motion) {
  if (may_be_local_ && can_hold(motion.end)) {
    stand_at(motion.end, motion.time);
    kind_ = Kind::cells;
    skin_ = settings_.activation;
    is_final_ = true;
    fill_cells();
  } else {
    list_standing(motion);
  }
  stand_still_ = true;
}

// All pairs, from both sides.
void NearList::list_standing(const StepMotion& motion) {
  kind_ = Kind::none;
  prepare(motion);
  around_.clear();
  for (std::size_t number = 0; number < found_.size(); ++number) {
    const std::size_t first = number * kStretch;
    const Stretch stretch{number, first, std::min(first + kStretch, place_.size()), 0};
    visit_partners(stretch, [&](Index ball, std::span<const Index> partners) {
      for (const Index other : partners) {
        if (may_touch(motion, {ball, other})) around_.push_back({ball, other});
      }
    });
  }
  standing_start_.assign(place_.size() + 1, 0);
  for (const BallPair& pair : around_) {
    ++standing_start_[pair.a];
    ++standing_start_[pair.b];
  }
  std::partial_sum(standing_start_.begin(), standing_start_.end(), standing_start_.begin());
  standing_.resize(2 * around_.size());
  for (const BallPair& pair : around_) {
    standing_[--standing_start_[pair.a]] = pair.b;
    standing_[--standing_start_[pair.b]] = pair.a;
  }
}

template <bool kPeriodic>
void NearList::pair_around(const StepMotion& motion, Index ball,
                           std::vector<BallPair>& pairs) const {
  if (kind_ != Kind::cells) {
    for (Index k = standing_start_[ball]; k < standing_start_[ball + 1]; ++k) {
      pairs.push_back({std::min(ball, standing_[k]), std::max(ball, standing_[k])});
    }
    return;
  }
  const Vec3& place = motion.end[ball];
  const Spot own = end_spot(motion, ball);
  const Box box = loose_around({place, place}, world_->bodies.radius[ball]);
  visit_copies(cells_, box, [&](Index first, Index last) {
    screen_.visit_near<kPeriodic>(own, listed_, {first, last}, [&](Index k) {
      const Index other = order_[k];
      const BallPair pair = {std::min(ball, other), std::max(ball, other)};
      if (other != ball && may_touch(motion, pair)) pairs.push_back(pair);
    });
  });
}

void NearList::prepare_around(const StepMotion& motion, std::span<const Index> balls,
                              std::size_t enough) {
  constexpr std::size_t kSeekers = 256;
  begin_step();
  if (!stand_still_ ||
      !std::equal(place_.begin(), place_.end(), motion.end.begin(), motion.end.end()))
    stand_still(motion);
  is_reached_.resize(place_.size());
  reached_.clear();
  around_.clear();
  loose_travel_ = 0.0;
  const auto reach = [&](Index ball) {
    if (is_reached_[ball] != 0) return;
    is_reached_[ball] = 1;
    reached_.push_back(ball);
  };
  std::for_each(balls.begin(), balls.end(), reach);
  std::size_t first = 0;
  while (first < reached_.size()) {
    const std::span<const Index> seekers = std::span<const Index>(reached_).subspan(first);
    first = reached_.size();
    const std::size_t stretches = stretch_count(seekers.size(), kSeekers);
    loose_found_.resize(std::max(loose_found_.size(), stretches));
    for_each_stretch(pool_, seekers.size(), kSeekers, [&](const Stretch& stretch) {
      std::vector<BallPair>& found = loose_found_[stretch.number];
      found.clear();
      for (std::size_t k = stretch.first; k < stretch.last; ++k) {
        if (periodicity_ != nullptr) {
          pair_around<true>(motion, seekers[k], found);
        } else {
          pair_around<false>(motion, seekers[k], found);
        }
      }
    });
    const std::size_t known = around_.size();
    for (std::size_t k = 0; k < stretches; ++k) {
      around_.insert(around_.end(), loose_found_[k].begin(), loose_found_[k].end());
    }
    if (around_.size() >= enough) break;
    for (std::size_t k = known; k < around_.size(); ++k) {
      reach(around_[k].a);
      reach(around_[k].b);
    }
  }
  near_shapes_.clear();
  const double shape_travel = clearance_.shape_travel(motion);
  for (const Index ball : reached_) {
    is_reached_[ball] = 0;
    if (clearance_.may_touch(ball, 0.0, shape_travel)) near_shapes_.push_back(ball);
  }
  std::sort(near_shapes_.begin(), near_shapes_.end());
  screens_late_ = false;
  sources_.assign(1, around_);
  pairs_in_order_.fill(place_.size(), sources_);
}

}  // namespace carom::detail
