#include "carom/contact/detail/near_list.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/detail/skin.h"
#include "carom/core/merge_tail.h"

namespace carom::detail {
namespace {

constexpr double kRounding = 1.0 + 1e-12;  // of comparisons, on the safe side
// Cells fit all balls if none is larger than this many others.
constexpr double kLargestRatio = 2.0;

// Whether no ball looks for partners around more than one period.
bool has_room(const Periodicity& periodicity, double largest_radius, double activation) {
  const double least = 4.0 * (1.0 + kThickestSkin + activation) * largest_radius * (1.0 + 1e-6);
  const Vec3& length = periodicity.length;
  const auto is_long = [&](double period) { return !(period > 0.0) || period > least; };
  return is_long(length.x) && is_long(length.y) && is_long(length.z);
}

// Squares of how far a ball, or its nearest copy, is from its place. Shapes of a periodic world
// look the same from all copies.
struct Travel {
  double relative;  // to the shared motion
  double absolute;
};

}  // namespace

NearList::NearList(const World& world, const DetectionSettings& settings, WorkerPool* pool)
    : world_(&world),
      settings_(settings),
      pool_(pool),
      periodicity_(world.periods()),
      broad_phase_(make_broad_phase(settings.broad_phase)),
      clearance_(world, settings) {
  const std::vector<double>& radius = world.bodies.radius;
  if (radius.empty()) return;
  smallest_radius_ = *std::min_element(radius.begin(), radius.end());
  largest_radius_ = *std::max_element(radius.begin(), radius.end());
  may_be_local_ = settings.broad_phase == "grid" &&
                  largest_radius_ <= kLargestRatio * smallest_radius_ &&
                  has_room(world.periodicity, largest_radius_, settings.activation);
}

void NearList::begin_step() {
  changed_.clear();
  looked_end_.clear();
  some_nameless_.store(false, std::memory_order_relaxed);
}

void NearList::remember(const StepMotion& motion) {
  looked_end_.assign(motion.end.begin(), motion.end.end());
}

// What is not a number has changed, too.
void NearList::find_changes(const StepMotion& motion, const std::vector<Index>* moved) {
  changed_.clear();
  const bool knows = looked_end_.size() == motion.end.size();
  if (!knows || some_nameless_.load(std::memory_order_relaxed)) {
    remember(motion);
    return;
  }
  changed_.resize(motion.end.size());
  const std::size_t most = moved != nullptr ? moved->size() : motion.end.size();
  who_changed_.resize(most);
  std::size_t count = 0;
  for (std::size_t k = 0; k < most; ++k) {
    const Index i = moved != nullptr ? (*moved)[k] : static_cast<Index>(k);
    changed_[i] = motion.end[i] == looked_end_[i] ? 0 : 1;
    who_changed_[count] = i;
    count += changed_[i];
  }
  who_changed_.resize(count);
  for (const Index i : who_changed_) looked_end_[i] = motion.end[i];
}

bool NearList::prepare_again(const StepMotion& motion) {
  if (changed_.empty() || kind_ != Kind::local) return false;
  looks_again_ = true;
  sort_out(motion);
  const bool holds = find_loose_pairs(motion);
  looks_again_ = false;
  return holds;
}

void NearList::prepare_anew(const StepMotion& motion) {
  const bool is_kept = ((kind_ == Kind::local && !once_) || kind_ == Kind::all_firm) &&
                       place_.size() == motion.begin.size();
  if (is_kept) {
    sort_out(motion);
    if (!wants_new_list() && (kind_ != Kind::local || find_loose_pairs(motion))) return;
  }
  make_list(motion);
  sort_out(motion);
  const bool holds = kind_ == Kind::local ? find_loose_pairs(motion) : loose_.empty();
  if (holds) return;
  list_step(motion);
  loose_.clear();
  make_spots(motion);
}

void NearList::prepare(const StepMotion& motion) {
  if (!prepare_again(motion)) prepare_anew(motion);
  screen_pairs();
}

// The median of a few: exact for any motion that most share, and any other would be right, too.
NearList::Frame NearList::shared_motion(const StepMotion& motion) const {
  constexpr std::size_t kSample = 64;
  const std::size_t stride = std::max<std::size_t>(1, place_.size() / kSample);
  std::array<double, 2 * kSample> sample{};
  const auto median = [&](std::span<const Vec3> to, double Vec3::*axis) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < place_.size(); i += stride) {
      const Vec3 moved = nearest_image(world_->periodicity, to[i] - place_[i]);
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
                world_->dimension == 3 ? median(to, &Vec3::z) : 0.0};
  };
  const Vec3 end = shared(motion.end);
  return {looks_at_begin() ? shared(motion.begin) : end, end};
}

// What round-off may do to differences of places, to those in (2) and to those of balls.
double NearList::rounding(double size) const {
  constexpr double kOperations = 32.0;
  return kOperations * kRoundOff *
         (size + extent_ + size_of(frame_.begin) + size_of(frame_.end) + largest_radius_);
}

// Finds the balls that are loose, and those that may touch a shape, and takes down where all end.
void NearList::sort_out(const StepMotion& motion) {
  const bool has_list = kind_ != Kind::this_step;
  if (!looks_again_) frame_ = has_list ? shared_motion(motion) : Frame{};
  const double skin = (skin_ - settings_.activation) / kRounding;
  const double lost = rounding(0.0);
  const double shape_travel = clearance_.shape_travel(motion);
  const std::vector<double>& radius = world_->bodies.radius;
  const bool sweep = looks_at_begin();
  const auto travel_of = [&](Index i, const Vec3& to, const Vec3& shared) {
    Vec3 moved = to - place_[i];
    if (periodicity_ != nullptr) moved = nearest_image(*periodicity_, moved);
    return Travel{norm_squared(moved - shared), norm_squared(moved)};
  };
  found_.resize(stretch_count(place_.size(), kStretch));
  is_loose_.resize(place_.size());
  spots_.resize(place_.size());
  // Most stay near their places, and far from shapes, without being looked at from other copies.
  const auto is_calm = [&](Index i, const Vec3& to, const Vec3& shared, double limit) {
    const Vec3 moved = to - place_[i];
    return norm_squared(moved - shared) <= limit * limit &&
           !clearance_.may_touch(i, norm_squared(moved), shape_travel);
  };
  const auto sort_ball = [&](Index i, Found& found) {
    if (!is_final_) spots_[rank_[i]] = end_spot(motion, i);
    const double limit = std::max(skin * radius[i] - lost, 0.0);
    is_loose_[i] = 0;
    if (is_calm(i, motion.end[i], frame_.end, limit) &&
        (!sweep || is_calm(i, motion.begin[i], frame_.begin, limit))) {
      return;
    }
    bool firm = true;
    bool near = false;
    const auto look_at = [&](const Vec3& to, const Vec3& shared) {
      const Travel travel = travel_of(i, to, shared);
      firm = firm && travel.relative <= limit * limit;  // (2); false for what is not a number
      near = near || clearance_.may_touch(i, travel.absolute, shape_travel);
    };
    look_at(motion.end[i], frame_.end);
    if (sweep) look_at(motion.begin[i], frame_.begin);
    is_loose_[i] = has_list && !firm ? 1 : 0;
    if (near) found.near_shapes.push_back(i);
    if (is_loose_[i] != 0) found.loose.push_back(i);
  };
  const std::size_t count = looks_again_ ? who_changed_.size() : place_.size();
  for_each_stretch(pool_, count, kStretch, [&](const Stretch& stretch) {
    Found& found = found_[stretch.number];
    found.loose.clear();
    found.near_shapes.clear();
    for (std::size_t k = stretch.first; k < stretch.last; ++k) {
      sort_ball(looks_again_ ? who_changed_[k] : static_cast<Index>(k), found);
    }
  });
  if (looks_again_) {
    std::erase_if(loose_, [&](Index i) { return changed_[i] != 0; });
  } else {
    loose_.clear();
  }
  const std::size_t known = loose_.size();
  near_shapes_.clear();
  for (std::size_t number = 0; number < stretch_count(count, kStretch); ++number) {
    const Found& found = found_[number];
    loose_.insert(loose_.end(), found.loose.begin(), found.loose.end());
    near_shapes_.insert(near_shapes_.end(), found.near_shapes.begin(), found.near_shapes.end());
  }
  merge_tail(loose_, known, merging_);
}

bool NearList::wants_new_list() {
  if (kind_ == Kind::all_firm && !loose_.empty()) return true;
  work_ += kLooseWork * static_cast<double>(loose_.size()) +
           kShapeWork * static_cast<double>(near_shapes_.size());
  return work_ > list_work(skin_) * static_cast<double>(place_.size());
}

}  // namespace carom::detail
