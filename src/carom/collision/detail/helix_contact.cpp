// Contacts of rods that are bent along a helix: the rails of spiral tracks.
#include "carom/collision/detail/helix_contact.h"

#include "carom/collision/detail/facets.h"
#include "carom/geometry/helix.h"

namespace carom::detail {
namespace {

void add_ball_contacts(const NamedPlace& ball, const HelixPart& helix, const Pose& pose,
                       const ContactQuery& query, std::vector<PartContact>& contacts) {
  const Pose placed = pose * helix.pose;
  const Helix middle_line = {helix.bend_radius, helix.slope, helix.end};
  thread_local std::vector<NearOnHelix> nearest;
  find_nearest(middle_line, placed.to_body(ball.place), query.margin + ball.radius + helix.radius,
               nearest);
  for (const NearOnHelix& near : nearest) {
    if (near.outward == Vec3{}) continue;
    const double gap = near.distance - ball.radius - helix.radius;
    if (!(gap < query.margin)) continue;
    add_gap({ball.place, ball.radius, placed.rotation * near.outward, gap},
            SolidContact::Owner::neither, query.margin, contacts);
    PartContact& contact = contacts.back();
    contact.contact.radius_b = helix.radius;
    contact.contact.is_bent = true;
    contact.feature_a = ball.name;
    contact.feature_b = round_name(near.turn);
  }
}

}  // namespace

void add_helix_contacts(const PlacedPart& helix, const PlacedPart& other, const ContactQuery& query,
                        std::vector<PartContact>& contacts) {
  const auto& part = std::get<HelixPart>(helix.part);
  const auto* polytope = std::get_if<RoundedPolytope>(&other.part);
  if (polytope != nullptr && polytope->core.vertices.size() == 1) {
    const std::size_t begin = contacts.size();
    add_ball_contacts(
        {other.pose.to_world(polytope->core.vertices[0]), polytope->radius, vertex_name(0)}, part,
        helix.pose, query, contacts);
    for (std::size_t k = begin; k < contacts.size(); ++k) exchange(contacts[k]);
    return;
  }
  const double margin = query.margin > 0.0 ? query.margin : 0.0;
  for (Index piece = 0; piece < part.pieces.size(); ++piece) {
    const RoundedPolytope& capsule = part.pieces[piece];
    const Vec3& begin_of = capsule.core.vertices[0];
    const Vec3& end_of = capsule.core.vertices[1];
    const Vec3 middle = helix.pose.to_world(0.5 * begin_of + 0.5 * end_of);
    const double near = 0.5 * norm(end_of - begin_of) + capsule.radius + other.reach + margin;
    if (norm_squared(middle - other.pose.position) > near * near) continue;
    const std::size_t begin = contacts.size();
    const SolidPart placed = capsule;
    add_part_contacts({placed, helix.pose, helix.dimension, helix.reach}, other, query, contacts);
    // Features of a capsule are two vertices and an edge.
    for (std::size_t k = begin; k < contacts.size(); ++k) {
      contacts[k].feature_a += vertex_name(2 * piece);
    }
  }
}

void add_helix_places(const HelixPart& helix, const Pose& pose, std::vector<NamedPlace>& places) {
  for (Index piece = 0; piece < helix.pieces.size(); ++piece) {
    const RoundedPolytope& capsule = helix.pieces[piece];
    if (piece == 0) {
      places.push_back({pose.to_world(capsule.core.vertices[0]), capsule.radius, vertex_name(0)});
    }
    places.push_back(
        {pose.to_world(capsule.core.vertices[1]), capsule.radius, vertex_name(piece + 1)});
  }
}

}  // namespace carom::detail
