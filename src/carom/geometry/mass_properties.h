#pragma once

#include "carom/geometry/rotation.h"
#include "carom/geometry/solid.h"
#include "carom/geometry/vec3.h"

namespace carom {

/// Integrals over a body of density 1; in two dimensions over an area of the plane z = 0.
struct VolumeMoments {
  double volume = 0.0;
  Vec3 center;                 ///< of mass
  Mat3 second = Mat3::zero();  ///< C = integral of (x - center) (x - center)'
};

/// Exact, to round-off, for the sizes as given. Throws InputError as mass_properties() does.
[[nodiscard]] VolumeMoments moments_of(const SolidDefinition& solid, int dimension);

/// Of what a mesh encloses, by the divergence theorem; the mesh is taken as it is (check_mesh). An
/// inverted mesh has a negative volume.
[[nodiscard]] VolumeMoments moments_of(const TriangleMesh& mesh);

/// Of a polytope (dimension 3) or a polygon (2).
[[nodiscard]] VolumeMoments moments_of(const ConvexPolytope& polytope, int dimension);

/// The inertia about the centre at density 1, in the coordinates of the moments: tr(C) - C.
[[nodiscard]] Mat3 inertia_of(const VolumeMoments& moments);

}  // namespace carom
