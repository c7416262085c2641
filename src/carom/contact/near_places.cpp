// Places where bodies are near each other at one moment: the rows of resting contact.
#include "carom/contact/near_places.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "carom/bodies/periods.h"
#include "carom/collision/narrow_phase.h"
#include "carom/contact/detail/carried_place.h"
#include "carom/contact/detail/pair_motion.h"
#include "carom/contact/detail/solid_sweep.h"

namespace carom {
namespace {

Pose pose_of(std::span<const Vec3> position, std::span<const Quaternion> orientation, Index i) {
  return {position[i], orientation.empty() ? Mat3() : matrix_of(orientation[i])};
}

}  // namespace

NearPlaces::NearPlaces(const World& world, const DetectionSettings& settings)
    : world_(&world),
      activation_(settings.activation),
      broad_phase_(make_broad_phase(settings.broad_phase)),
      thickness_(std::make_unique<detail::Thickness>(world)) {
  balls_.resize(world.bodies.size());
}

NearPlaces::~NearPlaces() = default;

const Solid& NearPlaces::solid(Index body) const {
  return world_->bodies.turns(body) ? world_->bodies.solid_of(body) : *balls_[body];
}

bool NearPlaces::is_round(const NearPair& pair) const {
  if (!world_->bodies.is_round(pair.body_a)) return false;
  if (pair.body_b != kNone) return world_->bodies.is_round(pair.body_b);
  return !std::holds_alternative<SolidObstacle>(world_->shapes[pair.shape].shape);
}

bool NearPlaces::is_round(const Contact& contact) const {
  NearPair pair;
  pair.body_a = contact.body_a;
  pair.body_b = contact.body_b;
  pair.shape = contact.shape;
  return is_round(pair);
}

double NearPlaces::extent(const NearPair& pair) const {
  const double extent = world_->bodies.extent(pair.body_a);
  return pair.body_b == kNone ? extent : std::min(extent, world_->bodies.extent(pair.body_b));
}

NearPlaces::PairPoses NearPlaces::poses(const StepMotion& motion, Index a, Index b,
                                        Index shape) const {
  PairPoses poses;
  poses.a_begin = pose_of(motion.begin, motion.begin_orientation, a);
  poses.a_end = pose_of(motion.end, motion.end_orientation, a);
  if (b == kNone) {
    const Motion& way = world_->shapes[shape].motion;
    poses.b_begin.position = offset_at(way, motion.time);
    poses.b_end.position = offset_at(way, motion.time + motion.step);
    return poses;
  }
  poses.b_begin = pose_of(motion.begin, motion.begin_orientation, b);
  poses.b_end = pose_of(motion.end, motion.end_orientation, b);
  if (world_->periodicity.any()) {
    const Vec3 by =
        periods_between(world_->periodicity, poses.a_begin.position - poses.b_begin.position);
    poses.b_begin.position += by;
    poses.b_end.position += by;
  }
  return poses;
}

void NearPlaces::find(Index a, Index b, Index shape, const PairPoses& poses, double margin,
                      bool at_end) {
  for (const Index body : {a, b}) {
    if (body == kNone || world_->bodies.turns(body) || balls_[body] != nullptr) continue;
    balls_[body] =
        std::make_shared<const Solid>(SphereSolid{world_->bodies.radius[body]}, world_->dimension);
  }
  const PlacedSolid first = {&solid(a), at_end ? poses.a_end : poses.a_begin};
  const Pose& other = at_end ? poses.b_end : poses.b_begin;
  if (b != kNone) {
    find_solid_contacts(first, PlacedSolid{&solid(b), other}, margin, found_);
  } else {
    find_solid_contacts(first, OffsetShape{&world_->shapes[shape].shape, other.position}, margin,
                        found_);
  }
}

void NearPlaces::add(NearPair& pair, NearPlace place) {
  place.contact.body_a = pair.body_a;
  place.contact.body_b = pair.body_b;
  place.contact.shape = pair.shape;
  place.contact.gap_end = place.contact.gap;
  pair.smallest_gap = std::min(pair.smallest_gap, place.contact.gap);
  places_.push_back(place);
}

void NearPlaces::look_at(const StepMotion& motion, NearPair pair, double reach) {
  pair.first = static_cast<std::uint32_t>(places_.size());
  const BodySet& bodies = world_->bodies;
  const double radius = bodies.radius[pair.body_a];
  const Vec3& center = motion.begin[pair.body_a];
  if (!is_round(pair)) {
    const PairPoses poses = this->poses(motion, pair.body_a, pair.body_b, pair.shape);
    find(pair.body_a, pair.body_b, pair.shape, poses, reach, false);
    for (const SolidContact& solid : found_) {
      NearPlace place;
      place.contact.normal = solid.normal;
      place.contact.gap = solid.gap;
      place.contact.feature = static_cast<Index>(places_.size());
      place.feature = solid.feature;
      place.place = 0.5 * solid.point_a + 0.5 * solid.point_b;
      place.solid = solid;
      add(pair, place);
    }
  } else if (pair.body_b != kNone) {
    const Vec3 between = nearest_image(world_->periodicity, center - motion.begin[pair.body_b]);
    const BallPairGap gap = ball_pair_contact(between, radius, bodies.radius[pair.body_b]);
    if (gap.gap < reach && gap.normal != Vec3{}) {
      NearPlace place;
      place.contact.normal = gap.normal;
      place.contact.gap = gap.gap;
      place.place = center - (radius + 0.5 * gap.gap) * gap.normal;
      add(pair, place);
    }
  } else {
    const PlacedShape& placed = world_->shapes[pair.shape];
    const Vec3 at = center - offset_at(placed.motion, motion.time);
    const Index features = feature_count(placed.shape, world_->dimension);
    for (Index feature = 0; feature < features; ++feature) {
      const SurfaceContact surface = ball_contact(placed.shape, feature, at, radius);
      if (!(surface.gap < reach) || surface.normal == Vec3{}) continue;
      NearPlace place;
      place.contact.normal = surface.normal;
      place.contact.gap = surface.gap;
      place.contact.feature = feature;
      place.feature = feature;
      place.place = center - radius * surface.normal;
      add(pair, place);
    }
  }
  pair.last = static_cast<std::uint32_t>(places_.size());
  if (pair.last > pair.first) pairs_.push_back(pair);
}

void NearPlaces::look(const StepMotion& motion, std::span<const double> reach) {
  places_.clear();
  pairs_.clear();
  const Index count = world_->bodies.size();
  radius_.resize(count);
  for (Index i = 0; i < count; ++i) radius_[i] = world_->bodies.radius[i] + reach[i];
  const BallSweep sweep = {world_->dimension,
                           motion.begin,
                           motion.begin,
                           radius_,
                           0.0,
                           world_->periodicity.lower,
                           world_->periodicity.length};
  broad_phase_->find_pairs(sweep, candidates_);
  for (const BallPair& pair : candidates_) {
    NearPair near;
    near.body_a = pair.a;
    near.body_b = pair.b;
    look_at(motion, near, reach[pair.a] + reach[pair.b]);
  }
  const auto shapes = static_cast<Index>(world_->shapes.size());
  for (Index body = 0; body < count; ++body) {
    for (Index shape = 0; shape < shapes; ++shape) {
      const Motion& way = world_->shapes[shape].motion;
      const Vec3 moved = offset_at(way, motion.time + motion.step) - offset_at(way, motion.time);
      NearPair near;
      near.body_a = body;
      near.shape = shape;
      look_at(motion, near, reach[body] + norm(moved));
    }
  }
}

double NearPlaces::gap_after(const StepMotion& motion, const NearPlace& place) {
  const Contact& contact = place.contact;
  const Index a = contact.body_a;
  if (!is_round(contact)) {
    const PairPoses way = poses(motion, a, contact.body_b, contact.shape);
    const double carried =
        detail::carried_place(place.solid, way.a_begin, way.a_end, way.b_begin, way.b_end).gap;
    if (!place.solid.is_bent) return carried;
    // Round a bend the carried plane is a tangent: the true gap differs by the square of the way.
    const double moved = norm(way.a_end.position - way.a_begin.position) +
                         norm(way.b_end.position - way.b_begin.position);
    find(a, contact.body_b, contact.shape, way, std::max(carried, 0.0) + 2.0 * moved, true);
    double nearest = kInfinity;
    for (const SolidContact& found : found_) {
      if (found.feature == place.feature) return found.gap;
      nearest = std::min(nearest, found.gap);
    }
    return nearest < kInfinity ? nearest : carried;
  }
  const double radius = world_->bodies.radius[a];
  if (contact.body_b != kNone) {
    const detail::PairMotion between =
        detail::pair_motion(detail::BallMotion(motion, a),
                            detail::BallMotion(motion, contact.body_b), world_->periods());
    return ball_pair_contact(between.end, radius, world_->bodies.radius[contact.body_b]).gap;
  }
  const PlacedShape& placed = world_->shapes[contact.shape];
  const Vec3 to = offset_at(placed.motion, motion.time + motion.step);
  return ball_contact(placed.shape, contact.feature, motion.end[a] - to, radius).gap;
}

// Whether a pair that is apart at the end meets on its way, where one of its places faces the other
// side by then: what only passes by, or parts, has none.
bool NearPlaces::crosses(const NearPair& pair, const PairPoses& poses) const {
  const detail::PairWay way = {&solid(pair.body_a),
                               pair.body_b != kNone ? &solid(pair.body_b) : nullptr,
                               pair.body_b != kNone ? nullptr : &world_->shapes[pair.shape].shape,
                               poses.a_begin,
                               poses.a_end,
                               poses.b_begin,
                               poses.b_end};
  if (!thickness_->may_be_crossed(way, pair.body_a, pair.body_b, pair.shape)) return false;
  const auto passes = [&](const NearPlace& place) {
    return detail::carried_place(place.solid, way.a_begin, way.a_end, way.b_begin, way.b_end).gap <
           0.0;
  };
  const auto first = places_.begin() + pair.first;
  if (std::none_of(first, places_.begin() + pair.last, passes)) return false;
  constexpr double kReach = 1e-3;  // in sizes of the smaller of the two
  return detail::next_meeting(way, 0.0, kReach * extent(pair)).has_value();
}

bool NearPlaces::touches(const StepMotion& motion, const NearPair& pair) {
  const double activation = activation_ * extent(pair);
  if (!is_round(pair)) {
    const PairPoses way = poses(motion, pair.body_a, pair.body_b, pair.shape);
    find(pair.body_a, pair.body_b, pair.shape, way, activation, true);
    const bool at_end = std::any_of(found_.begin(), found_.end(), [&](const SolidContact& found) {
      return found.gap < activation;
    });
    return at_end || crosses(pair, way);
  }
  const double radius = world_->bodies.radius[pair.body_a];
  if (pair.body_b != kNone) {
    const detail::PairMotion between =
        detail::pair_motion(detail::BallMotion(motion, pair.body_a),
                            detail::BallMotion(motion, pair.body_b), world_->periods());
    const double radii = radius + world_->bodies.radius[pair.body_b];
    return smallest_pair_gap(between.begin, between.end, radii).gap < activation;
  }
  const PlacedShape& placed = world_->shapes[pair.shape];
  const Vec3 begin = motion.begin[pair.body_a] - offset_at(placed.motion, motion.time);
  const Vec3 end = motion.end[pair.body_a] - offset_at(placed.motion, motion.time + motion.step);
  for (std::uint32_t k = pair.first; k < pair.last; ++k) {
    const Index feature = places_[k].contact.feature;
    if (smallest_gap_on_path(placed.shape, feature, begin, end, radius).gap < activation) {
      return true;
    }
  }
  return false;
}

}  // namespace carom
