// Where the geometry of a [[surface]] comes from: a file, a formula, or lists.

#include "carom/scene/detail/surface_source.h"

#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include "carom/core/names.h"
#include "carom/geometry/mesh_generators.h"
#include "carom/geometry/sheet_file.h"
#include "carom/geometry/sheet_generators.h"
#include "carom/scene/detail/quote.h"
#include "carom/scene/detail/value_text.h"

namespace carom::detail {
namespace {

using Source = SurfaceSource;

Source of_mesh(TriangleMesh mesh) {
  return {std::move(mesh.vertices), std::move(mesh.triangles), {}, {}, {}};
}

double required_length(TableReader& table, std::string_view key, const std::string& what) {
  const std::optional<double> length = read_positive(table, key);
  if (!length) table.refuse_missing(key, what);
  return *length;
}

constexpr double kMostCells = 1e6;

Index whole_number(const TableReader& table, std::string_view key, double number) {
  if (number >= 1.0 && number <= kMostCells && number == std::floor(number)) {
    return static_cast<Index>(number);
  }
  table.refuse(key, "expected whole numbers from 1 to 1000000, found " + number_text(number));
}

Index required_count(TableReader& table, std::string_view key, const std::string& what) {
  const std::optional<double> count = table.number(key);
  if (!count) table.refuse_missing(key, what);
  return whole_number(table, key, *count);
}

GridCells read_cells(TableReader& table, SceneBuilder& builder, const std::string& what) {
  const std::array<double, 2> counts = required_pair(table, "counts", what);
  GridCells cells;
  cells.columns = whole_number(table, "counts", counts[0]);
  cells.rows = whole_number(table, "counts", counts[1]);
  cells.alternates = table.boolean("alternates").value_or(true);
  check_ball_count(table, "counts", builder, (counts[0] + 1.0) * (counts[1] + 1.0));
  return cells;
}

// ----- By formula -------------------------------------------------------------------------------

Source read_rectangle(TableReader& table, SceneBuilder& builder) {
  const std::array<double, 2> size = required_pair(table, "size", "[along x, along y], lengths");
  const GridCells cells = read_cells(table, builder, "[along x, along y], how many squares it has");
  if (!(size[0] > 0.0 && size[1] > 0.0)) table.refuse("size", "lengths must be positive");
  return of_mesh(grid_sheet(size[0], size[1], cells));
}

Source read_ribbon(TableReader& table, SceneBuilder& builder) {
  const std::optional<std::vector<Vec3>> points = read_places(table, "points", builder);
  if (!points) table.refuse_missing("points", "the places that its middle line passes");
  const double width = required_length(table, "width", "a length");
  const Vec3 side =
      required_vector(table, "side", builder, "the direction of the width where the ribbon begins");
  const Index across = table.has("across") ? required_count(table, "across", "a count") : 1;
  RibbonSheet ribbon = ribbon_sheet(*points, side, width, across);
  Source source = of_mesh(std::move(ribbon.mesh));
  source.flat = std::move(ribbon.flat);
  return source;
}

Source read_disc(TableReader& table, SceneBuilder& builder) {
  const double radius = required_length(table, "radius", "a length");
  const Index rings = required_count(table, "rings", "how many rings of vertices it has");
  check_ball_count(table, "rings", builder, 3.0 * (rings + 1.0) * rings + 1.0);
  return of_mesh(disc_sheet(radius, rings));
}

Source read_sphere(TableReader& table, SceneBuilder& /*builder*/) {
  constexpr std::uint64_t kMostSubdivisions = 7;
  const double radius = required_length(table, "radius", "a length");
  const std::uint64_t subdivisions = table.count("subdivisions").value_or(2);
  if (subdivisions > kMostSubdivisions) table.refuse("subdivisions", "must be at most 7");
  return of_mesh(icosphere(radius, static_cast<int>(subdivisions)));
}

Source read_tube(TableReader& table, SceneBuilder& builder) {
  const double radius = required_length(table, "radius", "a length");
  const double length = required_length(table, "length", "a length, along z");
  const GridCells cells = read_cells(table, builder, "[around, along], how many squares it has");
  return of_mesh(tube_sheet(radius, length, cells));
}

std::vector<Vec3> chain_points(TableReader& table, SceneBuilder& builder) {
  std::optional<std::vector<Vec3>> points = read_places(table, "points", builder);
  const std::optional<Vec3> from = read_vector(table, "from", builder);
  const std::optional<Vec3> to = read_vector(table, "to", builder);
  const bool has_count = table.has("count");
  if (points) {
    if (from || to || has_count) {
      table.refuse("points", "give points, or from, to and count, not both");
    }
    if (points->size() < 2) table.refuse("points", "expected at least two places");
    return std::move(*points);
  }
  if (!from) table.refuse_missing("from", "where the chain begins, or points, all of its places");
  if (!to) table.refuse_missing("to", "where the chain ends");
  const Index count = required_count(table, "count", "how many edges it has");
  check_ball_count(table, "count", builder, static_cast<double>(count) + 1.0);
  std::vector<Vec3> places;
  for (Index k = 0; k < count; ++k) {
    places.push_back(*from + (static_cast<double>(k) / count) * (*to - *from));
  }
  places.push_back(*to);
  return places;
}

Source read_chain(TableReader& table, SceneBuilder& builder) {
  Source source;
  source.vertices = chain_points(table, builder);
  const bool is_closed = table.boolean("closed").value_or(false);
  if (is_closed && source.vertices.size() < 3) {
    table.refuse("closed", "a closed chain has at least three vertices");
  }
  source.edges = chain_edges(0, static_cast<Index>(source.vertices.size()), is_closed);
  return source;
}

// ----- Written out ------------------------------------------------------------------------------

template <std::size_t N>
std::vector<std::array<Index, N>> read_numbers_of_vertices(TableReader& table, std::string_view key,
                                                           std::size_t vertex_count) {
  std::vector<std::array<Index, N>> result;
  const std::optional<std::vector<Numbers>> lists = table.number_lists(key);
  if (!lists) return result;
  for (const Numbers& list : *lists) {
    if (list.size() != N) {
      table.refuse(key, "expected " + std::to_string(N) + " numbers of vertices for each, found " +
                            std::to_string(list.size()));
    }
    std::array<Index, N> vertices{};
    for (std::size_t k = 0; k < N; ++k) {
      const double number = list[k];
      if (!(number >= 0.0 && number < static_cast<double>(vertex_count)) ||
          number != std::floor(number)) {
        table.refuse(key, "there is no vertex " + number_text(number));
      }
      vertices[k] = static_cast<Index>(number);
    }
    result.push_back(vertices);
  }
  return result;
}

Source read_lists(TableReader& table, SceneBuilder& builder) {
  Source source;
  std::optional<std::vector<Vec3>> vertices = read_places(table, "vertices", builder);
  if (!vertices) table.refuse_missing("vertices", "a list of places, or file, or another type");
  source.vertices = std::move(*vertices);
  if (table.has("triangles") && builder.dimension() == 2) {
    table.refuse("triangles", "need three dimensions; in two there are chains: edges");
  }
  for (const auto& [a, b, c] :
       read_numbers_of_vertices<3>(table, "triangles", source.vertices.size())) {
    source.triangles.push_back({a, b, c});
  }
  source.edges = read_numbers_of_vertices<2>(table, "edges", source.vertices.size());
  if (source.triangles.empty() && source.edges.empty()) {
    table.refuse_missing(builder.dimension() == 3 ? "triangles" : "edges",
                         "lists of numbers of vertices, from 0: triangles, edges, or both");
  }
  return source;
}

// ----- Files ------------------------------------------------------------------------------------

std::string source_text(const std::string& name, const SheetFile& sheet) {
  std::string text = "{ name = " + quote(name) + ", " + mesh_values(sheet.mesh, ", ");
  const char* separator = ", edges = [";
  for (const auto& [a, b] : sheet.edges) {
    text += separator + ("[" + std::to_string(a) + "," + std::to_string(b)) + "]";
    separator = ",";
  }
  if (!sheet.edges.empty()) text += "]";
  if (!sheet.texture.empty()) text += ", texture = " + places_text(sheet.texture, 2);
  return text + " }";
}

// What a recording's scene has in the place of the file's name.
Source read_file_as_table(TableReader& table, SceneBuilder& builder) {
  TableReader inside = *table.subtable("file");
  static_cast<void>(inside.text("name"));
  Source source = read_lists(inside, builder);
  const std::optional<std::vector<Numbers>> texture = inside.number_lists("texture");
  for (const Numbers& uv : texture.value_or(std::vector<Numbers>{})) {
    if (uv.size() != 2) inside.refuse("texture", "expected two numbers for each vertex");
    source.texture.push_back({uv[0], uv[1], 0.0});
  }
  if (!source.texture.empty() && source.texture.size() != source.vertices.size()) {
    inside.refuse("texture", "expected as many as vertices, " +
                                 std::to_string(source.vertices.size()) + ", found " +
                                 std::to_string(source.texture.size()));
  }
  inside.finish();
  return source;
}

Source read_file(TableReader& table, SceneBuilder& builder) {
  const toml::node* node = table.find("file");
  SheetChoice choice;
  choice.group = table.text("group").value_or("");
  if (table.has("group") && choice.group.empty()) table.refuse("group", "must not be empty");
  const toml::node* rest = table.find("rest");
  choice.texture = rest != nullptr && rest->is_string() && *table.text("rest") == "texture";
  if (builder.dimension() == 2) table.refuse("file", "a mesh needs three dimensions");
  if (node->is_table()) return read_file_as_table(table, builder);
  const std::string name = *table.text("file");
  const std::filesystem::path beside =
      std::filesystem::path(builder.scene.file).parent_path() / name;
  try {
    SheetFile sheet = read_sheet(beside, choice);
    builder.embedded.push_back({node->source(), source_text(name, sheet)});
    Source source = of_mesh(std::move(sheet.mesh));
    source.edges = std::move(sheet.edges);
    source.texture = std::move(sheet.texture);
    return source;
  } catch (const InputError& error) {
    table.refuse("file", in_quotes(name) + " " + error.message());
  }
}

// A fault of geometry/sheet_generators.h, whose key is the name of a parameter.
[[noreturn]] void refuse_sheet(TableReader& table, const InputError& error) {
  const std::string& key = error.place().key;
  if (key == "columns" || key == "rows") table.refuse("counts", key + " " + error.message());
  if (key.starts_with("curve")) {
    table.refuse("points", "points" + key.substr(5) + " " + error.message());
  }
  if (table.table().contains(key)) table.refuse(key, error.message());
  table.refuse("", key.empty() ? error.message() : key + " " + error.message());
}

struct SurfaceType {
  std::string name;
  bool is_chain = false;
  Source (*read)(TableReader&, SceneBuilder&) = nullptr;
};

const std::vector<SurfaceType>& surface_types() {
  static const std::vector<SurfaceType> types = {{"rectangle", false, read_rectangle},
                                                 {"ribbon", false, read_ribbon},
                                                 {"disc", false, read_disc},
                                                 {"sphere", false, read_sphere},
                                                 {"tube", false, read_tube},
                                                 {"chain", true, read_chain},
                                                 {"mesh", true, read_lists}};
  return types;
}

}  // namespace

SurfaceSource read_surface_source(TableReader& table, SceneBuilder& builder) {
  const bool from_file = table.has("file");
  const std::optional<std::string> given = table.text("type");
  if (from_file) {
    if (table.has("vertices")) table.refuse("vertices", "give file or vertices, not both");
    if (given && *given != "mesh") table.refuse("type", "give file or type, not both");
    return read_file(table, builder);
  }
  if (!given && !table.has("vertices")) {
    table.refuse_missing("type", "one of file, a type such as \"rectangle\", and vertices");
  }
  const std::string name = given.value_or("mesh");
  std::vector<std::string> names;
  for (const SurfaceType& type : surface_types()) {
    names.push_back(type.name);
    if (type.name != name) continue;
    if (builder.dimension() == 2 && !type.is_chain) {
      table.refuse("type", "a " + name + " needs three dimensions; in two there are chains");
    }
    try {
      return type.read(table, builder);
    } catch (const InputError& error) {
      if (error.place().line > 0 || !error.place().file.empty()) throw;
      refuse_sheet(table, error);
    }
  }
  table.refuse("type", unknown_name_message("type of surface", printable(name), names));
}

std::array<double, 2> required_pair(TableReader& table, std::string_view key,
                                    const std::string& what) {
  const std::optional<Numbers> pair = table.numbers(key);
  if (!pair) table.refuse_missing(key, what);
  if (pair->size() != 2) {
    table.refuse(key, "expected two numbers, found " + std::to_string(pair->size()));
  }
  return {(*pair)[0], (*pair)[1]};
}

std::optional<std::vector<Vec3>> read_places(TableReader& table, std::string_view key,
                                             const SceneBuilder& builder) {
  const std::optional<std::vector<Numbers>> lists = table.number_lists(key);
  if (!lists) return std::nullopt;
  std::vector<Vec3> places;
  places.reserve(lists->size());
  for (const Numbers& list : *lists) places.push_back(to_vector(table, key, list, builder));
  return places;
}

}  // namespace carom::detail
