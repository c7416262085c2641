// Faces, edges and vertices of a polytope that face another part.
#include "carom/collision/detail/facets.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/direction.h"

namespace carom::detail {
namespace {

struct Vec2 {
  double x = 0.0;
  double y = 0.0;
};
double dot(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }
Vec2 operator-(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }

// ----- Which facets ---------------------------------------------------------------------------

Facet& next_facet(FacetList& list) {
  if (list.count == list.facets.size()) list.facets.emplace_back();
  Facet& facet = list.facets[list.count++];
  facet.loop.clear();
  facet.face = kNone;
  return facet;
}

bool has_face(const FacetList& list, Index face) {
  if (face == kNone) return false;
  for (std::size_t k = 0; k < list.count; ++k) {
    if (list.facets[k].face == face) return true;
  }
  return false;
}

bool has_vertex(const FacetList& list, Index vertex) {
  for (std::size_t k = 0; k < list.count; ++k) {
    const std::vector<Index>& loop = list.facets[k].loop;
    if (std::find(loop.begin(), loop.end(), vertex) != loop.end()) return true;
  }
  return false;
}

void add_faces(const PlacedPolytope& polytope, const Vec3& outward,
               const std::vector<char>& is_outermost, FacetList& list) {
  const double facing = std::sqrt(1.0 - ContactTolerance::kFacing * ContactTolerance::kFacing);
  const std::vector<ConvexPolytope::Face>& faces = polytope.core->faces;
  for (Index f = 0; f < faces.size(); ++f) {
    if (dot(polytope.planes[f].normal, outward) < facing) continue;
    const std::vector<Index>& loop = faces[f].loop;
    if (std::none_of(loop.begin(), loop.end(), [&](Index v) { return is_outermost[v] != 0; })) {
      continue;
    }
    Facet& facet = next_facet(list);
    facet.loop = loop;
    facet.face = f;
    facet.name = face_name(f);
  }
}

// Edges of faces that are facets already show nothing new.
void add_edges(const PlacedPolytope& polytope, const Vec3& outward,
               const std::vector<char>& is_outermost, FacetList& list) {
  for (Index e = 0; e < polytope.edges.size(); ++e) {
    const PlacedPolytope::Edge& edge = polytope.edges[e];
    if (polytope.dimension == 2 && edge.face_a != kNone) continue;  // a side: a face of the plane
    if (is_outermost[edge.begin] == 0 && is_outermost[edge.end] == 0) continue;
    if (std::abs(dot(edge.direction, outward)) > ContactTolerance::kFacing) continue;
    if (has_face(list, edge.face_a) || has_face(list, edge.face_b)) continue;
    Facet& facet = next_facet(list);
    facet.loop.assign({edge.begin, edge.end});
    facet.name = edge_name(e);
  }
}

// ----- Two facets seen along the normal -------------------------------------------------------

// A facet projected along the normal. Sides are numbered like the vertices that they begin at; an
// edge has one, a vertex none.
struct Outline {
  std::vector<Vec2> corners;
  std::vector<Vec2> inward;  ///< unit normal of each side, to the left of the way around
  std::size_t sides = 0;
  const FacetSide* side = nullptr;

  [[nodiscard]] std::size_t size() const { return corners.size(); }
  [[nodiscard]] std::size_t after(std::size_t k) const { return k + 1 == size() ? 0 : k + 1; }
  [[nodiscard]] Index vertex(std::size_t k) const { return side->facet.loop[k]; }
  [[nodiscard]] const Vec3& place(std::size_t k) const {
    return side->polytope.vertices[vertex(k)];
  }
  /// Distance of a place from the line of a side, positive on the inner side.
  [[nodiscard]] double inside(const Vec2& place, std::size_t k) const {
    return dot(inward[k], place - corners[k]);
  }
};

struct View {
  Vec3 normal;
  Vec3 right;
  Vec3 up;

  explicit View(const Vec3& direction) : normal(direction) {
    // The axis that the normal is least along makes the best start.
    const Vec3 size = {std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)};
    const Vec3 start = size.z <= size.x && size.z <= size.y ? Vec3{0, 0, 1}
                       : size.x <= size.y                   ? Vec3{1, 0, 0}
                                                            : Vec3{0, 1, 0};
    right = direction_of(cross(start, normal)).unit;
    up = cross(normal, right);
  }
  [[nodiscard]] Vec2 of(const Vec3& place) const { return {dot(place, right), dot(place, up)}; }
};

void project(const FacetSide& side, const View& view, bool is_clockwise, Outline& outline) {
  outline.side = &side;
  outline.corners.clear();
  outline.inward.clear();
  const std::vector<Index>& loop = side.facet.loop;
  for (const Index vertex : loop)
    outline.corners.push_back(view.of(side.polytope.vertices[vertex]));
  outline.sides = loop.size() >= 3 ? loop.size() : loop.size() - 1;
  const double turn = is_clockwise ? -1.0 : 1.0;
  for (std::size_t k = 0; k < outline.sides; ++k) {
    const Vec2 along = outline.corners[outline.after(k)] - outline.corners[k];
    const double length = std::sqrt(dot(along, along));
    outline.inward.push_back({-turn * along.y / length, turn * along.x / length});
  }
}

bool contains(const Outline& outline, const Vec2& place, double tolerance) {
  if (outline.size() == 1) {
    const Vec2 difference = place - outline.corners[0];
    return dot(difference, difference) <= tolerance * tolerance;
  }
  if (outline.size() == 2) {
    if (std::abs(outline.inside(place, 0)) > tolerance) return false;
    const Vec2 along = outline.corners[1] - outline.corners[0];
    const double slack = tolerance * std::sqrt(dot(along, along));
    const double where = dot(place - outline.corners[0], along);
    return where >= -slack && where <= dot(along, along) + slack;
  }
  for (std::size_t k = 0; k < outline.sides; ++k) {
    if (outline.inside(place, k) < -tolerance) return false;
  }
  return true;
}

// The place of the facet that `view` shows where it shows `place`.
Vec3 place_under(const Outline& outline, const Vec3& place, const View& view) {
  if (outline.size() == 1) return outline.place(0);
  if (outline.size() == 2) {
    const Vec2 along = outline.corners[1] - outline.corners[0];
    const double where =
        std::clamp(dot(view.of(place) - outline.corners[0], along) / dot(along, along), 0.0, 1.0);
    return place_on_path(outline.place(0), outline.place(1), where);
  }
  const PlacedPolytope& polytope = outline.side->polytope;
  const PlacedPolytope::Plane& plane = polytope.planes[outline.side->facet.face];
  const double height = dot(plane.normal, place - plane.point) / dot(plane.normal, view.normal);
  return place - height * view.normal;
}

std::uint32_t name_of_side(const Outline& outline, std::size_t k) {
  if (outline.size() == 2) return outline.side->facet.name;
  const Index begin = outline.vertex(k);
  const Index end = outline.vertex(outline.after(k));
  const std::vector<PlacedPolytope::Edge>& edges = outline.side->polytope.edges;
  for (Index e = 0; e < edges.size(); ++e) {
    if ((edges[e].begin == begin && edges[e].end == end) ||
        (edges[e].begin == end && edges[e].end == begin)) {
      return edge_name(e);
    }
  }
  return outline.side->facet.name;
}

std::size_t corner_at(const Outline& outline, const Vec2& place, double tolerance) {
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const Vec2 difference = place - outline.corners[k];
    if (dot(difference, difference) <= tolerance * tolerance) return k;
  }
  return outline.size();
}

class Overlap {
 public:
  Overlap(const Outline& a, const Outline& b, const View& view, double tolerance,
          std::vector<PlacePair>& pairs)
      : a_(a), b_(b), view_(view), tolerance_(tolerance), pairs_(pairs) {}

  void add_corners() {
    for (std::size_t i = 0; i < a_.size(); ++i) {
      const std::size_t j = corner_at(b_, a_.corners[i], tolerance_);
      if (j < b_.size()) {
        add(a_.place(i), b_.place(j), vertex_name(a_.vertex(i)), vertex_name(b_.vertex(j)));
      } else if (contains(b_, a_.corners[i], tolerance_)) {
        add(a_.place(i), place_under(b_, a_.place(i), view_), vertex_name(a_.vertex(i)),
            b_.side->facet.name);
      }
    }
    for (std::size_t j = 0; j < b_.size(); ++j) {
      if (corner_at(a_, b_.corners[j], tolerance_) < a_.size()) continue;  // given above
      if (!contains(a_, b_.corners[j], tolerance_)) continue;
      add(place_under(a_, b_.place(j), view_), b_.place(j), a_.side->facet.name,
          vertex_name(b_.vertex(j)));
    }
  }

  void add_crossings() {
    for (std::size_t i = 0; i < a_.sides; ++i) {
      for (std::size_t j = 0; j < b_.sides; ++j) add_crossing(i, j);
    }
  }

 private:
  // Corners that lie on the other's side are no crossings: they were given as corners.
  void add_crossing(std::size_t i, std::size_t j) {
    const double a_begin = b_.inside(a_.corners[i], j);
    const double a_end = b_.inside(a_.corners[a_.after(i)], j);
    if (!are_apart(a_begin, a_end)) return;
    const double b_begin = a_.inside(b_.corners[j], i);
    const double b_end = a_.inside(b_.corners[b_.after(j)], i);
    if (!are_apart(b_begin, b_end)) return;
    add(place_on_path(a_.place(i), a_.place(a_.after(i)), a_begin / (a_begin - a_end)),
        place_on_path(b_.place(j), b_.place(b_.after(j)), b_begin / (b_begin - b_end)),
        name_of_side(a_, i), name_of_side(b_, j));
  }

  [[nodiscard]] bool are_apart(double begin, double end) const {
    return (begin > tolerance_ && end < -tolerance_) || (begin < -tolerance_ && end > tolerance_);
  }

  void add(const Vec3& place_a, const Vec3& place_b, std::uint32_t feature_a,
           std::uint32_t feature_b) {
    pairs_.push_back(
        {place_a, place_b, dot(view_.normal, place_a - place_b), feature_a, feature_b});
  }

  const Outline& a_;
  const Outline& b_;
  const View& view_;
  double tolerance_;
  std::vector<PlacePair>& pairs_;
};

}  // namespace

void find_facets(PlacedPolytope& polytope, const Vec3& outward, double tolerance, FacetList& list) {
  polytope.place_edges();
  list.count = 0;
  thread_local std::vector<char> is_outermost;
  is_outermost.assign(polytope.vertices.size(), 0);
  double height = -kInfinity;
  for (const Vec3& vertex : polytope.vertices) height = std::max(height, dot(outward, vertex));
  for (std::size_t v = 0; v < polytope.vertices.size(); ++v) {
    is_outermost[v] = dot(outward, polytope.vertices[v]) >= height - tolerance ? 1 : 0;
  }
  add_faces(polytope, outward, is_outermost, list);
  add_edges(polytope, outward, is_outermost, list);
  for (Index v = 0; v < polytope.vertices.size(); ++v) {
    if (is_outermost[v] == 0 || has_vertex(list, v)) continue;
    Facet& facet = next_facet(list);
    facet.loop.assign(1, v);
    facet.name = vertex_name(v);
  }
}

void overlap_facets(const FacetSide& a, const FacetSide& b, const Vec3& normal, double tolerance,
                    std::vector<PlacePair>& pairs) {
  thread_local Outline outline_a;
  thread_local Outline outline_b;
  const View view(normal);
  // Faces of b look along the normal and are seen from outside, those of a from within.
  project(a, view, true, outline_a);
  project(b, view, false, outline_b);
  Overlap overlap(outline_a, outline_b, view, tolerance, pairs);
  overlap.add_corners();
  overlap.add_crossings();
}

}  // namespace carom::detail
