#pragma once

#include <functional>
#include <vector>

#include "carom/collision/detail/cylinder_contact.h"
#include "carom/collision/detail/part_contact.h"

namespace carom::detail {

/// False only if nothing within a ball (coordinates of the query) can touch.
using MayReach = std::function<bool(const Vec3& center, double radius)>;

/// Vertices of a mesh as places that may touch.
void add_mesh_places(const MeshPart& mesh, const Pose& pose, const MayReach& may_reach,
                     std::vector<NamedPlace>& places);

/// A ball against a mesh by the distance of its centre. The ball is a.
void add_ball_mesh_contact(const NamedPlace& ball, const MeshPart& mesh, const Pose& pose,
                           const ContactQuery& query, std::vector<PartContact>& contacts);

/// A mesh (a) against any part. Vertices of each are looked up in the other's distance, so edges
/// that cross between vertices are not seen: meshes should be fine compared with what they meet.
void add_mesh_contacts(const PlacedPart& mesh, const PlacedPart& other, const ContactQuery& query,
                       std::vector<PartContact>& contacts);

}  // namespace carom::detail
