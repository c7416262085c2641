// [[surface]]: deformable surfaces and chains, what they are made of, and how they start.

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/names.h"
#include "carom/scene/detail/surface_geometry.h"
#include "carom/scene/detail/surface_source.h"
#include "carom/scene/detail/surface_words.h"
#include "carom/scene/detail/vertex_selection.h"

namespace carom::detail {
namespace {

// A fault of bodies/surface.h, whose key is like "surface[cloth].triangles[3]".
[[noreturn]] void refuse_surface(TableReader& table, const std::string& name,
                                 const InputError& error) {
  const std::string prefix = "surface[" + name + "].";
  const std::string& key = error.place().key;
  if (!key.starts_with(prefix)) table.refuse("", error.message());
  std::string member = key.substr(prefix.size());
  if (member.starts_with("chain")) member = "edges" + member.substr(5);
  const std::string written = member.substr(0, member.find('['));
  // Where no list is written, it is what the source of the geometry came to.
  const bool is_written = table.table().contains(written);
  table.refuse(is_written ? written : "", member + " " + error.message());
}

Surface read_surface_body(TableReader& table, SceneBuilder& builder, SurfaceGeometry& geometry) {
  SurfaceDefinition definition;
  definition.name = read_name(
      table, builder, "surface-" + std::to_string(builder.simulation().world.surfaces.size() + 1));
  definition.material = read_material(table, builder);
  const std::optional<double> thickness = read_positive(table, "thickness");
  if (!thickness) table.refuse_missing("thickness", "a length; contact begins at that distance");
  definition.thickness = *thickness;
  geometry = read_surface_geometry(table, builder);
  check_ball_count(table, "", builder, static_cast<double>(geometry.vertices.size()));
  definition.first = builder.simulation().world.bodies.size();
  definition.rest = geometry.rest;
  definition.triangles = geometry.triangles;
  definition.chain = geometry.edges;
  const std::string name = definition.name;
  try {
    return make_surface(std::move(definition));
  } catch (const InputError& error) {
    refuse_surface(table, name, error);
  }
}

std::vector<double> read_mass_list(TableReader& table, const Surface& surface) {
  std::vector<double> masses = *table.number_list("masses");
  if (masses.size() != surface.size()) {
    table.refuse("masses", "expected one for each vertex, " + std::to_string(surface.size()) +
                               ", found " + std::to_string(masses.size()));
  }
  for (const double mass : masses) {
    if (!(mass > 0.0)) table.refuse("masses", "must be positive, found " + number_text(mass));
  }
  return masses;
}

// mass, area_density and length_density, or masses
std::vector<double> read_masses(TableReader& table, const Surface& surface) {
  const std::optional<double> mass = read_positive(table, "mass");
  const std::optional<double> area = read_positive(table, "area_density");
  const std::optional<double> length = read_positive(table, "length_density");
  const bool has_list = table.has("masses");
  const bool has_density = area || length;
  if (int{mass.has_value()} + int{has_density} + int{has_list} > 1) {
    table.refuse("mass", "give mass, or densities, or masses");
  }
  if (has_list) return read_mass_list(table, surface);
  const bool has_triangles = !surface.triangles.empty();
  const bool has_chain = !surface.chain.empty();
  if (area && !has_triangles) {
    table.refuse("area_density", "there are no triangles; a chain has a length_density, kg/m");
  }
  if (length && !has_chain) {
    table.refuse("length_density", "there is no chain; triangles have an area_density, kg/m^2");
  }
  if (!mass && has_triangles && !area) {
    table.refuse_missing("area_density", "kg/m^2 of its triangles, or mass, that of the whole");
  }
  if (!mass && has_chain && !length) {
    table.refuse_missing("length_density", "kg/m of its chain, or mass, that of the whole");
  }
  if (mass && has_triangles && has_chain) {
    table.refuse("mass", "of triangles and chains together: give area_density and length_density");
  }
  try {
    if (!mass) return vertex_masses(surface, {area.value_or(0.0), length.value_or(0.0)});
    std::vector<double> masses = vertex_masses(surface, {1.0, 1.0});
    const double factor = *mass / std::accumulate(masses.begin(), masses.end(), 0.0);
    for (double& one : masses) one *= factor;
    return masses;
  } catch (const InputError& error) {
    refuse_surface(table, surface.name, error);
  }
}

// As a rigid body: velocity, of the centre of mass, and angular_velocity; or velocities.
std::vector<Vec3> read_velocities(TableReader& table, SceneBuilder& builder,
                                  const SurfaceGeometry& geometry,
                                  const std::vector<double>& masses) {
  const std::vector<Vec3>& vertices = geometry.vertices;
  if (std::optional<std::vector<Vec3>> list = read_places(table, "velocities", builder)) {
    for (const char* key : {"velocity", "angular_velocity"}) {
      if (table.has(key))
        table.refuse(key, "give velocities or " + std::string(key) + ", not both");
    }
    if (list->size() != vertices.size()) {
      table.refuse("velocities", "expected one for each vertex, " +
                                     std::to_string(vertices.size()) + ", found " +
                                     std::to_string(list->size()));
    }
    return std::move(*list);
  }
  const Vec3 velocity = read_vector(table, "velocity", builder).value_or(Vec3{});
  const Vec3 spin = read_angular_velocity(table, builder);
  Vec3 center;
  double total = 0.0;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    center += masses[v] * vertices[v];
    total += masses[v];
  }
  center = (1.0 / total) * center;
  std::vector<Vec3> velocities(vertices.size(), velocity);
  if (spin == Vec3{}) return velocities;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    velocities[v] += cross(spin, vertices[v] - center);
  }
  return velocities;
}

// ----- Elasticity -------------------------------------------------------------------------------

void check_stretching(TableReader& table, const Surface& surface,
                      const SurfaceElasticity& elasticity) {
  if (table.has("edge_law") && !has_edge_springs(surface, elasticity)) {
    table.refuse("edge_law", "there are no springs: give stretch_model = \"edges\"");
  }
  if (table.has("poisson") && !has_stretch_triangles(surface, elasticity)) {
    table.refuse("poisson", "there are no elastic triangles, to which it belongs");
  }
}

void read_limits(TableReader& table, SurfaceElasticity& elasticity) {
  elasticity.stretch_limit = read_positive(table, "stretch_limit").value_or(0.0);
  elasticity.compression_limit = read_positive(table, "compression_limit").value_or(0.0);
  if (elasticity.compression_limit >= 1.0) {
    table.refuse("compression_limit", "must be below 1, the whole length, found " +
                                          number_text(elasticity.compression_limit));
  }
  elasticity.limit_stiffness = read_positive(table, "limit_stiffness").value_or(0.0);
  elasticity.limit_restitution = table.number("limit_restitution").value_or(1.0);
  if (!(elasticity.limit_restitution >= 0.0 && elasticity.limit_restitution <= 1.0)) {
    table.refuse("limit_restitution",
                 "must lie between 0 and 1, found " + number_text(elasticity.limit_restitution));
  }
  if (has_length_limits(elasticity)) return;
  for (const char* key : {"limit_stiffness", "limit_restitution"}) {
    if (table.has(key)) {
      table.refuse(key,
                   "there is no limit, to which it belongs: give stretch_limit or "
                   "compression_limit");
    }
  }
}

SurfaceElasticity read_elasticity(TableReader& table, const Surface& surface) {
  SurfaceElasticity elasticity;
  const auto amount = [&table](const char* key, double otherwise) {
    return read_not_negative(table, key).value_or(otherwise);
  };
  elasticity.stretching = amount("stretching", 0.0);
  elasticity.stretching_damping = amount("stretching_damping", 0.0);
  elasticity.bending = amount("bending", 0.0);
  elasticity.bending_damping = amount("bending_damping", 0.0);
  elasticity.yield = amount("yield", elasticity.yield);
  elasticity.stretch_model =
      static_cast<StretchModel>(read_choice(table, "stretch_model", stretch_model_names(), 1));
  elasticity.bend_model =
      static_cast<BendModel>(read_choice(table, "bend_model", bend_model_names(), 0));
  elasticity.edge_law = static_cast<EdgeLaw>(read_choice(table, "edge_law", edge_law_names(), 0));
  elasticity.is_flat_at_rest = table.boolean("flat_at_rest").value_or(false);
  elasticity.poisson = table.number("poisson").value_or(elasticity.poisson);
  if (!(elasticity.poisson > -1.0 && elasticity.poisson < 1.0)) {
    table.refuse("poisson", "must lie between -1 and 1, found " + number_text(elasticity.poisson));
  }
  if (elasticity.bend_model == BendModel::quadratic && table.has("yield")) {
    table.refuse("yield", "needs bend_model = \"angles\": quadratic hinges are flat at rest");
  }
  check_stretching(table, surface, elasticity);
  read_limits(table, elasticity);
  return elasticity;
}

// ----- Together ---------------------------------------------------------------------------------

void add_vertices(SceneBuilder& builder, const Surface& surface, const SurfaceGeometry& geometry,
                  const std::vector<double>& masses) {
  for (Index v = 0; v < surface.size(); ++v) {
    BallStart start;
    start.position = geometry.vertices[v];
    start.mass = masses[v];
    start.radius = 0.5 * surface.thickness;
    start.material = surface.material;
    add_ball(builder, surface.name + "-" + std::to_string(v), start);
  }
}

void read_surface(TableReader& table, SceneBuilder& builder) {
  Simulation& simulation = builder.simulation();
  SurfaceGeometry geometry;
  const Surface surface = read_surface_body(table, builder, geometry);
  const std::vector<double> masses = read_masses(table, surface);
  const std::vector<Vec3> velocities = read_velocities(table, builder, geometry, masses);
  const SurfaceElasticity elasticity = read_elasticity(table, surface);
  std::vector<TableReader> leads = table.subtables("lead");
  std::vector<TableReader> forces = table.subtables("force");
  table.finish();
  builder.sources.push_back({surface.first, table.place("")});
  add_vertices(builder, surface, geometry, masses);
  std::copy(velocities.begin(), velocities.end(),
            simulation.start.velocity.begin() + static_cast<std::ptrdiff_t>(surface.first));
  simulation.world.surfaces.push_back(surface);
  simulation.forces.elasticity.push_back(elasticity);
  Index led = 0;
  for (TableReader& lead : leads) {
    const std::vector<Index> bodies = read_selection(lead, builder, surface);
    read_lead(lead, builder, bodies);
    led += static_cast<Index>(bodies.size());
  }
  for (TableReader& force : forces) {
    read_force(force, builder, read_selection(force, builder, surface));
  }
  if (led < surface.size() && !table.has("stretching") && elasticity.stretch_limit == 0.0) {
    table.refuse_missing("stretching",
                         "how stiff it is (docs/scene-format.md); 0: nothing but a stretch_limit "
                         "holds it together");
  }
}

}  // namespace

void read_surfaces(TableReader& root, SceneBuilder& builder) {
  for (TableReader& table : root.subtables("surface")) read_surface(table, builder);
}

}  // namespace carom::detail
