// Active rows in a world with bodies that turn: pairs, their places, and what a look knows of them.
#include "carom/contact/detail/solid_detection.h"

#include <algorithm>
#include <variant>

#include "carom/bodies/periods.h"
#include "carom/collision/narrow_phase.h"
#include "carom/contact/detail/carried_place.h"
#include "carom/contact/detail/list_margin.h"
#include "carom/contact/detail/pair_motion.h"

namespace carom::detail {
namespace {

// Marks the names of features that were found at the end of a step or on its way.
constexpr std::uint64_t kFoundLater = std::uint64_t{1} << 63U;

// The farthest that any place of a body comes within a ball of this radius about its centre.
double travel(const Pose& begin, const Pose& end, double radius) {
  double turned = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    turned += norm_squared(end.rotation.row[k] - begin.rotation.row[k]);
  }
  return norm(end.position - begin.position) + radius * std::sqrt(turned);
}

void note(Penetration& penetration, double gap, double extent) {
  if (!(gap < 0.0)) return;
  penetration.depth = std::max(penetration.depth, -gap);
  penetration.relative = std::max(penetration.relative, -gap / extent);
}

bool knows(std::span<const std::span<const Contact>> known, const Contact& row) {
  return std::any_of(known.begin(), known.end(), [&](std::span<const Contact> rows) {
    const auto comes_before = [](const Contact& a, const Contact& b) { return a.before(b); };
    return std::binary_search(rows.begin(), rows.end(), row, comes_before);
  });
}

Pose body_pose(std::span<const Vec3> position, std::span<const Quaternion> orientation, Index i) {
  return {position[i], orientation.empty() ? Mat3() : matrix_of(orientation[i])};
}

}  // namespace

std::uint64_t SolidDetection::Pair::key() const {
  constexpr unsigned kBits = 32;
  // Bodies and shapes share no number: the topmost bit is free in both.
  const Index other = b != kNone ? b : shape | 0x80000000U;
  return (std::uint64_t{a} << kBits) | other;
}

bool SolidDetection::is_needed(const World& world) {
  return !world.bodies.all_round() ||
         std::any_of(world.shapes.begin(), world.shapes.end(), [](const PlacedShape& placed) {
           return std::holds_alternative<SolidObstacle>(placed.shape);
         });
}

SolidDetection::SolidDetection(const World& world, const DetectionSettings& settings,
                               double resting_reach)
    : world_(&world),
      settings_(settings),
      resting_reach_(resting_reach),
      list_margin_(list_margin(world, settings, resting_reach)),
      broad_phase_(make_broad_phase(settings.broad_phase)),
      ball_solid_(world.bodies.size(), kNone),
      thickness_(world) {
  const BodySet& bodies = world.bodies;
  std::unordered_map<double, Index> by_radius;
  for (Index i = 0; i < bodies.size(); ++i) {
    if (bodies.turns(i)) continue;
    const auto next = static_cast<Index>(balls_.size());
    const auto [at, is_new] = by_radius.emplace(bodies.radius[i], next);
    if (is_new) {
      balls_.push_back(
          std::make_shared<const Solid>(SphereSolid{bodies.radius[i]}, world.dimension));
    }
    ball_solid_[i] = at->second;
  }
}

const Solid& SolidDetection::solid(Index body) const {
  return world_->bodies.turns(body) ? world_->bodies.solid_of(body) : *balls_[ball_solid_[body]];
}

bool SolidDetection::is_round_pair(const Pair& pair) const {
  if (!world_->bodies.is_round(pair.a)) return false;
  if (pair.b != kNone) return world_->bodies.is_round(pair.b);
  return !std::holds_alternative<SolidObstacle>(world_->shapes[pair.shape].shape);
}

double SolidDetection::extent(const Pair& pair) const {
  const double extent = world_->bodies.extent(pair.a);
  return pair.b == kNone ? extent : std::min(extent, world_->bodies.extent(pair.b));
}

SolidDetection::PairPoses SolidDetection::poses(const StepMotion& motion, const Pair& pair) const {
  PairPoses poses;
  poses.a_begin = body_pose(motion.begin, motion.begin_orientation, pair.a);
  poses.a_end = body_pose(motion.end, motion.end_orientation, pair.a);
  if (pair.b != kNone) {
    poses.b_begin = body_pose(motion.begin, motion.begin_orientation, pair.b);
    poses.b_end = body_pose(motion.end, motion.end_orientation, pair.b);
    if (world_->periodicity.any()) {
      const Vec3 by =
          periods_between(world_->periodicity, poses.a_end.position - poses.b_end.position);
      poses.b_begin.position += by;
      poses.b_end.position += by;
    }
    return poses;
  }
  // Shapes do not turn: their offsets are all there is to their motion.
  const Motion& way = world_->shapes[pair.shape].motion;
  poses.b_begin.position = offset_at(way, motion.time);
  poses.b_end.position = offset_at(way, motion.time + motion.step);
  return poses;
}

void SolidDetection::find(const Pair& pair, const Pose& pose_a, const Pose& pose_b, double margin) {
  const PlacedSolid a = {&solid(pair.a), pose_a};
  if (pair.b != kNone) {
    find_solid_contacts(a, PlacedSolid{&solid(pair.b), pose_b}, margin, scratch_);
    return;
  }
  const Shape& shape = world_->shapes[pair.shape].shape;
  find_solid_contacts(a, OffsetShape{&shape, pose_b.position}, margin, scratch_);
}

Index SolidDetection::learn(PairPlaces& known, const SolidContact& place) {
  const auto at = std::lower_bound(
      known.by_feature.begin(), known.by_feature.end(), place.feature,
      [&](Index number, std::uint64_t feature) { return places_[number].feature < feature; });
  if (at != known.by_feature.end() && places_[*at].feature == place.feature) return *at;
  const auto number = static_cast<Index>(places_.size());
  known.by_feature.insert(at, number);
  known.places.push_back(number);
  places_.push_back(place);
  return number;
}

// The places that face each other at the beginning, as far apart as the motion could close.
void SolidDetection::learn_begin(const Pair& pair, const PairPoses& poses, PairPlaces& known) {
  const double radius_a = solid(pair.a).bounding_radius();
  double margin = travel(poses.a_begin, poses.a_end, radius_a);
  margin += pair.b != kNone ? travel(poses.b_begin, poses.b_end, solid(pair.b).bounding_radius())
                            : norm(poses.b_end.position - poses.b_begin.position);
  margin += 2.0 * settings_.activation * extent(pair) + resting_reach_;
  if (margin <= known.margin) return;
  find(pair, poses.a_begin, poses.b_begin, margin);
  for (const SolidContact& place : scratch_) static_cast<void>(learn(known, place));
  known.margin = margin;
}

std::vector<Index> SolidDetection::learn_later(const PairPoses& poses, const PairOnWay& later,
                                               std::span<const SolidContact> places,
                                               PairPlaces& known) {
  std::vector<Index> numbers;
  for (const SolidContact& place : places) {
    const CarriedPlace back = carried_place(place, later.a, poses.a_begin, later.b, poses.b_begin);
    SolidContact begin = place;
    begin.point_a = back.point_a;
    begin.point_b = back.point_b;
    begin.normal = back.normal;
    begin.gap = back.gap;
    begin.feature |= kFoundLater;
    numbers.push_back(learn(known, begin));
  }
  return numbers;
}

// True if any of the places ends below the tolerance, known or not.
bool SolidDetection::add_active(const Pair& pair, const PairPoses& poses,
                                std::span<const Index> places, Found& found,
                                PairPlaces& known) const {
  const double activation = settings_.activation * extent(pair);
  bool any = false;
  for (const Index number : places) {
    const SolidContact& place = places_[number];
    const double gap_end =
        carried_place(place, poses.a_begin, poses.a_end, poses.b_begin, poses.b_end).gap;
    const bool ends_below = gap_end < activation;
    if (!ends_below && !rests_near(place.gap, gap_end, found.resting_reach)) continue;
    any = any || ends_below;
    const Contact row = {pair.a, pair.b, pair.shape, number, place.normal, place.gap, gap_end};
    if (ends_below) known.ending_below.push_back(row);
    if (!knows(found.known, row)) found.contacts->push_back(row);
  }
  return any;
}

// Rounds of re-detection change the ways of few bodies; meshes are too dear to be asked again about
// the others.
void SolidDetection::note_moved(const StepMotion& motion) {
  const bool is_first = seen_end_.empty();
  has_moved_.assign(motion.end.size(), 1);
  for (std::size_t i = 0; i < has_moved_.size() && !is_first; ++i) {
    const bool is_turned =
        !seen_orientation_.empty() && seen_orientation_[i] != motion.end_orientation[i];
    has_moved_[i] = seen_end_[i] != motion.end[i] || is_turned ? 1 : 0;
  }
  seen_end_.assign(motion.end.begin(), motion.end.end());
  seen_orientation_.assign(motion.end_orientation.begin(), motion.end_orientation.end());
}

bool SolidDetection::is_as_seen(const Pair& pair) const {
  return has_moved_[pair.a] == 0 && (pair.b == kNone || has_moved_[pair.b] == 0);
}

// What a look at the pair found before, and would find once more.
void SolidDetection::look_again(const Pair& pair, Found& found) const {
  const auto seen = known_.find(pair.key());
  if (seen == known_.end()) return;
  note(found.penetration, seen->second.smallest_gap, extent(pair));
  if (found.contacts == nullptr) return;
  for (const Contact& row : seen->second.ending_below) {
    if (!knows(found.known, row)) found.contacts->push_back(row);
  }
}

void SolidDetection::look_at_solids(const StepMotion& motion, const Pair& pair, Found& found) {
  if (is_as_seen(pair)) {
    look_again(pair, found);
    return;
  }
  const PairPoses poses = this->poses(motion, pair);
  const double activation = settings_.activation * extent(pair);
  find(pair, poses.a_end, poses.b_end, activation + found.resting_reach);
  if (const auto seen = known_.find(pair.key()); seen != known_.end()) {
    seen->second.smallest_gap = kInfinity;
    seen->second.ending_below.clear();
  }
  if (scratch_.empty()) {
    look_on_way(pair, poses, found);
    return;
  }
  at_end_.swap(scratch_);
  PairPlaces& known = known_[pair.key()];
  for (const SolidContact& place : at_end_) {
    known.smallest_gap = std::min(known.smallest_gap, place.gap);
  }
  note(found.penetration, known.smallest_gap, extent(pair));
  if (found.contacts == nullptr) return;
  learn_begin(pair, poses, known);
  std::vector<Index> faced;
  for (const Index number : known.places) {
    if ((places_[number].feature & kFoundLater) == 0) faced.push_back(number);
  }
  if (add_active(pair, poses, faced, found, known)) return;
  // Only what ends below the tolerance needs a row of any kind.
  at_end_.erase(
      std::remove_if(at_end_.begin(), at_end_.end(),
                     [&](const SolidContact& place) { return !(place.gap < activation); }),
      at_end_.end());
  const PairOnWay end = {poses.a_end, poses.b_end};
  add_active(pair, poses, learn_later(poses, end, at_end_, known), found, known);
}

void SolidDetection::look_at_balls(const StepMotion& motion, const Pair& pair, Found& found) const {
  const double radius_a = world_->bodies.radius[pair.a];
  const double radius_b = world_->bodies.radius[pair.b];
  const PairMotion between =
      pair_motion(BallMotion(motion, pair.a), BallMotion(motion, pair.b), world_->periods());
  const double activation = settings_.activation * std::min(radius_a, radius_b);
  const double reach = activation + found.resting_reach;
  if (!may_be_active(between, radius_a + radius_b + reach, settings_.sweep)) return;
  const PairGaps gaps = pair_gaps(between, radius_a, radius_b);
  note(found.penetration, gaps.end, std::min(radius_a, radius_b));
  if (found.contacts == nullptr) return;
  if (!(gaps.end < activation) && !rests_near(gaps.begin.gap, gaps.end, found.resting_reach)) {
    const PathGap path = smallest_pair_gap(between.begin, between.end, radius_a + radius_b);
    if (!settings_.sweep || !(path.where > 0.0) || !(path.gap < activation)) return;
  }
  if (gaps.begin.normal == Vec3{}) return;
  const Contact row = {pair.a, pair.b, kNone, 0, gaps.begin.normal, gaps.begin.gap, gaps.end};
  if (!knows(found.known, row)) found.contacts->push_back(row);
}

void SolidDetection::look_at_ball_and_shape(const StepMotion& motion, const Pair& pair,
                                            Found& found) const {
  const PlacedShape& placed = world_->shapes[pair.shape];
  const double radius = world_->bodies.radius[pair.a];
  const double activation = settings_.activation * radius;
  const Vec3 begin = motion.begin[pair.a] - offset_at(placed.motion, motion.time);
  const Vec3 end = motion.end[pair.a] - offset_at(placed.motion, motion.time + motion.step);
  const Index features = feature_count(placed.shape, world_->dimension);
  for (Index feature = 0; feature < features; ++feature) {
    const double gap_end = ball_contact(placed.shape, feature, end, radius).gap;
    note(found.penetration, gap_end, radius);
    if (found.contacts == nullptr) continue;
    const SurfaceContact at_begin = ball_contact(placed.shape, feature, begin, radius);
    if (!(gap_end < activation) && !rests_near(at_begin.gap, gap_end, found.resting_reach)) {
      if (!settings_.sweep) continue;
      const PathGap path = smallest_gap_on_path(placed.shape, feature, begin, end, radius);
      if (!(path.where > 0.0) || !(path.gap < activation)) continue;
    }
    if (at_begin.normal == Vec3{}) continue;
    const Contact row = {pair.a,          kNone,        pair.shape, feature,
                         at_begin.normal, at_begin.gap, gap_end};
    if (!knows(found.known, row)) found.contacts->push_back(row);
  }
}

void SolidDetection::look_at_pair(const StepMotion& motion, const Pair& pair, Found& found) {
  if (!is_round_pair(pair)) {
    look_at_solids(motion, pair, found);
  } else if (pair.b != kNone) {
    look_at_balls(motion, pair, found);
  } else {
    look_at_ball_and_shape(motion, pair, found);
  }
}

void SolidDetection::begin_step() {
  places_.clear();
  known_.clear();
  seen_end_.clear();
}

Penetration SolidDetection::look(const StepMotion& motion, KnownRows known,
                                 std::vector<Contact>* contacts, bool is_first) {
  Found found{contacts, known, is_first ? resting_reach_ : 0.0, {}};
  if (contacts != nullptr) contacts->clear();
  note_moved(motion);
  const BallSweep sweep = {world_->dimension,         motion.begin, motion.end,
                           world_->bodies.radius,     list_margin_, world_->periodicity.lower,
                           world_->periodicity.length};
  broad_phase_->find_pairs(sweep, pairs_);
  for (const BallPair& pair : pairs_) look_at_pair(motion, {pair.a, pair.b, kNone}, found);
  const auto shapes = static_cast<Index>(world_->shapes.size());
  for (Index body = 0; body < world_->bodies.size(); ++body) {
    for (Index shape = 0; shape < shapes; ++shape) {
      look_at_pair(motion, {body, kNone, shape}, found);
    }
  }
  if (contacts != nullptr) {
    // Places of one pair are numbered as they were learned, not as they come.
    std::sort(contacts->begin(), contacts->end(),
              [](const Contact& a, const Contact& b) { return a.before(b); });
  } else {
    seen_end_.clear();  // rows were not looked for: the next look must
  }
  return found.penetration;
}

void SolidDetection::update_end(const StepMotion& motion, std::vector<Contact>& contacts) const {
  for (Contact& contact : contacts) {
    const Pair pair = {contact.body_a, contact.body_b, contact.shape};
    if (!is_round_pair(pair)) {
      const PairPoses poses = this->poses(motion, pair);
      contact.gap_end = carried_place(places_[contact.feature], poses.a_begin, poses.a_end,
                                      poses.b_begin, poses.b_end)
                            .gap;
    } else if (pair.b != kNone) {
      const PairMotion between =
          pair_motion(BallMotion(motion, pair.a), BallMotion(motion, pair.b), world_->periods());
      contact.gap_end = ball_pair_contact(between.end, world_->bodies.radius[pair.a],
                                          world_->bodies.radius[pair.b])
                            .gap;
    } else {
      const PlacedShape& placed = world_->shapes[pair.shape];
      const Vec3 to = offset_at(placed.motion, motion.time + motion.step);
      contact.gap_end = ball_contact(placed.shape, contact.feature, motion.end[pair.a] - to,
                                     world_->bodies.radius[pair.a])
                            .gap;
    }
  }
}

Vec3 SolidDetection::place(const StepMotion& motion, const Contact& contact) const {
  if (is_round_pair({contact.body_a, contact.body_b, contact.shape})) {
    return ball_place(motion, world_->bodies, contact);
  }
  const SolidContact& place = places_[contact.feature];
  return 0.5 * place.point_a + 0.5 * place.point_b;
}

}  // namespace carom::detail
