// The solids of a recording, from its header.
#include "carom/recording/solids.h"

#include <array>

#include "carom/recording/detail/json_values.h"
#include "carom/recording/detail/obstacle_json.h"

namespace carom {
namespace {

using detail::entry;
using detail::fail_at;
using detail::indexed;
using detail::list_of;
using detail::numbers_of;
using detail::positive_of;
using detail::vector_of;
using nlohmann::json;

Quaternion quaternion_of(const json& list, const std::string& key) {
  const std::array<double, 4> numbers = numbers_of<4>(list, key);
  const Quaternion q = {numbers[0], numbers[1], numbers[2], numbers[3]};
  if (!(norm_squared(q) > 0.0)) fail_at(key, "expected a quaternion that is not zero");
  return normalized(q);
}

TriangleMesh::Triangle triangle_of(const json& list, Index vertex_count, const std::string& key) {
  std::array<Index, 3> corners{};
  bool fits = list.is_array() && list.size() == 3;
  for (std::size_t k = 0; fits && k < 3; ++k) {
    fits = list[k].is_number_unsigned() && list[k].get<std::uint64_t>() < vertex_count;
    if (fits) corners[k] = list[k].get<Index>();
  }
  if (!fits) fail_at(key, "expected three numbers of vertices");
  return {corners[0], corners[1], corners[2]};
}

TriangleMesh surface_of(const json& surface, const std::string& key) {
  const json& vertices = entry(surface, "vertices");
  const json& triangles = entry(surface, "triangles");
  if (!vertices.is_array() || !triangles.is_array() || triangles.empty()) {
    fail_at(key, "expected \"vertices\" and \"triangles\", arrays that are not empty");
  }
  TriangleMesh mesh;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    mesh.vertices.push_back(vector_of(vertices[k], indexed(key + ".vertices", k)));
  }
  const auto count = static_cast<Index>(mesh.vertices.size());
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    mesh.triangles.push_back(triangle_of(triangles[k], count, indexed(key + ".triangles", k)));
  }
  return mesh;
}

std::string type_of(const json& object, const std::string& key) {
  const json& type = entry(object, "type");
  if (!type.is_string()) fail_at(key, "expected an object with a \"type\"");
  return type.get<std::string>();
}

void read_motion(const json& motion, const std::string& key, RecordedObstacle& obstacle) {
  const json& times = entry(motion, "times");
  const json& offsets = entry(motion, "offsets");
  if (!times.is_array() || !offsets.is_array() || times.empty() || times.size() != offsets.size()) {
    fail_at(key, "expected \"times\" and \"offsets\", arrays of the same length");
  }
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (!times[k].is_number()) fail_at(indexed(key + ".times", k), "expected a number");
    obstacle.times.push_back(times[k].get<double>());
    obstacle.offsets.push_back(vector_of(offsets[k], indexed(key + ".offsets", k)));
  }
}

}  // namespace

namespace detail {

void read_name_and_motion(const json& shape, const std::string& key, RecordedObstacle& obstacle) {
  if (const json& name = entry(shape, "name"); name.is_string()) obstacle.name = name;
  if (const json& motion = entry(shape, "motion"); !motion.is_null()) {
    read_motion(motion, key + ".motion", obstacle);
  }
}

RecordedObstacle obstacle_of(const json& shape, const std::string& key) {
  RecordedObstacle obstacle;
  obstacle.surface = surface_of(entry(shape, "surface"), key + ".surface");
  obstacle.position = vector_of(entry(shape, "position"), key + ".position");
  obstacle.orientation = quaternion_of(entry(shape, "orientation"), key + ".orientation");
  read_name_and_motion(shape, key, obstacle);
  return obstacle;
}

}  // namespace detail

std::vector<RecordedSolid> read_solids(std::string_view text, const std::string& key) {
  std::vector<RecordedSolid> solids;
  const json list = list_of(text, key);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::string place = indexed(key, k);
    RecordedSolid solid;
    solid.type = type_of(list[k], place);
    if (const json& radius = entry(list[k], "radius"); !radius.is_null()) {
      solid.radius = positive_of(radius, place + ".radius");
    } else {
      solid.surface = surface_of(entry(list[k], "surface"), place + ".surface");
    }
    solids.push_back(std::move(solid));
  }
  return solids;
}

std::vector<RecordedSolid> recorded_solids(const RecordingHeader& header) {
  std::vector<RecordedSolid> solids = read_solids(header.solids_json, "scene/solids");
  for (std::size_t body = 0; body < header.solids.size(); ++body) {
    const std::uint32_t number = header.solids[body];
    if (number == kNoSolid || number < solids.size()) continue;
    fail_at(indexed("bodies/solid", body), "there is no solid " + std::to_string(number));
  }
  return solids;
}

Pose pose_of(const RecordedFrame& frame, std::size_t body) {
  const double* q = &frame.positions[3 * body];
  Pose pose{{q[0], q[1], q[2]}, {}};
  if (!frame.orientations.empty()) {
    const double* turn = &frame.orientations[4 * body];
    pose.rotation = matrix_of(Quaternion{turn[0], turn[1], turn[2], turn[3]});
  }
  return pose;
}

std::vector<RecordedObstacle> read_obstacles(std::string_view text, const std::string& key) {
  std::vector<RecordedObstacle> obstacles;
  const json list = list_of(text, key);
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (entry(list[k], "type") == "solid") {
      obstacles.push_back(detail::obstacle_of(list[k], indexed(key, k)));
    }
  }
  return obstacles;
}

}  // namespace carom
