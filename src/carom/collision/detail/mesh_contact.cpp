// Where the vertices of a mesh touch balls, polytopes and other meshes, and theirs the mesh.
#include "carom/collision/detail/mesh_contact.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "carom/collision/detail/facets.h"
#include "carom/geometry/signed_distance.h"
#include "carom/geometry/vertex_tree.h"

namespace carom::detail {
namespace {

using Owner = SolidContact::Owner;

/// Places on each rim of a cylinder that are looked up in the distance of a mesh.
constexpr Index kRimPlaces = 32;

// ----- Vertices of a mesh against the other part ----------------------------------------------

// A vertex against a polytope: that of a polytope of one vertex.
class VertexAgainstPolytope {
 public:
  void place(const RoundedPolytope& polytope, const PlacedPart& part) {
    point_.core.vertices.assign(1, Vec3{});
    placed_polytope_.place(polytope, part.pose, part.dimension);
    reach_ = 0.0;
    for (const Vec3& vertex : placed_polytope_.vertices) {
      reach_ = std::max(reach_, norm(vertex - placed_polytope_.middle));
    }
  }

  [[nodiscard]] bool may_reach(const Vec3& center, double radius) const {
    const double near = radius + placed_polytope_.radius;
    if (norm(center - placed_polytope_.middle) > reach_ + near) return false;
    for (const PlacedPolytope::Plane& plane : placed_polytope_.planes) {
      if (dot(plane.normal, center - plane.point) > near) return false;
    }
    return true;
  }

  void add(const NamedPlace& vertex, const ContactQuery& query,
           std::vector<PartContact>& contacts) {
    placed_point_.place(point_, {vertex.place, {}}, placed_polytope_.dimension);
    const std::size_t begin = contacts.size();
    add_polytope_contacts(placed_point_, placed_polytope_, query.margin, query.tolerance, contacts);
    for (std::size_t k = begin; k < contacts.size(); ++k) contacts[k].feature_a = vertex.name;
  }

 private:
  RoundedPolytope point_;
  PlacedPolytope placed_point_;
  PlacedPolytope placed_polytope_;
  double reach_ = 0.0;
};

void add_vertices(const MeshPart& mesh, const PlacedPart& part, const PlacedPart& other,
                  const ContactQuery& query, std::vector<PartContact>& contacts) {
  thread_local std::vector<NamedPlace> places;
  places.clear();
  const double margin = std::max(query.margin, 0.0);
  const auto may_reach_solid = [&](const Vec3& center, double radius) {
    const double near = other.reach + margin + radius;
    return norm_squared(center - other.pose.position) <= near * near;
  };
  if (const auto* other_mesh = std::get_if<MeshPart>(&other.part)) {
    const auto may_reach = [&](const Vec3& center, double radius) {
      return may_reach_solid(center, radius) &&
             other_mesh->distance->may_be_within(other.pose.to_body(center), margin + radius);
    };
    add_mesh_places(mesh, part.pose, may_reach, places);
    for (const NamedPlace& vertex : places) {
      add_ball_mesh_contact(vertex, *other_mesh, other.pose, query, contacts);
    }
  } else if (const auto* cylinder = std::get_if<CylinderPart>(&other.part)) {
    add_mesh_places(mesh, part.pose, may_reach_solid, places);
    for (const NamedPlace& vertex : places) {
      add_ball_cylinder_contact(vertex, *cylinder, other.pose, query, contacts);
    }
  } else {
    const auto& polytope = std::get<RoundedPolytope>(other.part);
    if (polytope.core.vertices.size() == 1) return;  // a ball: the distance of its centre says all
    thread_local VertexAgainstPolytope against;
    against.place(polytope, other);
    const auto may_reach = [&](const Vec3& center, double radius) {
      return against.may_reach(center, margin + radius);
    };
    add_mesh_places(mesh, part.pose, may_reach, places);
    for (const NamedPlace& vertex : places) against.add(vertex, query, contacts);
  }
}

// ----- Places of the other part ---------------------------------------------------------------

void add_places(const RoundedPolytope& polytope, const Pose& pose,
                std::vector<NamedPlace>& places) {
  for (Index v = 0; v < polytope.core.vertices.size(); ++v) {
    places.push_back({pose.to_world(polytope.core.vertices[v]), polytope.radius, vertex_name(v)});
  }
}

void add_places(const CylinderPart& cylinder, const Pose& pose, std::vector<NamedPlace>& places) {
  const Vec3 side = cross(cylinder.axis, cylinder.across);
  for (Index k = 0; k < kRimPlaces; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / kRimPlaces;
    const Vec3 arm = cylinder.radius * std::cos(angle) * cylinder.across +
                     cylinder.radius * std::sin(angle) * side;
    for (const Index end : {0U, 1U}) {
      const double height = end == 0 ? -cylinder.half_length : cylinder.half_length;
      const Vec3 place = cylinder.center + height * cylinder.axis + arm;
      places.push_back({pose.to_world(place), 0.0, vertex_name(2 * k + end)});
    }
  }
}

}  // namespace

void add_mesh_places(const MeshPart& mesh, const Pose& pose, const MayReach& may_reach,
                     std::vector<NamedPlace>& places) {
  thread_local std::vector<Index> numbers;
  numbers.clear();
  mesh.vertices->collect(
      [&](const Vec3& center, double radius) { return may_reach(pose.to_world(center), radius); },
      numbers);
  for (const Index number : numbers) {
    const Vec3 place = pose.to_world(mesh.mesh->vertices[number]);
    if (may_reach(place, 0.0)) places.push_back({place, 0.0, vertex_name(number)});
  }
}

void add_ball_mesh_contact(const NamedPlace& ball, const MeshPart& mesh, const Pose& pose,
                           const ContactQuery& query, std::vector<PartContact>& contacts) {
  const Vec3 place = pose.to_body(ball.place);
  if (!mesh.distance->may_be_within(place, query.margin + ball.radius)) return;
  const std::optional<DistanceSample> sample =
      mesh.distance->sample_within(place, query.margin + ball.radius);
  if (!sample) return;
  const double gap = sample->distance - ball.radius;
  if (!(gap < query.margin)) return;
  add_gap({ball.place, ball.radius, pose.rotation * sample->gradient, gap}, Owner::b, query.margin,
          contacts);
  contacts.back().feature_a = ball.name;
  contacts.back().feature_b = round_name(0);
}

void add_mesh_contacts(const PlacedPart& mesh, const PlacedPart& other, const ContactQuery& query,
                       std::vector<PartContact>& contacts) {
  const auto& part = std::get<MeshPart>(mesh.part);
  add_vertices(part, mesh, other, query, contacts);
  const std::size_t begin = contacts.size();
  if (const auto* other_mesh = std::get_if<MeshPart>(&other.part)) {
    add_vertices(*other_mesh, other, mesh, query, contacts);
  } else {
    thread_local std::vector<NamedPlace> places;
    places.clear();
    if (const auto* polytope = std::get_if<RoundedPolytope>(&other.part)) {
      add_places(*polytope, other.pose, places);
    } else {
      add_places(std::get<CylinderPart>(other.part), other.pose, places);
    }
    for (const NamedPlace& place : places) {
      add_ball_mesh_contact(place, part, mesh.pose, query, contacts);
    }
  }
  for (std::size_t k = begin; k < contacts.size(); ++k) exchange(contacts[k]);
}

}  // namespace carom::detail
