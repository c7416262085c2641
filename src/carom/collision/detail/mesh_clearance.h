#pragma once

#include <functional>

#include "carom/geometry/solid.h"

namespace carom::detail {

/// What a mesh is asked how near it is to: the distance of a place (slope at most 1), and a ball
/// that holds all of it, where there is one.
struct DistanceField {
  std::function<double(const Vec3&)> distance;
  Vec3 center;
  double radius = kInfinity;
};

/// A lower bound on the distance of a mesh's surface from what the field measures, at most
/// `accuracy` times the distance below it where the budget of looks allows that. Triangles are cut
/// into four until their size does not matter, those first that may be nearest: so edges that cross
/// between vertices are seen.
[[nodiscard]] double mesh_clearance(const MeshPart& mesh, const Pose& pose,
                                    const DistanceField& field, double accuracy);

}  // namespace carom::detail
