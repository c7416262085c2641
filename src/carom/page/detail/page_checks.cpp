// What a page refuses: counts that do not fit, numbers that are not finite.
#include "carom/page/detail/page_checks.h"

#include <cmath>
#include <span>

#include <nlohmann/json.hpp>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/page/detail/page_encoding.h"
#include "carom/recording/recording.h"
#include "carom/recording/solids.h"
#include "carom/recording/surfaces.h"

namespace carom::detail {
namespace {

using nlohmann::json;

// Beyond this, differences and squares of coordinates overflow.
constexpr double kLargestNumber = 1e150;

std::string indexed(const std::string& key, std::size_t k) {
  return key + "[" + std::to_string(k) + "]";
}

void demand_count(const std::string& key, std::size_t found, std::size_t expected,
                  const std::string& per_what) {
  if (found == expected) return;
  fail_page(key, "expected " + std::to_string(expected) + " entries, " + per_what + ", found " +
                     std::to_string(found));
}

void demand_finite(const std::string& key, std::span<const double> numbers) {
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (std::abs(numbers[k]) <= kLargestNumber) continue;
    fail_page(indexed(key, k), "expected a finite number, found " + number_text(numbers[k]));
  }
}

void demand_increasing(const std::string& key, std::span<const double> times, bool strictly) {
  demand_finite(key, times);
  for (std::size_t k = 1; k < times.size(); ++k) {
    if (times[k] > times[k - 1] || (!strictly && times[k] == times[k - 1])) continue;
    fail_page(indexed(key, k), "expected a time after " + number_text(times[k - 1]) + ", found " +
                                   number_text(times[k]));
  }
}

void check_frames(const PageRun& run, const std::string& key) {
  if (run.times.empty()) fail_page(key + ".times", "expected at least one frame");
  demand_increasing(key + ".times", run.times, true);
  demand_count(key + ".positions", run.positions.size(), run.times.size(), "one per frame");
  if (!run.velocities.empty()) {
    demand_count(key + ".velocities", run.velocities.size(), run.times.size(), "one per frame");
  }
  const std::size_t numbers = 3 * run.radii.size();
  for (std::size_t frame = 0; frame < run.times.size(); ++frame) {
    const std::string positions = indexed(key + ".positions", frame);
    demand_count(positions, run.positions[frame].size(), numbers, "three per body");
    demand_finite(positions, run.positions[frame]);
    if (run.velocities.empty()) continue;
    const std::string velocities = indexed(key + ".velocities", frame);
    demand_count(velocities, run.velocities[frame].size(), numbers, "three per body");
    demand_finite(velocities, run.velocities[frame]);
  }
}

void check_layers(const PageRun& run, const std::string& key) {
  if (run.layers.empty()) return;
  demand_count(key + ".layers", run.layers.size(), run.times.size(), "one per frame");
  for (std::size_t frame = 0; frame < run.layers.size(); ++frame) {
    demand_count(indexed(key + ".layers", frame), run.layers[frame].size(), run.radii.size(),
                 "one per body");
  }
}

void check_orientations(const PageRun& run, const std::string& key) {
  if (run.solids.empty() && run.orientations.empty()) return;
  demand_count(key + ".solids", run.solids.size(), run.radii.size(), "one per body");
  demand_count(key + ".orientations", run.orientations.size(), run.times.size(), "one per frame");
  for (std::size_t frame = 0; frame < run.times.size(); ++frame) {
    const std::string place = indexed(key + ".orientations", frame);
    const std::vector<double>& numbers = run.orientations[frame];
    demand_count(place, numbers.size(), 4 * run.radii.size(), "four per body");
    demand_finite(place, numbers);
    for (std::size_t k = 0; k < numbers.size(); k += 4) {
      // In the plane only turns about z are stored.
      double length = numbers[k] * numbers[k] + numbers[k + 3] * numbers[k + 3];
      if (run.dimension == 3) {
        length += numbers[k + 1] * numbers[k + 1] + numbers[k + 2] * numbers[k + 2];
      }
      if (length > 0.5 && length < 2.0) continue;
      fail_page(indexed(place, k), "expected a quaternion of length 1");
    }
  }
}

void check_bodies(const PageRun& run, const std::string& key) {
  demand_finite(key + ".radii", run.radii);
  for (std::size_t body = 0; body < run.radii.size(); ++body) {
    // Vertices of surfaces may have no thickness.
    if (run.radii[body] > 0.0 || (run.radii[body] == 0.0 && !run.surfaces_json.empty())) continue;
    fail_page(indexed(key + ".radii", body), "expected a positive radius");
  }
  if (!run.presence.empty()) {
    demand_count(key + ".presence", run.presence.size(), run.radii.size(), "one per body");
    for (const std::array<double, 2>& times : run.presence) demand_finite(key + ".presence", times);
  }
  if (!run.names.empty()) {
    demand_count(key + ".names", run.names.size(), run.radii.size(), "one per body");
  }
}

void check_series(const PageSeries& series, const std::string& key) {
  demand_increasing(key + ".times", series.times, false);
  demand_count(key + ".values", series.values.size(), series.times.size(), "one per time");
  if (!(series.scale >= 0.0 && series.scale < kInfinity)) {
    fail_page(key + ".scale", "expected a finite number that is not negative");
  }
}

void check_arrows(const PageRun& run, const std::string& key) {
  std::vector<double> times;
  times.reserve(run.arrows.size());
  for (std::size_t k = 0; k < run.arrows.size(); ++k) {
    const PageArrow& arrow = run.arrows[k];
    times.push_back(arrow.time);
    demand_finite(indexed(key, k) + ".point", arrow.point);
    demand_finite(indexed(key, k) + ".impulse", arrow.impulse);
    demand_finite(indexed(key, k) + ".normal", arrow.normal);
    for (const Index body : {arrow.body_a, arrow.body_b}) {
      if (body == kNone || body < run.radii.size()) continue;
      fail_page(indexed(key, k), "there is no body " + std::to_string(body));
    }
  }
  demand_increasing(key + ".time", times, false);
}

void check_springs(const PageRun& run, const std::string& key) {
  for (std::size_t k = 0; k < run.springs.size(); ++k) {
    const PageSpring& spring = run.springs[k];
    const std::string place = indexed(key, k);
    demand_finite(place + ".point", spring.point);
    if (!(spring.length >= 0.0 && spring.length < kInfinity)) {
      fail_page(place + ".length", "expected a finite number that is not negative");
    }
    const bool is_there = spring.body_a < run.radii.size() &&
                          (spring.body_b == kNone || spring.body_b < run.radii.size());
    if (!is_there) fail_page(place, "there is no such body");
  }
}

void demand_number(const json& shape, const std::string& key, const char* name) {
  if (!shape.contains(name) || !shape[name].is_number()) {
    fail_page(key + "." + name, "expected a number");
  }
}

bool is_vector(const json& value) {
  if (!value.is_array() || value.size() != 3) return false;
  for (const json& number : value) {
    if (!number.is_number()) return false;
  }
  return true;
}

void demand_vector(const json& shape, const std::string& key, const char* name) {
  if (!shape.contains(name) || !is_vector(shape[name])) {
    fail_page(key + "." + name, "expected three numbers");
  }
}

void check_motion(const json& motion, const std::string& key) {
  const bool is_whole = motion.is_object() && motion.contains("times") &&
                        motion["times"].is_array() && motion.contains("offsets") &&
                        motion["offsets"].is_array() && !motion["times"].empty() &&
                        motion["times"].size() == motion["offsets"].size();
  if (!is_whole) fail_page(key, "expected \"times\" and \"offsets\", arrays of the same length");
  for (std::size_t k = 0; k < motion["times"].size(); ++k) {
    if (!motion["times"][k].is_number()) fail_page(indexed(key + ".times", k), "expected a number");
    if (!is_vector(motion["offsets"][k])) {
      fail_page(indexed(key + ".offsets", k), "expected three numbers");
    }
  }
}

void check_shape(const json& shape, const std::string& key) {
  if (!shape.is_object() || !shape.contains("type") || !shape["type"].is_string()) {
    fail_page(key, "expected an object with a \"type\"");
  }
  const std::string type = shape["type"];
  if (type == "half_plane") {
    demand_vector(shape, key, "point");
    demand_vector(shape, key, "normal");
  } else if (type == "segment") {
    demand_vector(shape, key, "a");
    demand_vector(shape, key, "b");
  } else if (type == "sphere_inside" || type == "sphere_outside") {
    demand_vector(shape, key, "center");
    demand_number(shape, key, "radius");
  } else if (type == "box_inside") {
    demand_vector(shape, key, "lower");
    demand_vector(shape, key, "upper");
  } else if (type != "solid") {  // solids are checked where their surfaces are read
    static const std::vector<std::string> kTypes = {"half_plane",     "segment",    "sphere_inside",
                                                    "sphere_outside", "box_inside", "solid"};
    fail_page(key + ".type", unknown_name_message("type of shape", type, kTypes));
  }
  if (shape.contains("motion")) check_motion(shape["motion"], key + ".motion");
}

std::vector<std::uint32_t> ends_of(const std::vector<std::array<Index, 2>>& edges) {
  std::vector<std::uint32_t> ends;
  for (const std::array<Index, 2>& edge : edges) ends.insert(ends.end(), edge.begin(), edge.end());
  return ends;
}

// Vertices as 32-bit numbers, and three numbers of vertices for each triangle.
json encode_surface(const TriangleMesh& surface) {
  std::vector<float> vertices;
  std::vector<std::uint32_t> triangles;
  for (const Vec3& v : surface.vertices) {
    for (const double x : {v.x, v.y, v.z}) vertices.push_back(static_cast<float>(x));
  }
  for (const TriangleMesh::Triangle& t : surface.triangles) {
    triangles.insert(triangles.end(), {t.a, t.b, t.c});
  }
  return {{"vertices", to_base64(vertices)}, {"triangles", to_base64(triangles)}};
}

void check_heights(const PageRun& run, const std::string& key) {
  if (!run.heights) return;
  constexpr double kMostCells = 1e6;
  const PageHeights& heights = *run.heights;
  if (run.dimension != 3) fail_page(key, "a map of heights needs three dimensions");
  demand_finite(key + ".lower", heights.lower);
  demand_finite(key + ".length", heights.length);
  const double cells = heights.length[0] / heights.cell * (heights.length[1] / heights.cell);
  if (!(heights.cell > 0.0) || !(heights.length[0] > 0.0) || !(heights.length[1] > 0.0) ||
      !(cells <= kMostCells)) {
    fail_page(key, "expected a window and cells of positive size, at most a million of them");
  }
}

}  // namespace

void fail_page(const std::string& key, const std::string& message) {
  throw InputError({"", 0, 0, key}, message);
}

void check_page_run(const PageRun& run, std::size_t number) {
  const std::string key = indexed("runs", number);
  if (run.dimension != 2 && run.dimension != 3) {
    fail_page(key + ".dimension", "expected 2 or 3, found " + std::to_string(run.dimension));
  }
  demand_finite(key + ".up", run.up);
  check_bodies(run, key);
  check_frames(run, key);
  check_layers(run, key);
  check_orientations(run, key);
  for (std::size_t k = 0; k < run.series.size(); ++k) {
    check_series(run.series[k], indexed(key + ".series", k));
  }
  check_arrows(run, key + ".arrows");
  check_springs(run, key + ".springs");
  check_heights(run, key + ".heights");
}

json read_page_shapes(const PageRun& run, std::size_t number) {
  const std::string key = indexed("runs", number) + ".shapes_json";
  json shapes = json::parse(run.shapes_json, nullptr, false);
  if (!shapes.is_array()) fail_page(key, "expected a JSON array");
  for (std::size_t k = 0; k < shapes.size(); ++k) check_shape(shapes[k], indexed(key, k));
  const std::vector<RecordedObstacle> obstacles = read_obstacles(run.shapes_json, key);
  auto obstacle = obstacles.begin();
  for (json& shape : shapes) {
    if (shape["type"] == "solid") shape["surface"] = encode_surface((obstacle++)->surface);
  }
  return shapes;
}

json read_page_solids(const PageRun& run, std::size_t number) {
  const std::string key = indexed("runs", number);
  const std::vector<RecordedSolid> solids = read_solids(run.solids_json, key + ".solids_json");
  for (std::size_t body = 0; body < run.solids.size(); ++body) {
    if (run.solids[body] == kNoSolid || run.solids[body] < solids.size()) continue;
    fail_page(indexed(key + ".solids", body),
              "there is no solid " + std::to_string(run.solids[body]));
  }
  json list = json::array();
  for (const RecordedSolid& solid : solids) {
    json one = {{"type", solid.type}};
    if (solid.is_ball()) {
      one["radius"] = solid.radius;
    } else {
      one["surface"] = encode_surface(solid.surface);
    }
    list.push_back(std::move(one));
  }
  return list;
}

json read_page_surfaces(const PageRun& run, std::size_t number) {
  const std::string key = indexed("runs", number) + ".surfaces_json";
  json list = json::array();
  for (const RecordedSurface& surface : read_surfaces(run.surfaces_json, key, run.radii.size())) {
    std::vector<std::uint32_t> corners;
    for (const TriangleMesh::Triangle& t : surface.triangles) {
      corners.insert(corners.end(), {t.a, t.b, t.c});
    }
    list.push_back({{"name", surface.name},
                    {"first", surface.first},
                    {"count", surface.count},
                    {"thickness", surface.thickness},
                    {"material", surface.material},
                    {"triangles", to_base64(corners)},
                    {"edges", to_base64(ends_of(surface.edges))},
                    {"chain", to_base64(ends_of(chain_of(surface)))}});
  }
  return list;
}

}  // namespace carom::detail
