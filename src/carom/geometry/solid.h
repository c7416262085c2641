#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/rotation.h"
#include "carom/geometry/vec3.h"

namespace carom {

class MeshDistance;
class VertexTree;

/// A closed surface of triangles, counterclockwise seen from outside.
struct TriangleMesh {
  struct Triangle {
    Index a = 0;
    Index b = 0;
    Index c = 0;

    friend bool operator==(const Triangle&, const Triangle&) = default;
  };
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;

  friend bool operator==(const TriangleMesh&, const TriangleMesh&) = default;
};

// What a body that turns can be made of. Each is described in its own coordinates; lengths in
// metres or any consistent unit. In two dimensions a sphere is a disc, a box a rectangle (its z is
// ignored), a capsule a stadium along x.

struct SphereSolid {
  double radius = 1.0;
};

/// Edges along the axes, about the origin.
struct BoxSolid {
  Vec3 half;  ///< half the lengths of its edges
};

/// All places within `radius` of a straight line about the origin: along z, in two dimensions x.
struct CapsuleSolid {
  double radius = 1.0;
  double half_length = 1.0;  ///< of the line
};

/// About the origin, axis along z. Three dimensions only.
struct CylinderSolid {
  double radius = 1.0;
  double half_length = 1.0;
};

/// A round rod with round ends, bent along a helix about the z axis: its middle line begins at
/// (bend_radius, 0, 0) and goes anticlockwise seen from above. Three dimensions only.
struct HelixSolid {
  double radius = 0.1;       ///< of the rod
  double bend_radius = 1.0;  ///< from the axis to the middle line; larger than the rod's
  double pitch = 0.0;        ///< what it rises by in a turn; negative: it falls
  double turns = 1.0;        ///< > 0
};

/// The convex hull of points; in two dimensions a polygon.
struct HullSolid {
  std::vector<Vec3> points;
};

/// What a closed mesh encloses; need not be convex. Three dimensions only.
struct MeshSolid {
  TriangleMesh mesh;
};

struct CompoundSolid;

using SolidDefinition = std::variant<SphereSolid, BoxSolid, CapsuleSolid, CylinderSolid, HelixSolid,
                                     HullSolid, MeshSolid, std::shared_ptr<const CompoundSolid>>;

/// Several solids fixed to each other. Where they overlap mass counts twice.
struct CompoundSolid {
  struct Part {
    SolidDefinition solid;  ///< not a compound
    Pose pose;              ///< in the compound's coordinates
    double density = 1.0;   ///< relative to the compound's
    /// As a file gave the pose's rotation, so that it can be written as it was; not used otherwise.
    Quaternion orientation = {};
  };
  std::vector<Part> parts;
};

/// "sphere", "box", "capsule", "cylinder", "helix", "hull", "mesh", "compound"
[[nodiscard]] std::string_view solid_type_name(const SolidDefinition& solid);

/// Volume and moments at density 1.
struct MassProperties {
  double volume = 0.0;  ///< in two dimensions the area
  Vec3 center;          ///< of mass, in the definition's coordinates
  /// Principal moments about the centre. In two dimensions z is the one that counts.
  Vec3 moments;
  /// Principal coordinates to the definition's; the identity where those are principal already.
  Mat3 axes;
};
/// Throws InputError on sizes that are not positive and finite, and on meshes that do not enclose
/// anything.
[[nodiscard]] MassProperties mass_properties(const SolidDefinition& solid, int dimension);

/// A convex polytope. In two dimensions a polygon whose faces are its sides (two vertices each).
/// One vertex is a point, two are a line; those have no faces, and the line has one edge.
struct ConvexPolytope {
  struct Face {
    std::vector<Index> loop;  ///< vertices, counterclockwise seen from outside
    Vec3 normal;              ///< unit, outward
  };
  struct Edge {
    Index begin = 0;
    Index end = 0;
    Index face_a = kNone;  ///< the two faces that it separates; kNone for a line
    Index face_b = kNone;
  };
  std::vector<Vec3> vertices;
  std::vector<Face> faces;
  std::vector<Edge> edges;  ///< three dimensions and lines only
};
/// Coplanar faces are one. Throws InputError on points that span no volume (2D: no area).
[[nodiscard]] ConvexPolytope convex_hull(const std::vector<Vec3>& points, int dimension);

// Parts of a prepared solid, in body coordinates: principal axes about the centre of mass.

/// All places within `radius` of a polytope: sphere, capsule, box, hull.
struct RoundedPolytope {
  ConvexPolytope core;
  double radius = 0.0;
};
struct CylinderPart {
  Vec3 center;
  Vec3 axis;    ///< unit
  Vec3 across;  ///< unit, orthogonal to the axis
  double radius = 1.0;
  double half_length = 1.0;
};
struct HelixPart {
  Pose pose;                 ///< coordinates of the helix to those of the body
  double bend_radius = 1.0;  ///< as of a HelixSolid, with the angle at the end of the rod
  double slope = 0.0;
  double end = 1.0;
  double radius = 0.1;
  /// Capsules along the rod, for all but balls.
  std::vector<RoundedPolytope> pieces;
};
struct MeshPart {
  std::shared_ptr<const TriangleMesh> mesh;
  std::shared_ptr<const MeshDistance> distance;
  std::shared_ptr<const VertexTree> vertices{};  ///< of the mesh, to find those near another body
};
using SolidPart = std::variant<RoundedPolytope, CylinderPart, HelixPart, MeshPart>;

/// A solid made ready for contact and flight. It does not change; bodies share it.
class Solid {
 public:
  /// Throws InputError as mass_properties() and convex_hull() do.
  Solid(SolidDefinition definition, int dimension);

  [[nodiscard]] const SolidDefinition& definition() const { return definition_; }
  [[nodiscard]] int dimension() const { return dimension_; }
  [[nodiscard]] const MassProperties& mass() const { return mass_; }
  [[nodiscard]] const std::vector<SolidPart>& parts() const { return parts_; }
  /// Largest distance of any place of it from the centre of mass.
  [[nodiscard]] double bounding_radius() const { return bounding_radius_; }
  /// Radius of the smallest part seen from its own middle: the length that tolerances refer to.
  [[nodiscard]] double size() const { return size_; }
  /// One sphere about its own centre of mass.
  [[nodiscard]] bool is_sphere() const;
  /// Triangles of its surface, for pictures; round parts are approximated.
  [[nodiscard]] TriangleMesh surface() const;

 private:
  SolidDefinition definition_;
  int dimension_;
  MassProperties mass_;
  std::vector<SolidPart> parts_;
  double bounding_radius_ = 0.0;
  double size_ = 0.0;
};

}  // namespace carom
