// The shape of a [[surface]] at rest, and where it is put.

#include "carom/scene/detail/surface_geometry.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "carom/core/names.h"
#include "carom/scene/detail/surface_source.h"

namespace carom::detail {
namespace {

std::vector<Vec3> read_rest_list(TableReader& table, std::size_t vertex_count) {
  const std::optional<std::vector<Numbers>> places = table.number_lists("rest");
  std::vector<Vec3> rest;
  for (const Numbers& place : *places) {
    if (place.size() != 2 && place.size() != 3) {
      table.refuse("rest", "expected two or three numbers for each vertex");
    }
    rest.push_back({place[0], place[1], place.size() == 3 ? place[2] : 0.0});
  }
  if (rest.size() != vertex_count) {
    table.refuse("rest", "expected one place per vertex, " + std::to_string(vertex_count) +
                             ", found " + std::to_string(rest.size()));
  }
  return rest;
}

std::vector<Vec3> scaled_all(std::vector<Vec3> places, double scale) {
  if (scale == 1.0) return places;
  for (Vec3& place : places) place = scale * place;
  return places;
}

std::vector<Vec3> read_texture(TableReader& table, const SurfaceSource& source) {
  std::array<double, 2> scale = {1.0, 1.0};
  if (table.has("rest_scale")) scale = required_pair(table, "rest_scale", "");
  if (!(scale[0] > 0.0 && scale[1] > 0.0)) table.refuse("rest_scale", "must be positive");
  if (source.texture.empty()) {
    table.refuse("rest", "\"texture\" needs a file with texture coordinates");
  }
  std::vector<Vec3> rest = source.texture;
  for (Vec3& place : rest) place = {scale[0] * place.x, scale[1] * place.y, 0.0};
  return rest;
}

// Before anything is moved; sources have their scale already.
std::vector<Vec3> read_rest(TableReader& table, const SurfaceSource& source) {
  const toml::node* node = table.find("rest");
  static_cast<void>(table.find("rest_scale"));
  std::string name = source.flat.empty() ? "shape" : "flat";
  if (node != nullptr && node->is_array()) {
    name = "a list";
  } else if (node != nullptr) {
    static const std::vector<std::string> names = {"shape", "flat", "texture"};
    name = names[read_choice(table, "rest", names, 0)];
  }
  if (name != "texture" && table.has("rest_scale")) {
    table.refuse("rest_scale", "belongs to rest = \"texture\"");
  }
  if (name == "a list") return read_rest_list(table, source.vertices.size());
  if (name == "texture") return read_texture(table, source);
  if (name == "shape") return source.vertices;
  if (source.flat.empty()) table.refuse("rest", "\"flat\" is the rest shape of ribbons only");
  return source.flat;
}

}  // namespace

std::size_t read_choice(TableReader& table, std::string_view key,
                        const std::vector<std::string>& names, std::size_t otherwise) {
  const std::optional<std::string> given = table.text(key);
  if (!given) return otherwise;
  const auto found = std::find(names.begin(), names.end(), *given);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  table.refuse(key, unknown_name_message(std::string(key), printable(*given), names));
}

SurfaceGeometry read_surface_geometry(TableReader& table, SceneBuilder& builder) {
  SurfaceSource source = read_surface_source(table, builder);
  const double scale = read_positive(table, "scale").value_or(1.0);
  source.vertices = scaled_all(std::move(source.vertices), scale);
  source.flat = scaled_all(std::move(source.flat), scale);
  SurfaceGeometry geometry;
  geometry.rest = read_rest(table, source);
  // What is not moved keeps its bits.
  if (table.has("orientation") || table.has("turned")) {
    const Mat3 rotation = matrix_of(read_orientation(table, builder));
    for (Vec3& vertex : source.vertices) vertex = rotation * vertex;
  }
  if (const std::optional<Vec3> position = read_vector(table, "position", builder)) {
    for (Vec3& vertex : source.vertices) vertex += *position;
  }
  geometry.vertices = std::move(source.vertices);
  geometry.triangles = std::move(source.triangles);
  geometry.edges = std::move(source.edges);
  return geometry;
}

}  // namespace carom::detail
