#include <algorithm>
#include <cmath>

#include "carom/contact/detail/near_list.h"

namespace carom::detail {
namespace {

constexpr std::size_t kLooseStretch = 256;

Box enlarged(const Box& box, double reach) {
  const Vec3 around = {reach, reach, reach};
  return {box.lower - around, box.upper + around};
}

}  // namespace

// Where a ball is during the step, or at its end, in the frame of the list.
Box NearList::way_of(const StepMotion& motion, Index ball) const {
  const Vec3 end = motion.end[ball] - frame_.end;
  if (!looks_at_begin()) return {end, end};
  const Vec3 begin = motion.begin[ball] - frame_.begin;
  return {{std::min(begin.x, end.x), std::min(begin.y, end.y), std::min(begin.z, end.z)},
          {std::max(begin.x, end.x), std::max(begin.y, end.y), std::max(begin.z, end.z)}};
}

// The centres of firm balls' places that a loose one may touch, and of other loose ones.
Box NearList::firm_around(const Box& way, double radius) const {
  const double reach = (radius + largest_radius_) * (1.0 + settings_.activation);
  return enlarged(way, reach + skin_ * largest_radius_ + rounding(size_of(way)));
}

Box NearList::loose_around(const Box& way, double radius) const {
  const double reach = (radius + largest_radius_) * (1.0 + settings_.activation);
  return enlarged(way, reach + loose_travel_ + rounding(size_of(way)));
}

// False where this would take longer than to look at all balls anew, or cannot be done.
bool NearList::place_loose(const StepMotion& motion) {
  constexpr double kMostCells = 16.0;  // for each ball of the world
  const double touch = 2.0 * (1.0 + settings_.activation) * largest_radius_;
  loose_place_.clear();
  loose_travel_ = 0.0;
  for (const Index ball : loose_) {
    const Vec3 begin = motion.begin[ball] - frame_.begin;
    const Vec3 end = motion.end[ball] - frame_.end;
    if (!BallHash::can_hold(begin, touch) || !BallHash::can_hold(end, touch)) return false;
    const Box way = way_of(motion, ball);
    const Vec3 length = way.upper - way.lower;
    loose_travel_ = std::max({loose_travel_, length.x, length.y, length.z});
    loose_place_.push_back(in_first_period(end));
  }
  // Boxes of three cells along an axis, as long as no ball is so fast that cells would be crowded.
  constexpr double kLargestCell = 2.0;
  loose_cells_.build(world_->dimension, loose_place_,
                     std::min(touch + loose_travel_, kLargestCell * touch));
  const std::span<const Index> sorted = loose_cells_.sorted();
  loose_spots_.resize(sorted.size());
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    loose_spots_.put(k, end_spot(motion, loose_[sorted[k]]));
  }
  if (!looks_at_begin()) return true;  // boxes of a few cells each
  double cells = 0.0;
  for (const Index ball : loose_) {
    const Box way = way_of(motion, ball);
    const double radius = world_->bodies.radius[ball];
    cells += cells_.cells_in(firm_around(way, radius)) +
             loose_cells_.cells_in(loose_around(way, radius));
  }
  return cells < kMostCells * static_cast<double>(place_.size() + kLooseStretch);
}

// A loose ball looks for all others, a firm one (that ends elsewhere than before) for loose ones.
// Pairs in which nobody ends elsewhere than at the look before are left out.
template <bool kPeriodic>
void NearList::look_around(const StepMotion& motion, Index ball,
                           std::vector<BallPair>& pairs) const {
  const double radius = world_->bodies.radius[ball];
  const bool all_count = !looks_again_ || changed_[ball] != 0;
  const auto add_if_active = [&](Index other) {
    if (!all_count && changed_[other] == 0) return;
    const BallPair pair = {std::min(ball, other), std::max(ball, other)};
    if (may_touch(motion, pair)) pairs.push_back(pair);
  };
  const Box way = way_of(motion, ball);
  // Cells name many that are not in the box, from their corners and from far away: they are told
  // apart before anything is computed.
  const Spot own = end_spot(motion, ball);
  const auto look_at_loose = [&](Index first, Index last) {
    screen_.visit_near<kPeriodic>(own, loose_spots_, {first, last}, [&](Index k) {
      const Index other = loose_[loose_cells_.sorted()[k]];
      // Where every loose ball looks around, the first of two does for both.
      if (loose_seek_ ? other > ball : other != ball) add_if_active(other);
    });
  };
  visit_copies(loose_cells_, loose_around(way, radius), look_at_loose);
  if (is_loose_[ball] == 0) return;
  const Spot in_frame = screen_.spot(in_first_period(motion.end[ball] - frame_.end),
                                     felt_from(motion, ball) + rounding(size_of(way)));
  const auto look_at_firm = [&](Index first, Index last) {
    screen_.visit_near<kPeriodic>(in_frame, listed_, {first, last}, [&](Index k) {
      const Index other = cells_.sorted()[k];
      if (is_loose_[other] == 0) add_if_active(other);
    });
  };
  visit_copies(cells_, firm_around(way, radius), look_at_firm);
}

bool NearList::find_loose_pairs(const StepMotion& motion) {
  if (loose_.empty()) return true;
  if (!place_loose(motion)) return false;
  // After a landing nearly all end elsewhere, and fewer are loose.
  loose_seek_ = !looks_again_ || loose_.size() < who_changed_.size();
  const std::vector<Index>& seekers = loose_seek_ ? loose_ : who_changed_;
  loose_found_.resize(std::max(loose_found_.size(), stretch_count(seekers.size(), kLooseStretch)));
  for (std::vector<BallPair>& found : loose_found_) found.clear();
  for_each_stretch(pool_, seekers.size(), kLooseStretch, [&](const Stretch& stretch) {
    for (std::size_t k = stretch.first; k < stretch.last; ++k) {
      if (periodicity_ != nullptr) {
        look_around<true>(motion, seekers[k], loose_found_[stretch.number]);
      } else {
        look_around<false>(motion, seekers[k], loose_found_[stretch.number]);
      }
    }
  });
  return true;
}

}  // namespace carom::detail
