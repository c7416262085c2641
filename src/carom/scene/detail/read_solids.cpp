// Solids of any kind, alone and as parts of compounds.
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/names.h"
#include "carom/geometry/mesh_figures.h"
#include "carom/geometry/mesh_file.h"
#include "carom/geometry/mesh_generators.h"
#include "carom/geometry/triangle_mesh.h"
#include "carom/scene/detail/quote.h"
#include "carom/scene/detail/scene_parts.h"
#include "carom/scene/detail/value_text.h"

namespace carom::detail {
namespace {

double required_length(TableReader& table, std::string_view key, const std::string& what) {
  const std::optional<double> length = read_positive(table, key);
  if (!length) table.refuse_missing(key, what);
  return *length;
}

SolidDefinition read_sphere(TableReader& table, const SceneBuilder& /*builder*/) {
  return SphereSolid{required_length(table, "radius", "a length")};
}

SolidDefinition read_box(TableReader& table, const SceneBuilder& builder) {
  const Vec3 size = required_vector(table, "size", builder, "the lengths of the edges");
  const bool positive = size.x > 0.0 && size.y > 0.0 && (builder.dimension() == 2 || size.z > 0.0);
  if (!positive) table.refuse("size", "lengths must be positive");
  return BoxSolid{0.5 * size};
}

// Both are given by their whole length, round ends not counted.
template <class Long>
SolidDefinition read_long(TableReader& table, const SceneBuilder& /*builder*/) {
  Long solid;
  solid.radius = required_length(table, "radius", "a length");
  solid.half_length = 0.5 * required_length(table, "length", "the length of its axis");
  return solid;
}

SolidDefinition read_cylinder(TableReader& table, const SceneBuilder& builder) {
  if (builder.dimension() == 2) {
    table.refuse("type", "a cylinder needs three dimensions; in two there are discs (sphere)");
  }
  return read_long<CylinderSolid>(table, builder);
}

SolidDefinition read_helix(TableReader& table, const SceneBuilder& /*builder*/) {
  HelixSolid rod;
  rod.radius = required_length(table, "radius", "the radius of the rod");
  rod.bend_radius = required_length(table, "bend_radius", "from the axis to its middle line");
  const std::optional<double> pitch = table.number("pitch");
  if (!pitch) table.refuse_missing("pitch", "what it rises by in a turn");
  rod.pitch = *pitch;
  rod.turns = required_length(table, "turns", "a number of turns");
  return rod;
}

SolidDefinition read_hull(TableReader& table, const SceneBuilder& builder) {
  const std::optional<std::vector<Numbers>> points = table.number_lists("points");
  if (!points) table.refuse_missing("points", "a list of places");
  HullSolid hull;
  for (const Numbers& point : *points) {
    hull.points.push_back(to_vector(table, "points", point, builder));
  }
  return hull;
}

// ----- Meshes -----------------------------------------------------------------------------------

TriangleMesh read_inline_mesh(TableReader& table) {
  const std::optional<std::vector<Numbers>> vertices = table.number_lists("vertices");
  const std::optional<std::vector<Numbers>> triangles = table.number_lists("triangles");
  if (!vertices) table.refuse_missing("vertices", "a list of places");
  if (!triangles) table.refuse_missing("triangles", "a list of three numbers of vertices each");
  TriangleMesh mesh;
  for (const Numbers& vertex : *vertices) {
    if (vertex.size() != 3) table.refuse("vertices", "expected three numbers for each");
    mesh.vertices.push_back({vertex[0], vertex[1], vertex[2]});
  }
  const auto count = static_cast<double>(mesh.vertices.size());
  for (const Numbers& triangle : *triangles) {
    if (triangle.size() != 3) table.refuse("triangles", "expected three numbers for each");
    for (const double corner : triangle) {
      if (corner >= 0.0 && corner < count && corner == std::floor(corner)) continue;
      table.refuse("triangles", "there is no vertex " + number_text(corner));
    }
    const auto number = [&](std::size_t k) { return static_cast<Index>(triangle[k]); };
    mesh.triangles.push_back({number(0), number(1), number(2)});
  }
  return mesh;
}

// A name of a file beside the scene, or the mesh itself as it stands in a recording's scene.
TriangleMesh read_mesh_file(TableReader& table, SceneBuilder& builder) {
  const toml::node* node = table.find("file");
  if (node->is_table()) {
    TableReader inside = *table.subtable("file");
    static_cast<void>(inside.text("name"));
    TriangleMesh mesh = read_inline_mesh(inside);
    inside.finish();
    return mesh;
  }
  const std::string name = *table.text("file");
  const std::filesystem::path beside =
      std::filesystem::path(builder.scene.file).parent_path() / name;
  try {
    TriangleMesh mesh = read_mesh(beside);
    builder.embedded.push_back(
        {node->source(), "{ name = " + quote(name) + ", " + mesh_values(mesh, ", ") + " }"});
    return mesh;
  } catch (const InputError& error) {
    table.refuse("file", in_quotes(name) + " " + error.message());
  }
}

Index read_count(TableReader& table, std::string_view key, Index otherwise) {
  const std::uint64_t count = table.count(key).value_or(otherwise);
  constexpr std::uint64_t kMost = 100'000;
  if (count > kMost) table.refuse(key, "must be at most 100000, found " + std::to_string(count));
  return static_cast<Index>(count);
}

TriangleMesh read_trefoil(TableReader& table) {
  TrefoilShape shape;
  shape.scale = read_positive(table, "radius").value_or(shape.scale);
  shape.tube_radius = read_positive(table, "tube_radius").value_or(shape.tube_radius);
  shape.segments = read_count(table, "segments", shape.segments);
  shape.sides = read_count(table, "sides", shape.sides);
  return trefoil_mesh(shape);
}

TriangleMesh read_doll(TableReader& table) {
  DollShape shape;
  shape.height = read_positive(table, "height").value_or(shape.height);
  shape.wall = read_positive(table, "wall").value_or(shape.wall);
  shape.count = read_count(table, "count", shape.count);
  return doll_mesh(shape);
}

TriangleMesh read_pawn(TableReader& table) {
  PawnShape shape;
  shape.height = read_positive(table, "height").value_or(shape.height);
  shape.count = read_count(table, "count", shape.count);
  return pawn_mesh(shape);
}

TriangleMesh read_icosphere(TableReader& table) {
  const double radius = read_positive(table, "radius").value_or(1.0);
  const Index subdivisions = read_count(table, "subdivisions", 2);
  if (subdivisions > 7) table.refuse("subdivisions", "must be at most 7");
  return icosphere(radius, static_cast<int>(subdivisions));
}

struct Figure {
  std::string name;
  TriangleMesh (*read)(TableReader&);
};

TriangleMesh read_figure(TableReader& table, const std::string& name) {
  static const std::vector<Figure> figures = {{"trefoil", read_trefoil},
                                              {"doll", read_doll},
                                              {"pawn", read_pawn},
                                              {"icosphere", read_icosphere}};
  std::vector<std::string> names;
  for (const Figure& figure : figures) {
    if (figure.name == name) return figure.read(table);
    names.push_back(figure.name);
  }
  table.refuse("figure", unknown_name_message("figure", printable(name), names));
}

SolidDefinition read_mesh_solid(TableReader& table, SceneBuilder& builder) {
  if (builder.dimension() == 2) table.refuse("type", "a mesh needs three dimensions");
  const bool from_file = table.has("file");
  const std::optional<std::string> figure = table.text("figure");
  const bool is_inline = table.has("vertices");
  if (int{from_file} + int{figure.has_value()} + int{is_inline} != 1) {
    table.refuse_missing("file", "one of file, figure, and vertices with triangles");
  }
  MeshSolid solid;
  if (from_file) {
    solid.mesh = read_mesh_file(table, builder);
  } else if (figure) {
    solid.mesh = read_figure(table, *figure);
  } else {
    solid.mesh = read_inline_mesh(table);
  }
  const bool filled = table.boolean("fill_holes").value_or(false);
  const std::optional<double> thickness = read_positive(table, "shell");
  const double scale = read_positive(table, "scale").value_or(1.0);
  const auto finished = [&](TriangleMesh mesh) {
    if (filled) mesh = holes_filled(std::move(mesh));
    if (thickness) mesh = shell_of(mesh, *thickness);
    return scale == 1.0 ? mesh : scaled(std::move(mesh), scale);
  };
  if (!table.boolean("pieces").value_or(false)) {
    solid.mesh = finished(std::move(solid.mesh));
    return solid;
  }
  auto compound = std::make_shared<CompoundSolid>();
  for (TriangleMesh& piece : connected_pieces(solid.mesh)) {
    compound->parts.push_back({MeshSolid{finished(std::move(piece))}, Pose(), 1.0, {}});
  }
  return std::shared_ptr<const CompoundSolid>(std::move(compound));
}

// ----- Compounds --------------------------------------------------------------------------------

SolidDefinition read_compound(TableReader& table, SceneBuilder& builder) {
  auto compound = std::make_shared<CompoundSolid>();
  for (TableReader& part : table.subtables("part")) {
    CompoundSolid::Part read;
    const Index solid = read_solid_name(part, builder);
    read.solid = builder.simulation().world.bodies.solids[solid]->definition();
    if (std::holds_alternative<std::shared_ptr<const CompoundSolid>>(read.solid)) {
      part.refuse("solid", "a part cannot be a compound itself");
    }
    read.pose.position = read_vector(part, "position", builder).value_or(Vec3{});
    read.orientation = read_orientation(part, builder);
    read.pose.rotation = matrix_of(read.orientation);
    read.density = read_positive(part, "density").value_or(1.0);
    part.finish();
    compound->parts.push_back(std::move(read));
  }
  if (compound->parts.empty()) table.refuse_missing("part", "[[solid.part]], at least one");
  return std::shared_ptr<const CompoundSolid>(std::move(compound));
}

struct SolidType {
  std::string name;
  SolidDefinition (*read)(TableReader&, SceneBuilder&);
};

template <SolidDefinition (*kRead)(TableReader&, const SceneBuilder&)>
SolidDefinition reading(TableReader& table, SceneBuilder& builder) {
  return kRead(table, builder);
}

const std::vector<SolidType>& solid_types() {
  static const std::vector<SolidType> types = {{"sphere", reading<read_sphere>},
                                               {"box", reading<read_box>},
                                               {"capsule", reading<read_long<CapsuleSolid>>},
                                               {"cylinder", reading<read_cylinder>},
                                               {"helix", reading<read_helix>},
                                               {"hull", reading<read_hull>},
                                               {"mesh", read_mesh_solid},
                                               {"compound", read_compound}};
  return types;
}

SolidDefinition read_definition(TableReader& table, SceneBuilder& builder) {
  const std::optional<std::string> type = table.text("type");
  std::vector<std::string> names;
  for (const SolidType& known : solid_types()) {
    if (type && known.name == *type) return known.read(table, builder);
    names.push_back(known.name);
  }
  if (!type) table.refuse_missing("type", "a type of solid, e.g. \"box\"");
  table.refuse("type", unknown_name_message("type of solid", printable(*type), names));
}

}  // namespace

std::optional<Quaternion> read_quaternion(TableReader& table, std::string_view key) {
  const std::optional<std::vector<double>> given = table.number_list(key);
  if (!given) return std::nullopt;
  if (given->size() != 4) table.refuse(key, "expected a quaternion [w, x, y, z]");
  const Quaternion q = {(*given)[0], (*given)[1], (*given)[2], (*given)[3]};
  const double square = norm_squared(q);
  if (!(square > 0.0) || !std::isfinite(square)) table.refuse(key, "must be finite and not zero");
  // One that has unit length keeps its bits.
  return std::abs(square - 1.0) <= 4.0 * kRoundOff ? q : normalized(q);
}

Quaternion read_orientation(TableReader& table, const SceneBuilder& builder) {
  const std::optional<Quaternion> given = read_quaternion(table, "orientation");
  std::optional<TableReader> turned = table.subtable("turned");
  if (given && turned) table.refuse("turned", "give orientation or turned, not both");
  if (given) return *given;
  if (!turned) return {};
  const std::optional<double> degrees = turned->number("degrees");
  if (!degrees) turned->refuse_missing("degrees", "an angle");
  Vec3 axis = {0.0, 0.0, 1.0};
  if (builder.dimension() == 3) {
    axis = required_vector(*turned, "axis", builder, "the axis of the turn");
    if (axis == Vec3{}) turned->refuse("axis", "has no length");
  }
  turned->finish();
  return rotation_about(axis, *degrees * std::numbers::pi / 180.0);
}

Vec3 read_angular_velocity(TableReader& table, const SceneBuilder& builder) {
  if (builder.dimension() == 3) {
    return read_vector(table, "angular_velocity", builder).value_or(Vec3{});
  }
  return {0.0, 0.0, table.number("angular_velocity").value_or(0.0)};
}

Index read_solid_name(TableReader& table, const SceneBuilder& builder) {
  const std::optional<std::string> name = table.text("solid");
  if (!name) table.refuse_missing("solid", "the name of a [[solid]]");
  const auto found = builder.solids.find(*name);
  if (found != builder.solids.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, number] : builder.solids) names.push_back(known);
  table.refuse("solid", unknown_name_message("solid", printable(*name), names));
}

Vec3 read_solid_place(TableReader& table, const SceneBuilder& builder, Index solid,
                      const Quaternion& orientation) {
  const std::optional<Vec3> origin = read_vector(table, "origin", builder);
  if (!origin) {
    return required_vector(table, "position", builder,
                           "the place of the centre of mass, or origin, that of the solid's own "
                           "coordinates");
  }
  if (table.has("position")) table.refuse("origin", "give position or origin, not both");
  const Solid& of = *builder.scene.simulation.world.bodies.solids[solid];
  return *origin + matrix_of(orientation) * of.mass().center;
}

Index sphere_solid(SceneBuilder& builder, double radius) {
  const auto [at, is_new] = builder.spheres.emplace(radius, 0);
  std::vector<std::shared_ptr<const Solid>>& solids = builder.simulation().world.bodies.solids;
  if (is_new) {
    at->second = static_cast<Index>(solids.size());
    solids.push_back(std::make_shared<const Solid>(SphereSolid{radius}, builder.dimension()));
  }
  return at->second;
}

Pose solid_pose(const Solid& solid, const Vec3& center, const Quaternion& orientation) {
  return {center, matrix_of(orientation) * solid.mass().axes};
}

void read_solids(TableReader& root, SceneBuilder& builder) {
  std::vector<std::shared_ptr<const Solid>>& solids = builder.simulation().world.bodies.solids;
  for (TableReader& table : root.subtables("solid")) {
    const std::optional<std::string> name = table.text("name");
    if (!name || name->empty()) table.refuse_missing("name", "a name for bodies to refer to");
    if (builder.solids.contains(*name)) {
      table.refuse("name", in_quotes(*name) + " is the name of an earlier solid");
    }
    try {
      SolidDefinition definition = read_definition(table, builder);
      table.finish();
      solids.push_back(std::make_shared<const Solid>(std::move(definition), builder.dimension()));
    } catch (const InputError& error) {
      if (error.place().line > 0) throw;
      table.rethrow(error);
    }
    builder.solids.emplace(*name, static_cast<Index>(solids.size() - 1));
  }
}

}  // namespace carom::detail
