// Where two polytopes touch: the features that face each other, cut to where they meet.
#include "carom/collision/detail/polytope_contact.h"

#include <algorithm>

#include "carom/collision/detail/facets.h"
#include "carom/collision/detail/separation.h"
#include "carom/geometry/direction.h"

namespace carom::detail {
namespace {

using Owner = SolidContact::Owner;

class PolytopeContacts {
 public:
  PolytopeContacts(PlacedPolytope& a, PlacedPolytope& b, double margin,
                   const ContactTolerance& tolerance, std::vector<PartContact>& contacts)
      : a_(a),
        b_(b),
        margin_(margin),
        tolerance_(tolerance),
        contacts_(contacts),
        begin_(contacts.size()) {}

  void add() {
    thread_local SeparationResult separation;
    const double limit = margin_ + a_.radius + b_.radius;
    find_separation(a_, b_, limit, tolerance_, separation);
    if (separation.separation >= limit) return;
    add_with(separation, limit);
    if (a_.vertices.size() == 2 && b_.vertices.size() == 2) add_ends_of_lines();
  }

 private:
  void add_with(const SeparationResult& separation, double limit) {
    // Corners of what faces each other lie no nearer than the cores do, so the direction is the
    // right one if some corner is as near as the axis separates. Where cores overlap it always is.
    const bool is_apart = separation.separation > tolerance_.length;
    const double expected = is_apart ? separation.separation + 2.0 * tolerance_.length : kInfinity;
    if (add_along_mean(separation.axes, expected)) return;
    bool is_found = false;
    for (const SeparatingAxis& axis : separation.axes) {
      if (add_along(axis.normal, axis.owner, expected)) is_found = true;
    }
    const bool is_deep =
        separation.separation < -tolerance_.length && separation.separation != -kInfinity;
    if (is_found) {
      drop_duplicates();
    } else if (is_deep) {
      add_deepest(separation.axes.front());
    } else {
      add_nearest(limit, separation.axes.empty() ? Vec3{} : separation.axes.front().normal);
    }
  }

  bool add_along_mean(const std::vector<SeparatingAxis>& axes, double expected) {
    if (axes.size() == 1) return add_along(axes[0].normal, axes[0].owner, expected);
    Vec3 sum;
    for (const SeparatingAxis& axis : axes) sum += axis.normal;
    const Direction mean = direction_of(sum);
    return mean.length > kSmallestSum && add_along(mean.unit, Owner::neither, expected);
  }

  // Whether there are corners along the normal, and one with a gap of no more than expected.
  bool add_along(const Vec3& normal, Owner owner, double expected) {
    thread_local FacetList facets_a;
    thread_local FacetList facets_b;
    thread_local std::vector<PlacePair> pairs;
    pairs.clear();
    find_facets(a_, -normal, tolerance_.lateral(), facets_a);
    find_facets(b_, normal, tolerance_.lateral(), facets_b);
    for (std::size_t i = 0; i < facets_a.count; ++i) {
      for (std::size_t j = 0; j < facets_b.count; ++j) {
        overlap_facets({a_, facets_a.facets[i]}, {b_, facets_b.facets[j]}, normal,
                       tolerance_.lateral(), pairs);
      }
    }
    const bool is_right = std::any_of(pairs.begin(), pairs.end(),
                                      [&](const PlacePair& pair) { return pair.gap <= expected; });
    if (!is_right) return false;
    for (const PlacePair& pair : pairs) add_pair(pair, normal, owner);
    if (facets_a.count > 1 || facets_b.count > 1) drop_duplicates();
    return true;
  }

  void add_pair(const PlacePair& pair, const Vec3& normal, Owner owner) {
    const double gap = pair.gap - (a_.radius + b_.radius);
    if (!(gap < margin_)) return;
    PartContact found;
    found.contact.point_a = pair.place_a - a_.radius * normal;
    found.contact.point_b = pair.place_b + b_.radius * normal;
    found.contact.normal = normal;
    found.contact.gap = gap;
    found.contact.owner = owner;
    found.contact.radius_a = a_.radius;
    found.contact.radius_b = b_.radius;
    found.feature_a = pair.feature_a;
    found.feature_b = pair.feature_b;
    contacts_.push_back(found);
  }

  // Cores apart, nearest at a vertex and an edge or at two vertices.
  void add_nearest(double limit, const Vec3& axis) {
    const NearestPlaces nearest = nearest_vertices_and_edges(a_, b_, axis);
    if (!(nearest.distance < limit) || nearest.distance == 0.0) return;
    const Vec3 normal = direction_of(nearest.place_a - nearest.place_b).unit;
    if (add_along(normal, Owner::neither, nearest.distance + 2.0 * tolerance_.length)) return;
    add_pair(
        {nearest.place_a, nearest.place_b, nearest.distance, nearest.feature_a, nearest.feature_b},
        normal, Owner::neither);
  }

  // Lines that are nearly parallel, but skew, have one nearest place; the ends are soon to follow.
  void add_ends_of_lines() {
    const Vec3 along_a = direction_of(a_.vertices[1] - a_.vertices[0]).unit;
    const Vec3 along_b = direction_of(b_.vertices[1] - b_.vertices[0]).unit;
    const double facing = ContactTolerance::kFacing;
    if (norm_squared(cross(along_a, along_b)) > facing * facing) return;
    for (Index v = 0; v < 2; ++v) {
      const Vec3 on_b = nearest_on_line(b_, a_.vertices[v]);
      add_end({a_.vertices[v], on_b, 0.0, vertex_name(v), edge_name(0)});
      const Vec3 on_a = nearest_on_line(a_, b_.vertices[v]);
      add_end({on_a, b_.vertices[v], 0.0, edge_name(0), vertex_name(v)});
    }
  }

  // Where a place lies beside the line; the place itself where it lies beyond an end.
  static Vec3 nearest_on_line(const PlacedPolytope& line, const Vec3& place) {
    const Vec3 along = line.vertices[1] - line.vertices[0];
    const double where = dot(place - line.vertices[0], along) / norm_squared(along);
    if (!(where > 0.0 && where < 1.0)) return place;
    return place_on_path(line.vertices[0], line.vertices[1], where);
  }

  void add_end(PlacePair pair) {
    const Direction away = direction_of(pair.place_a - pair.place_b);
    if (away.length <= tolerance_.lateral()) return;
    pair.gap = away.length;
    const auto begin = contacts_.begin() + static_cast<std::ptrdiff_t>(begin_);
    const bool is_known = std::any_of(begin, contacts_.end(), [&](const PartContact& other) {
      return is_same_end(other, pair, away.unit);
    });
    if (!is_known) add_pair(pair, away.unit, Owner::neither);
  }

  bool is_same_end(const PartContact& known, const PlacePair& pair, const Vec3& normal) const {
    if (known.feature_a == pair.feature_a && known.feature_b == pair.feature_b) return true;
    SolidContact contact;
    contact.normal = normal;
    contact.point_a = pair.place_a - a_.radius * normal;
    contact.point_b = pair.place_b + b_.radius * normal;
    return are_same_place(known.contact, contact, tolerance_.lateral());
  }

  // Cores overlap, yet round-off hides what meets along the shortest way out: the outermost places.
  void add_deepest(const SeparatingAxis& axis) {
    const auto height = [&](const Vec3& left, const Vec3& right) {
      return dot(axis.normal, left) < dot(axis.normal, right);
    };
    const auto lowest = std::min_element(a_.vertices.begin(), a_.vertices.end(), height);
    const auto vertex = static_cast<Index>(lowest - a_.vertices.begin());
    add_pair({*lowest, *lowest - axis.separation * axis.normal, axis.separation,
              vertex_name(vertex), round_name(0)},
             axis.normal, axis.owner);
  }

  // The same place may be a corner of several facets. The smallest name stays.
  void drop_duplicates() {
    const auto is_earlier = [](const PartContact& left, const PartContact& right) {
      return std::pair(left.feature_a, left.feature_b) <
             std::pair(right.feature_a, right.feature_b);
    };
    const auto begin = contacts_.begin() + static_cast<std::ptrdiff_t>(begin_);
    std::sort(begin, contacts_.end(), is_earlier);
    std::size_t kept = begin_;
    for (std::size_t k = begin_; k < contacts_.size(); ++k) {
      const bool is_known = std::any_of(
          contacts_.begin() + static_cast<std::ptrdiff_t>(begin_),
          contacts_.begin() + static_cast<std::ptrdiff_t>(kept), [&](const PartContact& other) {
            return are_same_place(other.contact, contacts_[k].contact, tolerance_.lateral());
          });
      if (!is_known) contacts_[kept++] = contacts_[k];
    }
    contacts_.resize(kept);
  }

  /// Sums of several unit vectors that are shorter than this have no direction worth following.
  static constexpr double kSmallestSum = 1e-3;

  PlacedPolytope& a_;
  PlacedPolytope& b_;
  double margin_;
  ContactTolerance tolerance_;
  std::vector<PartContact>& contacts_;
  std::size_t begin_;
};

}  // namespace

bool are_same_place(const SolidContact& left, const SolidContact& right, double tolerance) {
  const double squared = tolerance * tolerance;
  return norm_squared(left.point_a - right.point_a) <= squared &&
         norm_squared(left.point_b - right.point_b) <= squared &&
         norm_squared(left.normal - right.normal) <=
             ContactTolerance::kParallel * ContactTolerance::kParallel;
}

void add_polytope_contacts(PlacedPolytope& a, PlacedPolytope& b, double margin,
                           const ContactTolerance& tolerance, std::vector<PartContact>& contacts) {
  PolytopeContacts(a, b, margin, tolerance, contacts).add();
}

}  // namespace carom::detail
