// Shapes as triangles for exports.
#include "carom/recording/detail/shape_surfaces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "carom/core/types.h"
#include "carom/geometry/mesh_generators.h"
#include "carom/recording/detail/json_values.h"
#include "carom/recording/detail/obstacle_json.h"

namespace carom::detail {
namespace {

using nlohmann::json;

constexpr Index kCircle = 64;  // walls of a drum
constexpr int kSphere = 3;     // times the triangles of an icosahedron are quartered
constexpr Index kRodSides = 8;
constexpr double kRodPart = 0.003;  // radius of a rod, of the scene's size
constexpr double kBeyond = 1.1;     // how far a half-plane reaches, of what it must

struct Bounds {
  Vec3 lower = {kInfinity, kInfinity, kInfinity};
  Vec3 upper = {-kInfinity, -kInfinity, -kInfinity};

  void add(const Vec3& place, double radius) {
    lower = {std::min(lower.x, place.x - radius), std::min(lower.y, place.y - radius),
             std::min(lower.z, place.z - radius)};
    upper = {std::max(upper.x, place.x + radius), std::max(upper.y, place.y + radius),
             std::max(upper.z, place.z + radius)};
  }
  [[nodiscard]] bool is_empty() const { return !(lower.x <= upper.x); }
  [[nodiscard]] Vec3 middle() const { return 0.5 * (lower + upper); }
  /// From the middle to a corner, m.
  [[nodiscard]] double reach() const { return 0.5 * norm(upper - lower); }
};

Bounds bounds_of_bodies(const RecordingReader& recording, std::size_t every) {
  Bounds bounds;
  RecordedFrame frame;
  const RecordingHeader& header = recording.header();
  for (std::size_t number = 0; number < recording.frame_count(); number += every) {
    recording.read_frame(number, frame);
    for (std::size_t body = 0; body < header.body_count(); ++body) {
      const double* place = &frame.positions[3 * body];
      bounds.add({place[0], place[1], place[2]}, header.radii[body]);
    }
  }
  if (bounds.is_empty()) bounds.add({}, 1.0);
  return bounds;
}

void turn_inside_out(TriangleMesh& mesh) {
  for (TriangleMesh::Triangle& triangle : mesh.triangles) std::swap(triangle.b, triangle.c);
}

// Counterclockwise seen from the side that it faces.
void add_quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, TriangleMesh& mesh) {
  const auto first = static_cast<Index>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), {a, b, c, d});
  mesh.triangles.push_back({first, first + 1, first + 2});
  mesh.triangles.push_back({first, first + 2, first + 3});
}

// The turn that brings z to a unit vector.
Quaternion turn_from_z(const Vec3& unit) {
  if (unit.z < -1.0 + 1e-12) return {0.0, 1.0, 0.0, 0.0};
  const Vec3 axis = cross({0.0, 0.0, 1.0}, unit);
  return normalized(Quaternion{1.0 + unit.z, axis.x, axis.y, axis.z});
}

class ShapeSurfaces {
 public:
  ShapeSurfaces(const RecordingReader& recording, std::size_t every)
      : flat_(recording.header().dimension == 2), bodies_(bounds_of_bodies(recording, every)) {
    const std::vector<double>& radii = recording.header().radii;
    if (!radii.empty()) depth_ = *std::max_element(radii.begin(), radii.end());
  }

  // False where the type is not known.
  bool make(const json& shape, const std::string& key, DrawnShape& drawn) const {
    const json& type = entry(shape, "type");
    if (type == "half_plane") {
      half_plane(vector_of(entry(shape, "point"), key + ".point"),
                 vector_of(entry(shape, "normal"), key + ".normal"), drawn);
    } else if (type == "segment") {
      segment(vector_of(entry(shape, "a"), key + ".a"), vector_of(entry(shape, "b"), key + ".b"),
              drawn);
    } else if (type == "sphere_inside" || type == "sphere_outside") {
      drawn.obstacle.position = vector_of(entry(shape, "center"), key + ".center");
      drawn.is_wall = type == "sphere_inside";
      sphere(positive_of(entry(shape, "radius"), key + ".radius"), drawn);
    } else if (type == "box_inside") {
      box(vector_of(entry(shape, "lower"), key + ".lower"),
          vector_of(entry(shape, "upper"), key + ".upper"), drawn);
    } else {
      return false;
    }
    return true;
  }

 private:
  // A wall in the plane from a to b; bodies are on its left.
  void add_wall(const Vec3& a, const Vec3& b, TriangleMesh& mesh) const {
    const Vec3 up = {0.0, 0.0, depth_};
    add_quad(a - up, a + up, b + up, b - up, mesh);
  }

  void half_plane(const Vec3& point, const Vec3& given, DrawnShape& drawn) const {
    const Vec3 normal = (1.0 / std::max(norm(given), kRoundOff)) * given;
    // The place of the plane that is nearest to the middle of the scene.
    const Vec3 middle = bodies_.middle() - dot(bodies_.middle() - point, normal) * normal;
    const double half = kBeyond * bodies_.reach();
    drawn.is_wall = true;
    drawn.obstacle.position = middle;
    if (flat_) {
      const Vec3 along = half * Vec3{-normal.y, normal.x, 0.0};
      add_wall(along, -along, drawn.obstacle.surface);
      return;
    }
    const Vec3 helper = std::abs(normal.x) < 0.9 ? Vec3{1.0, 0.0, 0.0} : Vec3{0.0, 1.0, 0.0};
    const Vec3 aside = cross(normal, helper);
    const Vec3 u = half / norm(aside) * aside;
    const Vec3 v = cross(normal, u);
    add_quad(-u - v, u - v, u + v, v - u, drawn.obstacle.surface);
  }

  void segment(const Vec3& a, const Vec3& b, DrawnShape& drawn) const {
    drawn.obstacle.position = 0.5 * (a + b);
    const Vec3 half = 0.5 * (b - a);
    if (flat_) {
      add_wall(-half, half, drawn.obstacle.surface);
      return;
    }
    const double length = norm(half);
    const double radius = kRodPart * std::max(bodies_.reach(), length);
    drawn.obstacle.surface = cylinder_mesh(radius, std::max(length, radius), kRodSides);
    if (length > 0.0) drawn.obstacle.orientation = turn_from_z((1.0 / length) * half);
  }

  void sphere(double radius, DrawnShape& drawn) const {
    TriangleMesh& surface = drawn.obstacle.surface;
    if (flat_) {
      const std::vector<Vec3> circle = circle_points(kCircle);
      for (Index k = 0; k < kCircle; ++k) {
        add_wall(radius * circle[k], radius * circle[(k + 1) % kCircle], surface);
      }
      if (!drawn.is_wall) turn_inside_out(surface);
      return;
    }
    surface = icosphere(radius, kSphere);
    if (drawn.is_wall) turn_inside_out(surface);
  }

  void box(const Vec3& lower, const Vec3& upper, DrawnShape& drawn) const {
    drawn.is_wall = true;
    const Vec3 half = 0.5 * (upper - lower);
    drawn.obstacle.position = 0.5 * (lower + upper);
    TriangleMesh& surface = drawn.obstacle.surface;
    if (!flat_) {
      surface = box_mesh(half);
      turn_inside_out(surface);
      return;
    }
    drawn.obstacle.position.z = 0.0;
    const std::array<Vec3, 4> corners = {Vec3{-half.x, -half.y, 0.0}, Vec3{half.x, -half.y, 0.0},
                                         Vec3{half.x, half.y, 0.0}, Vec3{-half.x, half.y, 0.0}};
    for (std::size_t k = 0; k < 4; ++k) add_wall(corners[k], corners[(k + 1) % 4], surface);
  }

  bool flat_;
  Bounds bodies_;
  double depth_ = 1.0;  ///< of walls in the plane to both sides of it, m
};

}  // namespace

std::vector<DrawnShape> drawn_shapes(const RecordingReader& recording, std::size_t every) {
  const std::string key = "scene/shapes";
  const json list = list_of(recording.header().shapes_json, key);
  std::vector<DrawnShape> shapes;
  if (list.empty()) return shapes;
  const ShapeSurfaces surfaces(recording, every);
  for (std::size_t k = 0; k < list.size(); ++k) {
    DrawnShape drawn;
    drawn.number = k;
    const std::string place = indexed(key, k);
    if (entry(list[k], "type") == "solid") {
      drawn.obstacle = obstacle_of(list[k], place);
    } else if (surfaces.make(list[k], place, drawn)) {
      read_name_and_motion(list[k], place, drawn.obstacle);
    } else {
      continue;
    }
    shapes.push_back(std::move(drawn));
  }
  return shapes;
}

Vec3 offset_of(const RecordedObstacle& obstacle, double time) {
  const std::vector<double>& times = obstacle.times;
  if (times.empty()) return {};
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  if (after == times.begin()) return obstacle.offsets.front();
  if (after == times.end()) return obstacle.offsets.back();
  const auto k = static_cast<std::size_t>(after - times.begin());
  const double part = (time - times[k - 1]) / (times[k] - times[k - 1]);
  return obstacle.offsets[k - 1] + part * (obstacle.offsets[k] - obstacle.offsets[k - 1]);
}

}  // namespace carom::detail
