// Solids from their definitions: parts, mass, the pose of their own axes.
#include "carom/geometry/solid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "carom/core/assert.h"
#include "carom/geometry/direction.h"
#include "carom/geometry/helix.h"
#include "carom/geometry/mesh_generators.h"
#include "carom/geometry/signed_distance.h"
#include "carom/geometry/triangle_mesh.h"
#include "carom/geometry/vertex_tree.h"

namespace carom {
namespace {

using CompoundPointer = std::shared_ptr<const CompoundSolid>;

// ----- Parts in body coordinates --------------------------------------------------------------

// Features are numbered like the corners of box_mesh: bit 0 is upper x, bit 1 upper y, bit 2 upper
// z.
ConvexPolytope box_polytope(const Vec3& half) {
  ConvexPolytope box;
  box.vertices = box_mesh(half).vertices;
  box.faces = {{{0, 4, 6, 2}, {-1, 0, 0}}, {{1, 3, 7, 5}, {1, 0, 0}},  {{0, 1, 5, 4}, {0, -1, 0}},
               {{2, 6, 7, 3}, {0, 1, 0}},  {{0, 2, 3, 1}, {0, 0, -1}}, {{4, 5, 7, 6}, {0, 0, 1}}};
  box.edges = {{0, 1, 2, 4}, {0, 2, 4, 0}, {0, 4, 0, 2}, {1, 3, 1, 4}, {1, 5, 2, 1}, {2, 3, 4, 3},
               {2, 6, 3, 0}, {3, 7, 1, 3}, {4, 5, 5, 2}, {4, 6, 0, 5}, {5, 7, 5, 1}, {6, 7, 3, 5}};
  return box;
}

ConvexPolytope rectangle(const Vec3& half) {
  ConvexPolytope box;
  box.vertices = {
      {-half.x, -half.y, 0}, {half.x, -half.y, 0}, {half.x, half.y, 0}, {-half.x, half.y, 0}};
  box.faces = {
      {{0, 1}, {0, -1, 0}}, {{1, 2}, {1, 0, 0}}, {{2, 3}, {0, 1, 0}}, {{3, 0}, {-1, 0, 0}}};
  return box;
}

// Prepares a definition that is no compound; `pose` turns its coordinates into the body's.
class PartMaker {
 public:
  PartMaker(const Pose& pose, int dimension) : pose_(pose), dimension_(dimension) {}

  SolidPart operator()(const SphereSolid& solid) const {
    return RoundedPolytope{{{pose_.position}, {}, {}}, solid.radius};
  }
  SolidPart operator()(const BoxSolid& solid) const {
    return placed(dimension_ == 2 ? rectangle(solid.half) : box_polytope(solid.half), 0.0);
  }
  SolidPart operator()(const CapsuleSolid& solid) const {
    const Vec3 end =
        dimension_ == 2 ? Vec3{solid.half_length, 0, 0} : Vec3{0, 0, solid.half_length};
    return placed({{-end, end}, {}, {{0, 1, kNone, kNone}}}, solid.radius);
  }
  SolidPart operator()(const CylinderSolid& solid) const {
    return CylinderPart{pose_.position, pose_.rotation.column(2), pose_.rotation.column(0),
                        solid.radius, solid.half_length};
  }
  SolidPart operator()(const HelixSolid& solid) const {
    const Helix helix = helix_of(solid);
    HelixPart part{pose_, helix.radius, helix.slope, helix.end, solid.radius, {}};
    constexpr double kPiecesPerTurn = 32.0;
    const auto count = static_cast<Index>(std::ceil(kPiecesPerTurn * solid.turns));
    for (Index k = 0; k < count; ++k) {
      const Vec3 begin = helix.place(helix.end * (static_cast<double>(k) / count));
      const Vec3 end = helix.place(helix.end * (static_cast<double>(k + 1) / count));
      part.pieces.push_back(
          {{{pose_.to_world(begin), pose_.to_world(end)}, {}, {{0, 1, kNone, kNone}}},
           solid.radius});
    }
    return part;
  }
  SolidPart operator()(const HullSolid& solid) const {
    return placed(convex_hull(solid.points, dimension_), 0.0);
  }
  SolidPart operator()(const MeshSolid& solid) const {
    auto mesh = std::make_shared<const TriangleMesh>(moved(solid.mesh, pose_));
    return MeshPart{mesh, std::make_shared<const MeshDistance>(*mesh),
                    std::make_shared<const VertexTree>(mesh->vertices)};
  }
  SolidPart operator()(const CompoundPointer& /*solid*/) const {
    CAROM_DEMAND(false && "mass_properties refuses compounds of compounds");
    return {};
  }

 private:
  [[nodiscard]] SolidPart placed(ConvexPolytope polytope, double radius) const {
    for (Vec3& v : polytope.vertices) v = pose_.to_world(v);
    for (ConvexPolytope::Face& face : polytope.faces) face.normal = pose_.rotation * face.normal;
    return RoundedPolytope{std::move(polytope), radius};
  }

  Pose pose_;
  int dimension_;
};

// ----- Sizes ----------------------------------------------------------------------------------

double reach(const std::vector<Vec3>& points, const Vec3& from) {
  double squared = 0.0;
  for (const Vec3& p : points) squared = std::max(squared, norm_squared(p - from));
  return std::sqrt(squared);
}

double reach(const RoundedPolytope& part, const Vec3& from) {
  return reach(part.core.vertices, from) + part.radius;
}

// The farthest points of a cylinder are on a rim, where it is farthest from the axis.
double reach(const CylinderPart& part, const Vec3& from) {
  const Vec3 offset = part.center - from;
  const double along = std::abs(dot(offset, part.axis)) + part.half_length;
  const double across = norm(cross(part.axis, offset)) + part.radius;
  return std::hypot(along, across);
}

// The pieces' ends are on the rod's middle line, which bends outward between them.
double reach(const HelixPart& part, const Vec3& from) {
  double farthest = 0.0;
  for (const RoundedPolytope& piece : part.pieces)
    farthest = std::max(farthest, reach(piece, from));
  const double half_angle = 0.5 * part.end / static_cast<double>(part.pieces.size());
  return farthest + part.bend_radius * (1.0 - std::cos(half_angle));
}

double reach(const MeshPart& part, const Vec3& from) { return reach(part.mesh->vertices, from); }

// The middle of the bounding box.
Vec3 middle(const std::vector<Vec3>& points) {
  Vec3 lower = points.front();
  Vec3 upper = points.front();
  for (const Vec3& p : points) {
    lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
    upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
  }
  return 0.5 * lower + 0.5 * upper;
}
Vec3 middle(const RoundedPolytope& part) { return middle(part.core.vertices); }
Vec3 middle(const CylinderPart& part) { return part.center; }
Vec3 middle(const HelixPart& part) {
  std::vector<Vec3> ends = {part.pieces.front().core.vertices[0]};
  for (const RoundedPolytope& piece : part.pieces) ends.push_back(piece.core.vertices[1]);
  return middle(ends);
}
Vec3 middle(const MeshPart& part) { return middle(part.mesh->vertices); }

// ----- Pictures -------------------------------------------------------------------------------

constexpr Index kCircleCount = 32;
constexpr int kSphereSubdivisions = 3;

// Coordinates whose z axis is the given one.
Mat3 frame_along(const Vec3& axis, const Vec3& across) {
  return transposed({{across, cross(axis, across), axis}});
}

// A unit vector orthogonal to a unit vector, away from the coordinate axis that is most like it.
Vec3 any_across(const Vec3& axis) {
  const Vec3 size = {std::abs(axis.x), std::abs(axis.y), std::abs(axis.z)};
  const Vec3 other = size.x <= size.y && size.x <= size.z ? Vec3{1, 0, 0}
                     : size.y <= size.z                   ? Vec3{0, 1, 0}
                                                          : Vec3{0, 0, 1};
  return direction_of(cross(axis, other)).unit;
}

// A flat loop as a fan.
void append_fan(TriangleMesh& mesh, const std::vector<Index>& loop) {
  for (std::size_t k = 2; k < loop.size(); ++k) {
    mesh.triangles.push_back({loop[0], loop[k - 1], loop[k]});
  }
}

// A half circle about each end of a line.
std::vector<Vec3> stadium_outline(const Vec3& begin, const Vec3& end, double radius) {
  const std::vector<Vec3> circle = circle_points(kCircleCount);
  const Vec3 axis = direction_of(end - begin).unit;
  std::vector<Vec3> outline;
  for (const bool is_end : {true, false}) {
    for (Index k = 0; k <= kCircleCount / 2; ++k) {
      const Vec3& p = circle[(k + (is_end ? 3 : 1) * kCircleCount / 4) % kCircleCount];
      const Vec3 outward = {p.x * axis.x - p.y * axis.y, p.x * axis.y + p.y * axis.x, 0.0};
      outline.push_back((is_end ? end : begin) + radius * outward);
    }
  }
  return outline;
}

// What a rounded polygon covers of the plane.
TriangleMesh flat_surface(const RoundedPolytope& part) {
  const std::vector<Vec3>& vertices = part.core.vertices;
  TriangleMesh mesh;
  if (part.radius == 0.0) {
    mesh.vertices = vertices;
  } else if (vertices.size() == 1) {
    for (const Vec3& p : circle_points(kCircleCount)) {
      mesh.vertices.push_back(vertices[0] + part.radius * p);
    }
  } else {
    CAROM_DEMAND(vertices.size() == 2);
    mesh.vertices = stadium_outline(vertices[0], vertices[1], part.radius);
  }
  std::vector<Index> loop(mesh.vertices.size());
  std::iota(loop.begin(), loop.end(), Index{0});
  append_fan(mesh, loop);
  return mesh;
}

TriangleMesh surface_of(const RoundedPolytope& part, int dimension) {
  if (dimension == 2) return flat_surface(part);
  const std::vector<Vec3>& vertices = part.core.vertices;
  if (vertices.size() == 1) {
    return moved(icosphere(part.radius, kSphereSubdivisions), {vertices[0], {}});
  }
  if (vertices.size() == 2) {
    const Direction half = direction_of(0.5 * (vertices[1] - vertices[0]));
    return moved(
        capsule_mesh(part.radius, half.length, kCircleCount),
        {0.5 * (vertices[0] + vertices[1]), frame_along(half.unit, any_across(half.unit))});
  }
  CAROM_DEMAND(part.radius == 0.0);
  TriangleMesh mesh;
  mesh.vertices = vertices;
  for (const ConvexPolytope::Face& face : part.core.faces) append_fan(mesh, face.loop);
  return mesh;
}

TriangleMesh surface_of(const CylinderPart& part, int /*dimension*/) {
  return moved(cylinder_mesh(part.radius, part.half_length, kCircleCount),
               {part.center, frame_along(part.axis, part.across)});
}

TriangleMesh surface_of(const HelixPart& part, int /*dimension*/) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  return moved(helix_mesh({part.radius, part.bend_radius, kTurn * part.slope, part.end / kTurn}),
               part.pose);
}

TriangleMesh surface_of(const MeshPart& part, int /*dimension*/) { return *part.mesh; }

}  // namespace

std::string_view solid_type_name(const SolidDefinition& solid) {
  constexpr std::array<std::string_view, 8> kNames = {"sphere", "box",  "capsule", "cylinder",
                                                      "helix",  "hull", "mesh",    "compound"};
  static_assert(kNames.size() == std::variant_size_v<SolidDefinition>);
  return kNames[solid.index()];
}

Solid::Solid(SolidDefinition definition, int dimension)
    : definition_(std::move(definition)),
      dimension_(dimension),
      mass_(mass_properties(definition_, dimension)) {
  const Pose to_body = {Vec3{} - transposed_times(mass_.axes, mass_.center),
                        transposed(mass_.axes)};
  if (const auto* compound = std::get_if<CompoundPointer>(&definition_)) {
    for (const CompoundSolid::Part& part : (*compound)->parts) {
      parts_.push_back(std::visit(PartMaker(to_body * part.pose, dimension), part.solid));
    }
  } else {
    parts_.push_back(std::visit(PartMaker(to_body, dimension), definition_));
  }
  size_ = kInfinity;
  for (const SolidPart& part : parts_) {
    std::visit(
        [&](const auto& p) {
          bounding_radius_ = std::max(bounding_radius_, reach(p, {}));
          size_ = std::min(size_, reach(p, middle(p)));
        },
        part);
  }
}

bool Solid::is_sphere() const {
  if (parts_.size() != 1) return false;
  const auto* part = std::get_if<RoundedPolytope>(parts_.data());
  return part != nullptr && part->core.vertices.size() == 1;
}

TriangleMesh Solid::surface() const {
  TriangleMesh mesh;
  for (const SolidPart& part : parts_) {
    mesh = joined(std::move(mesh),
                  std::visit([&](const auto& p) { return surface_of(p, dimension_); }, part));
  }
  return mesh;
}

}  // namespace carom
