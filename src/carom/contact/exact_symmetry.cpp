// Orbits of bodies under a group, and what keeps them images of each other to the bit.
#include "carom/contact/exact_symmetry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>

namespace carom {
namespace {

// The feature of the image of a shape that a feature becomes.
Index feature_image(const Shape& shape, SquareOperation operation, Index feature) {
  if (!std::holds_alternative<BoxInside>(shape)) return feature;
  // Walls by the direction in which they lie, in the order of the features.
  constexpr std::array<Vec3, 4> kWalls = {Vec3{-1, 0, 0}, Vec3{1, 0, 0}, Vec3{0, -1, 0},
                                          Vec3{0, 1, 0}};
  const auto at = std::find(kWalls.begin(), kWalls.end(), image(operation, kWalls[feature]));
  return static_cast<Index>(at - kWalls.begin());
}

}  // namespace

ExactSymmetry::ExactSymmetry(const World& world, SymmetryGroup group)
    : world_(&world), group_(std::move(group)) {
  find_orbits();
}

void ExactSymmetry::find_orbits() {
  const Index count = world_->bodies.size();
  representative_.assign(count, kNone);
  from_.assign(count, SquareOperation::identity);
  stabilizer_.assign(count, 0);
  freedom_.assign(count, Freedom::all);
  for (Index body = 0; body < count; ++body) {
    const bool first = representative_[body] == kNone;
    for (std::size_t k = 0; k < group_.operations.size(); ++k) {
      const Index image_body = group_.body_image[k][body];
      if (image_body == body) ++stabilizer_[body];
      if (!first || representative_[image_body] != kNone) continue;
      representative_[image_body] = body;
      from_[image_body] = group_.operations[k];
    }
    freedom_[body] = freedom_of(body);
  }
}

ExactSymmetry::Freedom ExactSymmetry::freedom_of(Index body) const {
  Freedom freedom = Freedom::all;
  for (std::size_t k = 0; k < group_.operations.size(); ++k) {
    if (group_.body_image[k][body] != body) continue;
    switch (group_.operations[k]) {
      case SquareOperation::identity:
        break;
      case SquareOperation::mirror_x:
        freedom = freedom == Freedom::all ? Freedom::along_y : Freedom::none;
        break;
      case SquareOperation::mirror_y:
        freedom = freedom == Freedom::all ? Freedom::along_x : Freedom::none;
        break;
      case SquareOperation::mirror_diagonal:
        freedom = freedom == Freedom::all ? Freedom::diagonal : Freedom::none;
        break;
      case SquareOperation::mirror_antidiagonal:
        freedom = freedom == Freedom::all ? Freedom::antidiagonal : Freedom::none;
        break;
      default:
        return Freedom::none;  // a turn
    }
  }
  return freedom;
}

Vec3 ExactSymmetry::place(SquareOperation operation, const Vec3& q) const {
  return group_.center + image(operation, q - group_.center);
}

Vec3 ExactSymmetry::on_grid(const Vec3& q) const {
  const double grid = group_.grid;
  if (grid == 0.0) return q;
  return {grid * std::nearbyint(q.x / grid), grid * std::nearbyint(q.y / grid), q.z};
}

Vec3 ExactSymmetry::projected(Freedom freedom, const Vec3& v) {
  switch (freedom) {
    case Freedom::all:
      return v;
    case Freedom::along_x:
      return {v.x, 0.0, v.z};
    case Freedom::along_y:
      return {0.0, v.y, v.z};
    case Freedom::diagonal:
      return {0.5 * (v.x + v.y), 0.5 * (v.x + v.y), v.z};
    case Freedom::antidiagonal:
      return {0.5 * (v.x - v.y), 0.5 * (v.y - v.x), v.z};
    case Freedom::none:
      break;
  }
  return {0.0, 0.0, v.z};
}

Vec3 ExactSymmetry::projected(Index body, const Vec3& v) const {
  return projected(freedom_[body], v);
}

// Places on a mirror line may also lie half a period away from it, so they are kept, not projected.
Vec3 ExactSymmetry::fixed_place(Freedom freedom, const Vec3& begin, const Vec3& end) const {
  const Vec3& center = group_.center;
  switch (freedom) {
    case Freedom::all:
      return end;
    case Freedom::along_x:
      return {end.x, begin.y, end.z};
    case Freedom::along_y:
      return {begin.x, end.y, end.z};
    case Freedom::diagonal:
      return {end.x, center.y + (end.x - center.x), end.z};
    case Freedom::antidiagonal:
      return {end.x, center.y - (end.x - center.x), end.z};
    case Freedom::none:
      break;
  }
  return begin;
}

void ExactSymmetry::make_exact(State& start) const {
  const Periodicity& period = world_->periodicity;
  // A coordinate that a mirror keeps is that of the centre, or half a period away.
  const auto kept = [](double q, double center, double lower, double length) {
    return length > 0.0 && std::abs(q - center) > 0.25 * length ? lower : center;
  };
  std::vector<Vec3> begin = start.position;
  for (Vec3& q : begin) {
    q = {kept(q.x, group_.center.x, period.lower.x, period.length.x),
         kept(q.y, group_.center.y, period.lower.y, period.length.y), q.z};
  }
  complete_positions(begin, start.position);
  complete_velocities(start.velocity);
}

void ExactSymmetry::complete_positions(std::span<const Vec3> begin, std::span<Vec3> end) const {
  for (Index body = 0; body < end.size(); ++body) {
    const Index lead = representative_[body];  // lead <= body
    if (lead != body) {
      end[body] = place(from_[body], end[lead]);
    } else {
      end[body] = fixed_place(freedom_[body], begin[body], on_grid(end[body]));
    }
  }
}

void ExactSymmetry::complete_velocities(std::span<Vec3> velocity) const {
  for (Index body = 0; body < velocity.size(); ++body) {
    const Index lead = representative_[body];
    if (lead != body) {
      velocity[body] = image(from_[body], velocity[lead]);
    } else if (freedom_[body] != Freedom::all) {
      velocity[body] = projected(freedom_[body], velocity[body]);
    }
  }
}

void ExactSymmetry::average_velocity(Index representative, std::span<Vec3> velocity) const {
  const std::size_t count = group_.operations.size();  // 2, 4 or 8
  std::array<Vec3, kSquareOperations.size()> sums;
  for (std::size_t k = 0; k < count; ++k) {
    sums[k] = image(inverse(group_.operations[k]), velocity[body_image(k, representative)]);
  }
  // In pairs: the mean of equal numbers is that number, to the bit.
  for (std::size_t width = count / 2; width > 0; width /= 2) {
    for (std::size_t k = 0; k < width; ++k) sums[k] += sums[k + width];
  }
  const Vec3 mean = projected(representative, (1.0 / static_cast<double>(count)) * sums[0]);
  for (std::size_t k = 0; k < count; ++k) {
    velocity[body_image(k, representative)] = image(group_.operations[k], mean);
  }
}

ExactSymmetry::Sides ExactSymmetry::image_of_sides(const Contact& contact,
                                                   std::size_t operation) const {
  Sides sides = sides_of(contact);
  sides.body_a = body_image(operation, contact.body_a);
  if (contact.body_b != kNone) {
    sides.body_b = body_image(operation, contact.body_b);
    sides.reversed = sides.body_b < sides.body_a;
    if (sides.reversed) std::swap(sides.body_a, sides.body_b);
  } else {
    sides.shape = group_.shape_image[operation][contact.shape];
    sides.feature = feature_image(world_->shapes[contact.shape].shape, group_.operations[operation],
                                  contact.feature);
  }
  return sides;
}

Contact ExactSymmetry::image_of(const Contact& contact, std::size_t operation) const {
  const Sides sides = image_of_sides(contact, operation);
  const Vec3 normal = image(group_.operations[operation], contact.normal);
  return {sides.body_a,
          sides.body_b,
          sides.shape,
          sides.feature,
          sides.reversed ? image(SquareOperation::half_turn, normal) : normal,
          contact.gap,
          contact.gap_end};
}

}  // namespace carom
