// Surfaces, leads and forces of a simulation as a scene file says them.

#include "carom/scene/detail/write_surfaces.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "carom/scene/detail/quote.h"
#include "carom/scene/detail/surface_words.h"
#include "carom/scene/detail/value_text.h"
#include "carom/scene/settings.h"

namespace carom::detail {
namespace {

bool has_same_bits(const Vec3& a, const Vec3& b) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  return bits(a.x) == bits(b.x) && bits(a.y) == bits(b.y) && bits(a.z) == bits(b.z);
}

bool has_vertex(const Surface& surface, Index body) {
  return body >= surface.first && body < surface.first + surface.size();
}

// Bodies of which the same is said, in their order.
struct Entry {
  std::string values;
  std::vector<Index> bodies;
};

void add_to(std::vector<Entry>& entries, const std::string& values, Index body) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
    // A force on one body may be there twice.
    return entry.values == values && entry.bodies.back() != body;
  });
  if (found != entries.end()) {
    found->bodies.push_back(body);
  } else {
    entries.push_back({values, {body}});
  }
}

class SurfaceWriter {
 public:
  explicit SurfaceWriter(const Simulation& simulation)
      : simulation_(simulation), world_(simulation.world) {}

  std::string write() {
    for (std::size_t k = 0; k < world_.surfaces.size(); ++k) {
      write_surface(world_.surfaces[k]);
      write_elasticity(k);
      write_entries(&world_.surfaces[k]);
    }
    write_entries(nullptr);
    return std::move(out_);
  }

 private:
  void header(const std::string& name) { out_ += "\n[[" + name + "]]\n"; }
  void line(std::string_view key, const std::string& value) {
    out_ += std::string(key) + " = " + value + "\n";
  }
  void number(std::string_view key, double value, double otherwise) {
    if (value != otherwise) line(key, exact_number(value));
  }
  template <class Choice>
  void choice(std::string_view key, const std::vector<std::string>& names,
              std::pair<Choice, Choice> value_and_default) {
    const auto& [value, otherwise] = value_and_default;
    if (value != otherwise) line(key, quote(names[static_cast<std::size_t>(value)]));
  }
  [[nodiscard]] std::string places(const std::vector<Vec3>& all, const Surface& surface) const {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(surface.first);
    return places_text({begin, begin + static_cast<std::ptrdiff_t>(surface.size())},
                       world_.dimension);
  }

  void write_surface(const Surface& surface);
  void write_elasticity(std::size_t surface);
  // Of a surface's vertices, or of all bodies that are none.
  void write_entries(const Surface* surface);
  void write_entry(const std::string& name, const Surface* surface, const Entry& entry);

  const Simulation& simulation_;
  const World& world_;
  std::string out_;
};

void SurfaceWriter::write_surface(const Surface& surface) {
  header("surface");
  line("name", quote(surface.name));
  if (surface.material != 0) {
    line("material", quote(world_.materials.material(surface.material).name));
  }
  line("thickness", exact_number(surface.thickness));
  line("vertices", places(simulation_.start.position, surface));
  bool rests_as_placed = true;
  for (Index v = 0; v < surface.size(); ++v) {
    rests_as_placed = rests_as_placed &&
                      has_same_bits(surface.rest[v], simulation_.start.position[surface.first + v]);
  }
  if (!rests_as_placed) line("rest", places_text(surface.rest, 3));
  std::vector<std::array<Index, 3>> triangles;
  for (const TriangleMesh::Triangle& t : surface.triangles) triangles.push_back({t.a, t.b, t.c});
  if (!triangles.empty()) line("triangles", vertex_lists_text(triangles));
  if (!surface.chain.empty()) line("edges", vertex_lists_text(surface.chain));
  line("velocities", places(simulation_.start.velocity, surface));
  std::string masses;
  for (Index i = surface.first; i < surface.first + surface.size(); ++i) {
    masses += (masses.empty() ? "" : ",") + exact_number(world_.bodies.mass[i]);
  }
  line("masses", "[" + masses + "]");
}

// What differs from the defaults, and of that only what has a meaning.
void SurfaceWriter::write_elasticity(std::size_t number_of_surface) {
  const Surface& surface = world_.surfaces[number_of_surface];
  const SurfaceElasticity standard;
  const SurfaceElasticity e = simulation_.forces.elasticity.empty()
                                  ? standard
                                  : simulation_.forces.elasticity[number_of_surface];
  line("stretching", exact_number(e.stretching));
  number("stretching_damping", e.stretching_damping, 0.0);
  choice("stretch_model", stretch_model_names(),
         std::pair(e.stretch_model, standard.stretch_model));
  if (has_edge_springs(surface, e)) {
    choice("edge_law", edge_law_names(), std::pair(e.edge_law, standard.edge_law));
  }
  if (has_stretch_triangles(surface, e)) number("poisson", e.poisson, standard.poisson);
  number("bending", e.bending, 0.0);
  number("bending_damping", e.bending_damping, 0.0);
  choice("bend_model", bend_model_names(), std::pair(e.bend_model, standard.bend_model));
  number("yield", e.yield, standard.yield);
  if (e.is_flat_at_rest) line("flat_at_rest", "true");
  number("stretch_limit", e.stretch_limit, 0.0);
  number("compression_limit", e.compression_limit, 0.0);
  if (!has_length_limits(e)) return;
  number("limit_stiffness", e.limit_stiffness, 0.0);
  number("limit_restitution", e.limit_restitution, 1.0);
}

void SurfaceWriter::write_entries(const Surface* surface) {
  const auto belongs = [&](Index body) {
    return surface == nullptr ? !is_vertex(world_, body) : has_vertex(*surface, body);
  };
  std::vector<Entry> leads;
  for (const LedBody& led : world_.led) {
    if (!belongs(led.body)) continue;
    const bool is_held = std::holds_alternative<std::monostate>(led.motion);
    add_to(leads, is_held ? "" : "motion = " + motion_text(led.motion, world_.dimension) + "\n",
           led.body);
  }
  std::vector<Entry> forces;
  for (const BodyForce& force : simulation_.forces.prescribed) {
    if (!belongs(force.body)) continue;
    std::string values = "force = " + vector_text(force.force, world_.dimension) + "\n";
    if (force.begin != 0.0) values += "begin = " + exact_number(force.begin) + "\n";
    if (force.end != kInfinity) values += "end = " + exact_number(force.end) + "\n";
    add_to(forces, values, force.body);
  }
  for (const Entry& lead : leads) write_entry("lead", surface, lead);
  for (const Entry& force : forces) write_entry("force", surface, force);
}

void SurfaceWriter::write_entry(const std::string& name, const Surface* surface,
                                const Entry& entry) {
  header(surface == nullptr ? name : "surface." + name);
  std::string list;
  for (const Index body : entry.bodies) {
    list += list.empty() ? "" : ", ";
    list += surface == nullptr ? quote(world_.bodies.name[body])
                               : std::to_string(body - surface->first);
  }
  line(surface == nullptr ? "bodies" : "vertices", "[" + list + "]");
  out_ += entry.values;
}

}  // namespace

bool is_vertex(const World& world, Index body) {
  return std::any_of(world.surfaces.begin(), world.surfaces.end(),
                     [body](const Surface& surface) { return has_vertex(surface, body); });
}

std::string surfaces_text(const Simulation& simulation) {
  return SurfaceWriter(simulation).write();
}

}  // namespace carom::detail
