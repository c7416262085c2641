// Bodies as arrays, and what two materials make of their coefficients.
#include "carom/bodies/bodies.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/core/assert.h"

namespace carom {

Mat3 world_inertia(const BodySet& bodies, Index body, const Quaternion& orientation) {
  const Vec3 moments = bodies.moments(body);
  if (moments.x == moments.y && moments.y == moments.z) {  // the same about every axis
    return {{Vec3{moments.x, 0.0, 0.0}, Vec3{0.0, moments.x, 0.0}, Vec3{0.0, 0.0, moments.x}}};
  }
  const Mat3 rotation = matrix_of(orientation);
  // Every column scaled by its moment, times the transpose: symmetric to the last bit.
  Mat3 inertia = Mat3::zero();
  const auto entry = [&](std::size_t i, std::size_t j) {
    const Vec3& a = rotation.row[i];
    const Vec3& b = rotation.row[j];
    return moments.x * (a.x * b.x) + moments.y * (a.y * b.y) + moments.z * (a.z * b.z);
  };
  for (std::size_t i = 0; i < 3; ++i) inertia.row[i] = {entry(i, 0), entry(i, 1), entry(i, 2)};
  return inertia;
}
namespace {

struct RuleName {
  CombineRule rule;
  std::string_view name;
};
constexpr std::array<RuleName, 5> kRules = {{
    {CombineRule::minimum, "minimum"},
    {CombineRule::maximum, "maximum"},
    {CombineRule::mean, "mean"},
    {CombineRule::product, "product"},
    {CombineRule::geometric_mean, "geometric_mean"},
}};

double combine(CombineRule rule, double a, double b) {
  switch (rule) {
    case CombineRule::minimum:
      return std::min(a, b);
    case CombineRule::maximum:
      return std::max(a, b);
    case CombineRule::mean:
      return 0.5 * (a + b);
    case CombineRule::product:
      return a * b;
    // Equal coefficients come out with their bits.
    case CombineRule::geometric_mean:
      return a == b ? a : std::sqrt(a * b);
  }
  return std::min(a, b);
}

}  // namespace

std::string_view to_string(CombineRule rule) {
  for (const RuleName& entry : kRules) {
    if (entry.rule == rule) return entry.name;
  }
  return "";
}

std::vector<std::string> combine_rule_names() {
  std::vector<std::string> names;
  for (const RuleName& entry : kRules) names.emplace_back(entry.name);
  return names;
}

MaterialTable::MaterialTable() : materials_{Material{"default"}} {}

Index MaterialTable::add(const Material& material) {
  materials_.push_back(material);
  return static_cast<Index>(materials_.size() - 1);
}

void MaterialTable::replace(Index i, const Material& material) { materials_[i] = material; }

void MaterialTable::set_pair(Index a, Index b, const PairCoefficients& coefficients) {
  CAROM_DEMAND(a < size() && b < size());
  std::erase_if(pairs_,
                [&](const Pair& p) { return p.a == std::min(a, b) && p.b == std::max(a, b); });
  pairs_.push_back({std::min(a, b), std::max(a, b), coefficients});
}

void MaterialTable::set_rules(CombineRule restitution, CombineRule friction,
                              CombineRule stiffness) {
  restitution_rule_ = restitution;
  friction_rule_ = friction;
  stiffness_rule_ = stiffness;
}

PairCoefficients MaterialTable::coefficients(Index a, Index b) const {
  for (const Pair& pair : pairs_) {
    if (pair.a == std::min(a, b) && pair.b == std::max(a, b)) return pair.coefficients;
  }
  const Material& first = materials_[a];
  const Material& second = materials_[b];
  return {combine(restitution_rule_, first.restitution, second.restitution),
          combine(friction_rule_, first.friction, second.friction),
          combine(stiffness_rule_, first.stiffness, second.stiffness),
          std::min(first.restitution_speed, second.restitution_speed),
          combine(friction_rule_, first.rolling, second.rolling)};
}

double restitution_at(const PairCoefficients& pair, double speed) {
  if (!(speed < pair.restitution_speed)) return pair.restitution;
  const double root = std::sqrt(speed / pair.restitution_speed);
  return 1.0 - (1.0 - pair.restitution) * root * std::sqrt(root);
}

Vec3 spin_center(const Shape& shape) {
  if (const auto* plane = std::get_if<HalfPlane>(&shape)) return plane->point;
  if (const auto* inside = std::get_if<SphereInside>(&shape)) return inside->center;
  if (const auto* outside = std::get_if<SphereOutside>(&shape)) return outside->center;
  if (const auto* obstacle = std::get_if<SolidObstacle>(&shape)) return obstacle->pose.position;
  return {};
}

Vec3 velocity_of_surface(const PlacedShape& placed, const Vec3& place, double time) {
  const Vec3 center = spin_center(placed.shape) + offset_at(placed.motion, time);
  return velocity_at(placed.motion, time) + cross(placed.spin, place - center);
}

}  // namespace carom
