// Closest points of vertices, edges and faces, with the weights of their vertices.
#include "carom/geometry/stencil.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

// Where the sine between two edges (or a face's area by its longest side's square) is below 1e-8,
// its square below this, the ends and sides alone decide: the distance that they give is wrong by
// at most (sine * length)^2 / (2 d), and above it round-off in the direction across both costs no
// more than that.
constexpr double kFlat = 1e-16;

// Completes a stencil from the vector between the closest points.
Stencil from_gap(const Vec3& gap, const std::array<double, 4>& coefficient) {
  Stencil result;
  result.coefficient = coefficient;
  result.distance = norm(gap);
  if (result.distance > 0.0) result.normal = (1.0 / result.distance) * gap;
  return result;
}

// Where the point of a line a + t ab next to a + ap lies, within the edge.
double along_edge(const Vec3& ap, const Vec3& ab) {
  const double length_squared = norm_squared(ab);
  if (!(length_squared > 0.0)) return 0.0;
  return std::clamp(dot(ap, ab) / length_squared, 0.0, 1.0);
}

// Of a point at `ap` from a corner, against the three sides of a face; the best of them.
struct SidePoint {
  double weight_b = 0.0;
  double weight_c = 0.0;
};

Stencil from_face_point(const Vec3& ap, const Vec3& ab, const Vec3& ac, const SidePoint& point) {
  const Vec3 gap = ap - (point.weight_b * ab + point.weight_c * ac);
  return from_gap(
      gap, {1.0, -(1.0 - point.weight_b - point.weight_c), -point.weight_b, -point.weight_c});
}

SidePoint nearest_on_sides(const Vec3& ap, const Vec3& ab, const Vec3& ac) {
  const double on_ab = along_edge(ap, ab);
  const double on_ac = along_edge(ap, ac);
  const Vec3 bc = ac - ab;
  const double on_bc = along_edge(ap - ab, bc);
  const std::array<SidePoint, 3> points = {SidePoint{on_ab, 0.0}, SidePoint{0.0, on_ac},
                                           SidePoint{1.0 - on_bc, on_bc}};
  SidePoint best = points[0];
  double best_square = norm_squared(ap - on_ab * ab);
  const double square_ac = norm_squared(ap - on_ac * ac);
  if (square_ac < best_square) {
    best = points[1];
    best_square = square_ac;
  }
  if (norm_squared(ap - ab - on_bc * bc) < best_square) best = points[2];
  return best;
}

// Of two edges, where the nearest points include an end of one: the best of the four ends.
Stencil nearest_at_ends(const std::array<Vec3, 2>& p, const std::array<Vec3, 2>& q) {
  const Vec3 u = p[1] - p[0];
  const Vec3 v = q[1] - q[0];
  double best = -1.0;
  double best_s = 0.0;
  double best_t = 0.0;
  const auto offer = [&](double s, double t, const Vec3& gap) {
    const double square = norm_squared(gap);
    if (best >= 0.0 && !(square < best)) return;
    best = square;
    best_s = s;
    best_t = t;
  };
  for (unsigned end = 0; end < 2; ++end) {
    const double t = along_edge(p[end] - q[0], v);
    offer(end, t, (p[end] - q[0]) - t * v);
  }
  for (unsigned end = 0; end < 2; ++end) {
    const double s = along_edge(q[end] - p[0], u);
    offer(s, end, s * u - (q[end] - p[0]));
  }
  const Vec3 gap = ((p[0] - q[0]) + best_s * u) - best_t * v;
  return from_gap(gap, {1.0 - best_s, best_s, -(1.0 - best_t), -best_t});
}

}  // namespace

Stencil vertex_vertex(const Vec3& a, const Vec3& b) {
  return from_gap(a - b, {1.0, -1.0, 0.0, 0.0});
}

Stencil vertex_edge(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 ap = p - a;
  const Vec3 ab = b - a;
  const double t = along_edge(ap, ab);
  // From the nearer end, so that a vertex beyond b sees b itself.
  const Vec3 gap = t < 0.5 ? ap - t * ab : (p - b) + (1.0 - t) * ab;
  return from_gap(gap, {1.0, -(1.0 - t), -t, 0.0});
}

Stencil vertex_face(const Vec3& p, const std::array<Vec3, 3>& face) {
  const Vec3 ap = p - face[0];
  const Vec3 ab = face[1] - face[0];
  const Vec3 ac = face[2] - face[0];
  const Vec3 area = cross(ab, ac);
  const double square = norm_squared(area);
  const double longest = std::max(norm_squared(ab), norm_squared(ac));
  if (square > kFlat * longest * longest) {
    // Barycentric coordinates of the foot in the plane.
    const double weight_b = dot(cross(ap, ac), area) / square;
    const double weight_c = dot(cross(ab, ap), area) / square;
    if (weight_b >= 0.0 && weight_c >= 0.0 && weight_b + weight_c <= 1.0) {
      return from_face_point(ap, ab, ac, {weight_b, weight_c});
    }
  }
  return from_face_point(ap, ab, ac, nearest_on_sides(ap, ab, ac));
}

Stencil edge_edge(const std::array<Vec3, 2>& p, const std::array<Vec3, 2>& q) {
  const Vec3 u = p[1] - p[0];
  const Vec3 v = q[1] - q[0];
  const Vec3 w = p[0] - q[0];
  const Vec3 across = cross(u, v);
  const double determinant = norm_squared(across);
  if (determinant > kFlat * norm_squared(u) * norm_squared(v)) {
    const double s = dot(cross(v, w), across) / determinant;
    const double t = dot(cross(u, w), across) / determinant;
    if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) {
      // Each next to the other once more: an error along both edges has no weight then.
      const double on_q = along_edge(w + s * u, v);
      const double on_p = along_edge(on_q * v - w, u);
      return from_gap((w + on_p * u) - on_q * v, {1.0 - on_p, on_p, -(1.0 - on_q), -on_q});
    }
  }
  return nearest_at_ends(p, q);
}

}  // namespace carom
