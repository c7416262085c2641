// Helices: the places of one that are nearest to a given place, and the surface of a bent rod.
#include "carom/geometry/helix.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/geometry/detail/size_input.h"
#include "carom/geometry/direction.h"
#include "carom/geometry/mesh_generators.h"

namespace carom {
namespace {

using std::numbers::pi;

/// Equation (1) of the header for one given place.
class Derivative {
 public:
  Derivative(const Helix& helix, const Vec3& from)
      : slope_(helix.slope),
        height_(from.z),
        lever_(std::hypot(from.x, from.y) * helix.radius),
        phi_(lever_ > 0.0 ? std::atan2(from.y, from.x) : 0.0) {}

  [[nodiscard]] double phi() const { return phi_; }
  [[nodiscard]] double at(double angle) const {
    return lever_ * std::sin(angle - phi_) - slope_ * (height_ - slope_ * angle);
  }
  /// Half the width of the intervals on which it rises; pi where it always does.
  [[nodiscard]] double half_width() const {
    const double square = slope_ * slope_;
    return square >= lever_ ? pi : std::acos(-square / lever_);
  }
  /// The one zero between two angles, where it is negative at the first and positive at the second:
  /// Newton's method, and halves where that would leave what is known to hold it.
  [[nodiscard]] double zero_between(double low, double high) const {
    double angle = 0.5 * low + 0.5 * high;
    constexpr int kMost = 200;
    for (int k = 0; k < kMost; ++k) {
      const double value = at(angle);
      if (value == 0.0) return angle;
      (value < 0.0 ? low : high) = angle;
      const double rate = lever_ * std::cos(angle - phi_) + slope_ * slope_;
      double next = rate > 0.0 ? angle - value / rate : low;
      if (!(next > low && next < high)) next = 0.5 * low + 0.5 * high;
      if (next == angle || !(next > low && next < high)) return angle;
      const double change = std::abs(next - angle);
      angle = next;
      if (change <= kRoundOff * (1.0 + std::abs(angle))) return angle;
    }
    return angle;
  }

 private:
  double slope_;
  double height_;
  double lever_;
  double phi_;
};

}  // namespace

Vec3 Helix::place(double angle) const {
  return {radius * std::cos(angle), radius * std::sin(angle), slope * angle};
}

Vec3 Helix::direction(double angle) const {
  return direction_of(Vec3{-radius * std::sin(angle), radius * std::cos(angle), slope}).unit;
}

void find_nearest(const Helix& helix, const Vec3& from, double within,
                  std::vector<NearOnHelix>& found) {
  found.clear();
  if (!(within > 0.0)) return;
  const double top = helix.slope * helix.end;
  if (from.z < std::min(0.0, top) - within || from.z > std::max(0.0, top) + within) return;
  if (std::abs(std::hypot(from.x, from.y) - helix.radius) > within) return;
  const auto add = [&](double angle) {
    const Direction outward = direction_of(from - helix.place(angle));
    if (!(outward.length < within)) return;
    found.push_back({angle, outward.length, outward.unit,
                     static_cast<Index>(std::floor(angle / (2.0 * pi) + 0.5))});
  };
  const Derivative derivative(helix, from);
  const double half = derivative.half_width();
  if (derivative.at(0.0) >= 0.0) add(0.0);
  const auto first = static_cast<long>(std::floor((0.0 - derivative.phi() - pi) / (2.0 * pi)));
  const auto last = static_cast<long>(std::ceil((helix.end - derivative.phi() + pi) / (2.0 * pi)));
  for (long turn = first; turn <= last; ++turn) {
    const double middle = derivative.phi() + 2.0 * pi * static_cast<double>(turn);
    const double low = std::max(0.0, middle - half);
    const double high = std::min(helix.end, middle + half);
    if (!(low < high)) continue;
    // On this stretch heights are too far away.
    const double lower = std::min(helix.slope * low, helix.slope * high);
    const double upper = std::max(helix.slope * low, helix.slope * high);
    if (from.z < lower - within || from.z > upper + within) continue;
    if (derivative.at(low) < 0.0 && derivative.at(high) > 0.0) {
      add(derivative.zero_between(low, high));
    }
  }
  if (derivative.at(helix.end) <= 0.0) add(helix.end);
}

Helix helix_of(const HelixSolid& rod) {
  return {rod.bend_radius, rod.pitch / (2.0 * pi), 2.0 * pi * rod.turns};
}

TriangleMesh helix_mesh(const HelixSolid& rod) {
  detail::demand_positive(rod.radius, "radius");
  detail::demand_positive(rod.bend_radius, "bend_radius");
  detail::demand_positive(rod.turns, "turns");
  if (!std::isfinite(rod.pitch)) throw InputError({"", 0, 0, "pitch"}, "must be finite");
  if (!(rod.radius < rod.bend_radius)) {
    throw InputError({"", 0, 0, "radius"}, "must be smaller than bend_radius");
  }
  constexpr double kMostTurns = 1000.0;
  if (rod.turns > kMostTurns) {
    throw InputError({"", 0, 0, "turns"}, "must be at most 1000, found " + number_text(rod.turns));
  }
  constexpr double kRingsPerTurn = 64.0;
  constexpr Index kSides = 16;
  constexpr Index kEndRings = 3;
  const Helix helix = helix_of(rod);
  const auto rings = static_cast<Index>(std::ceil(kRingsPerTurn * rod.turns)) + 1;
  const std::vector<Vec3> circle = circle_points(kSides);
  TriangleMesh mesh;
  const auto add_ring = [&](double angle, double along, double radius) {
    const Vec3 onward = helix.direction(angle);
    const Vec3 outward = {std::cos(angle), std::sin(angle), 0.0};
    const Vec3 aside = cross(onward, outward);
    for (const Vec3& p : circle) {
      mesh.vertices.push_back(helix.place(angle) + along * onward +
                              radius * (p.x * outward + p.y * aside));
    }
  };
  const auto bend = [&](Index k) { return 0.5 * pi * k / (kEndRings + 1.0); };
  mesh.vertices.push_back(helix.place(0.0) - rod.radius * helix.direction(0.0));
  for (Index k = kEndRings; k > 0; --k) {
    add_ring(0.0, -rod.radius * std::sin(bend(k)), rod.radius * std::cos(bend(k)));
  }
  for (Index k = 0; k < rings; ++k) {
    add_ring(helix.end * (k / (rings - 1.0)), 0.0, rod.radius);
  }
  for (Index k = 1; k <= kEndRings; ++k) {
    add_ring(helix.end, rod.radius * std::sin(bend(k)), rod.radius * std::cos(bend(k)));
  }
  const auto top = static_cast<Index>(mesh.vertices.size());
  mesh.vertices.push_back(helix.place(helix.end) + rod.radius * helix.direction(helix.end));
  const Index count = rings + 2 * kEndRings;
  const auto at = [&](Index ring, Index k) { return 1 + ring * kSides + k % kSides; };
  for (Index k = 0; k < kSides; ++k) {
    mesh.triangles.push_back({0, at(0, k + 1), at(0, k)});
    for (Index ring = 0; ring + 1 < count; ++ring) {
      mesh.triangles.push_back({at(ring, k), at(ring, k + 1), at(ring + 1, k + 1)});
      mesh.triangles.push_back({at(ring, k), at(ring + 1, k + 1), at(ring + 1, k)});
    }
    mesh.triangles.push_back({top, at(count - 1, k), at(count - 1, k + 1)});
  }
  return mesh;
}

}  // namespace carom
