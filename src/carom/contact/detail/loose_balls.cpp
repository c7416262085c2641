#include <algorithm>
#include <cmath>

#include "carom/contact/detail/near_list.h"
#include "carom/contact/detail/pair_motion.h"

namespace carom::detail {
namespace {

constexpr std::size_t kLooseStretch = 256;

Box enlarged(const Box& box, double reach) {
  const Vec3 around = {reach, reach, reach};
  return {box.lower - around, box.upper + around};
}

// Without branches, which chance would decide.
bool holds(const Box& box, const Vec3& place) {
  return ((place.x >= box.lower.x) & (place.x <= box.upper.x) & (place.y >= box.lower.y) &
          (place.y <= box.upper.y) & (place.z >= box.lower.z) & (place.z <= box.upper.z)) != 0;
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
    loose_place_.push_back(periodicity_ != nullptr ? wrapped(*periodicity_, end) : end);
  }
  // Boxes of three cells along an axis, as long as no ball is so fast that cells would be crowded.
  constexpr double kLargestCell = 2.0;
  loose_cells_.build(world_.dimension, loose_place_,
                     std::min(touch + loose_travel_, kLargestCell * touch));
  if (!looks_at_begin()) return true;  // boxes of a few cells each
  double cells = 0.0;
  for (const Index ball : loose_) {
    const Box way = way_of(motion, ball);
    const double radius = world_.bodies->radius[ball];
    cells += cells_.cells_in(firm_around(way, radius)) +
             loose_cells_.cells_in(loose_around(way, radius));
  }
  return cells < kMostCells * static_cast<double>(place_.size() + kLooseStretch);
}

// A loose ball looks for all others, a firm one (that ends elsewhere than before) for loose ones.
// Pairs in which nobody ends elsewhere than at the look before are left out.
void NearList::look_around(const StepMotion& motion, Index ball,
                           std::vector<BallPair>& pairs) const {
  const std::vector<double>& radii = world_.bodies->radius;
  const double radius = radii[ball];
  // Where only the end counts it tells most others apart.
  const Vec3 end = motion.end[ball];
  const double farthest =
      (radius + largest_radius_) * (1.0 + settings_.activation) + rounding(size_of(end));
  const double limit = farthest * farthest * (1.0 + 1e-12);
  const bool all_count = !looks_again_ || changed_[ball] != 0;
  const auto add_if_active = [&](Index other) {
    if (!all_count && changed_[other] == 0) return;
    if (!looks_at_begin() && norm_squared(end - motion.end[other]) > limit) return;
    const BallPair pair = {std::min(ball, other), std::max(ball, other)};
    const double reach =
        radius + radii[other] + settings_.activation * std::min(radius, radii[other]);
    const PairMotion between =
        pair_motion(BallMotion(motion, pair.a), BallMotion(motion, pair.b), periodicity_);
    if (may_be_active(between, reach, settings_.sweep)) pairs.push_back(pair);
  };
  const Box way = way_of(motion, ball);
  // Cells name many that are not in the box, from their corners and from far away: they are told
  // apart before anything is computed. Copies may be off by round-off.
  const double lost = rounding(size_of(way));
  const Vec3* const places = periodicity_ != nullptr ? home_.data() : place_.data();
  const auto look_at_firm = [&](std::span<const Index> others, const BoxCopy& copy) {
    const Box box = enlarged(copy.box, lost);
    for (const Index other : others) {
      if (holds(box, places[other]) && is_loose_[other] == 0) add_if_active(other);
    }
  };
  const auto look_at_loose = [&](std::span<const Index> numbers, const BoxCopy& copy) {
    const Box box = enlarged(copy.box, lost);
    for (const Index number : numbers) {
      if (!holds(box, loose_place_[number])) continue;
      const Index other = loose_[number];
      // Where every loose ball looks around, the first of two does for both.
      if (loose_seek_ ? other > ball : other != ball) add_if_active(other);
    }
  };
  if (is_loose_[ball] != 0) visit_copies(cells_, firm_around(way, radius), look_at_firm);
  visit_copies(loose_cells_, loose_around(way, radius), look_at_loose);
}

bool NearList::find_loose_pairs(const StepMotion& motion) {
  if (loose_.empty()) return true;
  if (!place_loose(motion)) return false;
  seekers_.clear();
  if (looks_again_) {
    for (Index i = 0; i < changed_.size(); ++i) {
      if (changed_[i] != 0) seekers_.push_back(i);
    }
  }
  // After a landing nearly all end elsewhere, and fewer are loose.
  loose_seek_ = !looks_again_ || loose_.size() < seekers_.size();
  const std::vector<Index>& seekers = loose_seek_ ? loose_ : seekers_;
  loose_found_.resize(std::max(loose_found_.size(), stretch_count(seekers.size(), kLooseStretch)));
  for (std::vector<BallPair>& found : loose_found_) found.clear();
  for_each_stretch(pool_, seekers.size(), kLooseStretch, [&](const Stretch& stretch) {
    for (std::size_t k = stretch.first; k < stretch.last; ++k) {
      look_around(motion, seekers[k], loose_found_[stretch.number]);
    }
  });
  loose_pairs_.resize(stretch_count(place_.size(), kStretch));
  for (std::vector<BallPair>& pairs : loose_pairs_) pairs.clear();
  for (const std::vector<BallPair>& found : loose_found_) {
    for (const BallPair& pair : found) loose_pairs_[pair.a / kStretch].push_back(pair);
  }
  for_each_stretch(pool_, loose_pairs_.size(), 1, [&](const Stretch& stretch) {
    std::vector<BallPair>& pairs = loose_pairs_[stretch.number];
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  });
  return true;
}

std::span<const Index> NearList::with_loose(std::span<const Index> partners, PairPlace& next,
                                            PairPlace end, std::vector<Index>& merged) {
  merged.clear();
  const Index a = next->a;
  for (const Index b : partners) {
    for (; next != end && next->a == a && next->b < b; ++next) merged.push_back(next->b);
    if (next != end && next->a == a && next->b == b) ++next;
    merged.push_back(b);
  }
  for (; next != end && next->a == a; ++next) merged.push_back(next->b);
  return merged;
}

}  // namespace carom::detail
