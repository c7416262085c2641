#include "carom/collision/detail/mesh_contact.h"

#include <algorithm>
#include <numbers>

#include "carom/collision/detail/facets.h"
#include "carom/geometry/signed_distance.h"

namespace carom::detail {
namespace {

using Owner = SolidContact::Owner;

/// Places on each rim of a cylinder that are looked up in the distance of a mesh.
constexpr Index kRimPlaces = 32;

// Contacts from `begin` on were found with the bodies exchanged.
void exchange_from(std::size_t begin, std::vector<PartContact>& contacts) {
  for (std::size_t k = begin; k < contacts.size(); ++k) exchange(contacts[k]);
}

// ----- Vertices of a mesh against the other part ----------------------------------------------

// A vertex against a polytope: that of a polytope of one vertex.
class VertexAgainstPolytope {
 public:
  VertexAgainstPolytope(const RoundedPolytope& polytope, const PlacedPart& part) {
    point_.core.vertices.assign(1, Vec3{});
    placed_polytope_.place(polytope, part.pose, part.dimension);
    middle_ = placed_polytope_.middle;
    for (const Vec3& vertex : placed_polytope_.vertices) {
      reach_ = std::max(reach_, norm(vertex - middle_) + polytope.radius);
    }
  }

  void add(const NamedPlace& vertex, const ContactQuery& query,
           std::vector<PartContact>& contacts) {
    const double near = reach_ + std::max(query.margin, 0.0);
    if (norm_squared(vertex.place - middle_) > near * near) return;
    placed_point_.place(point_, {vertex.place, {}}, placed_polytope_.dimension);
    const std::size_t begin = contacts.size();
    add_polytope_contacts(placed_point_, placed_polytope_, query.margin, query.tolerance, contacts);
    for (std::size_t k = begin; k < contacts.size(); ++k) contacts[k].feature_a = vertex.name;
  }

 private:
  RoundedPolytope point_;
  PlacedPolytope placed_point_;
  PlacedPolytope placed_polytope_;
  Vec3 middle_;
  double reach_ = 0.0;
};

void add_vertices(const std::vector<NamedPlace>& vertices, const PlacedPart& other,
                  const ContactQuery& query, std::vector<PartContact>& contacts) {
  if (const auto* mesh = std::get_if<MeshPart>(&other.part)) {
    for (const NamedPlace& vertex : vertices) {
      add_ball_mesh_contact(vertex, *mesh, other.pose, query, contacts);
    }
  } else if (const auto* cylinder = std::get_if<CylinderPart>(&other.part)) {
    for (const NamedPlace& vertex : vertices) {
      add_ball_cylinder_contact(vertex, *cylinder, other.pose, query, contacts);
    }
  } else {
    const auto& polytope = std::get<RoundedPolytope>(other.part);
    if (polytope.core.vertices.size() == 1) return;  // a ball: the distance of its centre says all
    thread_local std::vector<VertexAgainstPolytope> scratch;
    scratch.clear();
    scratch.emplace_back(polytope, other);
    for (const NamedPlace& vertex : vertices) scratch[0].add(vertex, query, contacts);
  }
}

// ----- Places of the other part ---------------------------------------------------------------

void add_places(const RoundedPolytope& polytope, const Pose& pose, const NearBall& /*ball*/,
                std::vector<NamedPlace>& places) {
  for (Index v = 0; v < polytope.core.vertices.size(); ++v) {
    places.push_back({pose.to_world(polytope.core.vertices[v]), polytope.radius, vertex_name(v)});
  }
}

void add_places(const CylinderPart& cylinder, const Pose& pose, const NearBall& /*ball*/,
                std::vector<NamedPlace>& places) {
  const Vec3 side = cross(cylinder.axis, cylinder.across);
  for (Index k = 0; k < 2 * kRimPlaces; ++k) {
    const double angle = 2.0 * std::numbers::pi * (k / 2) / kRimPlaces;
    const double height = k % 2 == 0 ? -cylinder.half_length : cylinder.half_length;
    const Vec3 place = cylinder.center + height * cylinder.axis +
                       cylinder.radius * std::cos(angle) * cylinder.across +
                       cylinder.radius * std::sin(angle) * side;
    places.push_back({pose.to_world(place), 0.0, vertex_name(k)});
  }
}

void add_places(const MeshPart& mesh, const Pose& pose, const NearBall& ball,
                std::vector<NamedPlace>& places) {
  add_mesh_places(mesh, pose, ball, places);
}

}  // namespace

void add_mesh_places(const MeshPart& mesh, const Pose& pose, const NearBall& ball,
                     std::vector<NamedPlace>& places) {
  const std::vector<Vec3>& vertices = mesh.mesh->vertices;
  const Vec3 center = pose.to_body(ball.center);
  const double squared = ball.radius * ball.radius;
  for (Index v = 0; v < vertices.size(); ++v) {
    if (norm_squared(vertices[v] - center) > squared) continue;
    places.push_back({pose.to_world(vertices[v]), 0.0, vertex_name(v)});
  }
}

void add_ball_mesh_contact(const NamedPlace& ball, const MeshPart& mesh, const Pose& pose,
                           const ContactQuery& query, std::vector<PartContact>& contacts) {
  const Vec3 place = pose.to_body(ball.place);
  if (!mesh.distance->may_be_within(place, query.margin + ball.radius)) return;
  const DistanceSample sample = mesh.distance->sample(place);
  const double gap = sample.distance - ball.radius;
  if (!(gap < query.margin)) return;
  add_gap({ball.place, ball.radius, pose.rotation * sample.gradient, gap}, Owner::b, query.margin,
          contacts);
  contacts.back().feature_a = ball.name;
  contacts.back().feature_b = round_name(0);
}

void add_mesh_contacts(const PlacedPart& mesh, const PlacedPart& other, const ContactQuery& query,
                       std::vector<PartContact>& contacts) {
  thread_local std::vector<NamedPlace> places;
  places.clear();
  const auto& part = std::get<MeshPart>(mesh.part);
  const double margin = std::max(query.margin, 0.0);
  add_mesh_places(part, mesh.pose, {other.pose.position, other.reach + margin}, places);
  add_vertices(places, other, query, contacts);

  places.clear();
  const NearBall near_mesh{mesh.pose.position, mesh.reach + margin};
  std::visit([&](const auto& kind) { add_places(kind, other.pose, near_mesh, places); },
             other.part);
  const std::size_t begin = contacts.size();
  for (const NamedPlace& place : places) {
    add_ball_mesh_contact(place, part, mesh.pose, query, contacts);
  }
  exchange_from(begin, contacts);
}

}  // namespace carom::detail
