// Which test a pair of parts takes: one for each combination of their kinds.
#include "carom/collision/detail/part_contact.h"

#include <utility>

#include "carom/collision/detail/cylinder_contact.h"
#include "carom/collision/detail/facets.h"
#include "carom/collision/detail/helix_contact.h"
#include "carom/collision/detail/mesh_contact.h"

namespace carom::detail {
namespace {

using Owner = SolidContact::Owner;

void add_exchanged(void (*add)(const PlacedPart&, const PlacedPart&, const ContactQuery&,
                               std::vector<PartContact>&),
                   const PlacedPart& a, const PlacedPart& b, const ContactQuery& query,
                   std::vector<PartContact>& contacts) {
  const std::size_t begin = contacts.size();
  add(b, a, query, contacts);
  for (std::size_t k = begin; k < contacts.size(); ++k) exchange(contacts[k]);
}

bool is_ball(const PlacedPart& part) {
  const auto* polytope = std::get_if<RoundedPolytope>(&part.part);
  return polytope != nullptr && polytope->core.vertices.size() == 1;
}

void add_ball_cylinder(const PlacedPart& ball, const PlacedPart& cylinder,
                       const ContactQuery& query, std::vector<PartContact>& contacts) {
  const auto& polytope = std::get<RoundedPolytope>(ball.part);
  add_ball_cylinder_contact(
      {ball.pose.to_world(polytope.core.vertices[0]), polytope.radius, vertex_name(0)},
      std::get<CylinderPart>(cylinder.part), cylinder.pose, query, contacts);
}

void add_polytopes(const PlacedPart& a, const PlacedPart& b, const ContactQuery& query,
                   std::vector<PartContact>& contacts) {
  thread_local PlacedPolytope placed_a;
  thread_local PlacedPolytope placed_b;
  placed_a.place(std::get<RoundedPolytope>(a.part), a.pose, a.dimension);
  placed_b.place(std::get<RoundedPolytope>(b.part), b.pose, b.dimension);
  add_polytope_contacts(placed_a, placed_b, query.margin, query.tolerance, contacts);
}

}  // namespace

void add_part_contacts(const PlacedPart& a, const PlacedPart& b, const ContactQuery& query,
                       std::vector<PartContact>& contacts) {
  const bool has_cylinder_a = std::holds_alternative<CylinderPart>(a.part);
  const bool has_cylinder_b = std::holds_alternative<CylinderPart>(b.part);
  if (std::holds_alternative<HelixPart>(a.part)) {
    add_helix_contacts(a, b, query, contacts);
  } else if (std::holds_alternative<HelixPart>(b.part)) {
    add_exchanged(add_helix_contacts, a, b, query, contacts);
  } else if (std::holds_alternative<MeshPart>(a.part)) {
    add_mesh_contacts(a, b, query, contacts);
  } else if (std::holds_alternative<MeshPart>(b.part)) {
    add_exchanged(add_mesh_contacts, a, b, query, contacts);
  } else if (has_cylinder_b && is_ball(a)) {
    add_ball_cylinder(a, b, query, contacts);
  } else if (has_cylinder_a && is_ball(b)) {
    add_exchanged(add_ball_cylinder, a, b, query, contacts);
  } else if (has_cylinder_a || has_cylinder_b) {
    add_prism_contacts(a, b, query, contacts);
  } else {
    add_polytopes(a, b, query, contacts);
  }
}

void exchange(PartContact& contact) {
  SolidContact& found = contact.contact;
  std::swap(found.point_a, found.point_b);
  std::swap(found.radius_a, found.radius_b);
  found.normal = -found.normal;
  if (found.owner != Owner::neither) found.owner = found.owner == Owner::a ? Owner::b : Owner::a;
  std::swap(contact.feature_a, contact.feature_b);
}

void add_gap(const FoundGap& found, Owner owner, double margin,
             std::vector<PartContact>& contacts) {
  if (!(found.gap < margin)) return;
  PartContact contact;
  contact.contact.point_a = found.place_a - found.radius_a * found.normal;
  contact.contact.point_b = contact.contact.point_a - found.gap * found.normal;
  contact.contact.normal = found.normal;
  contact.contact.gap = found.gap;
  contact.contact.owner = owner;
  contact.contact.radius_a = found.radius_a;
  contacts.push_back(contact);
}

}  // namespace carom::detail
