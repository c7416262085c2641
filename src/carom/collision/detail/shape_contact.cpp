// Where parts of solids touch the shapes of the world.
#include "carom/collision/detail/shape_contact.h"

#include <algorithm>
#include <functional>

#include "carom/collision/detail/cylinder_contact.h"
#include "carom/collision/detail/facets.h"
#include "carom/collision/detail/helix_contact.h"
#include "carom/collision/detail/mesh_contact.h"
#include "carom/core/assert.h"

namespace carom::detail {
namespace {

using Owner = SolidContact::Owner;
/// How a ball stands to a wall or to a hollow sphere.
using Surface = std::function<SurfaceContact(const Vec3& center, double radius)>;

// ----- Places of parts that may touch a convex space from within ------------------------------

void add_places(const RoundedPolytope& polytope, const Pose& pose, const Surface& /*surface*/,
                std::vector<NamedPlace>& places) {
  for (Index v = 0; v < polytope.core.vertices.size(); ++v) {
    places.push_back({pose.to_world(polytope.core.vertices[v]), polytope.radius, vertex_name(v)});
  }
}

void add_places(const CylinderPart& cylinder, const Pose& pose, const Surface& surface,
                std::vector<NamedPlace>& places) {
  add_rim_places(
      cylinder, pose, [&](const Vec3& place) { return -surface(place, 0.0).normal; }, places);
}

void add_places(const HelixPart& helix, const Pose& pose, const Surface& /*surface*/,
                std::vector<NamedPlace>& places) {
  add_helix_places(helix, pose, places);
}

void add_places(const MeshPart& mesh, const Pose& pose, const Surface& surface,
                std::vector<NamedPlace>& places) {
  add_mesh_places(
      mesh, pose,
      [&](const Vec3& center, double radius) { return surface(center, radius).gap < 0.0; }, places);
}

// The wall or the hollow sphere that `feature` names, against each place of the part.
void add_concave(const PlacedPart& part, const PlacedShape& shape, Index feature,
                 const ContactQuery& query, std::vector<PartContact>& contacts) {
  const auto surface = [&](const Vec3& place, double radius) {
    return ball_contact(shape.shape, feature, place - shape.offset, radius);
  };
  if (!(surface({}, part.reach).gap < query.margin)) return;
  // Places farther than the margin are of no interest.
  const Surface reach = [&](const Vec3& place, double radius) {
    return surface(place, radius + query.margin);
  };
  const bool is_flat = !std::holds_alternative<SphereInside>(shape.shape);
  const auto* cylinder = std::get_if<CylinderPart>(&part.part);
  thread_local std::vector<NamedPlace> places;
  places.clear();
  std::visit([&](const auto& kind) { add_places(kind, part.pose, reach, places); }, part.part);
  for (const NamedPlace& place : places) {
    const SurfaceContact found = surface(place.place, place.radius);
    if (!(found.gap < query.margin) || found.normal == Vec3{}) continue;
    add_gap({place.place, place.radius, found.normal, found.gap},
            is_flat ? Owner::b : Owner::neither, query.margin, contacts);
    PartContact& contact = contacts.back();
    contact.feature_a = place.name;
    contact.feature_b = face_name(feature);
    if (cylinder != nullptr) {
      contact.contact.radius_a = cylinder_rounding(*cylinder, part.pose, contact.contact);
    }
  }
}

// ----- Shapes as parts ------------------------------------------------------------------------

// The shape is described where it stands, so its pose is the offset alone.
void add_as_part(const PlacedPart& part, const PlacedShape& shape, RoundedPolytope polytope,
                 const ContactQuery& query, std::vector<PartContact>& contacts) {
  double reach = 0.0;
  for (const Vec3& vertex : polytope.core.vertices) reach = std::max(reach, norm(vertex));
  reach += polytope.radius;
  const SolidPart other = std::move(polytope);
  add_part_contacts(part, {other, {shape.offset, {}}, part.dimension, reach}, query, contacts);
}

// On which side of a segment a part of the plane counts as lying: where all of it is, or else where
// the centre of mass (the origin) is.
Vec3 side_of(const PlacedPolytope& part, const PlacedPolytope& segment) {
  const PlacedPolytope::Plane& plane = segment.planes[0];
  double lowest = kInfinity;
  double highest = -kInfinity;
  for (const Vec3& vertex : part.vertices) {
    const double height = dot(plane.normal, vertex - plane.point);
    lowest = std::min(lowest, height);
    highest = std::max(highest, height);
  }
  if (lowest >= 0.0) return plane.point + plane.normal;
  if (highest <= 0.0) return plane.point - plane.normal;
  return {};
}

void add_segment_in_plane(const PlacedPart& part, const PlacedShape& shape,
                          const RoundedPolytope& segment, const ContactQuery& query,
                          std::vector<PartContact>& contacts) {
  thread_local PlacedPolytope placed_part;
  thread_local PlacedPolytope placed_segment;
  placed_part.place(std::get<RoundedPolytope>(part.part), part.pose, 2);
  placed_segment.place(segment, {shape.offset, {}}, 2);
  placed_segment.place_wall(side_of(placed_part, placed_segment));
  add_polytope_contacts(placed_part, placed_segment, query.margin, query.tolerance, contacts);
}

void add_contacts(const HalfPlane& /*plane*/, const PlacedPart& part, const PlacedShape& shape,
                  const ContactQuery& query, std::vector<PartContact>& contacts) {
  add_concave(part, shape, 0, query, contacts);
}

void add_contacts(const SphereInside& /*sphere*/, const PlacedPart& part, const PlacedShape& shape,
                  const ContactQuery& query, std::vector<PartContact>& contacts) {
  add_concave(part, shape, 0, query, contacts);
}

void add_contacts(const BoxInside& /*box*/, const PlacedPart& part, const PlacedShape& shape,
                  const ContactQuery& query, std::vector<PartContact>& contacts) {
  const Index walls = feature_count(shape.shape, part.dimension);
  for (Index wall = 0; wall < walls; ++wall) add_concave(part, shape, wall, query, contacts);
}

void add_contacts(const SphereOutside& sphere, const PlacedPart& part, const PlacedShape& shape,
                  const ContactQuery& query, std::vector<PartContact>& contacts) {
  RoundedPolytope ball;
  ball.core.vertices.assign(1, sphere.center);
  ball.radius = sphere.radius;
  add_as_part(part, shape, std::move(ball), query, contacts);
}

void add_contacts(const Segment& segment, const PlacedPart& part, const PlacedShape& shape,
                  const ContactQuery& query, std::vector<PartContact>& contacts) {
  RoundedPolytope line;
  line.core.vertices = {segment.a, segment.b};
  line.core.edges.push_back({0, 1, kNone, kNone});
  if (part.dimension == 2) {
    add_segment_in_plane(part, shape, line, query, contacts);
  } else {
    add_as_part(part, shape, std::move(line), query, contacts);
  }
}

// Solids are asked part by part, by find_solid_contacts itself.
void add_contacts(const SolidObstacle& /*obstacle*/, const PlacedPart& /*part*/,
                  const PlacedShape& /*shape*/, const ContactQuery& /*query*/,
                  std::vector<PartContact>& /*contacts*/) {
  CAROM_DEMAND(false);
}

}  // namespace

bool may_touch(const PlacedShape& shape, double radius, int dimension) {
  const Index features = feature_count(shape.shape, dimension);
  for (Index feature = 0; feature < features; ++feature) {
    if (ball_contact(shape.shape, feature, -shape.offset, radius).gap < 0.0) return true;
  }
  return false;
}

void add_shape_contacts(const PlacedPart& part, const PlacedShape& shape, const ContactQuery& query,
                        std::vector<PartContact>& contacts) {
  std::visit([&](const auto& kind) { add_contacts(kind, part, shape, query, contacts); },
             shape.shape);
}

}  // namespace carom::detail
