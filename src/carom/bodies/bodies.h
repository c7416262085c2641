#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carom/core/name_list.h"
#include "carom/core/types.h"
#include "carom/geometry/motion.h"
#include "carom/geometry/rotation.h"
#include "carom/geometry/shape.h"
#include "carom/geometry/solid.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// What does not change about the moving bodies: arrays, one entry per body.
struct BodySet {
  std::vector<double> mass;    ///< > 0
  std::vector<double> radius;  ///< > 0; of a body that turns: of the ball about it
  std::vector<Index> material;
  NameList name;  ///< unique
  /// Of a body that turns: its number in `solids`; kNone: a ball that does not turn. Empty where no
  /// body turns.
  std::vector<Index> solid;
  std::vector<std::shared_ptr<const Solid>> solids;

  [[nodiscard]] Index size() const { return static_cast<Index>(mass.size()); }
  [[nodiscard]] bool any_turns() const { return !solid.empty(); }
  [[nodiscard]] bool turns(Index i) const { return any_turns() && solid[i] != kNone; }
  /// Of a body that turns.
  [[nodiscard]] const Solid& solid_of(Index i) const { return *solids[solid[i]]; }
  /// A ball, turning or not: contact with it is contact with a sphere.
  [[nodiscard]] bool is_round(Index i) const { return !turns(i) || solid_of(i).is_sphere(); }
  [[nodiscard]] bool all_round() const {
    for (Index i = 0; i < solid.size(); ++i) {
      if (!is_round(i)) return false;
    }
    return true;
  }
  /// The length that tolerances refer to: a ball's radius.
  [[nodiscard]] double extent(Index i) const { return turns(i) ? solid_of(i).size() : radius[i]; }
  /// Principal moments of inertia of a body that turns, kg m^2 (2D: z).
  [[nodiscard]] Vec3 moments(Index i) const {
    const MassProperties& unit = solid_of(i).mass();
    return (mass[i] / unit.volume) * unit.moments;
  }
};

/// What does change: the state of a simulation between two steps.
struct State {
  std::uint64_t step = 0;
  double time = 0.0;           ///< step * h, not a sum
  std::vector<Vec3> position;  ///< of the centre of mass
  std::vector<Vec3> velocity;
  // One for each body, or empty where no body turns. Balls that do not turn have the identity and
  // 0.
  std::vector<Quaternion> orientation;  ///< body coordinates to the world's
  std::vector<Vec3> angular_velocity;   ///< rad/s, world coordinates
  /// How often the last step was halved: 0, unless it was too long for the scene
  /// (DetectionSettings::halve). The next one begins with that.
  Index halvings = 0;
};

/// Inertia tensor of a body that turns, in world coordinates.
[[nodiscard]] Mat3 world_inertia(const BodySet& bodies, Index body, const Quaternion& orientation);

/// A shape in the world, with its motion.
struct PlacedShape {
  Shape shape;
  Motion motion;  ///< none: it stands still
  Index material = 0;
  std::string name;  ///< unique among bodies and shapes
  /// rad/s, about its centre, of a shape that looks the same all the while: a platter, a roller.
  Vec3 spin = {};
};

/// The place that does not move when the shape spins, without the offset of its motion.
[[nodiscard]] Vec3 spin_center(const Shape& shape);
/// Velocity of a shape's surface at a place and a moment.
[[nodiscard]] Vec3 velocity_of_surface(const PlacedShape& placed, const Vec3& place, double time);

/// How the coefficients of two materials combine where the table has no entry for the pair.
enum class CombineRule : std::uint8_t { minimum, maximum, mean, product, geometric_mean };
[[nodiscard]] std::string_view to_string(CombineRule rule);
[[nodiscard]] std::vector<std::string> combine_rule_names();

struct Material {
  std::string name;
  double restitution = 1.0;  ///< 0 .. 1
  double friction = 0.0;     ///< >= 0
  double stiffness = 1.0;    ///< > 0; only lzb uses it
  /// 0: restitution is the same at all speeds. Else the closing speed v0 (m/s) at which it has
  /// fallen to `restitution`; see restitution_at().
  double restitution_speed = 0.0;
  /// Resistance of a ball that rolls, >= 0: its torque is at most this times the ball's radius
  /// times the normal force.
  double rolling = 0.0;
};

struct PairCoefficients {
  double restitution = 1.0;
  double friction = 0.0;
  double stiffness = 1.0;
  double restitution_speed = 0.0;  ///< as in Material; of two materials the smaller one
  double rolling = 0.0;            ///< two materials combine by the rule of friction
};

/// Restitution of a contact that closes with `speed` >= 0 [Bizon1998]:
///   e(v) = 1 - (1 - e0) (v / v0)^(3/4)  below v0,  e0 above it.
[[nodiscard]] double restitution_at(const PairCoefficients& pair, double speed);

/// All coefficients of a scene: the table of pairs first, then a named rule for each coefficient.
class MaterialTable {
 public:
  struct Pair {
    Index a = 0;  ///< a <= b
    Index b = 0;
    PairCoefficients coefficients;
  };

  MaterialTable();  ///< one material, "default": restitution 1, no friction

  Index add(const Material& material);
  void replace(Index i, const Material& material);
  void set_pair(Index a, Index b, const PairCoefficients& coefficients);
  void set_rules(CombineRule restitution, CombineRule friction, CombineRule stiffness);

  [[nodiscard]] PairCoefficients coefficients(Index a, Index b) const;
  [[nodiscard]] Index size() const { return static_cast<Index>(materials_.size()); }
  [[nodiscard]] const Material& material(Index i) const { return materials_[i]; }
  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }
  [[nodiscard]] CombineRule restitution_rule() const { return restitution_rule_; }
  [[nodiscard]] CombineRule friction_rule() const { return friction_rule_; }
  [[nodiscard]] CombineRule stiffness_rule() const { return stiffness_rule_; }

 private:
  std::vector<Material> materials_;
  std::vector<Pair> pairs_;
  CombineRule restitution_rule_ = CombineRule::minimum;
  CombineRule friction_rule_ = CombineRule::geometric_mean;
  CombineRule stiffness_rule_ = CombineRule::geometric_mean;
};

/// A world that repeats itself: the length of the period along each axis, 0 where it does not.
struct Periodicity {
  Vec3 lower;   ///< where the first copy begins
  Vec3 length;  ///< > 0 along periodic axes

  [[nodiscard]] bool any() const { return length.x > 0 || length.y > 0 || length.z > 0; }
};

/// The shortest copy of a difference along an axis with this period (0: none); of two that are
/// equally short the one whose number is even, so that d and -d are shortened alike.
[[nodiscard]] inline double nearest_along(double difference, double length) {
  if (!(length > 0.0)) return difference;
  // Most are short: the result below would be the same, without a division.
  if (std::abs(difference) < 0.499 * length) return difference + 0.0;
  return difference - length * std::nearbyint(difference / length);
}

/// The shortest of a difference's copies.
[[nodiscard]] inline Vec3 nearest_image(const Periodicity& periodicity, const Vec3& difference) {
  const Vec3& length = periodicity.length;
  return {nearest_along(difference.x, length.x), nearest_along(difference.y, length.y),
          nearest_along(difference.z, length.z)};
}

/// The copy of a coordinate inside the first period of an axis (length 0: it does not repeat).
[[nodiscard]] inline double wrapped_along(double place, double lower, double length) {
  if (!(length > 0.0)) return place;
  // Most are inside: the result below would be the same, without a division.
  if (place >= lower && place - lower < 0.999 * length) return place;
  const double inside = place - length * std::floor((place - lower) / length);
  return inside < lower + length ? std::max(inside, lower) : lower;
}
/// The copy of a place inside the first period.
[[nodiscard]] inline Vec3 wrapped(const Periodicity& periodicity, const Vec3& place) {
  const Vec3& lower = periodicity.lower;
  const Vec3& length = periodicity.length;
  return {wrapped_along(place.x, lower.x, length.x), wrapped_along(place.y, lower.y, length.y),
          wrapped_along(place.z, lower.z, length.z)};
}

}  // namespace carom
