// Balls that have left their skins, and their partners. Formulas are those of near_list.h.
#include "carom/contact/detail/loose_balls.h"

#include <cmath>

#include "carom/core/merge_tail.h"
#include "carom/core/stretches.h"

namespace carom::detail {
namespace {

constexpr std::size_t kSeekersStretch = 256;

}  // namespace

LooseBalls::LooseBalls(const NearWorld& near, VerletList& list, const ChangedBalls& changed,
                       WorkerPool* pool)
    : near_(&near), list_(&list), changed_(&changed), pool_(pool) {}

class LooseBalls::Sorting {
 public:
  struct Answer {
    bool firm = true;
    bool near_shape = false;
  };

  Sorting(const NearWorld& near, VerletList& list, const SharedMotion& shared,
          const StepMotion& motion)
      : near_(near),
        clearance_(list.clearance()),
        motion_(motion),
        shared_(shared),
        place_(list.places()),
        radius_(near.world->bodies.radius),
        skin_((list.skin() - near.settings.activation) / kListRounding),
        lost_(list.rounding(0.0, shared)),
        shape_travel_(clearance_.shape_travel(motion)),
        looks_at_begin_(near.looks_at_begin()) {}

  [[nodiscard]] Answer operator()(Index ball) const {
    const double limit = std::max(skin_ * radius_[ball] - lost_, 0.0);
    if (is_calm(ball, motion_.end[ball], shared_.end, limit) &&
        (!looks_at_begin_ || is_calm(ball, motion_.begin[ball], shared_.begin, limit))) {
      return {};
    }
    Answer answer;
    look_at(ball, motion_.end[ball], shared_.end, limit, answer);
    if (looks_at_begin_) look_at(ball, motion_.begin[ball], shared_.begin, limit, answer);
    return answer;
  }

 private:
  // Most stay near their places, and far from shapes, without being looked at from other copies.
  [[nodiscard]] bool is_calm(Index ball, const Vec3& to, const Vec3& shared, double limit) const {
    const Vec3 moved = to - place_[ball];
    return norm_squared(moved - shared) <= limit * limit &&
           !clearance_.may_touch(ball, norm_squared(moved), shape_travel_);
  }
  // Shapes of a periodic world look the same from all copies.
  void look_at(Index ball, const Vec3& to, const Vec3& shared, double limit, Answer& answer) const {
    Vec3 moved = to - place_[ball];
    if (near_.periodicity != nullptr) moved = nearest_image(*near_.periodicity, moved);
    // (2); false for what is not a number
    answer.firm = answer.firm && norm_squared(moved - shared) <= limit * limit;
    answer.near_shape =
        answer.near_shape || clearance_.may_touch(ball, norm_squared(moved), shape_travel_);
  }

  const NearWorld& near_;
  const ShapeClearance& clearance_;
  const StepMotion& motion_;
  const SharedMotion& shared_;
  std::span<const Vec3> place_;
  std::span<const double> radius_;
  double skin_;
  double lost_;
  double shape_travel_;
  bool looks_at_begin_;
};

void LooseBalls::sort_out(const StepMotion& motion, Look look, std::vector<Spot>& ends) {
  look_ = look;
  const std::size_t balls = list_->places().size();
  const bool can_be_loose = list_->kind() != VerletList::Kind::this_step;
  if (look == Look::at_all) {
    shared_ = can_be_loose ? list_->shared_motion(motion) : SharedMotion{};
  }
  const bool notes_ends = list_->life() != VerletList::Life::pairs_only;
  const Sorting sorting(*near_, *list_, shared_, motion);
  const std::span<const Index> rank = list_->pairs().rank_of;
  is_loose_.resize(balls);
  ends.resize(balls);
  const auto sort_ball = [&](Index i, Sorted& sorted) {
    if (notes_ends) ends[rank[i]] = end_spot(motion, i);
    const Sorting::Answer answer = sorting(i);
    is_loose_[i] = can_be_loose && !answer.firm ? 1 : 0;
    if (answer.near_shape) sorted.near_shapes.push_back(i);
    if (is_loose_[i] != 0) sorted.loose.push_back(i);
  };
  const bool at_all = look == Look::at_all;
  const std::size_t count = at_all ? balls : changed_->balls().size();
  sorted_.resize(stretch_count(balls, kListStretch));
  for_each_stretch(pool_, count, kListStretch, [&](const Stretch& stretch) {
    Sorted& sorted = sorted_[stretch.number];
    sorted.loose.clear();
    sorted.near_shapes.clear();
    for (std::size_t k = stretch.first; k < stretch.last; ++k) {
      sort_ball(at_all ? static_cast<Index>(k) : changed_->balls()[k], sorted);
    }
  });
  gather(stretch_count(count, kListStretch));
}

void LooseBalls::gather(std::size_t stretches) {
  if (look_ == Look::at_changed) {
    std::erase_if(loose_, [&](Index i) { return changed_->has(i); });
  } else {
    loose_.clear();
  }
  const std::size_t known = loose_.size();
  near_shapes_.clear();
  for (std::size_t number = 0; number < stretches; ++number) {
    const Sorted& sorted = sorted_[number];
    loose_.insert(loose_.end(), sorted.loose.begin(), sorted.loose.end());
    near_shapes_.insert(near_shapes_.end(), sorted.near_shapes.begin(), sorted.near_shapes.end());
  }
  merge_tail(loose_, known, merging_);
}

// Where a ball is during the step, or at its end, without d.
Box LooseBalls::way_of(const StepMotion& motion, Index ball) const {
  const Vec3 end = motion.end[ball] - shared_.end;
  if (!near_->looks_at_begin()) return {end, end};
  const Vec3 begin = motion.begin[ball] - shared_.begin;
  return {{std::min(begin.x, end.x), std::min(begin.y, end.y), std::min(begin.z, end.z)},
          {std::max(begin.x, end.x), std::max(begin.y, end.y), std::max(begin.z, end.z)}};
}

// The centres of firm balls' places that a loose one may touch, and of other loose ones.
Box LooseBalls::firm_around(const Box& way, double radius) const {
  const double largest = near_->largest_radius;
  const double reach = (radius + largest) * (1.0 + near_->settings.activation);
  return enlarged(way, reach + list_->skin() * largest + list_->rounding(size_of(way), shared_));
}

Box LooseBalls::loose_around(const Box& way, double radius) const {
  const double reach = (radius + near_->largest_radius) * (1.0 + near_->settings.activation);
  return enlarged(way, reach + longest_way_ + list_->rounding(size_of(way), shared_));
}

// Into cells of their own.
bool LooseBalls::place(const StepMotion& motion) {
  const double touch = 2.0 * (1.0 + near_->settings.activation) * near_->largest_radius;
  place_.clear();
  longest_way_ = 0.0;
  for (const Index ball : loose_) {
    const Vec3 begin = motion.begin[ball] - shared_.begin;
    const Vec3 end = motion.end[ball] - shared_.end;
    if (!BallHash::can_hold(begin, touch) || !BallHash::can_hold(end, touch)) return false;
    const Box way = way_of(motion, ball);
    const Vec3 length = way.upper - way.lower;
    longest_way_ = std::max({longest_way_, length.x, length.y, length.z});
    place_.push_back(near_->in_first_period(end));
  }
  // Boxes of three cells along an axis, as long as no ball is so fast that cells would be crowded.
  constexpr double kLargestCell = 2.0;
  cells_.build(near_->world->dimension, place_,
               std::min(touch + longest_way_, kLargestCell * touch));
  const std::span<const Index> sorted = cells_.sorted();
  spots_.resize(sorted.size());
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    spots_.put(k, end_spot(motion, loose_[sorted[k]]));
  }
  return true;
}

// Whether their boxes have so many cells that to look at all balls anew is faster.
bool LooseBalls::costs_too_much(const StepMotion& motion) const {
  constexpr double kMostCells = 16.0;          // for each ball of the world
  if (!near_->looks_at_begin()) return false;  // boxes of a few cells each
  double cells = 0.0;
  for (const Index ball : loose_) {
    const Box way = way_of(motion, ball);
    const double radius = near_->radius(ball);
    cells += list_->cells().cells_in(firm_around(way, radius)) +
             cells_.cells_in(loose_around(way, radius));
  }
  const auto balls = static_cast<double>(list_->places().size() + kSeekersStretch);
  return !(cells < kMostCells * balls);
}

// A loose ball looks for all others, a firm one (that ends elsewhere than before) for loose ones.
// Pairs in which nobody ends elsewhere than at the look before are left out.
template <bool kPeriodic>
void LooseBalls::look_around(const StepMotion& motion, Index ball,
                             std::vector<BallPair>& pairs) const {
  const double radius = near_->radius(ball);
  const SpotScreen& screen = list_->screen();
  const bool all_count = look_ == Look::at_all || changed_->has(ball);
  const auto add_if_active = [&](Index other) {
    if (!all_count && !changed_->has(other)) return;
    const BallPair pair = {std::min(ball, other), std::max(ball, other)};
    if (near_->may_touch(motion, pair)) pairs.push_back(pair);
  };
  const Box way = way_of(motion, ball);
  // Cells name many that are not in the box, from their corners and from far away: they are told
  // apart before anything is computed.
  const Spot own = end_spot(motion, ball);
  const auto look_at_loose = [&](Index first, Index last) {
    screen.visit_near<kPeriodic>(own, spots_, {first, last}, [&](Index k) {
      const Index other = loose_[cells_.sorted()[k]];
      // Where every loose ball looks around, the first of two does for both.
      if (seekers_ == Seekers::loose ? other > ball : other != ball) add_if_active(other);
    });
  };
  visit_copies(cells_, loose_around(way, radius), near_->periodicity, look_at_loose);
  if (is_loose_[ball] == 0) return;
  const BallHash& firm_cells = list_->cells();
  const double reach =
      near_->felt_from(motion, ball, shared_) + list_->rounding(size_of(way), shared_);
  const Spot without_shared =
      screen.spot(near_->in_first_period(motion.end[ball] - shared_.end), reach);
  const auto look_at_firm = [&](Index first, Index last) {
    screen.visit_near<kPeriodic>(without_shared, list_->spots_in_cells(), {first, last},
                                 [&](Index k) {
                                   const Index other = firm_cells.sorted()[k];
                                   if (is_loose_[other] == 0) add_if_active(other);
                                 });
  };
  visit_copies(firm_cells, firm_around(way, radius), near_->periodicity, look_at_firm);
}

bool LooseBalls::find_pairs(const StepMotion& motion) {
  if (loose_.empty()) return true;
  if (!place(motion) || costs_too_much(motion)) return false;
  // After a landing nearly all end elsewhere, and fewer are loose.
  const std::vector<Index>& others = changed_->balls();
  const bool loose_seek = look_ == Look::at_all || loose_.size() < others.size();
  seekers_ = loose_seek ? Seekers::loose : Seekers::changed;
  const std::vector<Index>& seekers = loose_seek ? loose_ : others;
  pairs_.resize(std::max(pairs_.size(), stretch_count(seekers.size(), kSeekersStretch)));
  for (std::vector<BallPair>& found : pairs_) found.clear();
  for_each_stretch(pool_, seekers.size(), kSeekersStretch, [&](const Stretch& stretch) {
    for (std::size_t k = stretch.first; k < stretch.last; ++k) {
      if (near_->periodicity != nullptr) {
        look_around<true>(motion, seekers[k], pairs_[stretch.number]);
      } else {
        look_around<false>(motion, seekers[k], pairs_[stretch.number]);
      }
    }
  });
  return true;
}

}  // namespace carom::detail
