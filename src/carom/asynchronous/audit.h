#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "carom/core/types.h"
#include "carom/geometry/vec3.h"

namespace carom::asynchronous {

// Proof, apart from whoever moved them, that chains, surfaces and particles do not pass through
// each other. It knows places and paths only: no velocities, layers or certificates.
//
// What is looked at. Two primitives (vertices, edges, triangles) make a pair unless they share a
// vertex or consist of fixed vertices alone. In space: vertex and face, edge and edge; vertex and
// edge where the edge has no triangle; vertex and vertex where both are particles. In a plane:
// vertex and edge, particle and particle; triangles count as their edges. A surface that begins
// without an intersection and whose pairs of these kinds keep a positive distance never has one: at
// the first moment at which an edge meets a triangle, an end of the edge lies on the triangle or
// the edge meets one of the triangle's.                                                        (1)
//
// A state is tested exactly (geometry/exact_intersection.h), edges against triangles included; so
// are edges without length and triangles without area.
//
// A motion is proven. Let the vertices of a pair move in straight lines during an interval. For a
// direction n kept fixed,
//   g(t) = min over first of n.x_i(t) - max over second of n.x_j(t)                             (2)
// is concave in t, being the least of linear functions n.(x_i - x_j), and the distance of the two
// convex primitives is at least g / |n|. So g > 0 at both ends of the interval proves the pair
// apart in all of it. (This is the bound "distance minus lengths of paths", of which only what
// turns against n counts: things that slide along each other or fall together cost nothing.) n is
// the vector between the nearest points in the middle of the interval. A path that bends in the
// interval stays within d_i of its chord, so g loses the largest d_i of each side.
//
// Rounding. With y the largest size of a coordinate relative to one vertex of the pair, the
// computed g is off by less than 8 round-offs of |n|_1 y: 1 for the differences, 4 for sums and
// products, twice. A place inside a straight piece of path is off by less than 12 round-offs of its
// largest coordinate; knots and the ends of a linear window are exact. Both are taken off before a
// gap is called positive, so "passed" is rigorous for all paths. Where g is not positive, the
// interval is cut at a knot of its vertices, or else in the middle, earlier part first.
//
// Faults. A straight piece is a crossing if a shadow and a side say so, with the same care for
// rounding. For k fixed, k.(x_i - x_j) is linear in t: its sign at both ends is its sign between.
//   vertex v and face a b c: with k_1, k_2 and k_3 = -k_1 - k_2, if at all times
//     k_1.v > k_1.a, k_1.b;  k_2.v > k_2.b, k_2.c;  k_3.v > k_3.c, k_3.a                        (3)
//     then along m = k_1 x k_2 the shadow of v lies inside that of the face (otherwise a half
//     plane bordering on v would hold a, b and c, but by (3) they lie in three sectors around v
//     that no half plane meets all), and a, b, c keep the sense in which they run around it.
//   edges p q and a b: if at all times
//     k_1.a < k_1.p, k_1.q < k_1.b and k_2.p < k_2.a, k_2.b < k_2.q                             (4)
//     then their shadows along k_1 x k_2 cross, as ways between opposite sides of a rectangle do.
//   vertex v and edge a b in a plane: k.a < k.v < k.b.                                          (5)
// The height of one primitive over the other along m is then a continuous function of time with a
// factor of fixed sign between it and the determinant (1) or (2) of geometry/exact_predicates.h; if
// that determinant has strictly opposite signs at the two ends, the height is 0 in between and
// the two have a point in common. What precedes it is proven on, for the earliest. At every cut,
// and at the ends of the window, the pair is also tested exactly where its rounded places are: if
// it meets there, that is a touch. A smallest interval in which neither holds is undecided; so is
// what comes nearer than rounding can tell just before a touch. Never proven as crossings: a
// particle that passes exactly through the common edge of two triangles or through a vertex, and in
// space a vertex through an edge without triangles.

/// What is audited. The edges of triangles may be among the edges but need not.
struct AuditMesh {
  int dimension = 3;  ///< 2: every z is 0
  std::size_t vertex_count = 0;
  std::vector<std::array<Index, 2>> edges;
  std::vector<std::array<Index, 3>> triangles;
  /// One for each vertex, or empty: not 0 where it is fixed or moved by a script. Primitives made
  /// of such vertices alone are not compared with each other, so obstacles may overlap.
  std::vector<std::uint8_t> fixed;
  /// Likewise: not 0 where a vertex of no edge and no triangle is no particle either.
  std::vector<std::uint8_t> ignored;
};

/// A place on a path.
struct PathKnot {
  double t = 0.0;
  Vec3 x;
};

/// The vertices' paths over a window of time, linear between knots. Either every vertex goes
/// straight `from` one place at `begin` `to` another at `end`, or vertex i has the knots
/// first_knot[i] .. first_knot[i + 1] - 1, in order of time. The knots cover the window, except
/// that a vertex with a single knot stands there.
struct AuditPath {
  double begin = 0.0;
  double end = 0.0;
  std::span<const Vec3> from;
  std::span<const Vec3> to;
  std::span<const PathKnot> knots;
  std::span<const std::size_t> first_knot;  ///< one more than there are vertices
};

struct AuditSettings {
  /// Pairs whose swept boxes are farther apart than this along an axis are not looked at. Distances
  /// below it are sure to be in the report's smallest gap; faults are found with 0.
  double reach = 0.0;
  int deepest = 60;                      ///< bisections of a window
  std::size_t most_intervals = 100'000;  ///< of one pair, before it is called undecided
  std::size_t most_faults = 16;          ///< of a state; the rest is only counted
  bool all_pairs = false;                ///< no search for near pairs: the reference
  std::function<bool()> cancel;          ///< asked now and then; true ends the audit
};

enum class AuditStatus : std::uint8_t {
  passed,
  fault,      ///< at least one touch or crossing
  undecided,  ///< no fault was found, but a pair came too close to tell
  /// A place is not finite or not in the plane of a mesh of dimension 2, or a path has numbers
  /// beyond 1e90; nothing was looked at.
  refused,
  cancelled,
};

struct AuditPrimitive {
  enum class Kind : std::uint8_t { vertex, edge, face };
  Kind kind = Kind::vertex;
  Index number = 0;  ///< of the vertex, of Audit::edges(), of the triangle

  friend bool operator==(const AuditPrimitive&, const AuditPrimitive&) = default;
};

struct AuditFault {
  enum class Kind : std::uint8_t { touch, crossing, undecided };
  Kind kind = Kind::touch;
  AuditPrimitive first;
  AuditPrimitive second;
  std::optional<double> time;  ///< of a motion; a state has none
  Vec3 place;                  ///< near which they meet, up to rounding
  double gap = 0.0;            ///< up to rounding, of an undecided pair at that time
};

struct StateReport {
  AuditStatus status = AuditStatus::passed;
  std::size_t pairs = 0;  ///< tested exactly
  std::size_t fault_count = 0;
  std::vector<AuditFault> faults;  ///< the first of them, sorted by primitives
};

struct MotionReport {
  AuditStatus status = AuditStatus::passed;
  std::size_t pairs = 0;      ///< near pairs looked at
  std::size_t bisected = 0;   ///< those for which the whole window was too long
  std::size_t intervals = 0;  ///< into which these were cut
  int deepest = 0;            ///< bisections of the shortest of them
  /// Every pair that was looked at and passed kept at least this distance; kInfinity: there were
  /// none. A lower bound, by (2).
  double smallest_gap = kInfinity;
  AuditPrimitive smallest_first;  ///< the pair of the smallest gap
  AuditPrimitive smallest_second;
  std::optional<AuditFault> fault;      ///< the earliest crossing or touch
  std::optional<AuditFault> undecided;  ///< the earliest
};

namespace detail {
class AuditSearch;
}

/// Audits one mesh many times; its memory is used again.
class Audit {
 public:
  /// Throws InputError on a mesh whose numbers are not of vertices, or repeat one.
  explicit Audit(const AuditMesh& mesh);
  ~Audit();
  Audit(Audit&&) noexcept;
  Audit& operator=(Audit&&) noexcept;
  Audit(const Audit&) = delete;
  Audit& operator=(const Audit&) = delete;

  /// Linear in the number of near pairs, apart from a sort of the primitives. The same result for
  /// the same input, whatever was audited before.
  [[nodiscard]] StateReport state(std::span<const Vec3> places, const AuditSettings& settings = {});

  /// The window must begin in a state that passes. Throws InputError on a path that is not one for
  /// this mesh.
  [[nodiscard]] MotionReport motion(const AuditPath& path, const AuditSettings& settings = {});

  /// The mesh's edges as they were given, then those of triangles that were not among them.
  [[nodiscard]] std::span<const std::array<Index, 2>> edges() const;

  /// "edge 7 (vertices 3, 4) passes through face 12 (vertices 8, 9, 10) at t = 0.25, near (1, 2,
  /// 3)"
  [[nodiscard]] std::string text(const AuditFault& fault) const;

 private:
  std::unique_ptr<detail::AuditSearch> search_;
};

/// One state and one motion of a mesh.
[[nodiscard]] StateReport audit_state(const AuditMesh& mesh, std::span<const Vec3> places,
                                      const AuditSettings& settings = {});
[[nodiscard]] MotionReport audit_motion(const AuditMesh& mesh, const AuditPath& path,
                                        const AuditSettings& settings = {});

}  // namespace carom::asynchronous
