#include "carom/contact/detail/near_list.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/detail/skin.h"

namespace carom::detail {
namespace {

constexpr double kRounding = 1.0 + 1e-12;  // of comparisons, on the safe side
// Cells fit all balls if none is larger than this many others.
constexpr double kLargestRatio = 2.0;

// Of a list that holds only while all balls are firm: how many steps it should live for, and skins
// below which it saves nothing by being thinner, or beyond which it names too many.
constexpr double kSteps = 12.0;
constexpr double kThinnest = 0.04;
constexpr double kThickest = 0.6;

// Whether no ball looks for partners around more than one period.
bool has_room(const Periodicity& periodicity, double largest_radius) {
  const double least = 4.0 * (1.0 + kThickestSkin) * largest_radius * (1.0 + 1e-6);
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

// Sorts the few numbers from `first` on, and leaves out those that come twice. Returns the new end.
std::size_t sort_tail(std::vector<Index>& list, std::size_t first, std::size_t end) {
  std::size_t kept = first;
  for (std::size_t k = first; k < end; ++k) {
    const Index number = list[k];
    std::size_t place = kept;
    while (place > first && list[place - 1] > number) --place;
    if (place > first && list[place - 1] == number) continue;
    for (std::size_t last = kept; last > place; --last) list[last] = list[last - 1];
    list[place] = number;
    ++kept;
  }
  return kept;
}

}  // namespace

NearList::NearList(const ContactWorld& world, const DetectionSettings& settings, WorkerPool* pool)
    : world_(world),
      settings_(settings),
      pool_(pool),
      periodicity_(world.periodicity->any() ? world.periodicity : nullptr),
      broad_phase_(make_broad_phase(settings.broad_phase)),
      clearance_(world, settings) {
  const std::vector<double>& radius = world.bodies->radius;
  if (radius.empty()) return;
  smallest_radius_ = *std::min_element(radius.begin(), radius.end());
  largest_radius_ = *std::max_element(radius.begin(), radius.end());
  may_be_local_ = settings.broad_phase == "grid" &&
                  largest_radius_ <= kLargestRatio * smallest_radius_ &&
                  has_room(*world.periodicity, largest_radius_);
}

void NearList::begin_step() {
  changed_.clear();
  some_nameless_.store(false, std::memory_order_relaxed);
}

void NearList::remember(const StepMotion& motion) {
  looked_end_.assign(motion.end.begin(), motion.end.end());
}

// What is not a number has changed, too.
void NearList::find_changes(const StepMotion& motion) {
  changed_.clear();
  if (!some_nameless_.load(std::memory_order_relaxed)) {
    changed_.resize(motion.end.size());
    for (std::size_t i = 0; i < changed_.size(); ++i) {
      changed_[i] = motion.end[i] == looked_end_[i] ? 0 : 1;
    }
  }
  remember(motion);
}

bool NearList::prepare_again(const StepMotion& motion) {
  if (changed_.empty() || kind_ != Kind::local) return false;
  looks_again_ = true;
  sort_out(motion);
  const bool holds = find_loose_pairs(motion);
  looks_again_ = false;
  return holds;
}

void NearList::prepare(const StepMotion& motion) {
  if (prepare_again(motion)) return;
  const bool is_kept =
      (kind_ == Kind::local || kind_ == Kind::all_firm) && place_.size() == motion.begin.size();
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
}

// The median of a few: exact for any motion that most share, and any other would be right, too.
NearList::Frame NearList::shared_motion(const StepMotion& motion) const {
  constexpr std::size_t kSample = 256;
  const std::size_t stride = std::max<std::size_t>(1, place_.size() / kSample);
  std::vector<double> sample;
  const auto median = [&](std::span<const Vec3> to, double Vec3::*axis) {
    sample.clear();
    for (std::size_t i = 0; i < place_.size(); i += stride) {
      const Vec3 moved = nearest_image(*world_.periodicity, to[i] - place_[i]);
      if (std::isfinite(moved.*axis)) sample.push_back(moved.*axis);
    }
    if (sample.empty()) return 0.0;
    const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
    std::nth_element(sample.begin(), middle, sample.end());
    return *middle;
  };
  const auto shared = [&](std::span<const Vec3> to) {
    return Vec3{median(to, &Vec3::x), median(to, &Vec3::y),
                world_.dimension == 3 ? median(to, &Vec3::z) : 0.0};
  };
  return {shared(motion.begin), shared(motion.end)};
}

// What round-off may do to differences of places, to those in (2) and to those of balls.
double NearList::rounding(double size) const {
  constexpr double kOperations = 32.0;
  return kOperations * kRoundOff *
         (size + extent_ + size_of(frame_.begin) + size_of(frame_.end) + largest_radius_);
}

// Finds the balls that are loose, and those that may touch a shape.
void NearList::sort_out(const StepMotion& motion) {
  const bool has_list = kind_ != Kind::this_step;
  if (!looks_again_) frame_ = has_list ? shared_motion(motion) : Frame{};
  const double skin = (skin_ - settings_.activation) / kRounding;
  const double lost = rounding(0.0);
  const double shape_travel = clearance_.shape_travel(motion);
  const std::vector<double>& radius = world_.bodies->radius;
  const bool sweep = looks_at_begin();
  const auto travel_of = [&](std::size_t i, const Vec3& to, const Vec3& shared) {
    Vec3 moved = to - place_[i];
    if (periodicity_ != nullptr) moved = nearest_image(*periodicity_, moved);
    return Travel{norm_squared(moved - shared), norm_squared(moved)};
  };
  found_.resize(stretch_count(place_.size(), kStretch));
  is_loose_.resize(place_.size());
  const auto look = [&](const Stretch& stretch) {
    Found& found = found_[stretch.number];
    found.loose.clear();
    found.near_shapes.clear();
    for (std::size_t i = stretch.first; i < stretch.last; ++i) {
      if (looks_again_ && changed_[i] == 0) {
        if (is_loose_[i] != 0) found.loose.push_back(static_cast<Index>(i));
        continue;
      }
      is_loose_[i] = 0;
      const double limit = std::max(skin * radius[i] - lost, 0.0);
      bool firm = true;
      bool near = false;
      const auto look_at = [&](const Vec3& to, const Vec3& shared) {
        const Travel travel = travel_of(i, to, shared);
        firm = firm && travel.relative <= limit * limit;  // (2); false for what is not a number
        near = near || clearance_.may_touch(static_cast<Index>(i), travel.absolute, shape_travel);
      };
      look_at(motion.end[i], frame_.end);
      if (sweep) look_at(motion.begin[i], frame_.begin);
      if (firm && !near) continue;
      if (near) found.near_shapes.push_back(static_cast<Index>(i));
      if (firm || !has_list) continue;
      is_loose_[i] = 1;
      found.loose.push_back(static_cast<Index>(i));
    }
  };
  for_each_stretch(pool_, place_.size(), kStretch, look);
  loose_.clear();
  near_shapes_.clear();
  for (const Found& found : found_) {
    loose_.insert(loose_.end(), found.loose.begin(), found.loose.end());
    near_shapes_.insert(near_shapes_.end(), found.near_shapes.begin(), found.near_shapes.end());
  }
}

bool NearList::wants_new_list() {
  if (kind_ == Kind::all_firm && !loose_.empty()) return true;
  work_ += kLooseWork * static_cast<double>(loose_.size()) +
           kShapeWork * static_cast<double>(near_shapes_.size());
  return work_ > list_work(skin_) * static_cast<double>(place_.size());
}

void NearList::make_list(const StepMotion& motion) {
  const double cell_size = 2.0 * largest_radius_;  // or larger
  const auto can_hold = [&](const Vec3& place) { return BallHash::can_hold(place, cell_size); };
  const bool is_local = may_be_local_ &&
                        std::all_of(motion.begin.begin(), motion.begin.end(), can_hold) &&
                        std::all_of(motion.end.begin(), motion.end.end(), can_hold);
  // A list for the end of the step holds for it however fast the balls are.
  const bool at_end = is_local && !looks_at_begin();
  const std::span<const Vec3> place = at_end ? motion.end : motion.begin;
  clearance_.move(place_, place, at_end ? motion.time + motion.step : motion.time);
  place_.assign(place.begin(), place.end());
  extent_ = 0.0;
  for (const Vec3& q : place_) extent_ = std::max(extent_, size_of(q));
  work_ = 0.0;
  if (is_local) {
    list_locally(motion);
  } else {
    list_broadly(motion);
  }
}

void NearList::list_locally(const StepMotion& motion) {
  kind_ = Kind::local;
  skin_ = choose_skin(motion, *world_.bodies, world_.dimension, looks_at_begin());
  const double cell_size = 2.0 * (1.0 + skin_) * kRounding * largest_radius_;
  if (periodicity_ != nullptr) {
    home_.clear();
    for (const Vec3& place : place_) home_.push_back(wrapped(*periodicity_, place));
    cells_.build(world_.dimension, home_, cell_size);
  } else {
    cells_.build(world_.dimension, place_, cell_size);
  }
  start_.resize(place_.size() + 1);
  found_.resize(stretch_count(place_.size(), kStretch));
  for_each_stretch(pool_, place_.size(), kStretch,
                   [&](const Stretch& stretch) { list_partners(stretch); });
  Index sum = 0;
  for (std::size_t number = 0; number < found_.size(); ++number) {
    const std::size_t first = number * kStretch;
    const std::size_t last = std::min(first + kStretch, place_.size());
    for (std::size_t i = first; i < last; ++i) start_[i] += sum;
    sum += static_cast<Index>(found_[number].partners.size());
  }
  start_.back() = sum;
  partners_.resize(sum);
  for_each_stretch(pool_, place_.size(), kStretch, [&](const Stretch& stretch) {
    const std::vector<Index>& partners = found_[stretch.number].partners;
    std::copy(partners.begin(), partners.end(), partners_.begin() + start_[stretch.first]);
  });
}

void NearList::list_partners(const Stretch& stretch) {
  const std::vector<double>& radius = world_.bodies->radius;
  std::vector<Index>& partners = found_[stretch.number].partners;
  const double factor = (1.0 + skin_) * kRounding;
  const double* const radii = radius.data();
  const Vec3* const places = periodicity_ != nullptr ? home_.data() : place_.data();
  const double lost = periodicity_ != nullptr ? rounding(0.0) : 0.0;  // by copies
  std::size_t count = 0;
  for (auto a = static_cast<Index>(stretch.first); a < stretch.last; ++a) {
    const std::size_t own = count;
    start_[a] = static_cast<Index>(own);  // within the stretch
    const Vec3 place = places[a];
    const double radius_a = radii[a];
    const double reach = factor * (radius_a + largest_radius_) + lost;
    const Vec3 around = {reach, reach, reach};
    const Box box = {place - around, place + around};
    visit_copies(cells_, box, [&](std::span<const Index> others, const BoxCopy& found) {
      const Vec3 copy = place + found.shift;
      if (partners.size() < count + others.size()) partners.resize(2 * (count + others.size()));
      Index* next = partners.data() + count;
      for (const Index b : others) {
        const double limit = factor * (radius_a + radii[b]);
        const bool is_near = norm_squared(copy - places[b]) <= limit * limit;  // (1)
        // Chance decides whether it is; a branch would be mispredicted.
        *next = b;
        next += static_cast<std::ptrdiff_t>(is_near) & static_cast<std::ptrdiff_t>(b > a);
      }
      count = static_cast<std::size_t>(next - partners.data());
    });
    count = sort_tail(partners, own, count);
  }
  partners.resize(count);
}

// The longest way of a ball in the step, in radii, relative to the motion that most share.
double NearList::farthest_in_step(const StepMotion& motion) const {
  const Frame frame = shared_motion(motion);
  const Vec3 shared = frame.end - frame.begin;
  double farthest = 0.0;
  for (std::size_t i = 0; i < place_.size(); ++i) {
    const Vec3 moved = nearest_image(*world_.periodicity, motion.end[i] - motion.begin[i]) - shared;
    const double square = world_.bodies->radius[i] * world_.bodies->radius[i];
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
  skin_ = std::clamp(kSteps * farthest, kThinnest, kThickest);
  BallSweep sweep = sweep_of(motion);
  sweep.end = motion.begin;
  sweep.margin = skin_ * kRounding;
  broad_phase_->find_pairs(sweep, pairs_);
  const std::vector<double>& radius = world_.bodies->radius;
  std::erase_if(pairs_, [&](const BallPair& pair) {
    const Vec3 between = nearest_image(*world_.periodicity, place_[pair.a] - place_[pair.b]);
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
  sweep.dimension = world_.dimension;
  sweep.begin = motion.begin;
  sweep.end = motion.end;
  sweep.radius = world_.bodies->radius;
  sweep.period_lower = world_.periodicity->lower;
  sweep.period_length = world_.periodicity->length;
  return sweep;
}

void NearList::take_pairs() {
  start_.assign(place_.size() + 1, 0);
  for (const BallPair& pair : pairs_) ++start_[pair.a + 1];
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  partners_.clear();
  for (const BallPair& pair : pairs_) partners_.push_back(pair.b);
}

}  // namespace carom::detail
