// Where cylinders touch balls, polytopes and each other.
#include "carom/collision/detail/cylinder_contact.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "carom/collision/detail/facets.h"
#include "carom/geometry/direction.h"

namespace carom::detail {
namespace {

using Owner = SolidContact::Owner;

constexpr Index kSides = 32;

// A cylinder in the coordinates of a query.
struct PlacedCylinder {
  PlacedCylinder(const CylinderPart& cylinder, const Pose& pose)
      : center(pose.to_world(cylinder.center)),
        axis(pose.rotation * cylinder.axis),
        across(pose.rotation * cylinder.across),
        radius(cylinder.radius),
        half_length(cylinder.half_length) {}

  [[nodiscard]] Vec3 radial(const Vec3& direction) const {
    return direction - dot(direction, axis) * axis;
  }
  // `direction` without its part along the axis, if enough is left; otherwise `across`.
  [[nodiscard]] Vec3 unit_radial(const Vec3& direction) const {
    const Direction found = direction_of(radial(direction));
    return found.length > ContactTolerance::kParallel ? found.unit : across;
  }

  // How far the place lies from the axis along `toward` (unit): the whole radius where the cylinder
  // lies on its side, nothing where it stands.
  [[nodiscard]] double rounding(const Vec3& place, const Vec3& toward) const {
    return std::max(0.0, dot(radial(place - center), toward));
  }

  Vec3 center;
  Vec3 axis;
  Vec3 across;
  double radius;
  double half_length;
};

// ----- The prism ------------------------------------------------------------------------------

ConvexPolytope make_unit_prism() {
  ConvexPolytope prism;
  const auto corner = [](double turns) {
    const double angle = 2.0 * std::numbers::pi * turns / kSides;
    return Vec3{std::cos(angle), std::sin(angle), 0.0};
  };
  for (const double z : {-1.0, 1.0}) {
    for (Index k = 0; k < kSides; ++k) prism.vertices.push_back(corner(k) + Vec3{0.0, 0.0, z});
  }
  const Index bottom = kSides;
  const Index top = kSides + 1;
  ConvexPolytope::Face bottom_face{{}, {0, 0, -1}};
  ConvexPolytope::Face top_face{{}, {0, 0, 1}};
  for (Index k = 0; k < kSides; ++k) {
    const Index next = (k + 1) % kSides;
    const Index before = (k + kSides - 1) % kSides;
    prism.faces.push_back({{k, next, kSides + next, kSides + k}, corner(k + 0.5)});
    prism.edges.push_back({k, next, bottom, k});
    prism.edges.push_back({kSides + k, kSides + next, top, k});
    prism.edges.push_back({k, kSides + k, before, k});
    bottom_face.loop.push_back(kSides - 1 - k);
    top_face.loop.push_back(kSides + k);
  }
  prism.faces.push_back(bottom_face);
  prism.faces.push_back(top_face);
  return prism;
}

void place_prism(const PlacedCylinder& cylinder, const Vec3& across, PlacedPolytope& placed) {
  static const ConvexPolytope kUnitPrism = make_unit_prism();
  const Vec3 side = cross(cylinder.axis, across);
  placed.core = &kUnitPrism;
  placed.radius = 0.0;
  placed.dimension = 3;
  placed.vertices.clear();
  placed.planes.clear();
  placed.edges.clear();
  for (const Vec3& vertex : kUnitPrism.vertices) {
    placed.vertices.push_back(cylinder.center + cylinder.radius * vertex.x * across +
                              cylinder.radius * vertex.y * side +
                              cylinder.half_length * vertex.z * cylinder.axis);
  }
  for (const ConvexPolytope::Face& face : kUnitPrism.faces) {
    const Vec3 normal =
        face.normal.x * across + face.normal.y * side + face.normal.z * cylinder.axis;
    placed.planes.push_back({normal, placed.vertices[face.loop.front()]});
  }
  placed.measure();
}

double sagitta(const CylinderPart& cylinder) {
  return cylinder.radius * (1.0 - std::cos(std::numbers::pi / kSides));
}

// Nearest place of a's axis to b's, as a difference: b's less a's.
Vec3 between_axes(const PlacedCylinder& a, const PlacedCylinder& b) {
  const auto clamp_to = [](const PlacedCylinder& cylinder, const Vec3& place) {
    return std::clamp(dot(place - cylinder.center, cylinder.axis), -cylinder.half_length,
                      cylinder.half_length);
  };
  const Vec3 w = b.center - a.center;
  const double slope = dot(a.axis, b.axis);
  const double square = 1.0 - slope * slope;
  if (square < ContactTolerance::kParallel * ContactTolerance::kParallel) return w;
  const double along_a = (dot(w, a.axis) - slope * dot(w, b.axis)) / square;
  Vec3 place_a = a.center + std::clamp(along_a, -a.half_length, a.half_length) * a.axis;
  const Vec3 place_b = b.center + clamp_to(b, place_a) * b.axis;
  place_a = a.center + clamp_to(a, place_b) * a.axis;
  return place_b - place_a;
}

// One side of a pair of which at least one is a cylinder.
class PrismSide {
 public:
  PrismSide(const PlacedPart& part, PlacedPolytope& placed) : placed_(placed) {
    if (const auto* polytope = std::get_if<RoundedPolytope>(&part.part)) {
      placed_.place(*polytope, part.pose, part.dimension);
    } else {
      const auto& cylinder = std::get<CylinderPart>(part.part);
      cylinder_.emplace(cylinder, part.pose);
      error_ = sagitta(cylinder);
      place_prism(*cylinder_, cylinder_->across, placed_);
    }
  }

  [[nodiscard]] double error() const { return error_; }
  [[nodiscard]] bool is_cylinder() const { return cylinder_.has_value(); }
  [[nodiscard]] const PlacedCylinder& cylinder() const { return *cylinder_; }
  void turn_toward(const Vec3& direction) {
    place_prism(*cylinder_, cylinder_->unit_radial(direction), placed_);
  }

 private:
  PlacedPolytope& placed_;
  std::optional<PlacedCylinder> cylinder_;
  double error_ = 0.0;
};

// Where a cylinder is nearest to the other body, as a direction from its axis. `contacts` are those
// of the prism, with the cylinder as a.
Vec3 nearest_direction(const PrismSide& side, const PrismSide& other, bool is_a,
                       const std::vector<PartContact>& contacts, double tolerance) {
  double smallest = kInfinity;
  for (const PartContact& found : contacts) smallest = std::min(smallest, found.contact.gap);
  const PlacedCylinder& cylinder = side.cylinder();
  Vec3 sum;
  for (const PartContact& found : contacts) {
    if (found.contact.gap > smallest + tolerance) continue;
    const Vec3 toward = is_a ? -found.contact.normal : found.contact.normal;
    const bool is_beside = norm_squared(cylinder.radial(toward)) > 0.5;
    const std::uint32_t feature = is_a ? found.feature_b : found.feature_a;
    const bool is_vertex = (feature & 3U) == 0U;
    if (is_beside && other.is_cylinder()) {
      sum += is_a ? between_axes(cylinder, other.cylinder())
                  : -between_axes(other.cylinder(), cylinder);
    } else if (is_beside && is_vertex) {
      const Vec3& place = is_a ? found.contact.point_b : found.contact.point_a;
      sum += direction_of(cylinder.radial(place - cylinder.center)).unit;
    } else {
      sum += cylinder.radial(toward);
    }
  }
  return sum;
}

}  // namespace

void add_rim_places(const CylinderPart& cylinder, const Pose& pose,
                    const std::function<Vec3(const Vec3&)>& toward,
                    std::vector<NamedPlace>& places) {
  const PlacedCylinder placed(cylinder, pose);
  Index number = 0;
  for (const double end : {-1.0, 1.0}) {
    const Vec3 middle = placed.center + end * placed.half_length * placed.axis;
    const Vec3 first = placed.radius * placed.unit_radial(direction_of(toward(middle)).unit);
    const Vec3 second = cross(placed.axis, first);
    for (const Vec3& arm : {first, second, -first, -second}) {
      places.push_back({middle + arm, 0.0, round_name(number++)});
    }
  }
}

double cylinder_rounding(const CylinderPart& cylinder, const Pose& pose,
                         const SolidContact& contact) {
  return PlacedCylinder(cylinder, pose).rounding(contact.point_a, -contact.normal);
}

void add_ball_cylinder_contact(const NamedPlace& ball, const CylinderPart& cylinder,
                               const Pose& pose, const ContactQuery& query,
                               std::vector<PartContact>& contacts) {
  const PlacedCylinder placed(cylinder, pose);
  const Vec3 from_center = ball.place - placed.center;
  const double height = dot(from_center, placed.axis);
  const double beyond_end = std::abs(height) - placed.half_length;
  const Direction radial = direction_of(placed.radial(from_center));
  const double beyond_side = radial.length - placed.radius;
  const Vec3 outward = radial.length > 0.0 ? radial.unit : placed.across;
  const Vec3 end_normal = height >= 0.0 ? placed.axis : -placed.axis;

  FoundGap found{ball.place, ball.radius, {}, 0.0};
  Owner owner = Owner::b;
  if (beyond_end > 0.0 && beyond_side > 0.0) {
    const Direction from_rim = direction_of(beyond_end * end_normal + beyond_side * outward);
    found.normal = from_rim.unit;
    found.gap = from_rim.length - ball.radius;
    owner = Owner::neither;
  } else if (beyond_end > beyond_side) {
    found.normal = end_normal;
    found.gap = beyond_end - ball.radius;
  } else {
    found.normal = outward;
    found.gap = beyond_side - ball.radius;
  }
  const std::size_t before = contacts.size();
  add_gap(found, owner, query.margin, contacts);
  if (contacts.size() == before) return;
  PartContact& contact = contacts.back();
  contact.contact.radius_b = placed.rounding(contact.contact.point_b, contact.contact.normal);
  contact.feature_a = ball.name;
  contact.feature_b = round_name(0);
}

void add_prism_contacts(const PlacedPart& a, const PlacedPart& b, const ContactQuery& query,
                        std::vector<PartContact>& contacts) {
  thread_local PlacedPolytope placed_a;
  thread_local PlacedPolytope placed_b;
  thread_local std::vector<PartContact> first_look;
  first_look.clear();
  PrismSide side_a(a, placed_a);
  PrismSide side_b(b, placed_b);
  add_polytope_contacts(placed_a, placed_b, query.margin + side_a.error() + side_b.error(),
                        query.tolerance, first_look);
  if (first_look.empty()) return;
  const double tolerance = query.tolerance.lateral();
  if (side_a.is_cylinder()) {
    side_a.turn_toward(nearest_direction(side_a, side_b, true, first_look, tolerance));
  }
  if (side_b.is_cylinder()) {
    side_b.turn_toward(nearest_direction(side_b, side_a, false, first_look, tolerance));
  }
  const std::size_t begin = contacts.size();
  add_polytope_contacts(placed_a, placed_b, query.margin, query.tolerance, contacts);
  for (std::size_t k = begin; k < contacts.size(); ++k) {
    SolidContact& found = contacts[k].contact;
    if (side_a.is_cylinder()) {
      found.radius_a = side_a.cylinder().rounding(found.point_a, -found.normal);
    }
    if (side_b.is_cylinder()) {
      found.radius_b = side_b.cylinder().rounding(found.point_b, found.normal);
    }
  }
}

}  // namespace carom::detail
