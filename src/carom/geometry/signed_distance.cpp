// The exact signed distance of a place from a mesh, by a tree of its triangles.
#include "carom/geometry/signed_distance.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "carom/core/assert.h"
#include "carom/geometry/direction.h"
#include "carom/geometry/triangle_mesh.h"

namespace carom {
namespace {

constexpr Index kLeafSize = 4;
// Depth of a tree that halves the triangles at every node: enough for 2^32 of them.
constexpr std::size_t kStackSize = 40;

Vec3 smallest(const Vec3& a, const Vec3& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
Vec3 largest(const Vec3& a, const Vec3& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

double squared_distance_to_box(const Vec3& p, const Vec3& lower, const Vec3& upper) {
  const Vec3 outside = largest(largest(lower - p, p - upper), {});
  return norm_squared(outside);
}

}  // namespace

// ----- One triangle ---------------------------------------------------------------------------

DistanceTriangle::DistanceTriangle(const Vec3& a, const Vec3& b, const Vec3& c)
    : a_(a), ab_(b - a), ac_(c - a), normal_(direction_of(cross(ab_, ac_)).unit) {}

// The nearest point of the plane is u a + v b + w c, u + v + w = 1. Corners first (the place is
// beyond the ends of both sides there), then sides (u, v or w is not positive), then the inside.
// The numbers u, v, w below are scaled with the square of the doubled area.
DistanceTriangle::Nearest DistanceTriangle::nearest(const Vec3& place) const {
  const auto result = [](const Vec3& offset, Feature feature) {
    return Nearest{offset, norm_squared(offset), feature};
  };
  const Vec3 p = place - a_;
  const double p_ab = dot(p, ab_);
  const double p_ac = dot(p, ac_);
  if (p_ab <= 0.0 && p_ac <= 0.0) return result(p, Feature::corner_a);
  const Vec3 q = p - ab_;  // from b
  const double q_ab = dot(q, ab_);
  const double q_ac = dot(q, ac_);
  if (q_ab >= 0.0 && q_ac <= q_ab) return result(q, Feature::corner_b);
  const Vec3 r = p - ac_;  // from c
  const double r_ab = dot(r, ab_);
  const double r_ac = dot(r, ac_);
  if (r_ac >= 0.0 && r_ab <= r_ac) return result(r, Feature::corner_c);

  const double w = p_ab * q_ac - q_ab * p_ac;
  if (w <= 0.0 && p_ab >= 0.0 && q_ab <= 0.0) {
    return result(p - (p_ab / (p_ab - q_ab)) * ab_, Feature::side_a);
  }
  const double v = r_ab * p_ac - p_ab * r_ac;
  if (v <= 0.0 && p_ac >= 0.0 && r_ac <= 0.0) {
    return result(p - (p_ac / (p_ac - r_ac)) * ac_, Feature::side_c);
  }
  const double u = q_ab * r_ac - r_ab * q_ac;
  const double from_b = q_ac - q_ab;
  const double from_c = r_ab - r_ac;
  if (u <= 0.0 && from_b >= 0.0 && from_c >= 0.0) {
    return result(q - (from_b / (from_b + from_c)) * (ac_ - ab_), Feature::side_b);
  }
  return result(dot(p, normal_) * normal_, Feature::inside);
}

// ----- Building -------------------------------------------------------------------------------

MeshDistance::MeshDistance(const TriangleMesh& mesh) {
  CAROM_DEMAND(!mesh.triangles.empty());
  build_tree(mesh);
  build_pseudonormals(mesh);
  build_cells();
}

// Halves the triangles at the median of their middles along the longest extent of those.
void MeshDistance::build_tree(const TriangleMesh& mesh) {
  const auto count = static_cast<Index>(mesh.triangles.size());
  std::vector<Vec3> middle;
  middle.reserve(count);
  for (const auto& [a, b, c] : mesh.triangles) {
    middle.push_back((1.0 / 3.0) * (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]));
  }
  number_.resize(count);
  std::iota(number_.begin(), number_.end(), Index{0});

  struct Task {
    Index begin = 0;
    Index end = 0;
    Index parent = kNone;  ///< whose second child this is
  };
  std::vector<Task> tasks = {{0, count, kNone}};
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    const auto begin = number_.begin() + task.begin;
    const auto end = number_.begin() + task.end;
    const auto self = static_cast<Index>(nodes_.size());
    if (task.parent != kNone) nodes_[task.parent].first = self;
    constexpr Vec3 kNothing = {kInfinity, kInfinity, kInfinity};
    Node node = {kNothing, -kNothing, task.begin, task.end - task.begin};
    Vec3 lower = kNothing;
    Vec3 upper = -kNothing;
    for (auto t = begin; t != end; ++t) {
      for (const Index v : corners_of(mesh.triangles[*t])) {
        node.lower = smallest(node.lower, mesh.vertices[v]);
        node.upper = largest(node.upper, mesh.vertices[v]);
      }
      lower = smallest(lower, middle[*t]);
      upper = largest(upper, middle[*t]);
    }
    if (node.count > kLeafSize) {
      const Vec3 extent = upper - lower;
      const bool is_x = extent.x >= extent.y && extent.x >= extent.z;
      const bool is_y = !is_x && extent.y >= extent.z;
      const auto key = [&](Index t) {
        const Vec3& m = middle[t];
        return std::tuple(is_x ? m.x : is_y ? m.y : m.z, t);
      };
      const Index half = task.begin + node.count / 2;
      std::nth_element(begin, number_.begin() + half, end,
                       [&](Index a, Index b) { return key(a) < key(b); });
      node.count = 0;
      tasks.push_back({half, task.end, self});
      tasks.push_back({task.begin, half, kNone});
    }
    nodes_.push_back(node);
  }
  triangles_.reserve(count);
  for (const Index t : number_) {
    const auto& [a, b, c] = mesh.triangles[t];
    triangles_.emplace_back(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]);
  }
}

void MeshDistance::build_pseudonormals(const TriangleMesh& mesh) {
  struct Side {
    Index low = 0;
    Index high = 0;
    Index place = 0;  ///< of its triangle, in the order of the tree
    Index k = 0;
  };
  std::vector<Side> sides;
  const std::vector<Vec3> at_vertex = vertex_normals(mesh);
  pseudonormals_.resize(triangles_.size());
  for (Index place = 0; place < triangles_.size(); ++place) {
    const auto corners = corners_of(mesh.triangles[number_[place]]);
    Pseudonormals& normals = pseudonormals_[place];
    for (Index k = 0; k < 3; ++k) {
      const Index next = corners[(k + 1) % 3];
      normals[k] = at_vertex[corners[k]];
      normals[3 + k] = triangles_[place].normal();
      sides.push_back({std::min(corners[k], next), std::max(corners[k], next), place, k});
    }
    normals[6] = triangles_[place].normal();
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tuple(a.low, a.high, a.place) < std::tuple(b.low, b.high, b.place);
  });
  for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
    const Side& one = sides[i];
    const Side& other = sides[i + 1];
    if (one.low != other.low || one.high != other.high) continue;
    const Vec3 normal =
        direction_of(triangles_[one.place].normal() + triangles_[other.place].normal()).unit;
    pseudonormals_[one.place][3 + one.k] = normal;
    pseudonormals_[other.place][3 + other.k] = normal;
  }
}

// About four cells per triangle, in a box a tenth larger than the mesh, between 8^3 and 32^3 of
// them.
void MeshDistance::build_cells() {
  const Vec3 extent = nodes_.front().upper - nodes_.front().lower;
  const double longest = std::max({extent.x, extent.y, extent.z});
  const double wanted = 4.0 * static_cast<double>(triangles_.size());
  const double per_axis = std::clamp(std::cbrt(wanted), 8.0, 32.0);
  const double rim = 0.05 * longest;
  grid_lower_ = nodes_.front().lower - Vec3{rim, rim, rim};
  cell_size_ = (longest + 2.0 * rim) / per_axis;
  const auto count = [&](double length) {
    return static_cast<Index>(std::ceil((length + 2.0 * rim) / cell_size_));
  };
  cell_count_ = {count(extent.x), count(extent.y), count(extent.z)};
  cells_.resize(std::size_t{cell_count_[0]} * cell_count_[1] * cell_count_[2]);
  Index guess = 0;  // the triangle of the cell before is near
  for (Index c = 0; c < cells_.size(); ++c) {
    const Found found = find(middle_of(c), guess);
    cells_[c] = {sample_of(found).distance, found.triangle};
    guess = found.triangle;
  }
}

// ----- Asking ---------------------------------------------------------------------------------

Index MeshDistance::cell_at(const Vec3& place) const {
  const Vec3 p = (1.0 / cell_size_) * (place - grid_lower_);
  const auto is_within = [](double x, Index count) {
    return x >= 0.0 && x < static_cast<double>(count);
  };
  if (!is_within(p.x, cell_count_[0]) || !is_within(p.y, cell_count_[1]) ||
      !is_within(p.z, cell_count_[2])) {
    return kNone;
  }
  return (static_cast<Index>(p.z) * cell_count_[1] + static_cast<Index>(p.y)) * cell_count_[0] +
         static_cast<Index>(p.x);
}

Vec3 MeshDistance::middle_of(Index cell) const {
  const Index x = cell % cell_count_[0];
  const Index y = cell / cell_count_[0] % cell_count_[1];
  const Index z = cell / cell_count_[0] / cell_count_[1];
  return grid_lower_ + cell_size_ * Vec3{x + 0.5, y + 0.5, z + 0.5};
}

bool MeshDistance::may_be_within(const Vec3& place, double margin) const {
  constexpr double kSlack = 1e-12;  // of the grid's size, more than the round-off of the distances
  const double slack = kSlack * cell_size_ * 32.0;
  const Index cell = cell_at(place);
  if (cell == kNone) {
    const Node& root = nodes_.front();
    return std::sqrt(squared_distance_to_box(place, root.lower, root.upper)) <= margin + slack;
  }
  return cells_[cell].distance - norm(place - middle_of(cell)) <= margin + slack;
}

void MeshDistance::consider(Index triangle, const Vec3& place, Found& found) const {
  const DistanceTriangle::Nearest nearest = triangles_[triangle].nearest(place);
  const bool is_nearer = nearest.distance_squared < found.nearest.distance_squared ||
                         (nearest.distance_squared == found.nearest.distance_squared &&
                          (found.triangle == kNone || number_[triangle] < number_[found.triangle]));
  if (is_nearer) found = {nearest, triangle};
}

MeshDistance::Found MeshDistance::find(const Vec3& place, Index first_guess,
                                       double limit_squared) const {
  Found found;
  found.nearest.distance_squared = limit_squared;
  consider(first_guess, place, found);
  struct Waiting {
    Index node = 0;
    double distance_squared = 0.0;
  };
  std::array<Waiting, kStackSize> stack;
  std::size_t height = 0;
  const auto box_distance = [&](Index node) {
    return squared_distance_to_box(place, nodes_[node].lower, nodes_[node].upper);
  };
  stack[height++] = {0, box_distance(0)};
  while (height > 0) {
    const Waiting next = stack[--height];
    // Boxes that are exactly as far away are opened too: they may hold a triangle of smaller
    // number.
    if (next.distance_squared > found.nearest.distance_squared) continue;
    const Node& node = nodes_[next.node];
    for (Index t = node.first; t < node.first + node.count; ++t) consider(t, place, found);
    if (node.count > 0) continue;
    Waiting near = {next.node + 1, box_distance(next.node + 1)};
    Waiting far = {node.first, box_distance(node.first)};
    if (far.distance_squared < near.distance_squared) std::swap(near, far);
    stack[height++] = far;
    stack[height++] = near;
  }
  return found;
}

DistanceSample MeshDistance::sample_of(const Found& found) const {
  // Nearer than this to an edge or a vertex, as a part of a cell, the offset is mostly round-off.
  constexpr double kTouching = 1e-9;
  const Vec3& normal =
      pseudonormals_[found.triangle][static_cast<std::size_t>(found.nearest.feature)];
  const double sign = dot(found.nearest.offset, normal) < 0.0 ? -1.0 : 1.0;
  const Direction outward = direction_of(sign * found.nearest.offset);
  const bool is_face = found.nearest.feature == DistanceTriangle::Feature::inside;
  if (is_face || outward.length <= kTouching * cell_size_) return {sign * outward.length, normal};
  return {sign * outward.length, outward.unit};
}

DistanceSample MeshDistance::sample(const Vec3& place) const {
  const Index cell = cell_at(place);
  return sample_of(find(place, cell == kNone ? 0 : cells_[cell].triangle));
}

std::optional<DistanceSample> MeshDistance::sample_within(const Vec3& place, double limit) const {
  constexpr double kSlack = 1e-12;  // relative, more than the round-off of squares
  const Index cell = cell_at(place);
  const bool is_outside = cell == kNone || cells_[cell].distance > norm(place - middle_of(cell)) +
                                                                       kSlack * cell_size_ * 32.0;
  // What is inside, however deep, must be found.
  if (!is_outside) {
    const DistanceSample found = sample(place);
    return found.distance > limit ? std::nullopt : std::optional(found);
  }
  if (!(limit >= 0.0)) return std::nullopt;
  const Found found =
      find(place, cell == kNone ? 0 : cells_[cell].triangle, limit * limit * (1.0 + kSlack));
  if (found.triangle == kNone) return std::nullopt;
  const DistanceSample sample = sample_of(found);
  return sample.distance > limit ? std::nullopt : std::optional(sample);
}

}  // namespace carom
