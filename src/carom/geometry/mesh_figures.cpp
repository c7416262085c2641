// Meshes of the figures of papers: a trefoil, a doll, a pawn, and shells of surfaces.
#include "carom/geometry/mesh_figures.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/geometry/detail/size_input.h"
#include "carom/geometry/direction.h"
#include "carom/geometry/mesh_generators.h"
#include "carom/geometry/triangle_mesh.h"

namespace carom {
namespace {

using detail::demand_at_least;
using detail::demand_positive;
using std::numbers::pi;

void demand_at_most(double size, double most, const std::string& key) {
  demand_positive(size, key);
  if (size <= most) return;
  throw InputError({"", 0, 0, key},
                   "must be at most " + number_text(most) + ", found " + number_text(size));
}

void demand_multiple(Index count, Index factor, const std::string& key) {
  demand_at_least(count, factor, key);
  if (count % factor == 0) return;
  throw InputError({"", 0, 0, key}, "must be a multiple of " + std::to_string(factor) + ", found " +
                                        std::to_string(count));
}

}  // namespace

// ----- Trefoil --------------------------------------------------------------------------------

// The tangent is never vertical: its horizontal part has the square 17 + 8 cos 3t.
TriangleMesh trefoil_mesh(const TrefoilShape& shape) {
  demand_positive(shape.scale, "scale");
  demand_at_most(shape.tube_radius, 0.2, "tube_radius");
  demand_multiple(shape.segments, 6, "segments");
  demand_multiple(shape.sides, 2, "sides");
  const double scale = shape.scale / 3.0;
  const double radius = shape.scale * shape.tube_radius;
  const std::vector<Vec3> circle = circle_points(shape.sides);
  std::vector<std::vector<Vec3>> rings;
  for (Index s = 0; s < shape.segments; ++s) {
    const double t = 2.0 * pi * s / shape.segments;
    const Vec3 place = scale * Vec3{std::sin(t) + 2.0 * std::sin(2.0 * t),
                                    std::cos(t) - 2.0 * std::cos(2.0 * t), -std::sin(3.0 * t)};
    const Vec3 tangent =
        direction_of({std::cos(t) + 4.0 * std::cos(2.0 * t), 4.0 * std::sin(2.0 * t) - std::sin(t),
                      -3.0 * std::cos(3.0 * t)})
            .unit;
    const Vec3 side = direction_of(cross(Vec3{0, 0, 1}, tangent)).unit;
    const Vec3 up = cross(tangent, side);
    std::vector<Vec3>& ring = rings.emplace_back();
    for (const Vec3& p : circle) ring.push_back(place + radius * (p.x * side + p.y * up));
  }
  return closed_tube(rings);
}

// ----- Doll -----------------------------------------------------------------------------------

namespace {

// The unit doll: a ball of radius 1 about the origin, a smaller one for the head, blended smoothly
// and cut off below.
constexpr double kHeadHeight = 1.15;
constexpr double kHeadRadius = 0.7;
constexpr double kBlend = 0.15;
constexpr double kBase = 0.85;
// Rays from here meet the surface once.
constexpr double kEye = 0.5;

// Roughly the distance from the blended surface; never more than it inside.
double doll_field(double x, double z) {
  const double body = std::hypot(x, z) - 1.0;
  const double head = std::hypot(x, z - kHeadHeight) - kHeadRadius;
  const double nearer = std::min(body, head);
  return nearer -
         kBlend * std::log(std::exp((nearer - body) / kBlend) + std::exp((nearer - head) / kBlend));
}

// Where the field has the level on the way from a place inside along a unit direction.
Vec3 doll_surface(const Vec3& from, const Vec3& along, double level) {
  double inside = 0.0;
  double outside = 4.0;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (inside + outside);
    const Vec3 p = from + middle * along;
    (doll_field(p.x, p.y) < level ? inside : outside) = middle;
  }
  return from + 0.5 * (inside + outside) * along;
}

// From the middle of the floor out along it, then up to the top of the head; heights from the
// floor.
std::vector<Vec3> doll_profile(double wall, Index steps) {
  const double floor = -kBase + wall;
  std::vector<Vec3> profile = {{0.0, floor, 0.0}};
  const Vec3 rim = doll_surface({0.0, floor, 0.0}, {1.0, 0.0, 0.0}, -wall);
  const double first_angle = std::atan2(rim.y - kEye, rim.x);
  // Smaller steps upward along the floor than elsewhere would be slivers: one vertex half-way.
  profile.push_back({0.5 * rim.x, floor, 0.0});
  profile.push_back({rim.x, floor, 0.0});
  for (Index k = 1; k < steps; ++k) {
    const double angle = first_angle + (pi / 2.0 - first_angle) * k / steps;
    profile.push_back(
        doll_surface({0.0, kEye, 0.0}, {std::cos(angle), std::sin(angle), 0.0}, -wall));
  }
  const Vec3 top = doll_surface({0.0, kEye, 0.0}, {0.0, 1.0, 0.0}, -wall);
  profile.push_back({0.0, top.y, 0.0});
  for (Vec3& p : profile) p.y += kBase;
  return profile;
}

}  // namespace

TriangleMesh doll_mesh(const DollShape& shape) {
  demand_positive(shape.height, "height");
  demand_at_most(shape.wall, 0.1 * shape.height, "wall");
  demand_at_least(shape.count, 8, "count");
  const double unit = doll_profile(0.0, 1).back().y;
  const double scale = shape.height / unit;
  const auto surface = [&](double wall) {
    return scaled(surface_of_revolution(doll_profile(wall, shape.count / 2), shape.count), scale);
  };
  return joined(surface(0.0), inverted(surface(shape.wall / scale)));
}

// ----- Pawn -----------------------------------------------------------------------------------

TriangleMesh pawn_mesh(const PawnShape& shape) {
  demand_positive(shape.height, "height");
  demand_at_least(shape.count, 8, "count");
  // Foot, stem and collar of a pawn of height 1.66, then the ball of its head.
  std::vector<Vec3> profile = {
      {0.0, 0.0, 0.0},   {0.25, 0.0, 0.0},  {0.5, 0.0, 0.0},   {0.5, 0.12, 0.0},  {0.42, 0.2, 0.0},
      {0.4, 0.28, 0.0},  {0.28, 0.42, 0.0}, {0.22, 0.58, 0.0}, {0.19, 0.76, 0.0}, {0.18, 0.96, 0.0},
      {0.32, 1.03, 0.0}, {0.32, 1.08, 0.0}, {0.18, 1.14, 0.0}};
  constexpr double kHead = 1.38;
  constexpr double kRadius = 0.28;
  const Index steps = std::max<Index>(shape.count / 3, 4);
  const double first_angle = std::asin((1.14 - kHead) / kRadius);
  for (Index k = 1; k < steps; ++k) {
    const double angle = first_angle + (pi / 2.0 - first_angle) * k / steps;
    profile.push_back({kRadius * std::cos(angle), kHead + kRadius * std::sin(angle), 0.0});
  }
  profile.push_back({0.0, kHead + kRadius, 0.0});
  return scaled(surface_of_revolution(profile, shape.count), shape.height / (kHead + kRadius));
}

// ----- Shell ----------------------------------------------------------------------------------

TriangleMesh shell_of(const TriangleMesh& surface, double thickness) {
  demand_positive(thickness, "thickness");
  check_surface(surface);
  const std::vector<Vec3> normals = vertex_normals(surface);
  // The smallest cosine between a vertex normal and the normals of the triangles there.
  std::vector<double> cosine(surface.vertices.size(), 1.0);
  for (const TriangleMesh::Triangle& t : surface.triangles) {
    const Vec3 normal = direction_of(doubled_area(surface, t)).unit;
    for (const Index v : corners_of(t)) cosine[v] = std::min(cosine[v], dot(normal, normals[v]));
  }
  TriangleMesh outer = surface;
  TriangleMesh inner = inverted(surface);
  for (std::size_t v = 0; v < normals.size(); ++v) {
    const Vec3 step = (0.5 * thickness / std::max(cosine[v], 0.5)) * normals[v];
    outer.vertices[v] += step;
    inner.vertices[v] -= step;
  }
  const auto offset = static_cast<Index>(surface.vertices.size());
  TriangleMesh shell = joined(std::move(outer), inner);
  for (const OpenEdge& edge : open_edges(surface)) {
    shell.triangles.push_back({edge.end, edge.begin, edge.begin + offset});
    shell.triangles.push_back({edge.end, edge.begin + offset, edge.end + offset});
  }
  return shell;
}

}  // namespace carom
