// How far balls may move before they can touch a shape.
#include "carom/contact/detail/shape_clearance.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/detail/ball_hash.h"
#include "carom/core/types.h"

namespace carom::detail {
namespace {

// Of gaps and ways, on the safe side.
constexpr double kRounding = 1e-12;

}  // namespace

ShapeClearance::ShapeClearance(const World& world, const DetectionSettings& settings)
    : world_(&world), activation_(settings.activation) {}

double ShapeClearance::free_way(Index ball, const Vec3& place) const {
  const double radius = world_->bodies.radius[ball];
  double smallest = kInfinity;
  for (std::size_t k = 0; k < offset_.size(); ++k) {
    const Shape& shape = world_->shapes[k].shape;
    const Vec3 center = place - offset_[k];
    const Index features = feature_count(shape, world_->dimension);
    for (Index feature = 0; feature < features; ++feature) {
      const double gap = ball_contact(shape, feature, center, radius).gap;
      const double lost = kRounding * (std::abs(gap) + size_of(place) + size_of(center) + radius);
      const double free = gap - activation_ * radius - lost;
      if (!(free >= smallest)) smallest = free;  // what is not a number is kept
      if (!(free == free)) return free;
    }
  }
  return smallest;
}

void ShapeClearance::move(std::span<const Vec3> old_place, std::span<const Vec3> place,
                          double time) {
  // A ball this far away, in radii, keeps its bound, less its way.
  constexpr double kFar = 16.0;
  double shapes_moved = 0.0;
  const bool is_new = old_place.size() != place.size() || free_.size() != place.size();
  offset_.resize(world_->shapes.size());
  for (std::size_t k = 0; k < offset_.size(); ++k) {
    const Vec3 offset = offset_at(world_->shapes[k].motion, time);
    shapes_moved = std::max(shapes_moved, norm(offset - offset_[k]));  // not used where all is new
    offset_[k] = offset;
  }
  free_.resize(place.size());
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (!is_new) {
      const double left = free_[i] - norm(place[i] - old_place[i]) - shapes_moved;
      const double lost = kRounding * (std::abs(free_[i]) + size_of(place[i]));
      free_[i] = left - lost;
      if (free_[i] > kFar * world_->bodies.radius[i]) continue;
    }
    free_[i] = free_way(static_cast<Index>(i), place[i]);
  }
}

double ShapeClearance::shape_travel(const StepMotion& motion) const {
  double farthest = 0.0;
  for (std::size_t k = 0; k < offset_.size(); ++k) {
    for (const double time : {motion.time, motion.time + motion.step}) {
      const Vec3 change = offset_at(world_->shapes[k].motion, time) - offset_[k];
      farthest = std::max(farthest, norm(change) * (1.0 + kRounding));
    }
  }
  return farthest;
}

}  // namespace carom::detail
