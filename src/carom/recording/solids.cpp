#include "carom/recording/solids.h"

#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "carom/core/error.h"

namespace carom {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& key, const std::string& message) {
  throw InputError({"", 0, 0, key}, message);
}

std::string indexed(const std::string& key, std::size_t k) {
  return key + "[" + std::to_string(k) + "]";
}

// The entry of an object, null where there is none.
const json& entry(const json& object, const char* name) {
  static const json kNothing;
  if (!object.is_object()) return kNothing;
  const auto place = object.find(name);
  return place == object.end() ? kNothing : *place;
}

template <std::size_t count>
std::array<double, count> numbers_of(const json& list, const std::string& key) {
  if (!list.is_array() || list.size() != count) {
    fail(key, "expected " + std::to_string(count) + " numbers");
  }
  std::array<double, count> numbers{};
  for (std::size_t k = 0; k < count; ++k) {
    if (!list[k].is_number() || !std::isfinite(list[k].get<double>())) {
      fail(indexed(key, k), "expected a finite number");
    }
    numbers[k] = list[k].get<double>();
  }
  return numbers;
}

Vec3 vector_of(const json& list, const std::string& key) {
  const std::array<double, 3> numbers = numbers_of<3>(list, key);
  return {numbers[0], numbers[1], numbers[2]};
}

Quaternion quaternion_of(const json& list, const std::string& key) {
  const std::array<double, 4> numbers = numbers_of<4>(list, key);
  const Quaternion q = {numbers[0], numbers[1], numbers[2], numbers[3]};
  if (!(norm_squared(q) > 0.0)) fail(key, "expected a quaternion that is not zero");
  return normalized(q);
}

TriangleMesh::Triangle triangle_of(const json& list, Index vertex_count, const std::string& key) {
  std::array<Index, 3> corners{};
  bool fits = list.is_array() && list.size() == 3;
  for (std::size_t k = 0; fits && k < 3; ++k) {
    fits = list[k].is_number_unsigned() && list[k].get<std::uint64_t>() < vertex_count;
    if (fits) corners[k] = list[k].get<Index>();
  }
  if (!fits) fail(key, "expected three numbers of vertices");
  return {corners[0], corners[1], corners[2]};
}

TriangleMesh surface_of(const json& surface, const std::string& key) {
  const json& vertices = entry(surface, "vertices");
  const json& triangles = entry(surface, "triangles");
  if (!vertices.is_array() || !triangles.is_array() || triangles.empty()) {
    fail(key, "expected \"vertices\" and \"triangles\", arrays that are not empty");
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

// The entries of a text that must be an array.
json list_of(std::string_view text, const std::string& key) {
  if (text.empty()) return json::array();
  json list = json::parse(text, nullptr, false);
  if (!list.is_array()) fail(key, "expected a JSON array");
  return list;
}

std::string type_of(const json& object, const std::string& key) {
  const json& type = entry(object, "type");
  if (!type.is_string()) fail(key, "expected an object with a \"type\"");
  return type.get<std::string>();
}

void read_motion(const json& motion, const std::string& key, RecordedObstacle& obstacle) {
  const json& times = entry(motion, "times");
  const json& offsets = entry(motion, "offsets");
  if (!times.is_array() || !offsets.is_array() || times.empty() || times.size() != offsets.size()) {
    fail(key, "expected \"times\" and \"offsets\", arrays of the same length");
  }
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (!times[k].is_number()) fail(indexed(key + ".times", k), "expected a number");
    obstacle.times.push_back(times[k].get<double>());
    obstacle.offsets.push_back(vector_of(offsets[k], indexed(key + ".offsets", k)));
  }
}

}  // namespace

std::vector<RecordedSolid> read_solids(std::string_view text, const std::string& key) {
  std::vector<RecordedSolid> solids;
  const json list = list_of(text, key);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::string place = indexed(key, k);
    RecordedSolid solid;
    solid.type = type_of(list[k], place);
    if (const json& radius = entry(list[k], "radius"); !radius.is_null()) {
      if (!radius.is_number() || !(radius.get<double>() > 0.0) ||
          !std::isfinite(radius.get<double>())) {
        fail(place + ".radius", "expected a positive number");
      }
      solid.radius = radius.get<double>();
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
    fail(indexed("bodies/solid", body), "there is no solid " + std::to_string(number));
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
    const json& shape = list[k];
    const std::string place = indexed(key, k);
    if (entry(shape, "type") != "solid") continue;
    RecordedObstacle obstacle;
    if (const json& name = entry(shape, "name"); name.is_string()) obstacle.name = name;
    obstacle.surface = surface_of(entry(shape, "surface"), place + ".surface");
    obstacle.position = vector_of(entry(shape, "position"), place + ".position");
    obstacle.orientation = quaternion_of(entry(shape, "orientation"), place + ".orientation");
    if (const json& motion = entry(shape, "motion"); !motion.is_null()) {
      read_motion(motion, place + ".motion", obstacle);
    }
    obstacles.push_back(std::move(obstacle));
  }
  return obstacles;
}

}  // namespace carom
