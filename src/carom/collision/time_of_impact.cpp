// When two bodies in free flight may meet: bounds, and roots where balls do.
#include "carom/collision/time_of_impact.h"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "carom/collision/detail/convex_distance.h"
#include "carom/collision/detail/mesh_clearance.h"
#include "carom/core/assert.h"
#include "carom/geometry/direction.h"
#include "carom/geometry/signed_distance.h"

namespace carom {
namespace {

using detail::ConvexSet;
using detail::Slab;

// Distances within this part of themselves cost few steps and little time of flight.
constexpr double kAccuracy = 1e-3;
constexpr double kMeshAccuracy = 0.1;
// Round-off of a time must not make it a late one.
constexpr double kEarlier = 1.0 - 1e-12;

// Both flights as one: that of a seen from b.
struct Approach {
  Vec3 velocity;
  Vec3 acceleration;
  double turn_a = 0.0;
  double turn_b = 0.0;
  double further = 0.0;

  Approach(const Flight& a, const Flight& b)
      : velocity(a.velocity - b.velocity),
        acceleration(a.acceleration - b.acceleration),
        turn_a(a.turn_rate),
        turn_b(b.turn_rate),
        further(a.further_speed + b.further_speed) {}

  // (1) for a slab; `turning` is r_a omega_a + r_b omega_b.
  [[nodiscard]] double across(const Slab& slab, double width, double turning) const {
    return time_to_cover(width, further + turning - dot(slab.normal, velocity),
                         -dot(slab.normal, acceleration));
  }
  // For surfaces of any form.
  [[nodiscard]] double any_way(double distance, double turning) const {
    return time_to_cover(distance, further + turning + norm(velocity), norm(acceleration));
  }
};

// When two balls of together `reach` meet, b's at the origin and a's at `place`.
double when_balls_meet(const Vec3& place, double reach, const Approach& approach) {
  const Direction from = direction_of(place);
  const double apart = from.length - reach;
  if (!(apart > 0.0)) return 0.0;
  if (approach.acceleration != Vec3{} || approach.further > 0.0) {
    return approach.across({from.unit, apart}, apart, 0.0);
  }
  const double square = norm_squared(approach.velocity);
  const double closing = -dot(place, approach.velocity);
  if (!(closing > 0.0)) return kInfinity;
  const double missing = apart * (from.length + reach);
  const double root = closing * closing - square * missing;
  return root < 0.0 ? kInfinity : missing / (closing + std::sqrt(root));
}

// ----- Parts ------------------------------------------------------------------------------------

// A part of a solid, or a shape that is like one, in the coordinates of the query.
struct PlacedPart {
  const SolidPart* part = nullptr;
  Pose pose;
  double turning_reach = 0.0;  // how far its core reaches from the centre of mass
  double rounding = 0.0;
  std::vector<Vec3> places;  // of the core, where it is a polytope

  PlacedPart(const SolidPart& of, const Pose& at) : part(&of), pose(at) {
    if (const auto* polytope = std::get_if<RoundedPolytope>(&of)) {
      rounding = polytope->radius;
      for (const Vec3& vertex : polytope->core.vertices) {
        turning_reach = std::max(turning_reach, norm(vertex));
        places.push_back(at.to_world(vertex));
      }
    } else if (const auto* cylinder = std::get_if<CylinderPart>(&of)) {
      turning_reach = norm(cylinder->center) + std::hypot(cylinder->radius, cylinder->half_length);
    } else {
      // The scheme that asks refuses helices.
      CAROM_DEMAND(mesh() != nullptr);
      for (const Vec3& vertex : mesh()->mesh->vertices) {
        turning_reach = std::max(turning_reach, norm(vertex));
      }
    }
  }

  [[nodiscard]] const MeshPart* mesh() const { return std::get_if<MeshPart>(part); }
  // Of its core; not for meshes.
  [[nodiscard]] ConvexSet set() const {
    if (const auto* cylinder = std::get_if<CylinderPart>(part)) return {*cylinder, pose};
    return ConvexSet(places);
  }
  // Lower bound on how far all of it lies along a direction.
  [[nodiscard]] double lowest_along(const Vec3& direction) const {
    if (mesh() == nullptr) return dot(direction, set().farthest(-direction)) - rounding;
    double lowest = kInfinity;
    for (const Vec3& vertex : mesh()->mesh->vertices) {
      lowest = std::min(lowest, dot(direction, pose.to_world(vertex)));
    }
    return lowest;
  }
};

std::vector<PlacedPart> placed_parts(const Solid& solid, const Pose& pose) {
  std::vector<PlacedPart> parts;
  parts.reserve(solid.parts().size());
  for (const SolidPart& part : solid.parts()) parts.emplace_back(part, pose);
  return parts;
}

// The distance of places from a part, and a ball around the part.
detail::DistanceField field_of(const PlacedPart& part) {
  detail::DistanceField field;
  field.center = part.pose.position;
  field.radius = part.turning_reach + part.rounding;
  if (const MeshPart* mesh = part.mesh()) {
    field.distance = [mesh, &part](const Vec3& place) {
      return mesh->distance->sample(part.pose.to_body(place)).distance;
    };
  } else {
    field.distance = [&part](const Vec3& place) {
      const Slab slab = widest_slab(ConvexSet({&place, 1}), part.set(), 1e-6);
      return std::max(0.0, slab.width) - part.rounding;
    };
  }
  return field;
}

ImpactBound sooner(const ImpactBound& a, const ImpactBound& b) {
  return {std::min(a.time, b.time), std::min(a.distance, b.distance),
          std::min(a.meeting, b.meeting)};
}

ImpactBound bound_of_parts(const PlacedPart& a, const PlacedPart& b, const Approach& approach,
                           double envelope) {
  const double turning = approach.turn_a * a.turning_reach + approach.turn_b * b.turning_reach;
  if (a.mesh() == nullptr && b.mesh() == nullptr) {
    const Slab slab = widest_slab(a.set(), b.set(), kAccuracy);
    const double distance = slab.width - a.rounding - b.rounding;
    return {approach.across(slab, distance - envelope, turning), distance,
            approach.across(slab, distance, turning)};
  }
  const bool is_a = a.mesh() != nullptr;
  const PlacedPart& mesh = is_a ? a : b;
  const double distance =
      mesh_clearance(*mesh.mesh(), mesh.pose, field_of(is_a ? b : a), kMeshAccuracy);
  return {approach.any_way(distance - envelope, turning), distance,
          approach.any_way(distance, turning)};
}

// ----- Shapes -----------------------------------------------------------------------------------

struct ShapeQuery {
  const std::vector<PlacedPart>& parts;
  Vec3 offset;  // of the shape, in the coordinates of the query
  int dimension = 3;
  const Approach& approach;
  double envelope = 0.0;

  [[nodiscard]] ImpactBound to_wall(const Vec3& point, const Vec3& normal) const {
    ImpactBound bound{kInfinity, kInfinity, kInfinity};
    for (const PlacedPart& part : parts) {
      const double distance = part.lowest_along(normal) - dot(normal, point + offset);
      const double turning = approach.turn_a * part.turning_reach;
      const Slab slab = {normal, distance};
      bound = sooner(bound, {approach.across(slab, distance - envelope, turning), distance,
                             approach.across(slab, distance, turning)});
    }
    return bound;
  }

  [[nodiscard]] ImpactBound operator()(const HalfPlane& plane) const {
    return to_wall(plane.point, plane.normal);
  }
  [[nodiscard]] ImpactBound operator()(const BoxInside& box) const {
    ImpactBound bound{kInfinity, kInfinity, kInfinity};
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
      if (axis.z != 0.0 && dimension == 2) continue;
      bound = sooner(bound, to_wall(box.lower, axis));
      bound = sooner(bound, to_wall(box.upper, -axis));
    }
    return bound;
  }
  // Bodies lie inside; no place may come farther from the centre than the radius.
  [[nodiscard]] ImpactBound operator()(const SphereInside& sphere) const {
    ImpactBound bound{kInfinity, kInfinity, kInfinity};
    const Vec3 center = sphere.center + offset;
    for (const PlacedPart& part : parts) {
      double farthest = 0.0;
      if (const MeshPart* mesh = part.mesh()) {
        for (const Vec3& vertex : mesh->mesh->vertices) {
          farthest = std::max(farthest, norm(part.pose.to_world(vertex) - center));
        }
      } else if (part.places.empty()) {
        farthest = norm(part.pose.position - center) + part.turning_reach;
      }
      for (const Vec3& place : part.places) farthest = std::max(farthest, norm(place - center));
      const double distance = sphere.radius - farthest - part.rounding;
      const double turning = approach.turn_a * part.turning_reach;
      bound = sooner(bound, {approach.any_way(distance - envelope, turning), distance,
                             approach.any_way(distance, turning)});
    }
    return bound;
  }
  [[nodiscard]] ImpactBound operator()(const SphereOutside& sphere) const {
    RoundedPolytope ball;
    ball.core.vertices.assign(1, sphere.center);
    ball.radius = sphere.radius;
    return to_part(ball);
  }
  [[nodiscard]] ImpactBound operator()(const Segment& segment) const {
    RoundedPolytope line;
    line.core.vertices = {segment.a, segment.b};
    return to_part(line);
  }
  [[nodiscard]] ImpactBound operator()(const SolidObstacle& /*obstacle*/) const { return {}; }

  // A part that does not turn: its reach from the middle of the query does not count.
  [[nodiscard]] ImpactBound to_part(const RoundedPolytope& polytope) const {
    const SolidPart other = polytope;
    const PlacedPart placed(other, {offset, {}});
    ImpactBound bound{kInfinity, kInfinity, kInfinity};
    for (const PlacedPart& part : parts) {
      bound = sooner(bound, bound_of_parts(part, placed, approach, envelope));
    }
    return bound;
  }
};

}  // namespace

double largest_turn_rate(const Vec3& moments, const Vec3& angular_velocity) {
  const Vec3& w = angular_velocity;
  const double twice_energy = moments.x * w.x * w.x + moments.y * w.y * w.y + moments.z * w.z * w.z;
  return std::sqrt(twice_energy / std::min({moments.x, moments.y, moments.z}));
}

double time_to_cover(double distance, double speed, double acceleration) {
  if (distance <= 0.0) return 0.0;
  const double root = speed * speed + 2.0 * acceleration * distance;
  if (root < 0.0) return kInfinity;
  if (speed > 0.0) return kEarlier * 2.0 * distance / (speed + std::sqrt(root));
  return acceleration > 0.0 ? kEarlier * (std::sqrt(root) - speed) / acceleration : kInfinity;
}

ImpactBound bound_time_of_impact(const FlyingSolid& a, const FlyingSolid& b,
                                 const ImpactQuery& query) {
  const Approach approach(a.flight, b.flight);
  const Vec3 between = a.body.pose.position - b.body.pose.position;
  const double reach = a.body.solid->bounding_radius() + b.body.solid->bounding_radius();
  const double balls = when_balls_meet(between, reach + query.envelope, approach);
  if (balls > 0.0 && balls >= query.horizon) return {balls, norm(between) - reach, balls};
  // Far from the world's origin places have few digits left; b's centre keeps them.
  const std::vector<PlacedPart> parts_a =
      placed_parts(*a.body.solid, {between, a.body.pose.rotation});
  const std::vector<PlacedPart> parts_b = placed_parts(*b.body.solid, {{}, b.body.pose.rotation});
  ImpactBound bound{kInfinity, kInfinity, kInfinity};
  for (const PlacedPart& part_a : parts_a) {
    for (const PlacedPart& part_b : parts_b) {
      bound = sooner(bound, bound_of_parts(part_a, part_b, approach, query.envelope));
    }
  }
  bound.time = std::max(bound.time, balls * kEarlier);
  bound.meeting = std::max(bound.meeting, when_balls_meet(between, reach, approach) * kEarlier);
  return bound;
}

ImpactBound bound_time_of_impact(const FlyingSolid& a, const FlyingShape& b,
                                 const ImpactQuery& query) {
  if (const auto* obstacle = std::get_if<SolidObstacle>(b.shape.shape)) {
    const Pose pose = {obstacle->pose.position + b.shape.offset, obstacle->pose.rotation};
    return bound_time_of_impact(a, FlyingSolid{{obstacle->solid.get(), pose}, b.flight}, query);
  }
  const Approach approach(a.flight, b.flight);
  const std::vector<PlacedPart> parts = placed_parts(*a.body.solid, {{}, a.body.pose.rotation});
  return std::visit(ShapeQuery{parts, b.shape.offset - a.body.pose.position,
                               a.body.solid->dimension(), approach, query.envelope},
                    *b.shape.shape);
}

}  // namespace carom
