// Solids on their way through a step: whether they meet between its beginning and its end.
#include "carom/contact/detail/solid_sweep.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <variant>

#include "carom/collision/time_of_impact.h"
#include "carom/geometry/signed_distance.h"

namespace carom::detail {
namespace {

// More looks than this are not taken at one way; where they are used up the pair counts as met.
constexpr int kMostLooks = 60;

// The rotation from one orientation to another: its axis times its angle, 0 to pi.
Vec3 rotation_between(const Mat3& from, const Mat3& to) {
  Mat3 turned;
  for (std::size_t i = 0; i < 3; ++i) {
    turned.row[i] = {dot(to.row[i], from.row[0]), dot(to.row[i], from.row[1]),
                     dot(to.row[i], from.row[2])};
  }
  const Quaternion q = quaternion_of(turned);
  const Vec3 sine = (q.w < 0.0 ? -1.0 : 1.0) * Vec3{q.x, q.y, q.z};
  const double half = norm(sine);
  if (!(half > 0.0)) return {};
  return (2.0 * std::atan2(half, std::abs(q.w)) / half) * sine;
}

Pose pose_on_way(const Pose& begin, const Pose& end, double share) {
  Pose pose;
  pose.position = begin.position + share * (end.position - begin.position);
  const Vec3 turn = rotation_between(begin.rotation, end.rotation);
  const double angle = share * norm(turn);
  pose.rotation =
      angle > 0.0 ? matrix_of(rotation_about(turn, angle)) * begin.rotation : begin.rotation;
  return pose;
}

// Velocities are those of the whole way in a time of 1.
Flight flight_of(const Pose& begin, const Pose& end) {
  Flight flight;
  flight.velocity = end.position - begin.position;
  flight.turn_rate = norm(rotation_between(begin.rotation, end.rotation));
  return flight;
}

double thickness_of(const RoundedPolytope& part) {
  if (part.core.faces.empty()) return 2.0 * part.radius;
  Vec3 middle;
  for (const Vec3& vertex : part.core.vertices) middle += vertex;
  middle *= 1.0 / static_cast<double>(part.core.vertices.size());
  double inside = kInfinity;
  for (const ConvexPolytope::Face& face : part.core.faces) {
    const Vec3& on_face = part.core.vertices[face.loop.front()];
    inside = std::min(inside, dot(face.normal, on_face - middle));
  }
  return 2.0 * (std::max(inside, 0.0) + part.radius);
}

// Twice the depth of its middle, where that is inside.
double thickness_of(const MeshPart& part, double radius) {
  constexpr double kLeast = 0.1;
  Vec3 middle;
  for (const Vec3& vertex : part.mesh->vertices) middle += vertex;
  middle *= 1.0 / static_cast<double>(part.mesh->vertices.size());
  return std::max(-2.0 * part.distance->sample(middle).distance, kLeast * radius);
}

double thickness_of(const Solid& solid) {
  double least = kInfinity;
  for (const SolidPart& part : solid.parts()) {
    double thickness = 0.0;
    if (const auto* polytope = std::get_if<RoundedPolytope>(&part)) {
      thickness = thickness_of(*polytope);
    } else if (const auto* cylinder = std::get_if<CylinderPart>(&part)) {
      thickness = 2.0 * std::min(cylinder->radius, cylinder->half_length);
    } else if (const auto* mesh = std::get_if<MeshPart>(&part)) {
      thickness = thickness_of(*mesh, solid.bounding_radius());
    } else {
      // No bound on the time of impact with a helix is known: it is looked at where steps end.
      return kInfinity;
    }
    least = std::min(least, thickness);
  }
  return least;
}

struct ThicknessOfShape {
  double operator()(const Segment& /*shape*/) const { return 0.0; }
  double operator()(const SphereOutside& shape) const { return 2.0 * shape.radius; }
  double operator()(const SolidObstacle& shape) const { return thickness_of(*shape.solid); }
  template <class Other>
  double operator()(const Other& /*shape*/) const {
    return kInfinity;
  }
};

}  // namespace

PairOnWay pair_on_way(const PairWay& way, double share) {
  return {pose_on_way(way.a_begin, way.a_end, share), pose_on_way(way.b_begin, way.b_end, share)};
}

double travel_of(const PairWay& way) {
  const Flight a = flight_of(way.a_begin, way.a_end);
  const Flight b = flight_of(way.b_begin, way.b_end);
  double travel = norm(a.velocity - b.velocity) + a.turn_rate * way.a->bounding_radius();
  if (way.b != nullptr) travel += b.turn_rate * way.b->bounding_radius();
  return travel;
}

std::optional<double> next_meeting(const PairWay& way, double from, double reach) {
  const Flight flight_a = flight_of(way.a_begin, way.a_end);
  const Flight flight_b = flight_of(way.b_begin, way.b_end);
  const double travel = travel_of(way);
  double share = from;
  for (int look = 0; look < kMostLooks; ++look) {
    if (!(share < 1.0)) return std::nullopt;
    const PairOnWay here = pair_on_way(way, share);
    const FlyingSolid a = {{way.a, here.a}, flight_a};
    // Half of it, so that coming near does not take ever smaller parts of the way.
    const ImpactQuery query = {0.5 * reach, 1.0 - share};
    const ImpactBound bound =
        way.b != nullptr
            ? bound_time_of_impact(a, FlyingSolid{{way.b, here.b}, flight_b}, query)
            : bound_time_of_impact(a, FlyingShape{{way.shape, here.b.position}, flight_b}, query);
    if (bound.time * travel < 0.25 * reach) return share;
    share += bound.time;
  }
  return share;
}

Thickness::Thickness(const World& world) {
  std::unordered_map<const Solid*, double> known;
  const BodySet& bodies = world.bodies;
  bodies_.reserve(bodies.size());
  for (Index i = 0; i < bodies.size(); ++i) {
    if (!bodies.turns(i)) {
      bodies_.push_back(2.0 * bodies.radius[i]);
      continue;
    }
    const Solid& solid = bodies.solid_of(i);
    const auto [at, is_new] = known.try_emplace(&solid, 0.0);
    if (is_new) at->second = thickness_of(solid);
    bodies_.push_back(at->second);
  }
  for (const PlacedShape& placed : world.shapes) {
    shapes_.push_back(std::visit(ThicknessOfShape{}, placed.shape));
  }
}

}  // namespace carom::detail
