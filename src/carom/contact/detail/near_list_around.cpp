#include <algorithm>

#include "carom/contact/detail/near_list.h"
#include "carom/contact/detail/pair_motion.h"

// Pairs around some balls, without a list of all.
namespace carom::detail {

void NearList::place_all(const StepMotion& motion) {
  stand_at(motion.end, motion.time + motion.step);
  kind_ = Kind::cells;
  skin_ = settings_.activation;
  is_final_ = true;
  fill_cells();
}

template <bool kPeriodic>
void NearList::pair_around(const StepMotion& motion, Index ball,
                           std::vector<BallPair>& pairs) const {
  const std::vector<double>& radii = world_.bodies->radius;
  const double radius = radii[ball];
  const Vec3& end = motion.end[ball];
  const Spot own = end_spot(motion, ball);
  visit_copies(cells_, loose_around({end, end}, radius), [&](Index first, Index last) {
    screen_.visit_near<kPeriodic>(own, listed_, {first, last}, [&](Index k) {
      const Index other = order_[k];
      if (other == ball) return;
      const BallPair pair = {std::min(ball, other), std::max(ball, other)};
      const double reach =
          radius + radii[other] + settings_.activation * std::min(radius, radii[other]);
      const PairMotion between =
          pair_motion(BallMotion(motion, pair.a), BallMotion(motion, pair.b), periodicity_);
      if (may_be_active(between, reach, settings_.sweep)) pairs.push_back(pair);
    });
  });
}

void NearList::prepare_around(const StepMotion& motion, std::span<const Index> balls,
                              std::size_t enough) {
  constexpr std::size_t kSeekers = 256;
  begin_step();
  const bool is_placed = kind_ == Kind::cells && std::ranges::equal(place_, motion.end);
  if (!is_placed && !(may_be_local_ && can_hold(motion.end))) {
    prepare(motion);
    return;
  }
  if (!is_placed) place_all(motion);
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
