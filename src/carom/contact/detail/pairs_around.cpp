// Pairs around some balls, without a list of all where cells can say who is near.
#include "carom/contact/detail/pairs_around.h"

#include <algorithm>
#include <numeric>

namespace carom::detail {

PairsAround::PairsAround(const NearWorld& near, VerletList& list, WorkerPool* pool)
    : near_(&near), list_(&list), pool_(pool) {}

bool PairsAround::stands_at(std::span<const Vec3> places) const {
  const std::span<const Vec3> known = list_->places();
  return standing_ != Standing::unknown &&
         std::equal(known.begin(), known.end(), places.begin(), places.end());
}

// From both sides.
void PairsAround::stand_with(std::span<const BallPair> pairs) {
  standing_ = Standing::listed;
  start_.assign(list_->places().size() + 1, 0);
  for (const BallPair& pair : pairs) {
    ++start_[pair.a];
    ++start_[pair.b];
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  partners_.resize(2 * pairs.size());
  for (const BallPair& pair : pairs) {
    partners_[--start_[pair.a]] = pair.b;
    partners_[--start_[pair.b]] = pair.a;
  }
}

template <bool kPeriodic>
void PairsAround::look_around(const StepMotion& motion, Index ball,
                              std::vector<BallPair>& pairs) const {
  if (standing_ == Standing::listed) {
    for (Index k = start_[ball]; k < start_[ball + 1]; ++k) {
      pairs.push_back({std::min(ball, partners_[k]), std::max(ball, partners_[k])});
    }
    return;
  }
  const Vec3& place = motion.end[ball];
  const double radius = near_->radius(ball);
  const SpotScreen& screen = list_->screen();
  const Spot own = screen.spot(near_->in_first_period(place), near_->felt_from(motion, ball, {}));
  const double reach = (radius + near_->largest_radius) * (1.0 + near_->settings.activation);
  const Box box = enlarged({place, place}, reach + list_->rounding(size_of(place), {}));
  visit_copies(list_->cells(), box, near_->periodicity, [&](Index first, Index last) {
    screen.visit_near<kPeriodic>(own, list_->spots_in_cells(), {first, last}, [&](Index k) {
      const Index other = list_->pairs().ball[k];
      const BallPair pair = {std::min(ball, other), std::max(ball, other)};
      if (other != ball && near_->may_touch(motion, pair)) pairs.push_back(pair);
    });
  });
}

void PairsAround::look_around_all(const StepMotion& motion, std::span<const Index> seekers) {
  constexpr std::size_t kStretch = 256;
  const std::size_t stretches = stretch_count(seekers.size(), kStretch);
  found_.resize(std::max(found_.size(), stretches));
  for_each_stretch(pool_, seekers.size(), kStretch, [&](const Stretch& stretch) {
    std::vector<BallPair>& found = found_[stretch.number];
    found.clear();
    for (std::size_t k = stretch.first; k < stretch.last; ++k) {
      if (near_->periodicity != nullptr) {
        look_around<true>(motion, seekers[k], found);
      } else {
        look_around<false>(motion, seekers[k], found);
      }
    }
  });
  for (std::size_t k = 0; k < stretches; ++k) {
    pairs_.insert(pairs_.end(), found_[k].begin(), found_[k].end());
  }
}

void PairsAround::reach(Index ball) {
  if (is_reached_[ball] != 0) return;
  is_reached_[ball] = 1;
  reached_.push_back(ball);
}

void PairsAround::find(const StepMotion& motion, std::span<const Index> balls, std::size_t enough) {
  is_reached_.resize(list_->places().size());
  reached_.clear();
  pairs_.clear();
  for (const Index ball : balls) reach(ball);
  std::size_t first = 0;
  while (first < reached_.size()) {
    const std::size_t known = pairs_.size();
    const std::span<const Index> seekers = std::span<const Index>(reached_).subspan(first);
    first = reached_.size();
    look_around_all(motion, seekers);
    if (pairs_.size() >= enough) break;
    for (std::size_t k = known; k < pairs_.size(); ++k) {
      reach(pairs_[k].a);
      reach(pairs_[k].b);
    }
  }
  find_near_shapes(motion);
}

void PairsAround::find_near_shapes(const StepMotion& motion) {
  near_shapes_.clear();
  const double shape_travel = list_->clearance().shape_travel(motion);
  for (const Index ball : reached_) {
    is_reached_[ball] = 0;
    if (list_->clearance().may_touch(ball, 0.0, shape_travel)) near_shapes_.push_back(ball);
  }
  std::sort(near_shapes_.begin(), near_shapes_.end());
}

}  // namespace carom::detail
