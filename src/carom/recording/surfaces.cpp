// Deformable surfaces and chains of a recording: their text in JSON, written, read and checked.
#include "carom/recording/surfaces.h"

#include <algorithm>
#include <set>

#include "carom/recording/detail/json_values.h"

namespace carom {
namespace {

using detail::entry;
using detail::fail_at;
using detail::indexed;
using nlohmann::json;

Index number_of(const json& value, const std::string& key, std::size_t below) {
  if (!value.is_number_unsigned() || !(value.get<std::uint64_t>() < below)) {
    fail_at(key, "expected a whole number below " + std::to_string(below));
  }
  return value.get<Index>();
}

// Lists of `size` different vertices each.
template <std::size_t size>
std::vector<std::array<Index, size>> tuples_of(const json& list, const std::string& key,
                                               Index count) {
  if (!list.is_array()) fail_at(key, "expected an array");
  std::vector<std::array<Index, size>> tuples;
  tuples.reserve(list.size());
  for (std::size_t k = 0; k < list.size(); ++k) {
    std::array<Index, size> tuple{};
    bool fits = list[k].is_array() && list[k].size() == size;
    for (std::size_t i = 0; fits && i < size; ++i) {
      fits = list[k][i].is_number_unsigned() && list[k][i].get<std::uint64_t>() < count;
      if (fits) tuple[i] = list[k][i].get<Index>();
      for (std::size_t before = 0; fits && before < i; ++before) fits = tuple[before] != tuple[i];
    }
    if (!fits) {
      fail_at(indexed(key, k), "expected " + std::to_string(size) +
                                   " different numbers of vertices below " + std::to_string(count));
    }
    tuples.push_back(tuple);
  }
  return tuples;
}

double thickness_of(const json& value, const std::string& key) {
  const bool fits =
      value.is_number() && value.get<double>() >= 0.0 && value.get<double>() < kInfinity;
  if (!fits) fail_at(key, "expected a number that is not negative");
  return value.get<double>();
}

RecordedSurface surface_of(const json& object, const std::string& key, std::size_t bodies) {
  RecordedSurface surface;
  const json& name = entry(object, "name");
  if (!name.is_string()) fail_at(key, "expected an object with a \"name\"");
  surface.name = name;
  surface.first = number_of(entry(object, "first"), key + ".first", bodies);
  surface.count = number_of(entry(object, "count"), key + ".count", bodies - surface.first + 1);
  for (const auto& [a, b, c] :
       tuples_of<3>(entry(object, "triangles"), key + ".triangles", surface.count)) {
    surface.triangles.push_back({a, b, c});
  }
  surface.edges = tuples_of<2>(entry(object, "edges"), key + ".edges", surface.count);
  surface.thickness = thickness_of(entry(object, "thickness"), key + ".thickness");
  surface.material = number_of(entry(object, "material"), key + ".material", kNone);
  return surface;
}

std::array<Index, 2> ordered(Index a, Index b) { return {std::min(a, b), std::max(a, b)}; }

}  // namespace

std::string write_surfaces(std::span<const RecordedSurface> surfaces) {
  json list = json::array();
  for (const RecordedSurface& surface : surfaces) {
    json triangles = json::array();
    for (const TriangleMesh::Triangle& t : surface.triangles) triangles.push_back({t.a, t.b, t.c});
    list.push_back({{"name", surface.name},
                    {"first", surface.first},
                    {"count", surface.count},
                    {"triangles", std::move(triangles)},
                    {"edges", surface.edges},
                    {"thickness", surface.thickness},
                    {"material", surface.material}});
  }
  return list.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<RecordedSurface> read_surfaces(std::string_view text, const std::string& key,
                                           std::size_t bodies) {
  std::vector<RecordedSurface> surfaces;
  std::vector<bool> taken(bodies);
  const json list = detail::list_of(text, key);
  for (std::size_t k = 0; k < list.size(); ++k) {
    surfaces.push_back(surface_of(list[k], indexed(key, k), bodies));
    const RecordedSurface& surface = surfaces.back();
    for (Index i = surface.first; i < surface.first + surface.count; ++i) {
      if (taken[i]) {
        fail_at(indexed(key, k), "body " + std::to_string(i) + " belongs to another surface too");
      }
      taken[i] = true;
    }
  }
  return surfaces;
}

std::vector<RecordedSurface> recorded_surfaces(const RecordingHeader& header) {
  return read_surfaces(header.surfaces_json, "scene/surfaces", header.body_count());
}

std::vector<std::array<Index, 2>> chain_of(const RecordedSurface& surface) {
  std::set<std::array<Index, 2>> sides;
  for (const TriangleMesh::Triangle& t : surface.triangles) {
    sides.insert({ordered(t.a, t.b), ordered(t.b, t.c), ordered(t.c, t.a)});
  }
  std::vector<std::array<Index, 2>> chain;
  for (const std::array<Index, 2>& edge : surface.edges) {
    if (!sides.contains(ordered(edge[0], edge[1]))) chain.push_back(edge);
  }
  return chain;
}

TriangleMesh mesh_in(const RecordedSurface& surface, const RecordedFrame& frame) {
  TriangleMesh mesh;
  mesh.triangles = surface.triangles;
  mesh.vertices.reserve(surface.count);
  for (std::size_t i = surface.first; i < std::size_t{surface.first} + surface.count; ++i) {
    const double* q = &frame.positions[3 * i];
    mesh.vertices.push_back({q[0], q[1], q[2]});
  }
  return mesh;
}

std::vector<bool> vertices_among(std::span<const RecordedSurface> surfaces, std::size_t bodies) {
  std::vector<bool> are(bodies);
  for (const RecordedSurface& surface : surfaces) {
    for (Index i = surface.first; i < surface.first + surface.count; ++i) are[i] = true;
  }
  return are;
}

}  // namespace carom
