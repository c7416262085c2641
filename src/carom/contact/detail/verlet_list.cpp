// A neighbour list: when it is made in cells, and the lists from a broad phase where these do not
// suit. Formulas are those of near_list.h.
#include "carom/contact/detail/verlet_list.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "carom/contact/detail/skin.h"

namespace carom::detail {
namespace {

// Of a list that holds only while all balls are firm: how many steps it should live for, and skins
// below which it saves nothing by being thinner, or beyond which it names too many.
constexpr double kSteps = 12.0;
constexpr double kThinnest = 0.04;
constexpr double kThickest = 0.6;

}  // namespace

VerletList::VerletList(const NearWorld& near, WorkerPool* pool, PairRoom& room)
    : near_(&near),
      pool_(pool),
      search_(near, pool, room),
      clearance_(*near.world, near.settings),
      broad_phase_(make_broad_phase(near.settings.broad_phase)) {}

bool VerletList::is_kept(std::size_t balls) const {
  const bool holds_longer =
      (kind_ == Kind::local && life_ == Life::many_looks) || kind_ == Kind::all_firm;
  return holds_longer && place_.size() == balls;
}

bool VerletList::can_hold(std::span<const Vec3> places) const {
  const double cell_size = 2.0 * near_->largest_radius;  // or larger
  return std::all_of(places.begin(), places.end(),
                     [&](const Vec3& place) { return BallHash::can_hold(place, cell_size); });
}

void VerletList::make(const StepMotion& motion) {
  const bool in_cells = near_->fits_cells() && can_hold(motion.begin) && can_hold(motion.end);
  // A list for the end of the step holds for it however fast the balls are.
  const bool at_end = in_cells && !near_->looks_at_begin();
  stand_at(at_end ? motion.end : motion.begin, at_end ? motion.time + motion.step : motion.time);
  if (in_cells) {
    list_in_cells(motion, at_end);
  } else {
    list_broadly(motion);
  }
}

bool VerletList::make_cells(const StepMotion& motion) {
  if (!near_->fits_cells() || !can_hold(motion.end)) return false;
  stand_at(motion.end, motion.time);
  kind_ = Kind::cells;
  life_ = Life::pairs_only;
  skin_ = near_->settings.activation;
  fill_cells();
  return true;
}

void VerletList::stand_at(std::span<const Vec3> places, double time) {
  clearance_.move(place_, places, time);
  place_.assign(places.begin(), places.end());
  extent_ = 0.0;
  for (const Vec3& q : place_) extent_ = std::max(extent_, size_of(q));
  screen_ = SpotScreen(near_->world->periodicity, place_.empty() ? Vec3{} : place_.front(),
                       rounding(extent_, {}));
}

void VerletList::list_in_cells(const StepMotion& motion, bool at_end) {
  const NearWorld& near = *near_;
  const SkinChoice choice =
      choose_skin(motion, near.world->bodies, near.world->dimension, near.looks_at_begin());
  kind_ = Kind::local;
  skin_ = near.settings.activation + choice.skin;
  life_ = choice.life == 1 ? Life::one_look : Life::many_looks;
  if (life_ == Life::one_look && at_end && !near.settings.redetect) {
    life_ = Life::pairs_only;
    skin_ = near.settings.activation;
  }
  fill_cells();
  const double reach =
      2.0 * (1.0 + skin_) * kListRounding * near.largest_radius + rounding(extent_, {});
  const BallsInCells balls{near.periodicity != nullptr ? home_ : place_, cells_, screen_,
                           spots_in_cells_, reach};
  if (life_ == Life::pairs_only) {
    search_.pair_up(balls, pairs_);
  } else {
    search_.list(balls, pairs_);
  }
}

void VerletList::fill_cells() {
  constexpr Index kAhead = 16;  // balls: memory is asked for in time
  const std::vector<double>& radii = near_->world->bodies.radius;
  const double cell_size =
      2.0 * (1.0 + skin_) * kListRounding * near_->largest_radius + rounding(extent_, {});
  if (near_->periodicity != nullptr) {
    home_.clear();
    for (const Vec3& place : place_) home_.push_back(wrapped(*near_->periodicity, place));
  }
  const std::vector<Vec3>& places = near_->periodicity != nullptr ? home_ : place_;
  cells_.build(near_->world->dimension, places, cell_size);
  spots_in_cells_.resize(place_.size());
  pairs_.rank_of.resize(place_.size());
  std::vector<Index>& balls = pairs_.ball;
  std::vector<Index>& ranks = pairs_.rank_of;
  balls.assign(cells_.sorted().begin(), cells_.sorted().end());
  // Balls of a cell lie anywhere in memory: nothing is read or written there that need not be.
  const bool alike = near_->smallest_radius == near_->largest_radius;
  const bool needs_ranks = life_ != Life::pairs_only;
  for_each_stretch(pool_, place_.size(), kListStretch, [&](const Stretch& stretch) {
    for (auto rank = static_cast<Index>(stretch.first); rank < stretch.last; ++rank) {
      const Index ball = balls[rank];
      if (rank + kAhead < stretch.last) {
        const Index later = balls[rank + kAhead];
        __builtin_prefetch(&places[later]);
        if (needs_ranks) __builtin_prefetch(&ranks[later], 1);
        if (!alike) __builtin_prefetch(&radii[later]);
      }
      if (needs_ranks) ranks[ball] = rank;
      const double radius = alike ? near_->largest_radius : radii[ball];
      spots_in_cells_.put(rank, screen_.spot(places[ball], (1.0 + skin_) * kListRounding * radius));
    }
  });
}

// The median of a few: exact for any motion that most share, and any other would be right, too.
SharedMotion VerletList::shared_motion(const StepMotion& motion) const {
  constexpr std::size_t kSample = 64;
  const std::size_t stride = std::max<std::size_t>(1, place_.size() / kSample);
  std::array<double, 2 * kSample> sample{};
  const auto median = [&](std::span<const Vec3> to, double Vec3::*axis) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < place_.size(); i += stride) {
      const Vec3 moved = nearest_image(near_->world->periodicity, to[i] - place_[i]);
      if (std::isfinite(moved.*axis)) sample[count++] = moved.*axis;
    }
    if (count == 0) return 0.0;
    const std::span<double> all = std::span(sample).first(count);
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(all.begin(), middle, all.end());
    return *middle;
  };
  const auto shared = [&](std::span<const Vec3> to) {
    return Vec3{median(to, &Vec3::x), median(to, &Vec3::y),
                near_->world->dimension == 3 ? median(to, &Vec3::z) : 0.0};
  };
  const Vec3 end = shared(motion.end);
  return {near_->looks_at_begin() ? shared(motion.begin) : end, end};
}

double VerletList::rounding(double size, const SharedMotion& shared) const {
  constexpr double kOperations = 32.0;
  return kOperations * kRoundOff *
         (size + extent_ + size_of(shared.begin) + size_of(shared.end) + near_->largest_radius);
}

// The longest way of a ball in the step, in radii, relative to the motion that most share.
double VerletList::farthest_in_step(const StepMotion& motion) const {
  const SharedMotion frame = shared_motion(motion);
  const Vec3 shared = frame.end - frame.begin;
  double farthest = 0.0;
  for (Index i = 0; i < place_.size(); ++i) {
    const Vec3 moved =
        nearest_image(near_->world->periodicity, motion.end[i] - motion.begin[i]) - shared;
    const double square = near_->radius(i) * near_->radius(i);
    // Written so that what is not a number is far away.
    if (!(norm_squared(moved) <= farthest * square)) farthest = norm_squared(moved) / square;
  }
  return std::sqrt(farthest);
}

void VerletList::list_broadly(const StepMotion& motion) {
  const double farthest = farthest_in_step(motion);
  if (!(2.0 * farthest < kThickest)) {
    make_for_step(motion);
    return;
  }
  kind_ = Kind::all_firm;
  life_ = Life::many_looks;
  skin_ = near_->settings.activation + std::clamp(kSteps * farthest, kThinnest, kThickest);
  BallSweep sweep = sweep_of(motion);
  sweep.end = motion.begin;
  sweep.margin = skin_ * kListRounding;
  broad_phase_->find_pairs(sweep, broad_pairs_);
  std::erase_if(broad_pairs_, [&](const BallPair& pair) {
    const Vec3 between = nearest_image(near_->world->periodicity, place_[pair.a] - place_[pair.b]);
    const double radii = near_->radius(pair.a) + near_->radius(pair.b);
    const double reach = (1.0 + skin_) * kListRounding * radii;
    return norm_squared(between) > reach * reach;  // (1)
  });
  take_pairs();
}

void VerletList::make_for_step(const StepMotion& motion) {
  kind_ = Kind::this_step;
  life_ = Life::many_looks;
  BallSweep sweep = sweep_of(motion);
  sweep.margin = near_->settings.activation;
  broad_phase_->find_pairs(sweep, broad_pairs_);
  take_pairs();
}

BallSweep VerletList::sweep_of(const StepMotion& motion) const {
  BallSweep sweep;
  sweep.dimension = near_->world->dimension;
  sweep.begin = motion.begin;
  sweep.end = motion.end;
  sweep.radius = near_->world->bodies.radius;
  sweep.period_lower = near_->world->periodicity.lower;
  sweep.period_length = near_->world->periodicity.length;
  return sweep;
}

// From the broad phase, which gives them in order.
void VerletList::take_pairs() {
  ListedPairs& list = pairs_;
  list.ranks = ListedPairs::Ranks::numbers;
  list.ball.resize(place_.size());
  std::iota(list.ball.begin(), list.ball.end(), Index{0});
  list.rank_of = list.ball;
  list.start.assign(place_.size() + 1, 0);
  for (const BallPair& pair : broad_pairs_) ++list.start[pair.a + 1];
  for (std::size_t i = 1; i < list.start.size(); ++i) list.start[i] += list.start[i - 1];
  list.partners.clear();
  for (const BallPair& pair : broad_pairs_) list.partners.push_back(pair.b);
}

}  // namespace carom::detail
