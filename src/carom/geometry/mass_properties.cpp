// Volume, centre and second moments of meshes, polytopes and polygons.
#include "carom/geometry/mass_properties.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "carom/core/assert.h"
#include "carom/core/error.h"
#include "carom/geometry/detail/size_input.h"
#include "carom/geometry/helix.h"
#include "carom/geometry/principal_axes.h"
#include "carom/geometry/triangle_mesh.h"

namespace carom {
namespace {

using detail::demand_positive;
using std::numbers::pi;

void demand_space(int dimension, const char* what) {
  if (dimension == 3) return;
  throw InputError({}, std::string("a ") + what + " is possible in three dimensions only");
}

VolumeMoments about_origin(double volume, const Vec3& mean_squares) {
  return {volume, {}, Mat3::diagonal(volume * mean_squares)};
}

Mat3 outer(const Vec3& a, const Vec3& b) { return {{a.x * b, a.y * b, a.z * b}}; }

// Integrals of 1, x and x x' gathered about a reference point near the body, so that a body far
// from the origin loses no digits.
struct RawMoments {
  double volume = 0.0;
  Vec3 first;
  Mat3 second = Mat3::zero();

  // C = integral of x x' - V c c' (parallel axes).
  [[nodiscard]] VolumeMoments about_center(const Vec3& reference) const {
    if (volume == 0.0) return {0.0, reference, Mat3::zero()};
    const Vec3 offset = (1.0 / volume) * first;
    return {volume, reference + offset, second + (-volume) * outer(offset, offset)};
  }
};

struct Bounds {
  Vec3 middle;
  double radius = 0.0;  ///< half the largest extent along an axis
};

Bounds bounds_of(const std::vector<Vec3>& points) {
  if (points.empty()) return {};
  Vec3 lower = points.front();
  Vec3 upper = points.front();
  for (const Vec3& p : points) {
    lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
    upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
  }
  const Vec3 half = 0.5 * upper - 0.5 * lower;
  return {0.5 * upper + 0.5 * lower, std::max({half.x, half.y, half.z})};
}

// The tetrahedron of the reference point and a triangle, with d = a . (b x c), s = a + b + c:
//   integral of 1 = d / 6,   of x = d s / 24,   of x x' = d (a a' + b b' + c c' + s s') / 120
void add_tetrahedron(RawMoments& raw, const Vec3& a, const Vec3& b, const Vec3& c) {
  const double d = dot(a, cross(b, c));
  const Vec3 s = a + b + c;
  raw.volume += d / 6.0;
  raw.first += (d / 24.0) * s;
  raw.second = raw.second + (d / 120.0) * (outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s));
}

// The triangle of the reference point and a side, with d = (a x b)_z, s = a + b:
//   integral of 1 = d / 2,   of x = d s / 6,   of x x' = d (a a' + b b' + s s') / 24
void add_triangle(RawMoments& raw, const Vec3& a, const Vec3& b) {
  const double d = cross(a, b).z;
  const Vec3 s = a + b;
  raw.volume += d / 2.0;
  raw.first += (d / 6.0) * s;
  raw.second = raw.second + (d / 24.0) * (outer(a, a) + outer(b, b) + outer(s, s));
}

// A coordinate of the centre that differs from zero by round-off of the body's size is zero, so
// that symmetric bodies stay where they were described.
double without_round_off(double coordinate, double radius) {
  return std::abs(coordinate) <= 16.0 * kRoundOff * radius ? 0.0 : coordinate;
}

Vec3 without_round_off(const Vec3& center, double radius) {
  return {without_round_off(center.x, radius), without_round_off(center.y, radius),
          without_round_off(center.z, radius)};
}

// ----- Solids ---------------------------------------------------------------------------------

VolumeMoments moments(const SphereSolid& solid, int dimension) {
  demand_positive(solid.radius, "radius");
  const double r = solid.radius;
  const double square = r * r;
  if (dimension == 2) return about_origin(pi * square, {square / 4.0, square / 4.0, 0.0});
  return about_origin(4.0 / 3.0 * pi * square * r, {square / 5.0, square / 5.0, square / 5.0});
}

VolumeMoments moments(const BoxSolid& solid, int dimension) {
  const Vec3& h = solid.half;
  demand_positive(h.x, "half.x");
  demand_positive(h.y, "half.y");
  if (dimension == 2) return about_origin(4.0 * h.x * h.y, {h.x * h.x / 3.0, h.y * h.y / 3.0, 0.0});
  demand_positive(h.z, "half.z");
  return about_origin(8.0 * h.x * h.y * h.z, {h.x * h.x / 3.0, h.y * h.y / 3.0, h.z * h.z / 3.0});
}

// A straight part and two caps. A cap's mean height over its base and mean squared height are
//   hemisphere  3 r / 8,      r r / 5
//   half disc   4 r / (3 pi), r r / 4
VolumeMoments moments(const CapsuleSolid& solid, int dimension) {
  demand_positive(solid.radius, "radius");
  demand_positive(solid.half_length, "half_length");
  const double r = solid.radius;
  const double h = solid.half_length;
  if (dimension == 2) {
    const double straight = 4.0 * h * r;
    const double caps = pi * r * r;
    const double along =
        straight * (h * h / 3.0) + caps * (h * h + 2.0 * h * (4.0 * r / (3.0 * pi)) + r * r / 4.0);
    const double across = straight * (r * r / 3.0) + caps * (r * r / 4.0);
    return {straight + caps, {}, Mat3::diagonal({along, across, 0.0})};
  }
  const double straight = 2.0 * pi * r * r * h;
  const double caps = 4.0 / 3.0 * pi * r * r * r;
  const double along =
      straight * (h * h / 3.0) + caps * (h * h + 2.0 * h * (3.0 * r / 8.0) + r * r / 5.0);
  const double across = straight * (r * r / 4.0) + caps * (r * r / 5.0);
  return {straight + caps, {}, Mat3::diagonal({across, across, along})};
}

VolumeMoments moments(const CylinderSolid& solid, int dimension) {
  demand_space(dimension, "cylinder");
  demand_positive(solid.radius, "radius");
  demand_positive(solid.half_length, "half_length");
  const double square = solid.radius * solid.radius;
  const double h = solid.half_length;
  return about_origin(2.0 * pi * square * h, {square / 4.0, square / 4.0, h * h / 3.0});
}

VolumeMoments moments(const HelixSolid& solid, int dimension) {
  demand_space(dimension, "helix");
  return moments_of(helix_mesh(solid));
}

VolumeMoments moments(const HullSolid& solid, int dimension) {
  return moments_of(convex_hull(solid.points, dimension), dimension);
}

VolumeMoments moments(const MeshSolid& solid, int dimension) {
  demand_space(dimension, "mesh");
  check_mesh(solid.mesh);
  return moments_of(solid.mesh);
}

void demand_proper(const Pose& pose, int dimension) {
  constexpr double kTolerance = 1e-9;
  const Mat3 square = transposed(pose.rotation) * pose.rotation;
  bool proper = is_finite(pose.position) && determinant(pose.rotation) > 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    proper = proper && norm(square.row[k] - Mat3{}.row[k]) <= kTolerance;
  }
  if (!proper) throw InputError({"", 0, 0, "pose"}, "is not a finite place and a proper rotation");
  if (dimension == 2 && (pose.position.z != 0.0 || pose.rotation.row[2] != Vec3{0, 0, 1})) {
    throw InputError({"", 0, 0, "pose"}, "leaves the plane z = 0 of two dimensions");
  }
}

InputError in_part(std::size_t part, const InputError& error) {
  InputPlace place = error.place();
  const std::string key = "parts[" + std::to_string(part) + "]";
  place.key = place.key.empty() ? key : key + "." + place.key;
  return {place, error.message()};
}

VolumeMoments part_moments(const CompoundSolid::Part& part, int dimension) {
  if (std::holds_alternative<std::shared_ptr<const CompoundSolid>>(part.solid)) {
    throw InputError({}, "a part of a compound cannot be a compound");
  }
  demand_positive(part.density, "density");
  demand_proper(part.pose, dimension);
  const VolumeMoments own = moments_of(part.solid, dimension);
  const Mat3& rotation = part.pose.rotation;
  return {part.density * own.volume, part.pose.to_world(own.center),
          part.density * (rotation * own.second * transposed(rotation))};
}

VolumeMoments moments(const std::shared_ptr<const CompoundSolid>& solid, int dimension) {
  if (solid == nullptr || solid->parts.empty()) throw InputError({}, "a compound without parts");
  std::vector<VolumeMoments> parts;
  for (std::size_t k = 0; k < solid->parts.size(); ++k) {
    try {
      parts.push_back(part_moments(solid->parts[k], dimension));
    } catch (const InputError& error) {
      throw in_part(k, error);
    }
  }
  const Vec3 reference = parts.front().center;
  VolumeMoments total;
  Vec3 first;
  for (const VolumeMoments& part : parts) {
    total.volume += part.volume;
    first += part.volume * (part.center - reference);
  }
  total.center = reference + (1.0 / total.volume) * first;
  double radius = 0.0;
  for (const VolumeMoments& part : parts) {
    const Vec3 offset = part.center - total.center;
    total.second = total.second + part.second + part.volume * outer(offset, offset);
    radius = std::max(radius, norm(offset));
  }
  total.center = without_round_off(total.center, radius);
  return total;
}

}  // namespace

VolumeMoments moments_of(const TriangleMesh& mesh) {
  const Bounds bounds = bounds_of(mesh.vertices);
  const Vec3 reference = bounds.middle;
  RawMoments raw;
  for (const TriangleMesh::Triangle& t : mesh.triangles) {
    add_tetrahedron(raw, mesh.vertices[t.a] - reference, mesh.vertices[t.b] - reference,
                    mesh.vertices[t.c] - reference);
  }
  VolumeMoments result = raw.about_center(reference);
  result.center = without_round_off(result.center, bounds.radius);
  return result;
}

VolumeMoments moments_of(const ConvexPolytope& polytope, int dimension) {
  const Bounds bounds = bounds_of(polytope.vertices);
  const auto corner = [&](Index vertex) { return polytope.vertices[vertex] - bounds.middle; };
  RawMoments raw;
  for (const ConvexPolytope::Face& face : polytope.faces) {
    if (dimension == 2) {
      add_triangle(raw, corner(face.loop[0]), corner(face.loop[1]));
      continue;
    }
    for (std::size_t k = 2; k < face.loop.size(); ++k) {
      add_tetrahedron(raw, corner(face.loop[0]), corner(face.loop[k - 1]), corner(face.loop[k]));
    }
  }
  VolumeMoments result = raw.about_center(bounds.middle);
  result.center = without_round_off(result.center, bounds.radius);
  return result;
}

VolumeMoments moments_of(const SolidDefinition& solid, int dimension) {
  CAROM_DEMAND(dimension == 2 || dimension == 3);
  return std::visit([&](const auto& s) { return moments(s, dimension); }, solid);
}

Mat3 inertia_of(const VolumeMoments& moments) {
  const Mat3& c = moments.second;
  const double trace = c.row[0].x + c.row[1].y + c.row[2].z;
  return Mat3::diagonal({trace, trace, trace}) + (-1.0) * c;
}

// The moments are sums of the second moments across each axis: tr(C) - C would cancel in thin
// bodies.
MassProperties mass_properties(const SolidDefinition& solid, int dimension) {
  const VolumeMoments moments = moments_of(solid, dimension);
  MassProperties mass;
  mass.volume = moments.volume;
  mass.center = moments.center;
  PrincipalAxes principal;
  if (dimension == 3) {
    principal = principal_axes(moments.second);
  } else {
    principal.values = {moments.second.row[0].x, moments.second.row[1].y, 0.0};
  }
  const Vec3& c = principal.values;
  mass.moments = {c.y + c.z, c.x + c.z, c.x + c.y};
  mass.axes = principal.axes;
  return mass;
}

}  // namespace carom
