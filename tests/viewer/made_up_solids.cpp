#include "made_up_solids.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "carom/geometry/mesh_generators.h"
#include "carom/geometry/rotation.h"
#include "carom/geometry/solid.h"
#include "carom/recording/writer.h"

namespace carom::viewer_test {
namespace {

using nlohmann::json;

json json_of(const TriangleMesh& mesh) {
  json vertices = json::array();
  json triangles = json::array();
  for (const Vec3& v : mesh.vertices) vertices.push_back({v.x, v.y, v.z});
  for (const TriangleMesh::Triangle& t : mesh.triangles) triangles.push_back({t.a, t.b, t.c});
  return {{"vertices", vertices}, {"triangles", triangles}};
}

// A body of the made-up run; `solid` numbers those of solids_of.
struct Tumbler {
  std::string name;
  std::uint32_t solid = kNoSolid;
  Vec3 start;
  Vec3 velocity;
  Vec3 axis{0.0, 0.0, 1.0};
  double rate = 0.0;  ///< rad/s
};

std::vector<Solid> solids_of(int dimension) {
  std::vector<Solid> solids;
  solids.emplace_back(SphereSolid{0.6}, dimension);
  solids.emplace_back(BoxSolid{{1.0, 0.25, 0.2}}, dimension);
  solids.emplace_back(CapsuleSolid{0.25, 0.5}, dimension);
  if (dimension == 2) {
    solids.emplace_back(HullSolid{{{-0.6, -0.4, 0.0}, {0.8, -0.4, 0.0}, {0.1, 0.9, 0.0}}}, 2);
  } else {
    solids.emplace_back(CylinderSolid{0.5, 0.3}, 3);
    solids.emplace_back(MeshSolid{icosphere(0.7, 1)}, 3);
  }
  return solids;
}

std::vector<Tumbler> tumblers_of(int dimension) {
  const bool in_space = dimension == 3;
  const Vec3 tilted = in_space ? Vec3{1.0, 2.0, -0.5} : Vec3{0.0, 0.0, 1.0};
  const double z = in_space ? 1.0 : 0.0;
  std::vector<Tumbler> bodies = {
      {"long box", 1, {-3.0, 0.0, 0.0}, {0.1, 0.0, 0.2 * z}, tilted, 2.0},
      {"turning ball", 0, {0.0, 2.0, 0.0}, {0.0, 0.1, 0.0}, tilted, -3.0},
      {"capsule", 2, {3.0, 0.5, -z}, {-0.2, 0.0, 0.0}, tilted, 1.5},
      {"ball", kNoSolid, {0.0, -2.0, 0.5 * z}, {0.0, 0.2, 0.0}, tilted, 0.0},
      {"other form", 3, {3.0, -2.0, z}, {0.0, 0.0, 0.1 * z}, {0.0, 0.0, 1.0}, 40.0},
      {"slow box", 1, {-3.0, 2.5, z}, {0.0, 0.0, 0.0}, tilted, 0.05}};
  if (in_space) bodies.push_back({"lumpy", 4, {-1.0, -2.5, -1.0}, {}, {1.0, 0.0, 0.0}, 5.0});
  return bodies;
}

// Half the bodies change the sign of their quaternion in every other frame.
Quaternion pose_of(const Tumbler& body, double time, bool flips) {
  const Quaternion q = rotation_about(body.axis, 0.4 + body.rate * time);
  return flips ? Quaternion{-q.w, -q.x, -q.y, -q.z} : q;
}

std::string obstacle_json(int dimension) {
  const Solid table(BoxSolid{{1.5, 0.3, 1.0}}, dimension);
  const Quaternion q = rotation_about({0.0, 0.0, 1.0}, 0.3);
  json shapes = json::array();
  shapes.push_back({{"type", "solid"},
                    {"name", "ramp"},
                    {"surface", json_of(table.surface())},
                    {"position", {0.5, -4.0, 0.0}},
                    {"orientation", {q.w, q.x, q.y, q.z}}});
  return shapes.dump();
}

}  // namespace

PageRun make_tumble(int dimension, std::size_t frames) {
  PageRun run;
  run.title = "Tumbling solids";
  run.impact_operator = "gr";
  run.dimension = dimension;
  run.time_step = 1e-3;
  run.up = {0.0, 1.0, 0.0};
  run.shapes_json = obstacle_json(dimension);
  const std::vector<Solid> solids = solids_of(dimension);
  json list = json::array();
  for (const Solid& solid : solids) {
    json one = {{"type", solid_type_name(solid.definition())}};
    if (solid.is_sphere()) {
      one["radius"] = solid.bounding_radius();
    } else {
      one["surface"] = json_of(solid.surface());
    }
    list.push_back(one);
  }
  run.solids_json = list.dump();
  const std::vector<Tumbler> bodies = tumblers_of(dimension);
  for (const Tumbler& body : bodies) {
    run.names.push_back(body.name);
    run.solids.push_back(body.solid);
    run.radii.push_back(body.solid == kNoSolid ? 0.4 : solids[body.solid].bounding_radius());
  }
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const double time = 0.02 * static_cast<double>(frame);
    run.times.push_back(time);
    std::vector<double>& q = run.positions.emplace_back();
    std::vector<double>& v = run.velocities.emplace_back();
    std::vector<double>& turns = run.orientations.emplace_back();
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const Vec3 place = bodies[k].start + time * bodies[k].velocity;
      const Quaternion turn = pose_of(bodies[k], time, k % 2 == 1 && frame % 2 == 1);
      q.insert(q.end(), {place.x, place.y, place.z});
      v.insert(v.end(), {bodies[k].velocity.x, bodies[k].velocity.y, bodies[k].velocity.z});
      turns.insert(turns.end(), {turn.w, turn.x, turn.y, turn.z});
    }
    const double at = 0.01 * static_cast<double>(frame);
    run.arrows.push_back(
        {time, {at, -3.5, 0.25 * (dimension - 2)}, {0.5, 2.0, 0.0}, 3, kNone, {0.0, 1.0, 0.0}});
  }
  return run;
}

void record_tumble(const PageRun& run, const std::filesystem::path& path) {
  RecordingHeader header;
  header.scene_name = run.title;
  // Files that are not pages hold walls too, before what the page shows.
  json shapes = json::parse(R"([
    {"type": "half_plane", "name": "floor", "point": [0, -6, 0], "normal": [0, 1, 0]},
    {"type": "box_inside", "name": "room", "lower": [-9, -9, -9], "upper": [9, 9, 9]},
    {"type": "sphere_inside", "name": "dome", "center": [0, 0, 0], "radius": 20},
    {"type": "segment", "name": "rod", "a": [-4, 5, 0], "b": [4, 5, 0]}])");
  for (const json& shape : json::parse(run.shapes_json)) shapes.push_back(shape);
  header.shapes_json = shapes.dump();
  header.solids_json = run.solids_json;
  header.solids = run.solids;
  header.dimension = run.dimension;
  header.step = run.time_step;
  header.body_names = run.names;
  header.masses.assign(run.radii.size(), 1.0);
  header.radii = run.radii;
  header.materials.assign(run.radii.size(), 0);
  RecordingWriter writer = RecordingWriter::create(path, header);
  const std::vector<double> still(3 * run.radii.size(), 0.0);
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    writer.append_frame(
        {k, run.times[k], run.positions[k], run.velocities[k], run.orientations[k], still});
  }
  writer.finish({});
}

}  // namespace carom::viewer_test
